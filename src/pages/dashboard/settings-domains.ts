// Hosts of the shop's own for its pages: claimed, proven by a record of their DNS, taken back.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Outage, Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  addDomain,
  getDomain,
  listDomains,
  type MerchantDomain,
  proofName,
  removeDomain,
} from '#merchant/domain.ts';
import { verifyDomain } from '#merchant/verify-domain.ts';
import { momentTime } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { button, doneNote, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/domains';

type Shown = {
  readonly fault?: string | undefined;
  readonly status?: number | undefined;
  readonly typed?: string | undefined;
  readonly isDone?: boolean;
};

export function settingsDomainsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendDomains(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const typed = (form.get('host') ?? '').trim();
  try {
    await carryOut(app, visit, form.get('act') ?? '', typed);
  } catch (error) {
    const { texts } = visit.language;
    if (error instanceof Outage) {
      return sendDomains(app, visit, { fault: texts.faults.nameServer, status: 503 });
    }
    if (!(error instanceof Refusal)) throw error;
    const fault = refusalText(texts, error);
    return sendDomains(app, visit, { fault, status: STATUS_OF_REFUSAL[error.kind], typed });
  }
  return sendSeeOther(`${roomPath(visit.place, '/settings/domains')}?done=1`);
}

async function carryOut(
  app: PageApp,
  { actor, place: { merchantId } }: ShopVisit,
  act: string,
  host: string,
): Promise<void> {
  const noted = { actor, merchantId, subject: `domain:${host.toLowerCase()}` };
  if (act === 'add') {
    await doNoted(app, { ...noted, verb: 'domain-add' }, (within) =>
      addDomain(within, merchantId, host),
    );
  } else if (act === 'remove') {
    await doNoted(app, { ...noted, verb: 'domain-remove' }, (within) =>
      removeDomain(within, merchantId, host),
    );
  } else if (act === 'verify') {
    const domain = await getDomain(app.db, merchantId, host);
    // Name servers are asked before the transaction, not in it.
    const records = await app.findTextRecords(proofName(domain.host));
    await doNoted(app, { ...noted, verb: 'domain-verify' }, (within) =>
      verifyDomain(within, async () => records, merchantId, host),
    );
  }
}

async function sendDomains(
  app: PageApp,
  visit: ShopVisit,
  { fault, status, typed, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { settings, shell } = language.texts;
  const domains = await listDomains(app.db, place.merchantId);
  const listed = domains.map((domain) => ({
    what: item(app, visit, domain),
    acts: acts(visit, domain),
  }));
  const body = html`${faultNote(fault)}${doneNote(isDone === true ? shell.done : undefined)}
${settingsTabs(visit, 'domains')}
<section class="card"><h2>${settings.domains}</h2><p class="hint">${settings.domainsHint}</p>
${listed.length > 0 && rows(listed)}
${formOf(visit, roomPath(place, '/settings/domains'), [
  html`<input type="hidden" name="act" value="add">`,
  textField({
    name: 'host',
    label: settings.domain,
    hint: settings.domainHint,
    value: typed,
    maxLength: 253,
  }),
  button(settings.domainAdd, 'claim'),
])}</section>`;
  const title = settings.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

function item(
  { publicUrl }: PageApp,
  { language }: ShopVisit,
  { host, proofToken, verifiedAt }: MerchantDomain,
): Html {
  const { texts, code } = language;
  const { settings } = texts;
  if (verifiedAt !== undefined) {
    return html`<strong><code>${host}</code></strong>
<span class="hint">${settings.domainVerified}: ${momentTime(verifiedAt, code)}</span>`;
  }
  return html`<strong><code>${host}</code></strong>
<span>${settings.domainRecords}</span>
<span class="hint"><code>${proofName(host)}</code> TXT <code>${proofToken}</code></span>
<span class="hint"><code>${host}</code> CNAME <code>${new URL(publicUrl).hostname}</code></span>`;
}

function acts(visit: ShopVisit, { host, verifiedAt }: MerchantDomain): Html {
  const { settings, shell } = visit.language.texts;
  return formOf(
    visit,
    roomPath(visit.place, '/settings/domains'),
    html`<input type="hidden" name="host" value="${host}">
${verifiedAt === undefined && quietButton(settings.domainCheck, 'act', 'verify')}
${quietButton(shell.remove, 'act', 'remove')}`,
  );
}
