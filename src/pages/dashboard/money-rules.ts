// What is done with balances by itself: rules, what each did last, paused and taken away.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getAsset, listAssets } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { listWallets } from '#ledger/account.ts';
import type { Decimal } from '#money/decimal.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { type Beneficiary, listBeneficiaries } from '#people/beneficiary.ts';
import {
  createSettlementRule,
  type SettlementRuleRequest,
} from '#settlement-rule/create-settlement-rule.ts';
import { PERIODS, type Schedule } from '#settlement-rule/schedule.ts';
import {
  changeRule,
  listRules,
  listRuns,
  type RuleChange,
  type SettlementRule,
  type SettlementRun,
  scheduleOf,
} from '#settlement-rule/settlement-rule.ts';
import { mayAct } from '#staff/role.ts';
import { button, doneNote, formOf, quietButton, rows, selectField, textField } from './controls.ts';
import { onceField, orderOnce } from './form-once.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { moneyTabs } from './money-tabs.ts';
import { amountHint, ownerOf, refusalNote, shownRefusal, unitsText } from './money-words.ts';
import { readAmount } from './read-amount.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/money/rules';
const ROOM = '/money/rules';
const LISTED_MOST = 100;
const RUNS_SHOWN = 3;
const CHANGES: readonly RuleChange[] = ['pause', 'resume', 'delete'];

type Shown = {
  readonly refusal?: Refusal | undefined;
  readonly typed?: URLSearchParams | undefined;
  readonly isDone?: boolean;
};

export function moneyRulesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'see-money', (visit) =>
      sendRules(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'move-money', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const wanted = CHANGES.find((one) => one === form.get('act'));
  try {
    if (wanted === undefined) await add(app, visit, form);
    else await changeOne(app, visit, form.get('rule') ?? '', wanted);
  } catch (error) {
    return sendRules(app, visit, { refusal: shownRefusal(error), typed: form });
  }
  return sendSeeOther(`${roomPath(visit.place, ROOM)}?done=1`);
}

function changeOne(
  app: PageApp,
  { actor, place }: ShopVisit,
  id: string,
  wanted: RuleChange,
): Promise<SettlementRule> {
  const owner = ownerOf(place);
  const act = { ...owner, actor, verb: `settlement-rule-${wanted}` };
  return doNoted(app, { ...act, subject: `settlement-rule:${id}` }, (within) =>
    changeRule(within, owner, id, wanted),
  );
}

async function add(app: PageApp, visit: ShopVisit, form: URLSearchParams): Promise<string> {
  const { actor, place } = visit;
  const owner = ownerOf(place);
  const beneficiaries = await beneficiariesOf(app, visit);
  const request = readRequest(visit, form, beneficiaries);
  const act = {
    ...{ ...owner, actor, verb: 'settlement-rule-create' },
    subject: ({ id }: SettlementRule) => `settlement-rule:${id}`,
    details: { asset: request.asset, to: request.targetAccount, convertTo: request.convertTo },
  };
  const maker = { ...owner, apiKey: undefined, actor };
  return orderOnce(app, visit, form, async (within) => {
    const made = await doNoted(within, act, (inside) =>
      createSettlementRule(inside, maker, request),
    );
    return made.id;
  });
}

/** @throws Refusal invalid `amount_invalid`, `validation_failed`; missing `beneficiary_missing` */
function readRequest(
  visit: ShopVisit,
  form: URLSearchParams,
  beneficiaries: readonly Beneficiary[],
): SettlementRuleRequest {
  const text = (name: string) => (form.get(name) ?? '').trim() || undefined;
  const amount = (name: string): Decimal | undefined => {
    const typed = text(name);
    const read = typed === undefined ? undefined : readAmount(typed, visit.language.code);
    if (typed === undefined || read !== undefined) return read;
    throw new Refusal('invalid', 'amount_invalid', typed);
  };
  const to = text('to');
  const beneficiary = beneficiaries.find(({ id }) => id === to);
  if (to !== undefined && beneficiary === undefined) {
    throw new Refusal('missing', 'beneficiary_missing', 'no such beneficiary');
  }
  return {
    asset: text('asset') ?? '',
    threshold: amount('threshold'),
    keep: amount('keep'),
    schedule: readSchedule(text),
    convertTo: text('convertTo'),
    network: beneficiary?.network,
    targetAccount: beneficiary?.id,
  };
}

/** @throws Refusal invalid `validation_failed` */
function readSchedule(text: (name: string) => string | undefined): Schedule | undefined {
  const every = PERIODS.find((period) => period === text('every'));
  if (every === undefined) return undefined;
  const hour = /^(?:\d|1\d|2[0-3])$/.exec(text('hour') ?? '')?.[0];
  if (hour === undefined) {
    throw new Refusal('invalid', 'validation_failed', 'schedule.hour: must be from 0 to 23');
  }
  const day = /^\d{1,2}$/.exec(text('day') ?? '')?.[0];
  const isDaily = every === 'DAY' || day === undefined;
  return {
    every,
    day: isDaily ? undefined : Number(day),
    hour: Number(hour),
    zone: text('zone') ?? '',
  };
}

async function beneficiariesOf(
  app: PageApp,
  { place }: ShopVisit,
): Promise<readonly Beneficiary[]> {
  const page = { limit: LISTED_MOST, cursor: undefined };
  return (await listBeneficiaries(app, ownerOf(place), page)).beneficiaries;
}

async function sendRules(app: PageApp, visit: ShopVisit, shown: Shown): Promise<Response> {
  const { place, language } = visit;
  const { moneyActs, money, shell } = language.texts;
  const owner = ownerOf(place);
  const [{ shown: rules }, beneficiaries, wallets] = await Promise.all([
    listRules(app, owner, { limit: LISTED_MOST, cursor: undefined }),
    beneficiariesOf(app, visit),
    listWallets(app.db, owner),
  ]);
  const mayMove = mayAct(place.role, 'move-money');
  const listed = await Promise.all(
    rules.map(async (rule) => {
      const runs = await listRuns(app.db, rule.id, RUNS_SHOWN);
      const to = beneficiaries.find(({ id }) => id === rule.beneficiaryId);
      return { what: item(visit, rule, runs, to), acts: mayMove ? acts(visit, rule) : undefined };
    }),
  );
  const assetIds = wallets.map(({ assetId }) => assetId);
  const texts = moneyActs.rules;
  const body = html`${refusalNote(visit, shown.refusal)}
${doneNote(shown.isDone === true ? shell.done : undefined)}
${moneyTabs(visit, 'rules')}
<section class="card" id="rules"><h2>${texts.title}</h2><p class="hint">${texts.hint}</p>
${listed.length === 0 ? html`<p>${texts.none}</p>` : rows(listed)}</section>
${
  mayMove
    ? addCard(app, visit, { assetIds, beneficiaries, typed: shown.typed })
    : html`<p class="hint">${moneyActs.ownerOnly}</p>`
}`;
  const status = shown.refusal && STATUS_OF_REFUSAL[shown.refusal.kind];
  const { title } = money;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'money' }));
}

function item(
  visit: ShopVisit,
  rule: SettlementRule,
  runs: readonly SettlementRun[],
  to: Beneficiary | undefined,
): Html {
  const { code, texts } = visit.language;
  const { rules, none } = texts.moneyActs;
  const { assetId, thresholdUnits, keepUnits, convertTo, network, pausedAt, nextAt } = rule;
  const amount = (units: bigint) => unitsText(assetId, units, visit);
  const whom = to === undefined ? (rule.beneficiaryId ?? none) : to.label;
  const aims = [
    convertTo !== undefined && html`<span>${rules.convertTo}: ${convertTo}</span>`,
    network !== undefined &&
      html`<span>${rules.sendTo}: ${foreignText(whom)} (${getNetwork(network).name})</span>`,
  ];
  const terms = [
    whenText(visit, rule),
    thresholdUnits !== undefined && ` ${rules.from(amount(thresholdUnits))}`,
    keepUnits > 0n && `, ${rules.keeps(amount(keepUnits))}`,
  ];
  return html`<strong>${assetId}</strong><span>${terms}</span>${aims}
<span data-rule-state="${pausedAt === undefined ? 'ACTIVE' : 'PAUSED'}">${
    pausedAt === undefined ? html`${rules.nextTime}: ${momentTime(nextAt, code)}` : rules.paused
  }</span>
${runs.map((run) => runItem(visit, assetId, run))}`;
}

function runItem(visit: ShopVisit, assetId: string, run: SettlementRun): Html {
  const { rules } = visit.language.texts.moneyActs;
  const { dueAt, state, units, reason } = run;
  const said =
    state === 'DONE'
      ? html`${rules.done}: ${unitsText(assetId, units ?? 0n, visit)}`
      : html`${rules.skipped}: <span lang="en">${foreignText(reason ?? '')}</span>`;
  return html`<span class="hint">${momentTime(dueAt, visit.language.code)} ${said}</span>`;
}

function whenText({ language }: ShopVisit, rule: SettlementRule): string {
  const { rules } = language.texts.moneyActs;
  const schedule = scheduleOf(rule);
  if (schedule === undefined) return rules.atOnce;
  const { every, day, hour, zone } = schedule;
  const words = [rules.periods[every], day === undefined ? '' : rules.onDay(String(day))];
  return [...words, rules.at(`${hour}:00`, zone)].filter((word) => word !== '').join(' ');
}

function acts(visit: ShopVisit, { id, pausedAt }: SettlementRule): Html {
  const { moneyActs, shell } = visit.language.texts;
  return formOf(
    visit,
    roomPath(visit.place, ROOM),
    html`<input type="hidden" name="rule" value="${id}">
${
  pausedAt === undefined
    ? quietButton(moneyActs.rules.pause, 'act', 'pause')
    : quietButton(moneyActs.rules.resume, 'act', 'resume')
}
${quietButton(shell.remove, 'act', 'delete')}`,
  );
}

type AddCard = {
  /** Those that there is a balance of come first. */
  readonly assetIds: readonly string[];
  readonly beneficiaries: readonly Beneficiary[];
  readonly typed: URLSearchParams | undefined;
};

function addCard(
  app: PageApp,
  visit: ShopVisit,
  { assetIds, beneficiaries, typed }: AddCard,
): Html {
  const { moneyActs } = visit.language.texts;
  const { rules, none } = moneyActs;
  const assets = listAssets(visit.place.environment);
  const others = assets.filter(({ id }) => !assetIds.includes(id)).map(({ id }) => id);
  const given = (name: string, initial = '') => typed?.get(name) ?? initial;
  const amount = (name: 'threshold' | 'keep', hint: string) =>
    textField({
      ...{ name, label: rules[name], hint, value: given(name), isRequired: false },
      ...{ inputmode: 'decimal', maxLength: 90 },
    });
  const named = (id: string): [string, string] => [id, `${getAsset(id).name} (${id})`];
  return html`<section class="card" id="add"><h2>${rules.add}</h2>
${formOf(visit, roomPath(visit.place, ROOM), [
  onceField(app),
  selectField({
    ...{ name: 'asset', label: moneyActs.asset, value: given('asset') },
    options: [...assetIds, ...others].map(named),
  }),
  amount('threshold', rules.thresholdHint),
  selectField({
    ...{ name: 'every', label: rules.every, value: given('every') },
    options: [['', rules.atOnce], ...PERIODS.map((one) => [one, rules.periods[one]] as const)],
  }),
  textField({
    ...{ name: 'day', label: rules.day, hint: rules.dayHint, value: given('day') },
    ...{ isRequired: false, inputmode: 'numeric', maxLength: 2 },
  }),
  textField({
    ...{ name: 'hour', label: rules.hour, value: given('hour', '6'), isRequired: false },
    ...{ inputmode: 'numeric', maxLength: 2 },
  }),
  textField({
    ...{ name: 'zone', label: rules.zone, value: given('zone', 'UTC'), isRequired: false },
    maxLength: 60,
  }),
  amount('keep', amountHint(visit)),
  selectField({
    ...{ name: 'convertTo', label: rules.convertTo, value: given('convertTo') },
    options: [['', none], ...assets.filter(({ swaps }) => swaps).map(({ id }) => named(id))],
  }),
  selectField({
    ...{ name: 'to', label: rules.sendTo, value: given('to') },
    options: [
      ['', none],
      ...beneficiaries.map(
        ({ id, label, network }) => [id, `${label} (${getNetwork(network).name})`] as const,
      ),
    ],
  }),
  button(rules.make, 'make-rule'),
])}</section>`;
}
