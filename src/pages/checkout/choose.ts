// Choosing what to pay with: first the coin as people name it, then the network that carries it.
// Every step has an address of its own, and every choice is a plain link or button.

import { getAsset, shownAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import { wayName } from '#catalog/way.ts';
import type { Offer } from '#checkout/checkout.ts';
import { compare, type Decimal, decimalFromUnits, roundDecimal } from '#money/decimal.ts';
import { assetName, minutesText, moneyText, numberText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { answersLink } from './ask.ts';
import { type CheckoutPage, checkoutPath, methodValue } from './checkout-page.ts';
import { isTimeless, type PageState } from './decide-page.ts';
import { answeredPanel } from './find-payment.ts';
import { type CoinWays, listPayWays, type PayWays } from './list-coins.ts';
import { cancelForm } from './pay.ts';
import { noticeList } from './say-words.ts';
import { meanMinutes } from './seen.ts';

type ChooseState = Extract<PageState, { kind: 'choose' }>;

export function choosePage(page: CheckoutPage, state: ChooseState): Html {
  const { texts, code } = page.language;
  const ways = listPayWays(state.offers, {
    feeOf: page.payerFeeOf,
    recommended: page.recommended,
  });
  const chosen = ways.coins.find(({ key }) => key === state.group);
  const coin = chosen ?? (ways.banks.length === 0 && ways.coins.length === 1 && ways.coins[0]);
  const total = moneyText(page.record.total, page.record.billingCurrency, code);
  return html`<section class="card" aria-labelledby="title">
${
  state.isChange &&
  html`<p class="back"><a href="${checkoutPath(page, '', {
    network: page.query.network,
    asset: page.query.asset,
  })}">${texts.choose.back}</a></p>`
}
${
  chosen !== undefined &&
  html`<p class="back"><a href="${groupPath(page, undefined)}">${texts.choose.otherGroups}</a></p>`
}
<h1 id="title" tabindex="-1">${
    chosen === undefined
      ? texts.choose.title(total)
      : texts.choose.networkTitle(coinName(chosen, code))
  }</h1>
${noticeList(page)}
${
  state.offers.length === 0
    ? html`<p>${texts.choose.none}</p>`
    : html`<p class="hint">${chooseHint(page, state, chosen)}</p>
${coin ? networkForm(page, state, coin) : coinForm(page, state, ways)}`
}
${answeredPanel(page)}
<div class="ways">${answersLink(page)}${cancelForm(page)}</div>
</section>`;
}

function chooseHint({ language: { texts } }: CheckoutPage, state: ChooseState, chosen?: CoinWays) {
  if (state.offers.length === 1) return texts.choose.only;
  return chosen === undefined ? texts.choose.hint : texts.choose.networkHint;
}

/** From so many rows on one looks for a name rather than through all of them. */
const SEARCHED_FROM = 7;

function coinForm(page: CheckoutPage, state: ChooseState, { coins, banks }: PayWays): Html {
  const { choose } = page.language.texts.paying;
  return html`${coins.length + banks.length >= SEARCHED_FROM && searchField(page)}
<form method="post" action="${checkoutPath(page, '/choose')}" class="stack">
${
  coins.length > 0 &&
  html`<ul class="choices" data-arrows data-ways>
${coins.map((coin) => coinChoice(page, state, coin))}
</ul>`
}
${
  banks.length > 0 &&
  html`<h2 id="banks">${choose.bank}</h2>
<ul class="choices" data-arrows data-ways aria-labelledby="banks">
${banks.map((offer) => bankChoice(page, state, offer))}
</ul>`
}</form>`;
}

/** Shown by the script, which also does what it promises. */
function searchField({ language: { texts } }: CheckoutPage): Html {
  const { search, nothing } = texts.paying.choose;
  return html`<div class="search" data-search hidden>
<label class="visually-hidden" for="search">${search}</label>
<input id="search" type="search" placeholder="${search}" autocomplete="off" spellcheck="false">
<p class="hint" role="status" data-nothing="${nothing}"></p></div>`;
}

function networkForm(page: CheckoutPage, state: ChooseState, coin: CoinWays): Html {
  return html`<form method="post" action="${checkoutPath(page, '/choose')}">
<ul class="choices" data-arrows data-ways>
${coin.offers.map((offer) =>
  offerChoice(page, state, {
    offer,
    coin,
    imageSrc: getNetwork(offer.network).imageSrc,
    name: html`${networkName(offer)}`,
  }),
)}
</ul></form>`;
}

/** An asset that somebody issues for what he holds elsewhere is named with him. */
function networkName({ network, assetId }: Offer): string {
  const { bridge, issuerDomain } = getAsset(assetId);
  const { name } = getNetwork(network);
  return bridge && issuerDomain !== '' ? `${name} (${issuerDomain})` : name;
}

/** As it is asked for: Bitcoin by its name, a token by its code. */
function coinName({ key, offers: [offer] }: CoinWays, code: LanguageCode): string {
  if (key === offer.network) return getNetwork(key).name;
  const { group, assetCode } = getAsset(offer.assetId);
  return group === assetCode ? getNamed(offer.assetId, code) : assetCode;
}

function getNamed(assetId: string, code: LanguageCode): string {
  const asset = getAsset(assetId);
  return asset.bridge ? getAsset(`${asset.assetCode}:NATIVE`).name : assetName(asset, code);
}

function coinChoice(page: CheckoutPage, state: ChooseState, coin: CoinWays): Html {
  const { texts, code } = page.language;
  const [first, ...others] = coin.offers;
  const name = coinName(coin, code);
  if (others.length === 0) {
    const network = networkName(first);
    const isSaid = network === name;
    const by = html` <span class="choice-network">${texts.choose.on(network)}</span>`;
    const shown = html`${name}${!isSaid && by}`;
    return offerChoice(page, state, { offer: first, coin, imageSrc: coin.imageSrc, name: shown });
  }
  const { paying } = texts;
  const fee = page.payerFeeOf(first);
  const hint = [
    paying.choose.networks(coin.offers.length),
    ...(fee === undefined ? [] : [paying.choose.feeFrom(feeMoney(page, fee))]),
  ];
  return html`<li ${rowFacts(coin.offers, coin.key)}>
<a class="choice" href="${groupPath(page, coin.key)}">
<img src="${coin.imageSrc}" alt="" width="40" height="40">
<span class="choice-text"><span class="choice-head"><span class="choice-name">${name}</span>
${amountText(page, first)}</span>
<span class="choice-hint">${hint.join(' · ')}${badges(page, coin.isRecommended)}</span></span>
<span class="arrow" aria-hidden="true">›</span></a></li>`;
}

function bankChoice(page: CheckoutPage, state: ChooseState, offer: Offer): Html {
  const { imageSrc, name } = getNetwork(offer.network);
  const currency = assetName(getAsset(offer.assetId), page.language.code);
  const shown = html`${name} <span class="choice-network">${currency}</span>`;
  return offerChoice(page, state, { offer, imageSrc, name: shown });
}

type Row = {
  readonly offer: Offer;
  readonly coin?: CoinWays;
  readonly imageSrc: string;
  readonly name: Html;
};

function offerChoice(page: CheckoutPage, state: ChooseState, row: Row): Html {
  const { offer, coin, imageSrc, name } = row;
  const { texts } = page.language;
  const isRecommended = page.recommended.includes(wayName(offer));
  return html`<li ${rowFacts([offer], coin?.key ?? offer.network)}>
<button class="choice" name="method" value="${methodValue(offer)}">
<img src="${imageSrc}" alt="" width="40" height="40">
<span class="choice-text"><span class="choice-head"><span class="choice-name">${name}</span>
${amountText(page, offer)}</span>
<span class="choice-hint">${hints(page, offer).join(' · ')}${badges(page, isRecommended)}</span>${
    state.slow.includes(offer.network) &&
    html`<span class="choice-hint slow">${texts.choose.slow}</span>`
  }</span>
<span class="arrow" aria-hidden="true">›</span></button></li>`;
}

/** What the script searches and puts in order by: chains of injected wallets have their numbers. */
function rowFacts(offers: readonly Offer[], key: string): Html {
  const chains = offers.flatMap(({ network }) => getNetwork(network).evmChainId ?? []);
  const [only, ...others] = offers;
  const way = only === undefined || others.length > 0 ? key : `${key} ${methodValue(only)}`;
  const names = offers.flatMap(({ network, assetId }) => {
    const { name, assetCode, group } = getAsset(assetId);
    return [getNetwork(network).name, name, assetCode, group];
  });
  return html`data-way="${way}" data-names="${[...new Set(names)].join(' ')}"${
    chains.length > 0 && html` data-chains="${chains.join(' ')}"`
  }`;
}

function badges({ language: { texts } }: CheckoutPage, isRecommended: boolean): Html {
  const { recommended, lastUsed, fits } = texts.paying.choose;
  const hidden = (name: string, text: string) =>
    html` <span class="tag" data-tag="${name}" hidden>${text}</span>`;
  return html`${isRecommended && html` <span class="tag">${recommended}</span>`}
${hidden('last', lastUsed)}${hidden('fits', fits)}`;
}

/** Rounded up and marked so: what has to be sent exactly stands on the next page. */
function amountText(page: CheckoutPage, offer: Offer): Html | undefined {
  const units = amountNow(page, offer);
  if (units === undefined) return undefined;
  const { assetCode, decimals } = shownAsset(offer.network, offer.assetId);
  const exact = decimalFromUnits(units, decimals);
  const shown = roundDecimal(
    exact,
    Math.max(SHOWN_DIGITS - digitsBefore(units, decimals), 0),
    'up',
  );
  const isExact = compare(shown, exact) === 0;
  return html`<span class="choice-amount">${!isExact && '≈\u00a0'}${numberText(
    shown,
    page.language.code,
  )} <span class="unit">${assetCode}</span></span>`;
}

const SHOWN_DIGITS = 6;

/** Of the whole part; negative where zeros follow the point. */
function digitsBefore(units: bigint, decimals: number): number {
  return String(units).length - decimals;
}

/**
 * What this way costs now: the amount of its open window, else the quoted amount while the quote
 * holds. After that the amount is only known once the way is chosen, so none is shown.
 */
function amountNow({ record, now }: CheckoutPage, offer: Offer): bigint | undefined {
  const chosen = record.commitments.find(
    ({ network, assetId }) => network === offer.network && assetId === offer.assetId,
  );
  if (isTimeless(record, offer)) return (chosen ?? offer).askedUnits;
  if (chosen !== undefined && Temporal.Instant.compare(now, chosen.expiresAt) < 0) {
    return chosen.askedUnits;
  }
  const isQuoted = Temporal.Instant.compare(now, record.quotedUntil) <= 0;
  return isQuoted ? offer.askedUnits : undefined;
}

function groupPath(page: CheckoutPage, group: string | undefined): string {
  return checkoutPath(page, '', { ...page.query, group });
}

/** Exchanges that send over Lightning are few. */
const FEW_EXCHANGES: readonly string[] = ['LIGHTNING'];

function hints(page: CheckoutPage, offer: Offer): string[] {
  const { texts, code } = page.language;
  if (getNetwork(offer.network).type === 'BANK') return [texts.bank.time];
  const chain = chainOf(page.record.environment, offer.network);
  const { network, assetId, askedUnits } = offer;
  const blocks = page.confirmationsOf(network, { assetId, units: askedUnits ?? 0n });
  const minutes = Math.round(meanMinutes(chain, blocks));
  const fee = page.payerFeeOf(offer);
  return [
    ...(fee === undefined ? [] : [feeText(page, fee)]),
    minutes < 1 ? texts.choose.timeInstant : texts.choose.timeMinutes(minutesText(minutes, code)),
    ...(FEW_EXCHANGES.includes(offer.network) ? [] : [texts.choose.exchanges]),
  ];
}

/** Rounded up to what can be paid in money. */
function feeText(page: CheckoutPage, fee: Decimal): string {
  const { fee: about, feeUnder } = page.language.texts.paying.choose;
  const least = smallestMoney(page);
  const isUnder = compare(fee, least) < 0;
  return isUnder ? feeUnder(feeMoney(page, least)) : about(feeMoney(page, fee));
}

function feeMoney({ record, language }: CheckoutPage, fee: Decimal): string {
  const { decimals } = getCurrency(record.billingCurrency);
  return moneyText(roundDecimal(fee, decimals, 'up'), record.billingCurrency, language.code);
}

function smallestMoney({ record }: CheckoutPage): Decimal {
  return decimalFromUnits(1n, getCurrency(record.billingCurrency).decimals);
}
