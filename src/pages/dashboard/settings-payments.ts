// What a shop takes and what it is credited in, which ways to pay customers see, and when money
// that is late or a little too little completes a sale by itself. What decides in which asset money
// is credited asks for a recent proof.

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
  type PaymentWishes,
  percentOfParts,
  readPaidTerms,
  readPaymentWishes,
  readRiskTolerance,
  setPaymentWishes,
  toleranceOfPercent,
  wishDetails,
} from '#merchant/merchant.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { isFresh } from '#staff/session.ts';
import { button, doneNote, faultNote, formOf, selectField, textField } from './controls.ts';
import { askForProof, type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { settlementOptions } from './make-checkout.ts';
import { depthsCard, readDepths } from './settings-depth.ts';
import { methodsCard, readMethods } from './settings-methods.ts';
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

type Details = Readonly<Record<string, string>>;

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { place } = visit;
  if (typed.get('act') === 'settled' && !isFresh(visit.who.session, app.clock.now())) {
    return askForProof(app, context, visit, typed);
  }
  try {
    const act = ACTS[typed.get('act') ?? ''];
    if (act === undefined) throw refused('act');
    await act(app, visit, typed);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendPayments(app, visit, { refusal: error, typed });
  }
  return sendSeeOther(`${roomPath(place, '/settings/payments')}?done=1`);
}

type SettingsAct = (app: PageApp, visit: ShopVisit, typed: URLSearchParams) => Promise<void>;

/** By the value of the field `act`. @throws Refusal */
const ACTS: Readonly<Record<string, SettingsAct>> = {
  risk: changeRisk,
  settled: changeSettled,
  methods: changeMethods,
  depths: changeDepths,
  underpaid: changeUnderpaid,
  late: changeLate,
};

/** Of one environment, in the trail. */
function doSet(
  app: PageApp,
  { actor, place }: ShopVisit,
  details: Details,
  run: (within: PageApp) => Promise<void>,
): Promise<void> {
  const { merchantId, environment } = place;
  const act = { actor, merchantId, verb: 'merchant-set', subject: `merchant:${merchantId}` };
  return doNoted(app, { ...act, environment, details }, run);
}

/** Of both environments, in the trail. */
function doSetBoth(
  app: PageApp,
  { actor, place: { merchantId } }: ShopVisit,
  details: Details,
  run: (within: PageApp) => Promise<void>,
): Promise<void> {
  const act = { actor, merchantId, verb: 'merchant-set', subject: `merchant:${merchantId}` };
  return doNoted(app, { ...act, details }, run);
}

async function changeRisk(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const riskTolerance = RISK_LEVELS.find((level) => level === typed.get('risk'));
  if (riskTolerance === undefined) throw refused('risk');
  await doSet(app, visit, { riskTolerance }, (within) =>
    changeRiskTolerance(within, visit.place, riskTolerance),
  );
}

async function changeSettled(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const settlementAsset = typed.get('settlement') ?? '';
  await changeWishes(app, visit, { settlementAsset });
}

function changeWishes(app: PageApp, visit: ShopVisit, wishes: Partial<PaymentWishes>) {
  return doSet(app, visit, wishDetails(wishes), (within) =>
    setPaymentWishes(within, visit.place, wishes),
  );
}

async function changeMethods(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const before = await readPaymentWishes(app.db, visit.place);
  const risk = await readRiskTolerance(app.db, visit.place);
  const chosen = readMethods(app, visit.place, { ...before, risk }, typed);
  if (chosen === undefined) throw refused('methods');
  await changeWishes(app, visit, chosen);
}

async function changeDepths(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const before = await readPaymentWishes(app.db, visit.place);
  const confirmations = readDepths(visit.place, before.confirmations, typed);
  if (confirmations === undefined) throw refused('depths');
  await changeWishes(app, visit, { confirmations });
}

async function changeUnderpaid(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const underpaid = percentIn(typed, 'underpaid');
  const underpaidTolerancePartsPerMillion = toleranceOfPercent(underpaid);
  if (underpaidTolerancePartsPerMillion === undefined) throw refused('underpaid');
  await doSetBoth(app, visit, { underpaid }, (within) =>
    changeMerchant(within, visit.place.merchantId, { underpaidTolerancePartsPerMillion }),
  );
}

async function changeLate(app: PageApp, visit: ShopVisit, typed: URLSearchParams) {
  const lateFloor = percentIn(typed, 'lateFloor');
  const days = (typed.get('lateDays') ?? '').trim();
  const lateFloorPartsPerMillion = floorOfPercent(lateFloor);
  const lateDays = lateDaysOf(days);
  if (lateFloorPartsPerMillion === undefined) throw refused('late_floor');
  if (lateDays === undefined) throw refused('late_days');
  await doSetBoth(app, visit, { lateFloor, lateDays: days }, (within) =>
    changeMerchant(within, visit.place.merchantId, { lateFloorPartsPerMillion, lateDays }),
  );
}

function percentIn(typed: URLSearchParams, name: string): string {
  return (typed.get(name) ?? '').trim().replace(',', '.');
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
  const { settings, shell, sell } = language.texts;
  const [risk, terms, wishes] = await Promise.all([
    readRiskTolerance(app.db, place),
    readPaidTerms(app.db, place.merchantId),
    readPaymentWishes(app.db, place),
  ]);
  const path = roomPath(place, '/settings/payments');
  const body = html`${faultNote(refusal && refusalText(language.texts, refusal))}
${doneNote(isDone === true ? shell.done : undefined)}
${settingsTabs(visit, 'payments')}
${card(visit, 'risk', settings.risk, settings.riskHint, [
  selectField({
    name: 'risk',
    label: settings.riskLevel,
    value: risk,
    options: RISK_LEVELS.map((level) => [level, settings.risks[level]]),
  }),
])}
${card(visit, 'settled', settings.settled, settings.settledHint, [
  selectField({
    name: 'settlement',
    label: sell.settlement,
    value: typed?.get('settlement') ?? wishes.settlementAsset,
    options: settlementOptions(language),
  }),
])}
${methodsCard(app, visit, path, { ...wishes, risk })}
${depthsCard(visit, path, wishes.confirmations, typed)}
${card(visit, 'underpaid', settings.underpaid, settings.underpaidHint, [
  textField({
    name: 'underpaid',
    label: settings.underpaidPercent,
    hint: settings.underpaidPercentHint,
    value: typed?.get('underpaid') ?? percentOfParts(terms.underpaidTolerancePartsPerMillion),
    inputmode: 'decimal',
    maxLength: 8,
  }),
])}
${card(visit, 'late', settings.late, settings.lateHint, [
  textField({
    name: 'lateFloor',
    label: settings.lateFloor,
    hint: settings.lateFloorHint,
    value: typed?.get('lateFloor') ?? percentOfParts(terms.lateFloorPartsPerMillion),
    inputmode: 'decimal',
    maxLength: 8,
  }),
  textField({
    name: 'lateDays',
    label: settings.lateDays,
    hint: settings.lateDaysHint(`${LATE_DAYS_MOST}`),
    value: typed?.get('lateDays') ?? `${terms.lateDays}`,
    inputmode: 'numeric',
    maxLength: 5,
  }),
])}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = settings.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

function card(
  visit: ShopVisit,
  act: string,
  title: string,
  hint: string,
  fields: readonly Html[],
): Html {
  return html`<section class="card"><h2>${title}</h2><p class="hint">${hint}</p>
${formOf(visit, roomPath(visit.place, '/settings/payments'), [
  html`<input type="hidden" name="act" value="${act}">`,
  ...fields,
  button(visit.language.texts.shell.save, `save-${act}`),
])}</section>`;
}
