// The sandbox wallet at a checkout of test money: pay it rightly or wrongly, make blocks, end its
// window. What it does happens to this checkout alone, and to no real money.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { findCheckout } from '#checkout/find-checkout.ts';
import { paymentProgress } from '#checkout-settlement/payment-progress.ts';
import { shownCommitment } from '#pages/checkout/decide-page.ts';
import {
  findSandboxAct,
  listSandboxActs,
  runSandboxAct,
  sandboxButtons,
} from '#pages/checkout/sandbox-acts.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/checkouts/:id/sandbox';
const NOTHING_ASKED = { network: undefined, asset: undefined };

export function checkoutSandboxRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.post(PATH, (context) =>
    withShop(app, context, 'see-development', (visit) => play(app, context, visit)),
  );
  return routes;
}

async function play(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { place, language } = visit;
  const id = context.req.param('id') ?? '';
  const record = await findCheckout(app, place, id);
  const act = findSandboxAct(form.get('act'));
  const { sandbox } = app;
  if (record?.environment !== 'test' || sandbox === undefined || act === undefined) {
    return sendPage(app, missingPage(pageLanguage(language.code)));
  }
  const path = roomPath(place, `/checkouts/${id}`);
  try {
    await runSandboxAct(sandbox, record, NOTHING_ASKED, act);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Sentences of the sandbox are for developers, in English.
    const body = html`<section class="card"><p class="warning" role="alert" lang="en">${foreignText(error.details.join(' '))}</p>
<p class="ways"><a class="quiet" href="${path}">${language.texts.shell.back}</a></p></section>`;
    const title = pageLanguage(language.code).texts.sandbox.title;
    const status = STATUS_OF_REFUSAL[error.kind];
    return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'checkouts' }));
  }
  return sendSeeOther(`${path}#sandbox`);
}

/** Of test money, for whoever sees what developers see. */
export function sandboxCard(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
): Html | undefined {
  const { place, language, formToken } = visit;
  if (record.environment !== 'test' || app.sandbox === undefined) return undefined;
  if (!mayAct(place.role, 'see-development')) return undefined;
  const shown = shownCommitment(record, NOTHING_ASKED);
  const acts = listSandboxActs(record, shown, isOpen(record));
  if (acts.length === 0) return undefined;
  const { texts } = pageLanguage(language.code);
  const path = roomPath(place, `/checkouts/${record.id}/sandbox`);
  return html`<section class="sandbox" id="sandbox" aria-labelledby="sandbox-title">
<h2 id="sandbox-title">${texts.sandbox.title}</h2><p class="hint">${texts.sandbox.hint}</p>
<form method="post" action="${path}" class="acts"><input type="hidden" name="form" value="${formToken}">
${sandboxButtons(acts, texts)}</form></section>`;
}

/** Something is left to be paid. */
function isOpen(record: CheckoutRecord): boolean {
  const { state } = record;
  if (state === 'COMPLETED' || state === 'CANCELLED' || state === 'EXPIRED') return false;
  const shown = shownCommitment(record, NOTHING_ASKED);
  return shown === undefined || paymentProgress(record, shown).remainingUnits > 0n;
}
