// What a shop takes, and when money that comes late completes a sale by itself.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { RISK_LEVELS } from '#catalog/asset.ts';
import {
  changeMerchant,
  changeRiskTolerance,
  floorOfPercent,
  LATE_DAYS_MOST,
  lateDaysOf,
  percentOfFloor,
  readLateTerms,
  readRiskTolerance,
} from '#merchant/merchant.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { button, doneNote, faultNote, formOf, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/payments';

type Shown = {
  readonly refusal?: Refusal | undefined;
  readonly typed?: URLSearchParams | undefined;
  readonly isDone?: boolean;
};

export function settingsPaymentsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendPayments(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const act = { actor, merchantId, verb: 'merchant-set', subject: `merchant:${merchantId}` };
  try {
    if (typed.get('act') === 'risk') {
      const riskTolerance = RISK_LEVELS.find((level) => level === typed.get('risk'));
      if (riskTolerance === undefined) throw refused('risk');
      await doNoted(app, { ...act, environment, details: { riskTolerance } }, (within) =>
        changeRiskTolerance(within, place, riskTolerance),
      );
    } else {
      const floor = (typed.get('lateFloor') ?? '').trim().replace(',', '.');
      const days = (typed.get('lateDays') ?? '').trim();
      const lateFloorPartsPerMillion = floorOfPercent(floor);
      const lateDays = lateDaysOf(days);
      if (lateFloorPartsPerMillion === undefined) throw refused('late_floor');
      if (lateDays === undefined) throw refused('late_days');
      await doNoted(app, { ...act, details: { lateFloor: floor, lateDays: days } }, (within) =>
        changeMerchant(within, merchantId, { lateFloorPartsPerMillion, lateDays }),
      );
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendPayments(app, visit, { refusal: error, typed });
  }
  return sendSeeOther(`${roomPath(place, '/settings/payments')}?done=1`);
}

function refused(code: string): Refusal {
  return new Refusal('invalid', code, `${code}: see the form`);
}

async function sendPayments(
  app: PageApp,
  visit: ShopVisit,
  { refusal, typed, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { settings, shell } = language.texts;
  const [risk, late] = await Promise.all([
    readRiskTolerance(app.db, place),
    readLateTerms(app.db, place.merchantId),
  ]);
  const path = roomPath(place, '/settings/payments');
  const body = html`${faultNote(refusal && refusalText(language.texts, refusal))}
${doneNote(isDone === true ? shell.done : undefined)}
${settingsTabs(visit, 'payments')}
<section class="card"><h2>${settings.risk}</h2><p class="hint">${settings.riskHint}</p>
${formOf(visit, path, [
  html`<input type="hidden" name="act" value="risk">`,
  selectField({
    name: 'risk',
    label: settings.riskLevel,
    value: risk,
    options: RISK_LEVELS.map((level) => [level, settings.risks[level]]),
  }),
  button(shell.save, 'save-risk'),
])}</section>
<section class="card"><h2>${settings.late}</h2><p class="hint">${settings.lateHint}</p>
${formOf(visit, path, [
  html`<input type="hidden" name="act" value="late">`,
  textField({
    name: 'lateFloor',
    label: settings.lateFloor,
    hint: settings.lateFloorHint,
    value: typed?.get('lateFloor') ?? percentOfFloor(late.lateFloorPartsPerMillion),
    inputmode: 'decimal',
    maxLength: 8,
  }),
  textField({
    name: 'lateDays',
    label: settings.lateDays,
    hint: settings.lateDaysHint(`${LATE_DAYS_MOST}`),
    value: typed?.get('lateDays') ?? `${late.lateDays}`,
    inputmode: 'numeric',
    maxLength: 5,
  }),
  button(shell.save, 'save-late'),
])}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = settings.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}
