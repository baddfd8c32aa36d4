// The top of the pages of a merchant: its name and logo, and the choice of the language: a list
// that opens without JavaScript, every language named in itself, each a plain link to the same
// page.

import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { type Logo, type LogoPicture, logoPath } from '#merchant/seller.ts';
import { foreignText, type Html, html } from './html.ts';
import type { PageLanguage } from './languages/texts.ts';

/** `addressIn` gives the address of the same view in another language. */
export function pageHeader(
  shopName: string,
  logo: Logo | undefined,
  language: PageLanguage,
  addressIn: (code: LanguageCode) => string,
): Html {
  return html`<header class="top">${brandMark(shopName, logo)}
${languageSwitch(language, addressIn)}</header>`;
}

/** The name stands beside the picture: it is also what is read out. */
export function brandMark(shopName: string, logo: Logo | undefined): Html {
  return html`<span class="brand">${logo !== undefined && picture(logo)}${foreignText(shopName)}</span>`;
}

/** On paper and in light mode the one, in dark mode the other, where there is another. */
function picture({ dark, ...logo }: Logo): Html {
  const { hash, ink, width, height } = logo;
  const then = dark && html` then-${dark.ink}`;
  const image = html`<img class="logo ${ink}${then}" src="${logoPath(hash)}" srcset="${sources(logo)}"
width="${width}" height="${height}" alt="">`;
  if (dark === undefined) return image;
  return html`<picture><source media="screen and (prefers-color-scheme: dark)"
srcset="${sources(dark)}" width="${dark.width}" height="${dark.height}">${image}</picture>`;
}

function sources({ hash, fineHash }: LogoPicture): string {
  return `${logoPath(hash)} 1x, ${logoPath(fineHash)} 2x`;
}

/** Nothing where there is nothing to choose. */
function languageSwitch(
  { code, texts, offered }: PageLanguage,
  addressIn: (code: LanguageCode) => string,
): Html | undefined {
  const shown = LANGUAGES.filter(
    ({ languageCode }) => languageCode === code || (offered?.includes(languageCode) ?? true),
  );
  if (shown.length === 1) return undefined;
  const current = LANGUAGES.find(({ languageCode }) => languageCode === code);
  return html`<nav class="languages no-print" aria-label="${texts.page.language}">
<details>
<summary><span class="visually-hidden">${texts.page.language}: </span>${current?.name}</summary>
<ul>${shown.map(
    ({ languageCode, name }) =>
      html`<li><a href="${addressIn(languageCode)}" lang="${languageCode}"
 hreflang="${languageCode}"${languageCode === code && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></details></nav>`;
}
