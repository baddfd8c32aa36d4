// Choosing what to pay with: first the currency, then the network that carries it. Every step has
// an address of its own, and every choice is a plain link or button.

import { getAsset, shownAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Offer } from '#checkout/checkout.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import { assetName, minutesText, moneyText, numberText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath, methodValue, samePath } from './checkout-page.ts';
import { isTimeless, type PageState } from './decide-page.ts';
import { isByBank } from './decide-words.ts';
import { openDue } from './due-panel.ts';
import { answeredPanel, findPanel } from './find-payment.ts';
import { noticeList, sayer } from './say-words.ts';
import { meanMinutes } from './seen.ts';

type ChooseState = Extract<PageState, { kind: 'choose' }>;
type Group = {
  readonly name: string;
  readonly imageSrc: string;
  readonly offers: readonly Offer[];
};

export function choosePage(page: CheckoutPage, state: ChooseState): Html {
  const { texts, code } = page.language;
  const groups = listGroups(state.offers);
  const [only] = groups.length === 1 ? groups : [];
  const chosen = groups.find(({ name }) => name === state.group) ?? only;
  const total = moneyText(page.record.total, page.record.billingCurrency, code);
  const offers = state.offers;
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
  only === undefined &&
  html`<p class="back"><a href="${groupPath(page, undefined)}">${texts.choose.otherGroups}</a></p>`
}
<h1 id="title" tabindex="-1">${
    chosen !== undefined && only === undefined
      ? texts.choose.networkTitle(chosen.name)
      : texts.choose.title(total)
  }</h1>
${noticeList(page)}
${
  offers.length === 0
    ? html`<p>${texts.choose.none}</p>`
    : html`<p class="hint">${
        offers.length === 1
          ? texts.choose.only
          : chosen === undefined
            ? texts.choose.hint
            : texts.choose.networkHint
      }</p>
<form method="post" action="${checkoutPath(page, '/choose')}">
<ul class="choices" data-arrows>
${
  chosen === undefined
    ? groups.map((group) => groupChoice(page, state, group))
    : chosen.offers.map((offer) => offerChoice(page, state, offer))
}
</ul></form>`
}
${answeredPanel(page)}
<div class="ways">${cancelForm(page)}</div>
</section>`;
}

function listGroups(offers: readonly Offer[]): Group[] {
  const groups = Map.groupBy(offers, ({ assetId }) => getAsset(assetId).group);
  return Array.from(groups, ([name, members]) => ({
    name,
    imageSrc: getAsset(members[0]?.assetId ?? '').groupImageSrc,
    offers: members,
  }));
}

function groupChoice(page: CheckoutPage, state: ChooseState, group: Group): Html {
  const { texts } = page.language;
  const [first] = group.offers;
  if (group.offers.length === 1 && first !== undefined) {
    return offerChoice(page, state, first);
  }
  return html`<li><a class="choice" href="${groupPath(page, group.name)}">
<img src="${group.imageSrc}" alt="" width="36" height="36">
<span class="choice-text"><span class="choice-name">${group.name}</span>
<span class="choice-hint">${texts.choose.methods(group.offers.length)}</span></span>
<span class="arrow" aria-hidden="true">›</span></a></li>`;
}

function offerChoice(page: CheckoutPage, state: ChooseState, offer: Offer): Html {
  const network = getNetwork(offer.network);
  const asset = getAsset(offer.assetId);
  const shown = shownAsset(offer.network, offer.assetId);
  const { texts, code } = page.language;
  const units = amountNow(page, offer);
  return html`<li><button class="choice" name="method" value="${methodValue(offer)}">
<img src="${asset.imageSrc}" alt="" width="36" height="36">
<span class="choice-text"><span class="choice-name">${assetName(asset, code)} <span class="choice-network">${texts.choose.on(
    network.name,
  )}</span></span>
${
  units !== undefined &&
  html`<span class="choice-amount">${numberText(decimalFromUnits(units, shown.decimals), code)}
 <span class="unit">${shown.assetCode}</span></span>`
}
<span class="choice-hint">${hints(page, offer).join(' · ')}</span>${
    state.slow.includes(offer.network) &&
    html`<span class="choice-hint slow">${texts.choose.slow}</span>`
  }</span>
<span class="arrow" aria-hidden="true">›</span></button></li>`;
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

/** Networks where a fee of a dollar and more has been common. */
const DEAR_NETWORKS: readonly string[] = ['BITCOIN', 'ETHEREUM'];
/** Exchanges that send over Lightning are few. */
const FEW_EXCHANGES: readonly string[] = ['LIGHTNING'];

function hints(page: CheckoutPage, offer: Offer): string[] {
  const { texts, code } = page.language;
  if (getNetwork(offer.network).type === 'BANK') return [texts.bank.time];
  const chain = chainOf(page.record.environment, offer.network);
  const { network, assetId, askedUnits } = offer;
  const blocks = page.confirmationsOf(network, { assetId, units: askedUnits ?? 0n });
  const minutes = Math.round(meanMinutes(chain, blocks));
  return [
    minutes < 1 ? texts.choose.timeInstant : texts.choose.timeMinutes(minutesText(minutes, code)),
    DEAR_NETWORKS.includes(offer.network) ? texts.choose.feeVaries : texts.choose.feeLow,
    ...(FEW_EXCHANGES.includes(offer.network) ? [] : [texts.choose.exchanges]),
  ];
}

// The page to pay from.
export function payPage(page: CheckoutPage, state: Extract<PageState, { kind: 'pay' }>): Html {
  const { texts, code } = page.language;
  const total = moneyText(page.record.total, page.record.billingCurrency, code);
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${texts.pay.title(total)}</h1>
${noticeList(page)}
${openDue(page, state.due, false, html`${say('watching')}${say('bank-watching')}`)}
${isByBank(state.due) ? answeredPanel(page) : findPanel(page, false)}
${ways(page, state.canChange)}
</section>`;
}

/** Ways out: another method, or none at all. */
function ways(page: CheckoutPage, canChange: boolean): Html {
  return html`<div class="ways">${canChange && changeLink(page)}${cancelForm(page)}</div>`;
}

/** The customer can cancel from the first page on. */
function cancelForm(page: CheckoutPage): Html {
  return html`<form method="post" action="${samePath(page, '/cancel')}">
<button class="quiet" id="cancel">${page.language.texts.pay.cancel}</button></form>`;
}

export function changeLink(page: CheckoutPage): Html {
  const { network, asset } = page.query;
  const path = checkoutPath(page, '', { network, asset, choose: true });
  return html`<a class="quiet" id="change" href="${path}">${page.language.texts.pay.change}</a>`;
}
