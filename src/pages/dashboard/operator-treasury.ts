// Money of the house: what waits to be sent and why, whether those who sign answer and gas is
// there, and where money lies beside where it should.

import { Hono } from 'hono';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountIn, assetText, momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { OperatorPort } from '#pages/operator-port.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { listToSend } from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { rows } from './controls.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { looksCard } from './operator-looks.ts';
import { dashboardPage, operatorPath } from './shell.ts';

const SHOWN = 100;

type Holding = Awaited<ReturnType<OperatorPort['listHoldings']>>[number];

export function operatorTreasuryRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(operatorPath('treasury').replace('/dashboard', ''), (context) =>
    withOperator(app, context, async (visit, port) => {
      const { operator } = visit.language.texts;
      const [found, holdings, looks] = await Promise.all([
        listToSend(app, { most: SHOWN + 1 }),
        port.listHoldings(),
        port.listLooks(),
      ]);
      const known = { looks, now: app.clock.now() };
      const toSend = found.slice(0, SHOWN);
      const body = html`<section class="card" id="to-send"><h2>${operator.toSend}</h2>
${
  toSend.length === 0
    ? html`<p>${operator.nothingToSend}</p>`
    : rows(toSend.map((transfer) => ({ what: transferItem(visit, transfer) })))
}
${found.length > SHOWN && html`<p class="hint">${operator.more}</p>`}</section>
${looksCard(visit, 'signer', known)}${looksCard(visit, 'gas', known)}
<section class="card" id="holdings"><h2>${operator.lies}</h2>
${
  holdings.length === 0
    ? html`<p>${operator.nothingLies}</p>`
    : rows(holdings.map((holding) => ({ what: holdingItem(visit, holding) })))
}</section>`;
      const title = operator.rooms.treasury;
      return sendPage(app, dashboardPage({ visit, title, body, operatorRoom: 'treasury' }));
    }),
  );
  return routes;
}

function transferItem({ language }: OperatorVisit, transfer: Transfer): Html {
  const { id, state, network, assetId, targetUnits, stuckAt, heldUp, merchantId } = transfer;
  const { money, operator, shell } = language.texts;
  const mode = transfer.environment === 'test' ? shell.test : shell.live;
  return html`<strong>${assetText(network, assetId, targetUnits, language)}</strong>
<span data-transfer-state="${state}">${
    stuckAt === undefined ? money.states[state] : operator.stuck
  }</span>
<span class="hint">${getNetwork(network).name} (${mode}), <code>${id}</code>, ${operator.merchant}
<code>${merchantId}</code>, ${momentTime(transfer.createdAt, language.code)}</span>
${heldUp !== undefined && html`<span class="hint" lang="en">${foreignText(heldUp)}</span>`}`;
}

function holdingItem({ language }: OperatorVisit, holding: Holding): Html {
  const { network, asset, hot, cold, target, move } = holding;
  const { operator } = language.texts;
  const { assetCode } = getAsset(asset);
  const amount = (value: string) => amountIn(value, assetCode, language);
  return html`<strong>${getNetwork(network).name}, ${assetCode}</strong>
<span>${operator.hot}: ${amount(hot)}</span><span>${operator.cold}: ${amount(cold)}</span>
${
  target !== null &&
  html`<span class="hint">${operator.target}: ${amount(target.target)} (${amount(target.least)} – ${amount(target.most)})</span>`
}${
  move !== null &&
  html`<span>${move.to === 'hot' ? operator.bring : operator.putAway}: ${amount(move.amount)}</span>`
}`;
}
