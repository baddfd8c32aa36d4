// What the shop has, by asset, with what it is worth now, and what it has sent out, newest first.

import { type Context, Hono } from 'hono';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { listWallets, type Wallet } from '#ledger/account.ts';
import { amountToText } from '#money/asset-amount.ts';
import { amountIn, assetText, momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { listTransfers, type Transfer } from '#transfer/transfer.ts';
import { readCursor, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import { dollarsText, transactionLink } from './money-words.ts';
import { dashboardPage, roomPath } from './shell.ts';

const SHOWN = 25;

export function moneyRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/money', (context) =>
    withShop(app, context, 'see-money', (visit) => sendMoney(app, context, visit)),
  );
  return routes;
}

async function sendMoney(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { money, checkouts } = language.texts;
  const cursor = readCursor(context.req.query('after'));
  const [wallets, { shown, nextCursor }] = await Promise.all([
    listWallets(app.db, place),
    listTransfers(app, place, { limit: SHOWN, cursor }),
  ]);
  const path = roomPath(place, '/money');
  const older = new URLSearchParams({ after: nextCursor ?? '' });
  const body = html`${moneyTabs(visit, 'balances')}
<section class="card" id="balances"><h2>${money.balances}</h2>
${
  wallets.length === 0
    ? html`<p>${money.none}</p>`
    : rows(wallets.map((wallet) => ({ what: walletItem(app, visit, wallet) })))
}</section>
<section class="card" id="transfers"><h2>${money.transfers}</h2>
${
  shown.length === 0
    ? html`<p>${money.noTransfers}</p>`
    : rows(shown.map((transfer) => ({ what: transferItem(app, visit, transfer) })))
}
<p class="ways"><a class="quiet" href="${path}">${checkouts.newest}</a>${
    nextCursor !== null &&
    html`<a class="quiet" id="older" href="${`${path}?${older}`}">${checkouts.older}</a>`
  }</p></section>`;
  return sendPage(app, dashboardPage({ visit, place, title: money.title, body, room: 'money' }));
}

function walletItem(app: PageApp, visit: ShopVisit, wallet: Wallet): Html {
  const { language } = visit;
  const { assetId, availableUnits, pendingUnits, owedUnits, balanceUnits } = wallet;
  const { money } = language.texts;
  const { assetCode, decimals } = getAsset(assetId);
  const amount = (units: bigint) => amountIn(amountToText(units, decimals), assetCode, language);
  const worth = dollarsText(app, visit, assetId, balanceUnits);
  return html`<strong>${amount(availableUnits)}</strong>
<span class="hint"><code>${assetId}</code></span>
${pendingUnits !== 0n && html`<span>${money.pending}: ${amount(pendingUnits)}</span>`}
${owedUnits !== 0n && html`<span>${money.owed}: ${amount(owedUnits)}</span>`}
${worth !== undefined && html`<span class="hint">${money.worth}: ${worth}</span>`}`;
}

function transferItem(app: PageApp, visit: ShopVisit, transfer: Transfer): Html {
  const { language, place } = visit;
  const { id, state, network, assetId, targetUnits, transaction, createdAt, failure } = transfer;
  const { money, checkouts } = language.texts;
  const path = roomPath(place, `/money/transfers/${id}`);
  const amount = assetText(network, assetId, targetUnits, language);
  return html`<a class="line" href="${path}"><strong>${amount}</strong></a>
<span data-transfer-state="${state}">${money.states[state]}</span>
<span class="hint"><code>${id}</code> ${getNetwork(network).name}, ${momentTime(
    createdAt,
    language.code,
  )}</span>
${
  transaction !== undefined &&
  html`<span class="hint">${checkouts.transaction}:
${transactionLink(app, visit, network, transaction)}</span>`
}${failure !== undefined && html`<span class="hint">${foreignText(failure)}</span>`}`;
}
