// Rooms of whoever runs the installation. Guarantees: for everybody else they are as missing as a
// page that is not there; what changes something asks for a recent proof and stands in the trail.
// First of all what needs somebody, from what is known; asked anew by a button.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { NetworkLine, OperatorPort } from '#pages/operator-port.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import type { LoopHealth } from '#runtime/loop.ts';
import { listToSend } from '#transfer/send-by-hand.ts';
import { button, doneNote, faultNote, formOf, rows } from './controls.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { badLooks } from './operator-looks.ts';
import { networkState } from './operator-networks.ts';
import { dashboardPage, operatorPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

/** As GET /health counts. */
const FAILURES_TO_WORRY = 3;
const COUNTED_MOST = 1_000;
const LOOK_ROOMS = { signer: 'treasury', gas: 'treasury', backup: 'software' } as const;

export function operatorRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/operator', (context) =>
    withOperator(app, context, (visit, port) => sendOverview(app, context, visit, port)),
  );
  routes.post('/operator', (context) =>
    withOperator(app, context, async (visit, port) => {
      await readVisitForm(app, context, visit);
      const act = { actor: visit.actor, verb: 'alert-test', subject: 'alerts' };
      const told = await doNoted(app, act, (within) => port.testAlert(within));
      return sendSeeOther(`${operatorPath('overview')}?told=${told}`);
    }),
  );
  return routes;
}

export function isFailing({ consecutiveFailures }: LoopHealth): boolean {
  return consecutiveFailures >= FAILURES_TO_WORRY;
}

async function sendOverview(
  app: PageApp,
  context: Context,
  visit: OperatorVisit,
  port: OperatorPort,
): Promise<Response> {
  const { operator } = visit.language.texts;
  const isAsked = context.req.query('ask') === '1';
  const [networks, looks, parked, toSend, findings] = await Promise.all([
    port.listNetworks(),
    port.listLooks(),
    port.listParked(COUNTED_MOST),
    listToSend(app, { most: COUNTED_MOST }),
    isAsked ? port.lookOver() : undefined,
  ]);
  const stuck = toSend.filter(({ stuckAt }) => stuckAt !== undefined);
  const alerts = [
    ...port
      .jobs()
      .filter(isFailing)
      .map((job) => jobAlert(visit, job)),
    ...networks.flatMap((line) => networkAlerts(visit, line)),
    ...badLooks(looks).map(({ kind, said }) =>
      alertItem(operator.looks[kind].bad, said, operatorPath(LOOK_ROOMS[kind])),
    ),
    ...(stuck.length === 0
      ? []
      : [alertItem(operator.stuck, `${stuck.length}`, operatorPath('treasury'))]),
    ...(parked.length === 0
      ? []
      : [alertItem(operator.parked, kindsOf(parked), operatorPath('parked'))]),
  ];
  const body = html`<section class="card" id="alerts"><h2>${operator.alerts}</h2>
${alerts.length === 0 ? html`<p>${operator.well}</p>` : rows(alerts.map((what) => ({ what })))}
</section>
<section class="card" id="findings"><h2>${operator.asked}</h2>
<p class="hint">${operator.askHint}</p>
<form method="get" action="${operatorPath('overview')}"><input type="hidden" name="ask" value="1">
${button(operator.ask, 'ask')}</form>
${findings && rows(findings.map((finding) => ({ what: findingItem(visit, finding) })))}</section>
${alertCard(visit, context.req.query('told'))}`;
  const title = operator.rooms.overview;
  return sendPage(app, dashboardPage({ visit, title, body, operatorRoom: 'overview' }));
}

/** Whether somebody would be told of what stands above, tried. */
function alertCard(visit: OperatorVisit, told: string | undefined): Html {
  const { operator } = visit.language.texts;
  const said =
    told === '0'
      ? faultNote(operator.alertTestNobody)
      : /^[1-9]\d{0,3}$/.test(told ?? '') && doneNote(operator.alertTested(told ?? ''));
  const body = html`<p class="hint">${operator.alertTestHint}</p>${button(operator.alertTest, 'try-alerts')}`;
  return html`<section class="card" id="alert-test"><h2>${operator.alertTest}</h2>
${said}${formOf(visit, operatorPath('overview'), body)}</section>`;
}

/** `what` in words; the rest as the program says it, which is English. */
function alertItem(what: string, detail: string, path: string): Html {
  return html`<a class="line" href="${path}"><strong>${what}</strong>
<span class="hint" lang="en">${foreignText(detail)}</span></a>`;
}

function jobAlert({ language: { texts } }: OperatorVisit, { name, lastError }: LoopHealth): Html {
  const detail = `${name}: ${lastError ?? ''}`;
  return alertItem(texts.operator.jobFails, detail, operatorPath('software'));
}

function networkAlerts(visit: OperatorVisit, line: NetworkLine): Html[] {
  const { operator } = visit.language.texts;
  const { chain, status, error } = line.report;
  // Of the sandbox nobody expects anything.
  if (environmentOf(chain) === 'test') return [];
  const { name } = getNetwork(networkOf(chain));
  const state = networkState(line.report);
  const path = operatorPath('networks');
  const why = state === 'brake' ? status?.brake : error;
  return [
    ...(state === 'well'
      ? []
      : [alertItem(operator.states[state], why === undefined ? name : `${name}: ${why}`, path)]),
    ...(line.isShort ? [alertItem(operator.short, name, path)] : []),
  ];
}

/** `transfer 2, mail 1`. */
function kindsOf(parked: readonly { readonly id: string }[]): string {
  const byKind = Map.groupBy(parked, ({ id }) => id.slice(0, id.indexOf(':')));
  return Array.from(byKind, ([kind, those]) => `${kind} ${those.length}`).join(', ');
}

function findingItem(
  { language: { texts } }: OperatorVisit,
  { ok, what, detail }: { readonly ok: boolean; readonly what: string; readonly detail: string },
): Html {
  return html`<strong>${foreignText(what)}</strong>
<span data-ok="${ok ? 'yes' : 'no'}">${ok ? texts.operator.ok : texts.operator.bad}</span>
<span class="hint" lang="en">${foreignText(detail)}</span>`;
}
