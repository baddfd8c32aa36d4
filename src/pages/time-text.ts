// A moment on a page: UTC as the server writes it; the script of the page puts it into the zone of
// the reader, and names that zone.
import type { LanguageCode } from '#catalog/language.ts';
import { clockText, momentText } from './display.ts';
import { type Html, html } from './html.ts';

export function momentTime(at: Temporal.Instant, code: LanguageCode): Html {
  return html`<time datetime="${at.toString()}" data-look="moment">${momentText(at, code)}</time>`;
}

/** The time of day alone: what it belongs to is not long ago. */
export function clockTime(at: Temporal.Instant, code: LanguageCode): Html {
  return html`<time datetime="${at.toString()}" data-look="clock">${clockText(at, code)}</time>`;
}
