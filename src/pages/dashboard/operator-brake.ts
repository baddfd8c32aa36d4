// What the brake of a network holds, and letting it go (decision 23): first which payments, of
// whom, how much and for what; then, with a reason and a recent proof, exactly those.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { findHeldPayments, type HeldPayments, releaseBrake } from '#brake/release-brake.ts';
import { type ChainId, chainOf, ENVIRONMENTS, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { assetText, momentTime } from '#pages/display.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { areaField, button, doneNote, faultNote, formOf, rows } from './controls.ts';
import { type OperatorVisit, withOperator } from './guard.ts';
import { dashboardPage, operatorPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const REASON_MOST = 500;
const PATH = `${operatorPath('networks').replace('/dashboard', '')}/:environment/:network`;

export function brakePath(chain: ChainId): string {
  return `${operatorPath('networks')}/${environmentOf(chain)}/${networkOf(chain)}`;
}

export function operatorBrakeRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withOperator(app, context, (visit) =>
      sendHeld(app, context, visit, { released: context.req.query('released') }),
    ),
  );
  routes.post(PATH, (context) => withOperator(app, context, (visit) => letGo(app, context, visit)));
  return routes;
}

function chainIn(context: Context): ChainId | undefined {
  const environment = ENVIRONMENTS.find((one) => one === context.req.param('environment'));
  return environment && chainOf(environment, context.req.param('network') ?? '');
}

async function letGo(app: PageApp, context: Context, visit: OperatorVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const chain = chainIn(context);
  if (chain === undefined) return sendPage(app, missingPage(pageLanguage(visit.language.code)));
  const [code, reason] = [form.get('code') ?? '', form.get('reason') ?? ''];
  const { actor, language } = visit;
  try {
    const given = { actor, chain, code, reason, language: language.code };
    const released = await releaseBrake(app, given);
    return sendSeeOther(`${brakePath(chain)}?released=${released}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendHeld(app, context, visit, { refusal: error, reason });
  }
}

type Tried = {
  readonly refusal?: Refusal;
  readonly reason?: string;
  readonly released?: string | undefined;
};

async function sendHeld(
  app: PageApp,
  context: Context,
  visit: OperatorVisit,
  { refusal: fault, reason, released = '' }: Tried,
): Promise<Response> {
  const chain = chainIn(context);
  const held = chain && (await findHeldPayments(app, chain));
  if (held === undefined) return sendPage(app, missingPage(pageLanguage(visit.language.code)));
  const { operator } = visit.language.texts;
  const { causes, payments } = held;
  const done = /^\d{1,3}$/.test(released) ? operator.letGone(released) : undefined;
  const body = html`${faultNote(fault && faultText(visit, fault))}${doneNote(done)}
<section class="card" id="causes"><h2>${operator.brakeFor}</h2>
${causes.length === 0 ? html`<p>${operator.brakeOff}</p>` : sentences(causes)}</section>
<section class="card" id="held"><h2>${operator.held}: ${payments.length}</h2>
${
  payments.length === 0
    ? html`<p>${operator.nothingHeld}</p>`
    : rows(payments.map((payment) => ({ what: paymentItem(visit, held, payment) })))
}</section>
${payments.length > 0 && actCard(visit, held, reason)}`;
  const title = operator.heldOn(getNetwork(networkOf(held.chain)).name);
  const status = fault && STATUS_OF_REFUSAL[fault.kind];
  return sendPage(app, dashboardPage({ visit, title, body, status, operatorRoom: 'networks' }));
}

/** As the program says them, which is English. */
function sentences(said: readonly string[]): Html {
  return html`<ul class="plain" lang="en">${said.map((one) => html`<li>${foreignText(one)}</li>`)}</ul>`;
}

function actCard(visit: OperatorVisit, held: HeldPayments, reason: string | undefined): Html {
  const { operator } = visit.language.texts;
  const { chain, code, refusal } = held;
  if (refusal !== undefined) {
    return html`<section class="card" id="stays"><h2>${operator.stays}</h2>${sentences(refusal.sentences)}</section>`;
  }
  const why = { name: 'reason', label: operator.why, value: reason, maxLength: REASON_MOST };
  const fields = [
    html`<input type="hidden" name="code" value="${code}">`,
    areaField({ ...why, hint: operator.whyHint }),
    button(operator.letGo, 'let-go'),
  ];
  return html`<section class="card" id="act"><h2>${operator.letGo}</h2>
<p class="hint">${operator.letGoHint}</p>
${formOf(visit, brakePath(chain), fields)}</section>`;
}

function paymentItem(
  { language }: OperatorVisit,
  { chain }: HeldPayments,
  payment: HeldPayments['payments'][number],
): Html {
  const { operator } = language.texts;
  const { assetId, units, merchantId, merchantName, purposeId, transaction, heldAt } = payment;
  const { confirmations, confirmationsNeeded = 0 } = payment;
  const whose =
    merchantId === undefined
      ? operator.nobodys
      : html`${foreignText(merchantName ?? '')} <code>${merchantId}</code>`;
  return html`<strong>${assetText(networkOf(chain), assetId, units, language)}</strong>
<span>${whose}</span>
<span class="hint">${operator.confirmed(`${confirmations}`, `${confirmationsNeeded}`)}${
    heldAt !== undefined && html`, ${operator.heldSince} ${momentTime(heldAt, language.code)}`
  }</span>
<span class="hint">${purposeId !== undefined && html`<code>${purposeId}</code> `}<code>${foreignText(transaction)}</code></span>`;
}

function faultText({ language: { texts } }: OperatorVisit, { code }: Refusal): string {
  const { operator, faults } = texts;
  if (code === 'brake_reason') return operator.whyMissing;
  return code.startsWith('brake_') ? operator.brakeChanged : faults.gone;
}
