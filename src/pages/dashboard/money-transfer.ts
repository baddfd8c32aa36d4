// One transfer: as it is quoted, to be looked at once more before anything is sent; ordered; and
// what became of it until it has landed. A repeated order is the same order.

import { type Context, Hono } from 'hono';
import { isBefore } from '#base/instant.ts';
import { type Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getNetwork } from '#catalog/network.ts';
import { momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { findBeneficiary } from '#people/beneficiary.ts';
import { listWaiting } from '#spending/approval.ts';
import { mayAct, type StaffAct } from '#staff/role.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { findTransfer, hasNotEnded, type Transfer } from '#transfer/transfer.ts';
import { button, formOf } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import {
  accountLines,
  dollarsText,
  gasText,
  type LineList,
  line,
  linesOf,
  ownerOf,
  refusalNote,
  shownRefusal,
  transactionLink,
  unitsText,
} from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/money/transfers/:id';

type Act = (app: PageApp, visit: ShopVisit, id: string) => Promise<unknown>;

const ACTS: readonly (readonly [path: string, asked: StaffAct, act: Act])[] = [
  [
    'order',
    'move-money',
    (app, { place, actor }, id) => commitTransfer(app, { ...ownerOf(place), maker: actor }, id),
  ],
  [
    'cancel',
    'move-money',
    (app, { place, actor }, id) => {
      // Whoever was told how to send it may have sent it: only the operator takes it back then.
      const said = { actor, reason: 'by the merchant', isNotSent: false };
      return cancelSending({ ...app, ...transferGrounds(app) }, id, said, ownerOf(place));
    },
  ],
];

export function moneyTransferRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-money', (visit) => sendTransfer(app, visit, idOf(context))),
  );
  for (const [path, asked, act] of ACTS) {
    routes.post(`${PATH}/${path}`, (context) =>
      withShop(app, context, asked, async (visit) => {
        await readVisitForm(app, context, visit);
        return actOn(app, visit, idOf(context), act);
      }),
    );
  }
  return routes;
}

function idOf(context: Context): string {
  return context.req.param('id') ?? '';
}

async function actOn(app: PageApp, visit: ShopVisit, id: string, act: Act): Promise<Response> {
  try {
    await act(app, visit, id);
  } catch (error) {
    return sendTransfer(app, visit, id, shownRefusal(error));
  }
  return sendSeeOther(roomPath(visit.place, `/money/transfers/${id}`));
}

async function sendTransfer(
  app: PageApp,
  visit: ShopVisit,
  id: string,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const owner = ownerOf(place);
  const transfer = await findTransfer(app, owner, id);
  if (transfer === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
  const [beneficiary, waiting] = await Promise.all([
    transfer.beneficiaryId && findBeneficiary(app, owner, transfer.beneficiaryId),
    listWaiting(app.db, { owner, now: app.clock.now() }),
  ]);
  const waits = waiting.some(({ subject }) => subject === `transfer:${id}`);
  const label = beneficiary ? beneficiary.label : undefined;
  const isReview = isOrderable(app, visit, transfer);
  const card = isReview
    ? reviewCard(app, visit, transfer, label)
    : stateCard(app, visit, transfer, { label, waits });
  const body = html`${refusalNote(visit, refusal)}
${moneyTabs(visit, isReview ? 'send' : 'balances')}
${card}`;
  const title = language.texts.money.title;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

/** A quote that holds, of whoever looks at it. */
function isOrderable(app: PageApp, visit: ShopVisit, transfer: Transfer): boolean {
  return (
    transfer.state === 'QUOTED' &&
    transfer.maker === visit.actor &&
    isBefore(app.clock.now(), transfer.expiresAt) &&
    mayAct(visit.place.role, 'move-money')
  );
}

/** What leaves, what arrives, and where. */
function moneyLines(
  app: PageApp,
  visit: ShopVisit,
  transfer: Transfer,
  label: string | undefined,
): LineList {
  const { moneyActs, money } = visit.language.texts;
  const { assetId, network, account, targetUnits, networkFeeUnits, feeTakenUnits } = transfer;
  const amount = (units: bigint) => unitsText(assetId, units, visit);
  const feeUnits = feeTakenUnits ?? networkFeeUnits;
  const gas = gasText(transfer, visit);
  const worth = dollarsText(app, visit, assetId, targetUnits);
  return [
    label !== undefined && line(moneyActs.to, foreignText(label)),
    line(moneyActs.network, getNetwork(network).name),
    ...accountLines(visit, account),
    line(moneyActs.arrives, html`<strong>${amount(targetUnits)}</strong>`),
    worth !== undefined && line(money.worth, worth),
    line(feeTakenUnits === undefined ? moneyActs.fee : moneyActs.feeTaken, amount(feeUnits)),
    gas !== undefined && line(moneyActs.gas, gas),
    line(moneyActs.debited, amount(targetUnits + feeUnits + transfer.feeUnits)),
  ];
}

function reviewCard(
  app: PageApp,
  visit: ShopVisit,
  transfer: Transfer,
  label: string | undefined,
): Html {
  const { place, language } = visit;
  const texts = language.texts.moneyActs;
  const { id, beneficiaryId = '', assetId, expiresAt } = transfer;
  const back = new URLSearchParams({ to: beneficiaryId, asset: assetId });
  return html`<section class="card" id="review"><h2>${texts.review}</h2>
${linesOf([
  ...moneyLines(app, visit, transfer, label),
  line(texts.until, momentTime(expiresAt, language.code)),
])}
<p class="warning">${texts.check}</p>
${formOf(visit, roomPath(place, `/money/transfers/${id}/order`), button(texts.send.order, 'order'))}
<p class="ways"><a class="quiet" id="change" href="${`${roomPath(place, '/money/send')}?${back}`}">${texts.change}</a></p></section>`;
}

function stateCard(
  app: PageApp,
  visit: ShopVisit,
  transfer: Transfer,
  { label, waits }: { readonly label: string | undefined; readonly waits: boolean },
): Html {
  const { place, language } = visit;
  const { moneyActs, money, checkouts } = language.texts;
  const { id, network, transaction, failure, createdAt } = transfer;
  const state = stateOf(app, transfer);
  const path = roomPath(place, `/money/transfers/${id}`);
  return html`<section class="card" id="transfer"><h2 data-transfer-state="${state}">${money.states[state]}</h2>
<p>${state === 'RESERVED' && waits ? moneyActs.send.waits : moneyActs.send.hints[state]}</p>
${failure !== undefined && html`<p class="hint" lang="en">${foreignText(failure)}</p>`}
${linesOf([
  ...moneyLines(app, visit, transfer, label),
  line(checkouts.created, momentTime(createdAt, language.code)),
  line(moneyActs.number, html`<code>${id}</code>`),
  transaction !== undefined &&
    line(checkouts.transaction, transactionLink(app, visit, network, transaction)),
])}
${hasNotEnded(transfer) && html`<p class="ways"><a class="quiet" id="look" href="${path}">${moneyActs.look}</a></p>`}
${
  isCancellable(visit, transfer) &&
  formOf(
    visit,
    `${path}/cancel`,
    html`<button class="quiet" id="cancel">${moneyActs.cancel}</button>`,
  )
}
<p class="ways"><a class="quiet" href="${roomPath(place, '/money/send')}">${moneyActs.send.another}</a></p></section>`;
}

/** No row is written when the time of a quote runs out. */
function stateOf(app: PageApp, { state, expiresAt }: Transfer): Transfer['state'] {
  const isOver = state === 'QUOTED' && !isBefore(app.clock.now(), expiresAt);
  return isOver ? 'EXPIRED' : state;
}

function isCancellable(visit: ShopVisit, transfer: Transfer): boolean {
  const { state, shownAt, askedAt, transaction } = transfer;
  const isHeld = state === 'RESERVED' || state === 'TO_SEND';
  const isTold = shownAt !== undefined || askedAt !== undefined || transaction !== undefined;
  return isHeld && !isTold && mayAct(visit.place.role, 'move-money');
}
