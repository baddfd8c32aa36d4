// A value that has to be taken over exactly: shown whole, selectable, with a button where there is
// JavaScript.
import { groupedCode } from '#pages/grouped-code.ts';
import { type Html, html } from '#pages/html.ts';
import type { Texts } from '#pages/languages/texts.ts';

export type CopyField = {
  readonly id: string;
  readonly label: string;
  /** What is copied. */
  readonly value: string;
  /** As a reader of the language writes it; without it as it is copied. */
  readonly shown?: string;
  /** Shown behind it, not copied. */
  readonly unit?: string;
  readonly look: 'amount' | 'code';
};

export function copyField({ id, label, value, shown, unit, look }: CopyField, texts: Texts): Html {
  return html`<div class="hero ${look}">
<p class="label" id="${id}-label">${label}</p>
<p class="value" id="${id}" data-value="${value}"><span>${shown ?? (look === 'code' ? groupedCode(value) : value)}</span>${
    unit !== undefined && html` <span class="unit">${unit}</span>`
  }</p>
<button type="button" class="copy" id="${id}-copy" data-copy="${value}" data-done="${texts.page.copied}"
 aria-describedby="${id}-label" hidden>${texts.page.copy}</button>
</div>`;
}
