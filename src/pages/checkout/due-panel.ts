// An amount that is to be sent now and where to: amount, address and memo to take over, the same as
// a QR code and as a link. All of it comes from one commitment, whose instruction was checked
// against its MAC when it was read (H8): text, code and link cannot differ.

import { getAsset, shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { assetText, clockTime, coinPriceText, minutesText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath, methodValue } from './checkout-page.ts';
import { amountField, type CopyField, copyField, qrCode } from './copy-field.ts';
import { type Due, isTimeless, type QrWish } from './decide-page.ts';
import { decideWords } from './decide-words.ts';
import { placeToPay, verifyAddressPath } from './signed-address.ts';
import { walletAppLinks, walletPanel } from './wallet-panel.ts';

/** `isRest`: a part was paid already. */
function duePanel(page: CheckoutPage, due: Due, isRest: boolean): Html {
  const { texts } = page.language;
  const { commitment } = due;
  const network = getNetwork(commitment.network);
  if (network.type === 'BANK') return bankPanel(page, due, isRest);
  const shown = shownAsset(commitment.network, commitment.assetId);
  const networks = networksOf(page, due);
  return html`<div class="due">
<div class="stack">${copyField(amountField(page, due, isRest), texts)}
${copyField(
  {
    id: 'address',
    label: network.hasInvoices ? texts.pay.invoice : texts.pay.address(network.name),
    value: commitment.instruction.address,
    look: 'code',
    hint: network.hasInvoices ? undefined : texts.paying.pay.compare,
  },
  texts,
)}
${memoFields(page, due)}
${walletButton(page, due)}
<p class="network"><img src="${network.imageSrc}" alt="" width="24" height="24">
<span>${texts.pay.onlyNetwork(shown.assetCode, networks)}</span></p>
${walletPanel(page, due)}
${walletAppLinks(page, due)}</div>
${qrPanel(page, due)}</div>
${anchorFee(page, due)}
${rateLine(page, commitment)}
<p class="hint">${texts.pay.networkFee(networks)}</p>
${!network.hasInvoices && html`<p class="hint">${texts.pay.exchange}</p>`}
${trustPanel(page, commitment)}
${linkText(page, due)}`;
}

/** How to tell our address and our page from others. */
function trustPanel(page: CheckoutPage, commitment: Commitment): Html {
  const { trust } = page.language.texts.paying;
  const signature = page.signPlaceOf?.(commitment);
  const path = signature && verifyAddressPath(placeToPay(commitment), signature);
  return html`<details id="trust"><summary>${trust.title}</summary>
<p class="hint">${trust.host(new URL(page.pageUrl).host)}</p>
${
  path !== undefined &&
  html`<p class="hint">${trust.signed}</p>
<p><a class="quiet" id="verify-address" href="${path}" target="_blank">${trust.check}</a></p>`
}</details>`;
}

function anchorFee(page: CheckoutPage, { commitment, anchorFeeUnits }: Due): Html | undefined {
  if (anchorFeeUnits === 0n) return undefined;
  const { network, assetId } = commitment;
  const fee = assetText(network, assetId, anchorFeeUnits, page.language);
  return html`<p class="hint" id="anchor-fee">${page.language.texts.pay.anchorFee(fee)}</p>`;
}

function memoFields(page: CheckoutPage, { commitment }: Due): Html | undefined {
  const { texts } = page.language;
  const { memo, destinationTag } = commitment.instruction;
  if (destinationTag !== undefined) {
    const field = { id: 'tag', label: texts.pay.tag, value: String(destinationTag) };
    return html`${copyField({ ...field, look: 'code' }, texts)}
<p class="warning">${texts.pay.tagWarning}</p>`;
  }
  if (memo === undefined) return undefined;
  return html`${copyField({ id: 'memo', label: texts.pay.memo, value: memo, look: 'code' }, texts)}
<p class="warning">${texts.pay.memoWarning}</p>`;
}

/** What the QR code holds: exactly one of the texts that stand beside it. */
export function qrContent(due: Due, wish: QrWish): string {
  const link = linkOf(due, wish);
  return wish === 'address' || link === '' ? due.commitment.instruction.address : link;
}

/** The link that stands beside the code, empty where there is none. */
function linkOf({ paymentUri, unifiedUri }: Due, wish: QrWish): string {
  return wish === 'both' && unifiedUri !== undefined ? unifiedUri : paymentUri;
}

/** The networks that the code leads to: of a code for two networks the payer may take either. */
function networksOf({ query, language }: CheckoutPage, { commitment, unifiedUri }: Due): string {
  const { name } = getNetwork(commitment.network);
  if (query.qr !== 'both' || unifiedUri === undefined) return name;
  const names = ['BITCOIN', 'LIGHTNING'].map((network) => getNetwork(network).name);
  return new Intl.ListFormat(language.code, { type: 'disjunction' }).format(names);
}

/** Names of networks are the same in every language. */
const BOTH_TEXT = 'Bitcoin + Lightning';

function qrPanel(page: CheckoutPage, due: Due): Html {
  const { texts } = page.language;
  const wish = page.query.qr === 'both' && due.unifiedUri === undefined ? 'link' : page.query.qr;
  const content = qrContent(due, wish);
  const { network, assetId: asset } = due.commitment;
  const option = (qr: QrWish, text: string) =>
    html`<a id="qr-${qr}" href="${checkoutPath(page, '', { network, asset, qr })}#qr"${
      wish === qr && html` aria-current="true"`
    }>${text}</a>`;
  const { imageSrc } = markOf(due.commitment);
  return foldedCode(
    page,
    html`<figure id="qr">
${qrCode(content, texts.pay.qrAlt(content), imageSrc)}
${zoomButton(page)}${
  due.paymentUri !== '' &&
  html`<figcaption><span class="visually-hidden">${texts.pay.qrShows}</span>
<span class="toggle">${due.unifiedUri !== undefined && option('both', BOTH_TEXT)}${option(
    'link',
    texts.pay.qrLink,
  )}${option('address', texts.pay.qrAddress)}</span></figcaption>`
}
</figure>${unifyForm(page, due)}`,
  );
}

/** What the code is for: the coin, or Lightning. */
function markOf({ network, assetId }: Commitment): { readonly imageSrc: string } {
  const carrier = getNetwork(network);
  return carrier.hasInvoices ? carrier : getAsset(assetId);
}

/** A phone cannot scan itself, so the code is folded there; a wide window always shows it. */
function foldedCode({ language: { texts } }: CheckoutPage, code: Html): Html {
  return html`<details class="code-fold" id="code"><summary>${texts.paying.pay.showCode}</summary>
${code}</details>`;
}

/** Shown by the script. */
function zoomButton({ language: { texts } }: CheckoutPage): Html {
  const { enlarge, close } = texts.paying.pay;
  return html`<button type="button" class="quiet" id="zoom" data-close="${close}" hidden>${enlarge}</button>`;
}

/** Locks the other of Bitcoin and Lightning too, and comes back here. */
function unifyForm(page: CheckoutPage, { commitment, unifiable }: Due): Html | undefined {
  if (unifiable === undefined) return undefined;
  return html`<form method="post" action="${checkoutPath(page, '/choose')}" class="center">
<input type="hidden" name="back" value="${methodValue(commitment)}">
<button class="quiet" id="unify" name="method" value="${methodValue(unifiable)}">${
    page.language.texts.pay.unify
  }</button></form>`;
}

/** The script tells whoever has no wallet here, when nothing opened. */
function walletButton(page: CheckoutPage, due: Due): Html | undefined {
  const { texts } = page.language;
  const link = linkOf(due, page.query.qr);
  if (!isWalletUri(due)) return undefined;
  return html`<p><a class="button" id="wallet" href="${link}" rel="noreferrer">${texts.pay.wallet}</a></p>
<p class="notice" id="no-wallet" role="status" data-text="${texts.paying.pay.noWallet}" hidden></p>`;
}

function linkText(page: CheckoutPage, due: Due): Html | undefined {
  const link = linkOf(due, page.query.qr);
  if (link === '') return undefined;
  return html`<details id="link"><summary>${page.language.texts.pay.link}</summary>
<p class="uri"><code id="payment-uri">${link}</code></p></details>`;
}

/** A link can be clicked only if it has the scheme that the network is known for. */
function isWalletUri(due: Due): boolean {
  const { uriScheme } = getNetwork(due.commitment.network);
  return uriScheme !== undefined && due.paymentUri.toLowerCase().startsWith(`${uriScheme}:`);
}

const FINAL_SECONDS = 300;

/**
 * What is due, with the time that is left for it: in a part of its own, which the script of the
 * page takes away at the moment the time is over. `also`: what is only true until then.
 */
export function openDue(page: CheckoutPage, due: Due, isRest: boolean, also?: Html): Html {
  return html`${timeLeft(page, due)}
<div class="stack" data-open>${duePanel(page, due, isRest)}${also}</div>`;
}

/** Whole minutes; the script counts in seconds. Calm until the last five minutes. */
function timeLeft(page: CheckoutPage, { commitment }: Due): Html | undefined {
  if (isTimeless(page.record, commitment)) return undefined;
  const { texts, code } = page.language;
  const ms = leftMs(commitment, page.now);
  const minutes = Math.floor(ms / 60_000);
  const time = minutes < 1 ? texts.pay.timeShort : minutesText(minutes, code);
  const whole = Math.ceil(commitment.expiresAt.since(commitment.committedAt).total('milliseconds'));
  const urgent = ms <= FINAL_SECONDS * 1000 && ' urgent';
  return html`<div class="time-left"><p class="time${urgent}" data-left="${ms}"
 data-template="${texts.pay.timeLeft('{time}')}" data-over="${texts.pay.windowOver}">${
   ms === 0 ? texts.pay.windowOver : texts.pay.timeLeft(time)
 }</p>
<progress data-bar max="${whole}" value="${ms}" aria-hidden="true"></progress></div>`;
}

/** Until the price does not hold any more, at the moment of the answer. */
function leftMs({ expiresAt }: Pick<Commitment, 'expiresAt'>, now: Temporal.Instant): number {
  return Math.max(0, Math.floor(expiresAt.since(now).total('milliseconds')));
}

// What a transfer by bank needs: whose account, which, the reference, the amount, and a code for
// the app of the payer's bank where there is such a custom.

/** `isRest`: a part was paid already. */
function bankPanel(page: CheckoutPage, due: Due, isRest: boolean): Html {
  const { texts } = page.language;
  const network = getNetwork(due.commitment.network);
  return html`<div class="due">
<div class="stack">${listFields(page, due, isRest).map((field) => copyField(field, texts))}
<p class="warning">${texts.bank.referenceWarning}</p>
<p class="network"><img src="${network.imageSrc}" alt="" width="24" height="24">
<span>${texts.bank.duration}</span></p></div>
${
  due.paymentUri !== '' &&
  foldedCode(
    page,
    html`<figure id="qr">
${qrCode(due.paymentUri, texts.pay.qrAlt(due.paymentUri))}
${zoomButton(page)}<figcaption>${texts.bank.code}</figcaption></figure>`,
  )
}</div>
${rateLine(page, due.commitment)}
<p class="hint">${texts.bank.fees}</p>`;
}

function listFields(page: CheckoutPage, due: Due, isRest: boolean): CopyField[] {
  const { texts } = page.language;
  const { commitment, paymentUri } = due;
  const { instruction, payee } = commitment;
  const isPix = commitment.network === 'PIX';
  const isIban = !isPix && /^[A-Z]{2}\d{2}/.test(instruction.address);
  const code = (id: string, label: string, value: string | undefined): CopyField[] =>
    value === undefined || value === '' ? [] : [{ id, label, value, look: 'code' }];
  const plain = (id: string, label: string, value: string | undefined) =>
    code(id, label, value).map((field) => ({ ...field, shown: field.value }));
  const account = isIban ? 'IBAN' : isPix ? texts.bank.pixKey : texts.bank.account;
  return [
    amountField(page, due, isRest),
    ...plain('holder', texts.bank.holder, payee?.holder),
    ...code('address', account, instruction.address),
    ...plain('bic', 'BIC', payee?.bic),
    ...code('memo', texts.bank.reference, instruction.memo),
    // The name under which every app in Brazil offers to paste it.
    ...(isPix ? plain('payment-uri', 'Pix Copia e Cola', paymentUri) : []),
  ];
}

// What a whole coin costs by the lock the customer is asked to pay. For display only.

/** Nothing once the lock is over: what comes then counts at the price of that moment. */
function rateLine(page: CheckoutPage, commitment: Commitment): Html | undefined {
  const { record, language } = page;
  const { texts, code } = language;
  const { assetCode } = getAsset(commitment.assetId);
  const isOver = Temporal.Instant.compare(page.now, commitment.expiresAt) >= 0;
  if (isOver || assetCode === record.billingCurrency) return undefined;
  const paid = { assetId: commitment.assetId, units: commitment.arrivingUnits };
  const price = coinPriceText(record, paid, language);
  const [before = '', after = ''] = texts.pay.rate(`1\u00a0${assetCode}`, price, '\n').split('\n');
  const time = clockTime(quoteMoment(record, commitment), code);
  return html`<p class="hint" id="rate">${before}${time}${after}</p>`;
}

/** A lock while the quote holds keeps the amounts of the creation (commit-checkout.ts). */
function quoteMoment(
  { createdAt, quotedUntil }: Pick<CheckoutRecord, 'createdAt' | 'quotedUntil'>,
  { committedAt }: Pick<Commitment, 'committedAt'>,
): Temporal.Instant {
  return Temporal.Instant.compare(committedAt, quotedUntil) <= 0 ? createdAt : committedAt;
}

// When a page changes by time alone: when the price of what is due does not hold any more.

/**
 * Corrects the countdown of a machine that slept or whose clock is wrong. Undefined: nothing is
 * due that has an end.
 */
export function pageLeftMs(page: CheckoutPage): number | undefined {
  const { due } = decideWords(page);
  if (due === undefined || isTimeless(page.record, due.commitment)) return undefined;
  return leftMs(due.commitment, page.now);
}

/** Until the page changes by time alone, with a little to be on the other side of it. */
export function pageEndsInMs(page: CheckoutPage): number | undefined {
  const ms = pageLeftMs(page);
  return ms === undefined || ms === 0 ? undefined : ms + AFTER_END_MS;
}

const AFTER_END_MS = 20;
