// Money of one checkout back to whoever paid it: said, looked at with its address and fee, and only
// then ordered, once however often it is sent; and taken back while nobody was told how to send it.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import { getNetwork, type NetworkInfo } from '#catalog/network.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { REFUND_KINDS, type RefundKind } from '#checkout/checkout-refund.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { listWallets } from '#ledger/account.ts';
import { assetText } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { MEMO_TYPES } from '#people/account-fields.ts';
import { createRefund, previewRefund, type RefundRequest } from '#refund/create-refund.ts';
import { findRefund } from '#refund/refund.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { button, formOf, selectField, textField } from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import {
  accountLines,
  amountHint,
  dollarsText,
  line,
  linesOf,
  ownerOf,
  refusalNote,
  shownRefusal,
  unitsText,
} from './money-words.ts';
import { readAmount } from './read-amount.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/checkouts/:id/refund';

export function checkoutRefundRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'refund', (visit) =>
      withRecord(app, context, visit, (record) =>
        sendForm(app, visit, record, { typed: new URLSearchParams() }),
      ),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'refund', async (visit) => {
      const form = await readVisitForm(app, context, visit);
      return withRecord(app, context, visit, (record) => refund(app, visit, record, form));
    }),
  );
  routes.post(`${PATH}/cancel`, (context) =>
    withShop(app, context, 'refund', (visit) => cancel(app, context, visit)),
  );
  return routes;
}

async function withRecord(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  answer: (record: CheckoutRecord) => Response | Promise<Response>,
): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const record = await findCheckout(app, ownerOf(visit.place), id);
  return record === undefined
    ? sendPage(app, missingPage(pageLanguage(visit.language.code)))
    : answer(record);
}

/** The first click looks at it, the second one orders it. */
async function refund(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
  form: URLSearchParams,
): Promise<Response> {
  const step = form.get('step');
  if (step === 'edit') return sendForm(app, visit, record, { typed: form });
  try {
    const request = readRequest(visit, record, form);
    if (step !== 'send') return await sendReview(app, visit, record, { typed: form, request });
    const { actor: maker } = visit;
    const caller = { ...ownerOf(visit.place), apiKey: undefined, maker };
    const agreed = readAgreed(form);
    await orderOnce(app, visit, form, async (within) => {
      const { id } = await createRefund(within, caller, { ...request, agreed });
      return id;
    });
  } catch (error) {
    return sendForm(app, visit, record, { typed: form, refusal: shownRefusal(error) });
  }
  return sendSeeOther(`${roomPath(visit.place, `/checkouts/${record.id}`)}#refunds`);
}

async function cancel(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { place, actor } = visit;
  const found = await findRefund(app, ownerOf(place), form.get('refund') ?? '');
  if (found === undefined || found.checkoutId !== context.req.param('id')) {
    return sendPage(app, missingPage(pageLanguage(visit.language.code)));
  }
  const path = roomPath(place, `/checkouts/${found.checkoutId}`);
  const said = { actor, reason: 'by the merchant', isNotSent: false };
  try {
    await cancelSending({ ...app, ...transferGrounds(app) }, found.transferId, said);
  } catch (error) {
    // It changed since the page was shown: the page shows how it is now.
    shownRefusal(error);
    return sendSeeOther(`${path}?refused=1#refunds`);
  }
  return sendSeeOther(`${path}#refunds`);
}

/** @throws Refusal invalid `form_token` of a form that does not say what was looked at. */
function readAgreed(form: URLSearchParams): NonNullable<RefundRequest['agreed']> {
  const units = (name: string) => {
    const text = form.get(name) ?? '';
    if (!/^\d{1,78}$/.test(text)) throw new Refusal('invalid', 'form_token', `no ${name}`);
    return BigInt(text);
  };
  return { units: units('units'), networkFeeUnits: units('networkFeeUnits') };
}

/** @throws Refusal invalid `amount_invalid` */
function readRequest(
  { language }: ShopVisit,
  record: CheckoutRecord,
  form: URLSearchParams,
): RefundRequest {
  const text = (name: string) => (form.get(name) ?? '').trim().slice(0, 4_000) || undefined;
  const kind: RefundKind = REFUND_KINDS.find((one) => one === form.get('kind')) ?? 'full';
  const amount = kind === 'amount' ? readAmount(text('amount') ?? '', language.code) : undefined;
  if (kind === 'amount' && amount === undefined) {
    throw new Refusal('invalid', 'amount_invalid', text('amount') ?? '–');
  }
  const way = waysOf(record).find((one) => one.value === form.get('way'));
  const address = text('address');
  const details = {
    memo: text('memo'),
    memoType: MEMO_TYPES.find((one) => one === form.get('memoType')),
    holder: text('holder'),
  };
  const beside = address === undefined ? {} : details;
  const { network, assetId: asset } = way ?? { network: undefined, assetId: undefined };
  return { checkoutId: record.id, kind, amount, address, network, asset, ...beside };
}

type Way = { readonly network: string; readonly assetId: string; readonly value: string };

/** In which the customer paid, each once. */
function waysOf({ credits }: CheckoutRecord): readonly Way[] {
  const ways = credits.map(({ network, assetId }): [string, Way] => {
    const value = `${network}/${assetId}`;
    return [value, { network, assetId, value }];
  });
  return [...new Map(ways).values()];
}

type Shown = { readonly typed: URLSearchParams; readonly refusal?: Refusal | undefined };

function sendForm(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
  { typed, refusal }: Shown,
): Response {
  const { place, language } = visit;
  const { moneyActs } = language.texts;
  const texts = moneyActs.refund;
  const ways = waysOf(record);
  const networks = [...new Set(ways.map(({ network }) => network))].map(getNetwork);
  const given = (name: string) => typed.get(name) ?? '';
  const path = roomPath(place, `/checkouts/${record.id}`);
  const form = formOf(visit, `${path}/refund`, [
    ...(ways.length < 2
      ? []
      : [
          selectField({
            name: 'way',
            label: texts.way,
            value: given('way'),
            options: ways.map(({ network, assetId, value }) => [
              value,
              `${shownAsset(network, assetId).assetCode} (${getNetwork(network).name})`,
            ]),
          }),
        ]),
    selectField({
      name: 'kind',
      label: texts.which,
      value: given('kind'),
      options: REFUND_KINDS.map((kind) => [kind, texts.kinds[kind]]),
    }),
    textField({
      ...{ name: 'amount', label: moneyActs.amount, hint: amountHint(visit) },
      ...{ value: given('amount'), isRequired: false, inputmode: 'decimal', maxLength: 90 },
    }),
    textField({
      ...{ name: 'address', label: texts.address, hint: texts.addressHint },
      ...{ value: given('address'), isRequired: false, maxLength: 4_000 },
    }),
    ...besideAddress(visit, networks, given),
    button(texts.see, 'review', html` name="step" value="review"`),
  ]);
  const body = html`${refusalNote(visit, refusal)}<section class="card"><h2>${texts.title}</h2>
${linesOf([line(language.texts.checkouts.reference, html`<code>${record.id}</code>`)])}${form}
<p class="ways"><a class="quiet" href="${path}">${texts.toCheckout}</a></p></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = texts;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'checkouts' }));
}

/** What an exchange, or a bank, asks for beside the address. */
function besideAddress(
  { language }: ShopVisit,
  networks: readonly NetworkInfo[],
  given: (name: string) => string,
): Html[] {
  const { fields, none } = language.texts.moneyActs;
  const hasMemo = networks.some(({ knownBy }) => knownBy === 'memo');
  const hasTag = networks.some(({ knownBy }) => knownBy === 'tag');
  const optional = (name: string, label: string, maxLength: number) =>
    textField({ name, label, value: given(name), isRequired: false, maxLength });
  return [
    ...(hasMemo || hasTag
      ? [optional('memo', hasMemo ? fields.memo : fields.destinationTag, 64)]
      : []),
    ...(hasMemo
      ? [
          selectField({
            ...{ name: 'memoType', label: fields.memoType, value: given('memoType') },
            options: [
              ['', none],
              ...MEMO_TYPES.map((kind) => [kind, `MEMO_${kind.toUpperCase()}`] as const),
            ],
          }),
        ]
      : []),
    ...(networks.some(({ id }) => id === 'SEPA') ? [optional('holder', fields.holder, 140)] : []),
  ];
}

const KEPT = ['way', 'kind', 'amount', 'address', 'memo', 'memoType', 'holder'] as const;

async function sendReview(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
  { typed, request }: Shown & { readonly request: RefundRequest },
): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money } = language.texts;
  const texts = moneyActs.refund;
  const { plan, account, gasFee } = await previewRefund(app, ownerOf(place), request);
  const { network, assetId, units, networkFeeUnits } = plan;
  const amount = (some: bigint) => assetText(network, assetId, some, language);
  const worth = dollarsText(app, visit, assetId, units);
  const gas = gasFee && unitsText(gasFee.assetId, BigInt(gasFee.units), visit);
  const wallets = await listWallets(app.db, ownerOf(place));
  const held = wallets.find((wallet) => wallet.assetId === assetId)?.availableUnits ?? 0n;
  const debitedUnits = units + networkFeeUnits;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}">`;
  const body = html`<section class="card" id="review"><h2>${moneyActs.review}</h2>
${linesOf([
  line(language.texts.checkouts.reference, html`<code>${record.id}</code>`),
  line(moneyActs.network, getNetwork(network).name),
  ...(account === undefined ? [line(texts.address, texts.byLink)] : accountLines(visit, account)),
  line(texts.back, html`<strong>${amount(units)}</strong>`),
  worth !== undefined && line(money.worth, worth),
  line(moneyActs.fee, amount(networkFeeUnits)),
  gas !== undefined && line(moneyActs.gas, gas),
  line(
    moneyActs.debited,
    html`${amount(debitedUnits)} <span class="hint" id="held">${moneyActs.available(amount(held))}</span>`,
  ),
])}
${held < debitedUnits && html`<p class="warning" role="alert" id="short">${moneyActs.faults.balance}</p>`}
${account !== undefined && html`<p class="warning">${moneyActs.check}</p>`}
${formOf(visit, roomPath(place, `/checkouts/${record.id}/refund`), [
  onceField(app),
  ...KEPT.map((name) => hidden(name, typed.get(name) ?? '')),
  hidden('units', String(units)),
  hidden('networkFeeUnits', String(networkFeeUnits)),
  button(texts.order, 'send', html` name="step" value="send"`),
  html`<button class="quiet" id="edit" name="step" value="edit">${moneyActs.change}</button>`,
])}</section>`;
  const { title } = texts;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'checkouts' }));
}
