// The dashboard: one file a room. Each route names the act that a role has to be allowed
// (guard.ts); the door leads to the last shop.

import { Hono } from 'hono';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import type { PaperPrinter } from '#pages/receipt/print-paper.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { addressesRoutes } from './addresses.ts';
import { checkoutFilesRoutes } from './checkout-files.ts';
import { checkoutNotesRoutes } from './checkout-notes.ts';
import { checkoutRefundRoutes } from './checkout-refund.ts';
import { checkoutSandboxRoutes } from './checkout-sandbox.ts';
import { checkoutViewsRoutes } from './checkout-views.ts';
import { checkoutsRoutes } from './checkouts.ts';
import { customerFilesRoutes } from './customer-files.ts';
import { customerMergeRoutes } from './customer-merge.ts';
import { customersRoutes } from './customers.ts';
import { eventsRoutes } from './events.ts';
import { findHome, type SignedInVisit, withPerson } from './guard.ts';
import { invitationRoutes } from './invitation.ts';
import { invoiceFormRoutes } from './invoice-form.ts';
import { invoicesRoutes } from './invoices.ts';
import { keysRoutes } from './keys.ts';
import { moneyRoutes } from './money.ts';
import { moneyApprovalsRoutes } from './money-approvals.ts';
import { moneyBeneficiariesRoutes } from './money-beneficiaries.ts';
import { moneyRulesRoutes } from './money-rules.ts';
import { moneySendRoutes } from './money-send.ts';
import { moneySuspenseRoutes } from './money-suspense.ts';
import { moneySwapRoutes } from './money-swap.ts';
import { moneyTransferRoutes } from './money-transfer.ts';
import { myMailsRoutes } from './my-mails.ts';
import { operatorRoutes } from './operator.ts';
import { operatorBrakeRoutes } from './operator-brake.ts';
import { operatorHouseRoutes } from './operator-house.ts';
import { operatorNetworksRoutes } from './operator-networks.ts';
import { operatorTreasuryRoutes } from './operator-treasury.ts';
import { paymentLinksRoutes } from './payment-links.ts';
import { peopleRoutes } from './people.ts';
import { posRoutes } from './pos.ts';
import { reportsRoutes } from './reports.ts';
import { requestsRoutes } from './requests.ts';
import { securityRoutes } from './security.ts';
import { sellRoutes } from './sell.ts';
import { settingsRoutes } from './settings.ts';
import { settingsDomainsRoutes } from './settings-domains.ts';
import { settingsExportRoutes } from './settings-export.ts';
import { settingsMailsRoutes } from './settings-mails.ts';
import { settingsPaymentsRoutes } from './settings-payments.ts';
import { settingsPreviewRoutes } from './settings-preview.ts';
import { dashboardPage, HOME_PATH, operatorPath, roomPath } from './shell.ts';
import { signInRoutes } from './sign-in.ts';
import { eventKindsRoutes } from './test-event.ts';
import { todayRoutes } from './today.ts';
import { webhooksRoutes } from './webhooks.ts';

export function dashboardRoutes(app: PageApp, printer: PaperPrinter): Hono {
  const routes = new Hono();
  routes.get('/', (context) => withPerson(app, context, (visit) => goHome(app, visit)));
  routes.route('/', signInRoutes(app));
  routes.route('/', invitationRoutes(app));
  routes.route('/', securityRoutes(app));
  routes.route('/', myMailsRoutes(app));
  routes.route('/', todayRoutes(app));
  routes.route('/', checkoutsRoutes(app));
  routes.route('/', sellRoutes(app));
  routes.route('/', invoiceFormRoutes(app));
  routes.route('/', invoicesRoutes(app, printer));
  routes.route('/', customersRoutes(app));
  routes.route('/', customerFilesRoutes(app));
  routes.route('/', customerMergeRoutes(app));
  routes.route('/', paymentLinksRoutes(app));
  routes.route('/', posRoutes(app));
  routes.route('/', checkoutFilesRoutes(app));
  routes.route('/', checkoutViewsRoutes(app));
  routes.route('/', checkoutNotesRoutes(app));
  routes.route('/', checkoutRefundRoutes(app));
  routes.route('/', checkoutSandboxRoutes(app));
  routes.route('/', moneyRoutes(app));
  routes.route('/', moneySendRoutes(app));
  routes.route('/', moneyTransferRoutes(app));
  routes.route('/', moneySwapRoutes(app));
  routes.route('/', moneyBeneficiariesRoutes(app));
  routes.route('/', moneyApprovalsRoutes(app));
  routes.route('/', moneyRulesRoutes(app));
  routes.route('/', moneySuspenseRoutes(app));
  routes.route('/', reportsRoutes(app));
  routes.route('/', webhooksRoutes(app));
  routes.route('/', eventKindsRoutes(app));
  routes.route('/', eventsRoutes(app));
  routes.route('/', requestsRoutes(app));
  routes.route('/', keysRoutes(app));
  routes.route('/', addressesRoutes(app));
  routes.route('/', settingsRoutes(app));
  routes.route('/', settingsPreviewRoutes(app));
  routes.route('/', settingsPaymentsRoutes(app));
  routes.route('/', settingsDomainsRoutes(app));
  routes.route('/', settingsMailsRoutes(app));
  routes.route('/', settingsExportRoutes(app));
  routes.route('/', peopleRoutes(app));
  routes.route('/', operatorRoutes(app));
  routes.route('/', operatorNetworksRoutes(app));
  routes.route('/', operatorBrakeRoutes(app));
  routes.route('/', operatorTreasuryRoutes(app));
  routes.route('/', operatorHouseRoutes(app));
  return routes;
}

async function goHome(app: PageApp, visit: SignedInVisit): Promise<Response> {
  const home = await findHome(app, visit);
  if (home !== undefined) return sendSeeOther(roomPath(home, HOME_PATH));
  if (visit.who.person.isOperator && app.operator !== undefined) {
    return sendSeeOther(operatorPath('overview'));
  }
  const { noRoom, noRoomHint } = visit.language.texts.shell;
  const body = html`<section class="card"><p>${noRoomHint}</p></section>`;
  return sendPage(app, dashboardPage({ visit, title: noRoom, body }));
}
