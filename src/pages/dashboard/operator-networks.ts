// The networks of the installation: how each is, how far it was read, what can be paid on it and
// what not, and what is held there. A brake goes off by itself; what it holds may be let go before
// (operator-brake.ts).

import { Hono } from 'hono';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { ChainReport } from '#chain/chain-report.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { NetworkLine } from '#pages/operator-port.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { brakePath } from './operator-brake.ts';
import { dashboardPage, operatorPath } from './shell.ts';

type NetworkState = 'well' | 'never' | 'fault' | 'behind' | 'brake';

/** The worst first. */
export function networkState({ status, isBehind }: ChainReport): NetworkState {
  if (status === undefined) return 'never';
  if (status.fault !== undefined) return 'fault';
  if (isBehind) return 'behind';
  return status.brake === undefined ? 'well' : 'brake';
}

export function operatorNetworksRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(operatorPath('networks').replace('/dashboard', ''), (context) =>
    withOperator(app, context, async (visit, port) => {
      const { operator } = visit.language.texts;
      const lines = await port.listNetworks();
      const body = html`<section class="card"><p class="hint">${operator.brakeHint}</p></section>
${realFirst(lines).map((line) => networkCard(visit, line))}`;
      const title = operator.rooms.networks;
      return sendPage(app, dashboardPage({ visit, title, body, operatorRoom: 'networks' }));
    }),
  );
  return routes;
}

/** Nobody waits for money of the sandbox. */
function realFirst(lines: readonly NetworkLine[]): readonly NetworkLine[] {
  const { live = [], test = [] } = Object.groupBy(lines, ({ report }) =>
    environmentOf(report.chain),
  );
  return [...live, ...test];
}

function networkCard({ language: { texts } }: OperatorVisit, line: NetworkLine): Html {
  const { operator, shell } = texts;
  const { report, offered, closed, holdings } = line;
  const { chain, description, nodeVersion, status, error } = report;
  const { newestBlockSeconds, heardSecondsAgo, heldPayments, advice, leader } = report;
  const state = networkState(report);
  const mode = environmentOf(chain) === 'test' ? shell.test : shell.live;
  const said = (label: string, value: string | number | bigint | undefined) =>
    value !== undefined &&
    html`<div><dt>${label}</dt><dd>${typeof value === 'string' ? foreignText(value) : value}</dd></div>`;
  const notes = [error, ...advice].filter((one) => one !== undefined);
  return html`<section class="card" id="${chain.replace(':', '-')}">
<h2>${getNetwork(networkOf(chain)).name} (${mode})</h2>
<p><strong data-state="${state}">${operator.states[state]}</strong></p>
<dl class="lines">
${said(operator.node, [description, nodeVersion].filter(Boolean).join(' '))}
${said(operator.block, status?.height)}
${said(operator.lag, status?.lag)}
${said(operator.newest, newestBlockSeconds)}
${said(operator.heard, heardSecondsAgo)}
${said(operator.leader, leader && `${leader.pid}, ${leader.host}`)}
${said(operator.brake, status?.brake)}
${heldPayments > 0n && said(operator.held, heldPayments)}
${said(operator.offered, offered)}
</dl>
${list(
  operator.closed,
  closed.map(({ assetId, reason }) => `${assetId}: ${reason}`),
)}
${list(operator.holdings, holdings)}
${list(operator.notes, notes)}
${
  heldPayments > 0n &&
  html`<p class="ways"><a class="quiet" href="${brakePath(chain)}">${operator.seeHeld}</a></p>`
}</section>`;
}

function list(title: string, lines: readonly string[]): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<h3>${title}</h3><ul class="plain" lang="en">${lines.map(
    (line) => html`<li>${foreignText(line)}</li>`,
  )}</ul>`;
}
