// What waits for a second person, and his word: yes, or no, which gives the money back. Never of
// one's own: the acts themselves refuse that, whatever the page shows.

import { type Context, Hono } from 'hono';
import { type Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getNetwork } from '#catalog/network.ts';
import { dbWithin } from '#db/db-within.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  type Approval,
  approvalView,
  approveAct,
  declineAct,
  listWaiting,
} from '#spending/approval.ts';
import { isSamePerson } from '#spending/same-person.ts';
import { mayAct } from '#staff/role.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { listTransfersByIds, type Transfer } from '#transfer/transfer.ts';
import { doneNote, formOf, quietButton, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import {
  accountLines,
  actorText,
  dollarsText,
  line,
  linesOf,
  ownerOf,
  refusalNote,
  refusalOfAct,
  unitsText,
} from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/money/approvals';
const ROOM = '/money/approvals';

type Shown = { readonly refusal?: Refusal | undefined; readonly isDone?: boolean };

export function moneyApprovalsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-money', (visit) =>
      sendApprovals(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'approve', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const subject = form.get('subject') ?? '';
  const { actor, place } = visit;
  const owner = ownerOf(place);
  try {
    if (form.get('act') === 'decline') await decline(app, visit, subject);
    else await approveAct(app, subject, { approver: actor, owner });
  } catch (error) {
    return sendApprovals(app, visit, { refusal: refusalOfAct(error) });
  }
  return sendSeeOther(`${roomPath(place, ROOM)}?done=1`);
}

const OF_TRANSFER = 'transfer:';

/** What was reserved for it goes back in the same transaction. */
async function decline(app: PageApp, { actor, place }: ShopVisit, subject: string): Promise<void> {
  await app.db.transact(async (tx) => {
    const within = { ...app, db: dbWithin(tx) };
    await declineAct(within, subject, { decliner: actor, owner: ownerOf(place) });
    if (!subject.startsWith(OF_TRANSFER)) return;
    const said = { actor, reason: 'declined by a second person', isNotSent: false };
    const sending = { ...within, ...transferGrounds(within) };
    await cancelSending(sending, subject.slice(OF_TRANSFER.length), said);
  });
}

async function sendApprovals(
  app: PageApp,
  visit: ShopVisit,
  { refusal, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money, shell } = language.texts;
  const waiting = await listWaiting(app.db, { owner: ownerOf(place), now: app.clock.now() });
  const ids = waiting.map(({ subject }) => subject.slice(OF_TRANSFER.length));
  const [transfers, makers] = await Promise.all([
    listTransfersByIds(app.db, ids),
    findMakers(app, visit, waiting),
  ]);
  const listed = waiting.map((approval) => {
    const transfer = transfers.find(({ id }) => approval.subject === `${OF_TRANSFER}${id}`);
    const { shown: maker = '', isOwn = false } = makers.get(approval.maker) ?? {};
    return {
      what: item(app, visit, { approval, transfer, maker }),
      acts: acts(visit, approval, isOwn),
    };
  });
  const texts = moneyActs.approvals;
  const body = html`${refusalNote(visit, refusal)}
${doneNote(isDone === true ? shell.done : undefined)}
${moneyTabs(visit, 'approvals')}
<section class="card" id="approvals"><h2>${texts.title}</h2><p class="hint">${texts.hint}</p>
${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

type Maker = {
  readonly shown: Html | string;
  /** Whoever looks at it is one person with him. */
  readonly isOwn: boolean;
};

async function findMakers(
  app: PageApp,
  visit: ShopVisit,
  waiting: readonly Approval[],
): Promise<ReadonlyMap<string | undefined, Maker>> {
  const makers = [...new Set(waiting.map(({ maker }) => maker))];
  const found = makers.map(async (maker) => {
    const [shown, isOwn] = await Promise.all([
      maker === undefined
        ? visit.language.texts.moneyActs.approvals.nobody
        : actorText(app, visit, maker),
      maker !== undefined && isSamePerson(app.db, maker, visit.actor),
    ]);
    return [maker, { shown, isOwn }] as const;
  });
  return new Map(await Promise.all(found));
}

type Waiting = {
  readonly approval: Approval;
  /** Undefined where it is no transfer, nor carried by one. */
  readonly transfer: Transfer | undefined;
  readonly maker: Html | string;
};

function item(app: PageApp, visit: ShopVisit, { approval, transfer, maker }: Waiting): Html {
  const { moneyActs, money } = visit.language.texts;
  const { code } = visit.language;
  const waitsUntil = Temporal.Instant.from(approvalView(approval).waitsUntil);
  const about = transfer === undefined ? approval : undefined;
  const worth = transfer && dollarsText(app, visit, transfer.assetId, transfer.targetUnits);
  const amount = (units: bigint) => unitsText(transfer?.assetId ?? '', units, visit);
  return html`${about !== undefined && html`<strong lang="en">${foreignText(about.about)}</strong>`}
${
  transfer !== undefined &&
  html`<strong>${amount(transfer.targetUnits)}</strong>
<span class="hint">${getNetwork(transfer.network).name} <code>${transfer.id}</code></span>`
}
${linesOf([
  ...(transfer === undefined ? [] : accountLines(visit, transfer.account)),
  transfer !== undefined && line(moneyActs.fee, amount(transfer.networkFeeUnits)),
  worth !== undefined && line(money.worth, worth),
  line(moneyActs.approvals.maker, maker),
  line(moneyActs.approvals.until, momentTime(waitsUntil, code)),
])}`;
}

function acts(visit: ShopVisit, { subject }: Approval, isOwn: boolean): Html | undefined {
  const { place, language } = visit;
  const texts = language.texts.moneyActs.approvals;
  if (!mayAct(place.role, 'approve')) return undefined;
  if (isOwn) return html`<p class="hint">${texts.own}</p>`;
  return formOf(
    visit,
    roomPath(place, ROOM),
    html`<input type="hidden" name="subject" value="${subject}">
${quietButton(texts.approve, 'act', 'approve')}${quietButton(texts.decline, 'act', 'decline')}`,
  );
}
