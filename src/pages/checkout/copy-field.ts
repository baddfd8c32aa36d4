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
  /** What to do with it. */
  readonly hint?: string | undefined;
};

/** From so many characters on it is set smaller: a Lightning invoice. */
const LONG_FROM = 120;

export function copyField(field: CopyField, texts: Texts): Html {
  const { id, label, value, shown, unit, look, hint } = field;
  return html`<div class="hero ${look}${value.length >= LONG_FROM && ' long'}">
<p class="label" id="${id}-label">${label}</p>
<p class="value" id="${id}" data-value="${value}"><span>${shown ?? (look === 'code' ? groupedCode(value) : value)}</span>${
    unit !== undefined && html` <span class="unit">${unit}</span>`
  }</p>
<button type="button" class="copy" id="${id}-copy" data-copy="${value}" data-done="${texts.page.copied}"
 aria-describedby="${id}-label" hidden>${texts.page.copy}</button>
${hint !== undefined && html`<p class="hint">${hint}</p>`}</div>`;
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

/** The form of an IBAN (ISO 13616) and of a creditor reference (ISO 11649). */
const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/;

/**
 * Four at each end, for whoever compares these; what is over stands between. Accounts of banks are
 * written in fours from the left everywhere, and compared as they are written.
 */
export function groupsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length <= GROUP_LENGTH * 2 || ACCOUNT.test(text)) return chunks(characters);
  const between = chunks(characters.slice(GROUP_LENGTH, -GROUP_LENGTH));
  const ends = [characters.slice(0, GROUP_LENGTH), characters.slice(-GROUP_LENGTH)];
  const [first = '', last = ''] = ends.map((end) => end.join(''));
  return [first, ...between, last];
}

/** A single character is easily overlooked, so it joins the group before it. */
function chunks(characters: readonly string[]): string[] {
  const groups: string[] = [];
  for (let at = 0; at < characters.length; at += GROUP_LENGTH) {
    const group = characters.slice(at, at + GROUP_LENGTH).join('');
    const isLone = at === characters.length - 1 && at > 0;
    if (isLone) groups[groups.length - 1] += group;
    else groups.push(group);
  }
  return groups;
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

/** Of the width: 4 % of the area, where a code bears the loss of 15 (M) and of 25 (Q). */
const MARK_SHARE = 0.2;

/** From there on the squares are so small on a screen that none may be lost. */
const MARKED_UP_TO = 300;

/**
 * `label` says the same in words, for who cannot see it. `mark`: one of our own pictures, in the
 * middle of the code where it has room for one.
 */
export function qrCode(text: string, label: string, mark?: string): Html {
  const markSrc = text.length > MARKED_UP_TO ? undefined : mark;
  const { size, data } = encode(text, { ecc: correctionOf(text, markSrc), border: QUIET_MODULES });
  return html`<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"
 role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}"
 fill="#fff"/><path fill="#000" d="${darkPath(data)}"/>${
   markSrc !== undefined && codeMark(size - 2 * QUIET_MODULES, size, markSrc)
 }</svg>`;
}

/** Long texts (Lightning invoices) get larger squares instead of more redundancy. */
function correctionOf(text: string, markSrc: string | undefined): 'L' | 'M' | 'Q' {
  const isLong = text.length > 200;
  if (markSrc === undefined) return isLong ? 'L' : 'M';
  return isLong ? 'M' : 'Q';
}

function codeMark(modules: number, size: number, src: string): Html {
  const width = Math.round(modules * MARK_SHARE);
  const at = (size - width) / 2;
  return html`<g shape-rendering="auto"><circle cx="${size / 2}" cy="${size / 2}" r="${width / 2}" fill="#fff"/>
<image href="${src}" x="${at + 0.5}" y="${at + 0.5}" width="${width - 1}" height="${width - 1}"/></g>`;
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
