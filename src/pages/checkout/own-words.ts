// What a shop says on its pages in its own words: plain text, in the language of the page or, where
// it has none in it, in that of the shop, which is marked. Guarantees: nothing of it is markup or a
// link, and it cannot turn the direction of what is around it.

import type { OwnPageWords, PageWordsPlace } from '#merchant/customer-mails.ts';
import { directionOf } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';

type Worded = Pick<CheckoutPage, 'words' | 'language' | 'settings' | 'summary'>;

export function ownWords(
  page: Worded,
  place: Exclude<PageWordsPlace, 'HEADING' | 'TERMS'>,
): Html | undefined {
  const found = findWords(page, place);
  return (
    found && html`<div class="own" data-own="${place}"${marked(page, found)}>${lines(found)}</div>`
  );
}

/** Above all else: a part of the page that is named by what it says. */
export function ownHeading(page: Worded): Html | undefined {
  const found = findWords(page, 'HEADING');
  return (
    found &&
    html`<section class="own" data-own="HEADING" aria-labelledby="own-heading"${marked(page, found)}>
<p id="own-heading">${foreignText(found.words)}</p></section>`
  );
}

/** A part of the page by itself, named after the shop. */
export function termsCard(page: Worded): Html | undefined {
  const found = findWords(page, 'TERMS');
  return (
    found &&
    html`<section class="card own" data-own="TERMS" aria-label="${page.summary.shopName}"${marked(page, found)}>
${lines(found)}</section>`
  );
}

function findWords({ words, language, settings }: Worded, place: PageWordsPlace) {
  const own = words.filter((one) => one.place === place);
  const inLanguage = (code: string) => own.find((one) => one.language === code);
  return inLanguage(language.code) ?? inLanguage(settings.defaultLanguage);
}

function marked({ language }: Worded, found: OwnPageWords): Html | undefined {
  if (found.language === language.code) return undefined;
  return html` lang="${found.language}" dir="${directionOf(found.language)}"`;
}

/** Lines stay lines; an empty one begins a paragraph. */
function lines({ words }: OwnPageWords): Html[] {
  return words.split(/\n{2,}/).map((paragraph) => {
    const [first = '', ...others] = paragraph.split('\n');
    return html`<p>${foreignText(first)}${others.map((line) => html`<br>${foreignText(line)}`)}</p>`;
  });
}
