// The choice of the language of a page: a list that opens without JavaScript, every language named
// in itself, each a plain link to the same page.
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { type Html, html } from './html.ts';
import type { PageLanguage } from './languages/texts.ts';

/** `addressIn` gives the address of the same view in another language. */
export function languageSwitch(
  { code, texts }: PageLanguage,
  addressIn: (code: LanguageCode) => string,
): Html {
  const current = LANGUAGES.find(({ languageCode }) => languageCode === code);
  return html`<nav class="languages no-print" aria-label="${texts.page.language}">
<details>
<summary><span class="visually-hidden">${texts.page.language}: </span>${current?.name}</summary>
<ul>${LANGUAGES.map(
    ({ languageCode, name }) =>
      html`<li><a href="${addressIn(languageCode)}" lang="${languageCode}"
 hreflang="${languageCode}"${languageCode === code && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></details></nav>`;
}
