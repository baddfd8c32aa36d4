// Money that came for the shop and is not credited: why, and what became of it. What is done with
// it is the operator's to decide: it is said so.

import { type Context, Hono } from 'hono';
import { shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { groupedCode } from '#pages/checkout/copy-field.ts';
import { amountIn, momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { pageSuspense, type SuspenseRecord, suspenseView } from '#suspense/suspense-view.ts';
import { readCursor, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import { line, linesOf, ownerOf, transactionLink } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';

const SHOWN = 25;

export function moneySuspenseRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/money/suspense', (context) =>
    withShop(app, context, 'see-money', (visit) => sendSuspense(app, context, visit)),
  );
  return routes;
}

async function sendSuspense(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money, checkouts } = language.texts;
  const texts = moneyActs.suspense;
  const after = readCursor(context.req.query('after'));
  // A cursor of another list begins at the newest.
  const cursor = after !== undefined && /^\d{1,18}$/.test(after.id) ? after : undefined;
  const { shown, nextCursor } = await pageSuspense(app, ownerOf(place), { limit: SHOWN, cursor });
  const path = roomPath(place, '/money/suspense');
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  const body = html`${moneyTabs(visit, 'suspense')}
<section class="card" id="suspense"><h2>${texts.title}</h2><p class="hint">${texts.hint}</p>
${
  shown.length === 0
    ? html`<p>${texts.none}</p>`
    : rows(shown.map((record) => ({ what: item(app, visit, record) })))
}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }</p></section>`;
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'money' }));
}

function item(app: PageApp, visit: ShopVisit, record: SuspenseRecord): Html {
  const { place, language } = visit;
  const { moneyActs, checkouts } = language.texts;
  const texts = moneyActs.suspense;
  const { network, assetId, units, foundAt, resolvedAt, reason, state } = record.suspense;
  const { id, tx, destination, checkoutId, detail, returnAddress, returnTx } = suspenseView(record);
  const { assetCode, decimals } = shownAsset(network, assetId);
  const at = (moment: Temporal.Instant) => momentTime(moment, language.code);
  return html`<strong>${amountIn(amountToText(units, decimals), assetCode, language)}</strong>
<span data-suspense-state="${state}">${texts.states[state]}</span>
<span>${texts.reasons[reason]}</span>
${detail !== null && html`<span class="hint" lang="en">${foreignText(detail)}</span>`}
${linesOf([
  line(moneyActs.number, html`<code>${id}</code>`),
  line(moneyActs.network, getNetwork(network).name),
  line(texts.cameTo, html`<code class="old">${groupedCode(destination)}</code>`),
  line(checkouts.transaction, transactionLink(app, visit, network, tx)),
  line(checkouts.created, at(foundAt)),
  checkoutId !== null &&
    line(
      checkouts.reference,
      html`<a href="${roomPath(place, `/checkouts/${checkoutId}`)}"><code>${checkoutId}</code></a>`,
    ),
  resolvedAt !== undefined && line(texts.resolved, at(resolvedAt)),
  returnAddress !== null &&
    line(texts.returnedTo, html`<code class="old">${groupedCode(returnAddress)}</code>`),
  returnTx !== null && line(checkouts.transaction, transactionLink(app, visit, network, returnTx)),
])}`;
}
