// How many blocks a payment has to be buried under, by what it is worth, for a shop that asks for
// more than the server: only on networks where more blocks are more certain.

import { chainOf } from '#catalog/chain.ts';
import {
  CONFIRMATIONS_MOST,
  type ConfirmationTiers,
  defaultConfirmations,
  listDeepNetworks,
  type NetworkInfo,
} from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import type { PaymentWishes } from '#merchant/merchant.ts';
import { type Html, html } from '#pages/html.ts';
import { button, formOf } from './controls.ts';
import type { ShopVisit } from './guard.ts';

type Asked = PaymentWishes['confirmations'];
const TIERS = ['small', 'medium', 'large'] as const;

/** Undefined: a field is no number of blocks, or more money would need fewer. */
export function readDepths(
  owner: Pick<Owner, 'environment'>,
  before: Asked,
  typed: URLSearchParams,
): Asked | undefined {
  const asked: Record<string, ConfirmationTiers> = { ...before };
  for (const { id } of listDeepNetworks()) {
    const usual = defaultConfirmations(chainOf(owner.environment, id));
    const [small, medium, large] = TIERS.map((tier) => blocksIn(typed.get(`${tier} ${id}`)));
    if (small === undefined || medium === undefined || large === undefined) return undefined;
    if (small > medium || medium > large) return undefined;
    if (small === usual[0] && medium === usual[1] && large === usual[2]) delete asked[id];
    else asked[id] = [small, medium, large];
  }
  return asked;
}

function blocksIn(text: string | null): number | undefined {
  const blocks = /^\d{1,4}$/.test(text?.trim() ?? '') ? Number(text) : 0;
  return blocks >= 1 && blocks <= CONFIRMATIONS_MOST ? blocks : undefined;
}

export function depthsCard(
  visit: ShopVisit,
  path: string,
  asked: Asked,
  typed: URLSearchParams | undefined,
): Html {
  const { settings, shell } = visit.language.texts;
  return html`<section class="card" id="depths"><h2>${settings.depths}</h2>
<p class="hint">${settings.depthsHint}</p>
${formOf(visit, path, [
  html`<input type="hidden" name="act" value="depths">`,
  ...listDeepNetworks().map((network) => networkRow(visit, network, asked, typed)),
  button(shell.save, 'save-depths'),
])}</section>`;
}

function networkRow(
  { place, language }: ShopVisit,
  { id, name }: NetworkInfo,
  asked: Asked,
  typed: URLSearchParams | undefined,
): Html {
  const { settings } = language.texts;
  const tiers = asked[id] ?? defaultConfirmations(chainOf(place.environment, id));
  return html`<fieldset class="item"><legend>${name}</legend>${TIERS.map((tier, index) => {
    const field = `${tier} ${id}`;
    const fieldId = `${tier}-${id}`;
    const label = settings.depth[tier];
    return html`<p class="field"><label class="label" for="${fieldId}">${label}</label>
<input id="${fieldId}" name="${field}" value="${typed?.get(field) ?? `${tiers[index]}`}"
 inputmode="numeric" maxlength="4" required autocomplete="off"></p>`;
  })}</fieldset>`;
}
