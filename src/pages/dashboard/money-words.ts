// What every page says of money that moves: the account it goes to, in groups that are compared by
// eye, what an amount is worth, and why something was refused.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { explorerUrl, KNOWN_EXPLORERS } from '#catalog/explorer.ts';
import type { Owner } from '#catalog/owner.ts';
import { amountToText } from '#money/asset-amount.ts';
import { parseDecimal, roundDecimal } from '#money/decimal.ts';
import { groupedCode } from '#pages/checkout/copy-field.ts';
import { amountIn, moneyText, numberText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { usdValue } from '#rates/rate-book.ts';
import { findPerson, personOf } from '#staff/person.ts';
import type { Transfer } from '#transfer/transfer.ts';
import type { ShopVisit } from './guard.ts';
import type { Place } from './shell.ts';

export type LineList = readonly (Html | false | undefined)[];

/** Whose it is, and nothing else of the place: what acts are given. */
export function ownerOf({ merchantId, environment }: Place): Owner {
  return { merchantId, environment };
}

export function line(label: string, value: Html | string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

export function linesOf(lines: LineList, id?: string): Html {
  return html`<dl class="lines"${id !== undefined && html` id="${id}"`}>${lines}</dl>`;
}

/** In whole coins, as its reader writes it. */
export function unitsText(assetId: string, units: bigint, { language }: ShopVisit): string {
  const { assetCode, decimals } = getAsset(assetId);
  return amountIn(amountToText(units, decimals), assetCode, language);
}

/** Each field by its name; whatever is copied and compared stands in groups. */
export function accountLines({ language }: ShopVisit, account: ReceivingAccount = {}): Html[] {
  const { fields } = language.texts.moneyActs;
  return Object.entries(account).map(([name, value]) =>
    line(
      fields[name as keyof typeof fields] ?? name,
      READ_AS_WORDS.has(name)
        ? foreignText(value)
        : html`<code class="old">${groupedCode(value)}</code>`,
    ),
  );
}

const READ_AS_WORDS: ReadonlySet<string> = new Set(['holder', 'memo', 'memoType']);

/** To the cent; undefined without a price. */
export function dollarsText(
  app: PageApp,
  { place, language }: ShopVisit,
  assetId: string,
  units: bigint,
): string | undefined {
  const worth = usdValue(app.rates, place.environment, [{ assetId, units }], app.clock.now());
  return worth && moneyText(roundDecimal(worth, 2, 'down'), 'USD', language.code);
}

export function transactionLink(
  app: PageApp,
  { place }: ShopVisit,
  network: string,
  transaction: string,
): Html {
  const chain = chainOf(place.environment, network);
  const address = explorerUrl(app.explorers ?? KNOWN_EXPLORERS, chain, transaction);
  const shown = html`<code>${transaction}</code>`;
  return address === undefined
    ? shown
    : html`<a href="${address}" target="_blank" rel="noopener noreferrer">${shown}</a>`;
}

/** Whom the trail names: a person of the dashboard by his name, a key by its id. */
export async function actorText(
  app: PageApp,
  { language }: Pick<ShopVisit, 'language'>,
  actor: string,
): Promise<Html | string> {
  const { moneyActs, timeline } = language.texts;
  const personId = personOf(actor);
  const person = personId === undefined ? undefined : await findPerson(app.db, personId);
  if (person !== undefined) return foreignText(person.name);
  if (actor.startsWith('key ')) return moneyActs.approvals.key(actor.slice(4));
  return actor in timeline.who
    ? timeline.who[actor as keyof typeof timeline.who]
    : foreignText(actor);
}

/** What the network takes in another asset, which is not the shop's. */
export function gasText(
  { gasFee }: Pick<Transfer, 'gasFee'>,
  visit: ShopVisit,
): string | undefined {
  return gasFee && unitsText(gasFee.assetId, BigInt(gasFee.units), visit);
}

export function amountHint({ language }: ShopVisit): string {
  const sample = numberText(parseDecimal('0.25'), language.code);
  return language.texts.moneyActs.amountHint(sample);
}

type Fault = keyof ShopVisit['language']['texts']['moneyActs']['faults'];

const FAULT_OF: Readonly<Record<string, Fault>> = {
  validation_failed: 'notRight',
  beneficiary_elsewhere: 'asset',
  amount_invalid: 'amount',
  amount_too_small: 'tooSmall',
  asset_unknown: 'asset',
  network_unknown: 'asset',
  label_taken: 'labelTaken',
  beneficiary_too_new: 'tooNew',
  invoice_expired: 'invoice',
  balance_too_low: 'balance',
  spending_limit: 'limit',
  second_person: 'secondPerson',
  rate_missing: 'notNow',
  network_fee_unknown: 'notNow',
  executor_missing: 'cannotSend',
  exchange_missing: 'noExchange',
  prices_not_configured: 'noExchange',
  conversion_not_covered: 'notCovered',
  transfer_expired: 'over',
  swap_expired: 'over',
  quote_of_another: 'ofAnother',
  transfer_shown: 'shown',
  transfer_signed: 'shown',
  transfer_not_to_send: 'shown',
  address_invalid: 'noAddress',
  nothing_to_refund: 'nothingLeft',
  checkout_not_paid: 'nothingLeft',
  refund_exceeds_payment: 'tooMuch',
  refund_only_full: 'onlyFull',
  payment_uncertain: 'uncertain',
  refund_changed: 'changed',
  form_used: 'formUsed',
  form_token: 'formUsed',
  approval_missing: 'notWaiting',
};

/** The sentence of the language, and the words of the API, which has the figures. */
export function refusalNote(visit: ShopVisit, refusal: Refusal | undefined): Html | undefined {
  if (refusal === undefined) return undefined;
  const { moneyActs, faults } = visit.language.texts;
  const { code, details } = refusal;
  const fault = FAULT_OF[code];
  const isGone = code === 'beneficiary_missing' || code === 'beneficiary_deleted';
  const said = isGone ? faults.gone : moneyActs.faults[fault ?? 'other'];
  return html`<div class="warning" role="alert" id="fault"><p>${said}</p>${details.map((detail) =>
    detailText(visit, detail),
  )}</div>`;
}

/** `beneficiary.account.iban: must be …` begins with the name of its field. */
function detailText({ language }: ShopVisit, detail: string): Html {
  const { fields } = language.texts.moneyActs;
  const [, name = '', rest = ''] = /^(?:\w+\.)*(\w+): (.*)$/su.exec(detail) ?? [];
  const label = fields[name as keyof typeof fields];
  return html`<p class="hint">${label !== undefined && html`${label}: `}<span lang="en">${foreignText(
    label === undefined ? detail : rest,
  )}</span></p>`;
}

/** A refusal that is told beside the form. */
export function refusalOfAct(error: unknown): Refusal {
  if (!(error instanceof Refusal)) throw error;
  return error;
}

/** The same, where what is missing is a page that is not there. */
export function shownRefusal(error: unknown): Refusal {
  const refusal = refusalOfAct(error);
  if (refusal.kind === 'missing') throw refusal;
  return refusal;
}
