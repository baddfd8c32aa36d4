// Puts what the page says (decide-words.ts) into the words of its language.
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { decideWords, SENTENCES, type SentenceName } from './decide-words.ts';

export type SentenceLook = 'hint' | 'warning' | 'plain';

/** A paragraph for a sentence that the page says; nothing for one that it does not. */
export function sayer(
  page: CheckoutPage,
): (name: SentenceName, look?: SentenceLook) => Html | undefined {
  const { sentences } = decideWords(page);
  return (name, look = 'hint') => {
    if (!sentences.has(name)) return undefined;
    const text = SENTENCES[name](page.language.texts);
    const isPlain = look === 'plain';
    return html`<p${!isPlain && html` class="${look}"`} data-says="${name}">${text}</p>`;
  };
}
