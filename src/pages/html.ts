// Markup that cannot be broken by what is put into it. Guarantees: text becomes text, in elements
// and in quoted attributes, whatever it contains (H1); only `html` and `trustedMarkup` make markup.
// Not guaranteed: that a text is harmless as the target of a link: those are made in one place
// each.

const brand: unique symbol = Symbol('html');

export type Html = { readonly [brand]: true; readonly markup: string };

type HtmlPart = Html | string | number | bigint | undefined | false | readonly HtmlPart[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Parts are escaped, lists are joined, `undefined` and `false` are nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += partMarkup(part) + (strings[index + 1] ?? '');
  });
  return trustedMarkup(markup);
}

/** For markup that our own code made from numbers and constants (drawings), never from input. */
export function trustedMarkup(markup: string): Html {
  return { [brand]: true, markup };
}

export function escapeText(text: string): string {
  return storableText(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/**
 * Text somebody else wrote, for display: isolated, and without the characters that reorder or hide
 * its surroundings (H6, UTR 36). The stored text stays as it is.
 */
export function foreignText(text: string): Html {
  return html`<bdi>${visibleText(text)}</bdi>`;
}

/** Bidi controls, invisible separators and control characters; joiners stay, scripts need them. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\p{Cc}]/gu;

export function visibleText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
}

function partMarkup(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number' || typeof part === 'bigint') return String(part);
  if (isList(part)) return part.map(partMarkup).join('');
  return part.markup;
}

function isList(part: Html | readonly HtmlPart[]): part is readonly HtmlPart[] {
  return Array.isArray(part);
}

/** NUL and halves of surrogate pairs are not characters of HTML. */
function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
