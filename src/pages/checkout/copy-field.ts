// A value that has to be taken over exactly: shown whole, selectable, with a button where there is
// JavaScript. Addresses and references are compared by eye: they stand in groups of four with the
// first and the last strong, and nothing in between, so that what is selected is what has to be
// sent.

import { encode } from 'uqr';
import { shownAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import { numberText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { Texts } from '#pages/languages/en.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { Due } from './decide-page.ts';

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

/** What has to be sent now. `isRest`: a part was paid already. */
export function amountField(
  { language }: CheckoutPage,
  { commitment, units }: Due,
  isRest: boolean,
): CopyField {
  const { amount, amountRest } = language.texts.pay;
  const { assetCode, decimals } = shownAsset(commitment.network, commitment.assetId);
  return {
    id: 'amount',
    label: isRest ? amountRest : amount,
    value: amountToText(units, decimals),
    shown: numberText(decimalFromUnits(units, decimals), language.code),
    unit: assetCode,
    look: 'amount',
  };
}

const GROUP_LENGTH = 4;

export function groupsOf(text: string): string[] {
  const groups = text.match(/.{1,4}/gsu) ?? [];
  const last = groups.at(-1);
  // A single last character is easily overlooked, so it joins the group before it.
  if (groups.length < 2 || last === undefined || [...last].length > 1) return groups;
  return [...groups.slice(0, -2), `${groups.at(-2)}${last}`];
}

export function groupedCode(text: string): Html {
  const groups = groupsOf(text);
  if (text.length <= GROUP_LENGTH * 2) return html`${text}`;
  const ends = [0, groups.length - 1];
  const parts = groups.map((group, index) =>
    ends.includes(index) ? html`<b>${group}</b>` : html`<span>${group}</span>`,
  );
  return html`<span class="fours">${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}</span>`;
}

// QR codes as drawings: one path of dark squares, black on white whatever the colours of the page.

/** ISO/IEC 18004 asks for four light modules around it. */
const QUIET_MODULES = 4;

/** `label` says the same in words, for who cannot see it. */
export function qrCode(text: string, label: string): Html {
  // Long texts (Lightning invoices) get larger squares instead of more redundancy.
  const { size, data } = encode(text, {
    ecc: text.length > 200 ? 'L' : 'M',
    border: QUIET_MODULES,
  });
  return html`<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"
 role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}"
 fill="#fff"/><path fill="#000" d="${darkPath(data)}"/></svg>`;
}

function darkPath(rows: readonly (readonly boolean[])[]): string {
  const parts: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      const width = x - start + 1;
      parts.push(`M${start} ${y}h${width}v1h-${width}z`);
    }
  });
  return parts.join('');
}
