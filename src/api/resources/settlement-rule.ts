// Automatic settlement: what is done with a balance when nobody asks for it. What makes, changes or
// removes a rule moves money later, so it is signed like a transfer.
import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { type ApiApp, callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { findAsset } from '#catalog/asset.ts';
import { isNegative } from '#money/decimal.ts';
import { fields, numeric, omittable, textUpTo } from '#money/exact-schema.ts';
import { createSettlementRule } from '#settlement-rule/create-settlement-rule.ts';
import { PERIODS } from '#settlement-rule/schedule.ts';
import {
  changeRule,
  listRules,
  listRuns,
  type RuleChange,
  requireRule,
  ruleView,
  runView,
  type SettlementRule,
} from '#settlement-rule/settlement-rule.ts';
import {
  deletedId,
  deletionFields,
  idField,
  idReference,
  named,
  networkField,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
  wholeNumber,
} from './shared-fields.ts';

const NAME_MAX = 200;
const ZONE_MAX = 60;
const RUNS_SHOWN = 50;

export const settlementRuleSchema = z
  .object({
    id: shownId,
    state: z.enum(['ACTIVE', 'PAUSED']),
    assetId: z.string(),
    threshold: z.string().nullable(),
    keep: z.string(),
    schedule: z
      .object({
        every: z.enum(PERIODS),
        day: z.int().nullish(),
        hour: z.int(),
        zone: z.string(),
      })
      .meta({ id: 'SettlementSchedule' })
      .nullable(),
    convertTo: z.string().nullable(),
    network: z.string().nullable(),
    beneficiaryId: z.string().nullable(),
    /** Null of one that is paused. */
    nextTime: z.string().nullable(),
    createdBy: z.string(),
    timestamp: z.string(),
  })
  .meta({ id: 'SettlementRule' });

export const settlementRunSchema = z
  .object({
    dueTime: z.string(),
    state: z.enum(['DONE', 'SKIPPED']),
    amount: z.string().nullable(),
    swapId: z.string().nullable(),
    transferId: z.string().nullable(),
    code: z.string().nullable(),
    reason: z.string().nullable(),
    timestamp: z.string(),
  })
  .meta({ id: 'SettlementRun' });

const ruleAnswer = z
  .object({ settlementRule: settlementRuleSchema })
  .meta({ id: 'SettlementRuleAnswer' });

const amount = numeric((value) => (isNegative(value) ? 'must not be below 0' : undefined));
const assetField = textUpTo(NAME_MAX).refine(
  (id) => findAsset(id) !== undefined,
  'is not an asset id of GET /assets',
);

export const postSettlementRule = protectedEndpoint({
  method: 'POST',
  path: '/settlement-rule',
  operationId: 'createSettlementRule',
  auth: 'money',
  summary:
    'Settle a balance by itself: at an hour of a schedule or above a threshold, by conversion ' +
    '(`convertTo`), to a beneficiary, or both; `keep` stays',
  request: fields({
    asset: assetField,
    threshold: omittable(amount),
    keep: omittable(amount),
    schedule: omittable(
      fields({
        every: z.enum(PERIODS),
        day: omittable(wholeNumber(31)),
        hour: wholeNumber(23, 0),
        zone: textUpTo(ZONE_MAX),
      }).meta({ id: 'SettlementSchedule' }),
    ),
    convertTo: omittable(assetField),
    network: omittable(networkField),
    targetAccount: omittable(textUpTo(NAME_MAX)),
  }).meta({ id: 'CreateSettlementRuleRequest' }),
  response: ruleAnswer,
  async handle(app, { caller }, { schedule, ...request }) {
    const who = callerOf(caller);
    const act = {
      ...{ ...who, verb: 'settlement-rule-create' },
      subject: ({ id }: SettlementRule) => `settlement-rule:${id}`,
      details: { asset: request.asset, to: request.targetAccount, convertTo: request.convertTo },
    };
    const made = await doNoted(app, act, (within) =>
      createSettlementRule(
        within,
        { ...caller, ...who },
        {
          ...request,
          schedule: schedule && {
            ...schedule,
            day: schedule.day && Number(schedule.day.coefficient),
            hour: Number(schedule.hour.coefficient),
          },
        },
      ),
    );
    return { settlementRule: ruleView(made) };
  },
});

export const postSettlementRulePause = changeEndpoint('pause', 'Do nothing by a rule from now on');

export const postSettlementRuleResume = changeEndpoint(
  'resume',
  'Follow a rule again, from the period that comes next',
);

function changeNoted(app: ApiApp, caller: Caller, id: string, change: RuleChange) {
  const act = { ...callerOf(caller), verb: `settlement-rule-${change}` };
  return doNoted(app, { ...act, subject: `settlement-rule:${id}` }, (within) =>
    changeRule(within, caller, id, change),
  );
}

function changeEndpoint(change: Exclude<RuleChange, 'delete'>, summary: string) {
  return protectedEndpoint({
    method: 'POST',
    path: `/settlement-rule/${change}`,
    operationId: `${change}SettlementRule`,
    auth: 'money',
    summary,
    request: fields({ settlementRuleId: idField }).meta({ id: 'SettlementRuleReference' }),
    response: ruleAnswer,
    async handle(app, { caller }, { settlementRuleId: id }) {
      return { settlementRule: ruleView(await changeNoted(app, caller, id, change)) };
    },
  });
}

export const deleteSettlementRule = protectedEndpoint({
  method: 'DELETE',
  path: '/settlement-rule',
  operationId: 'deleteSettlementRule',
  auth: 'money',
  summary: 'Delete a settlement rule; what it did stays',
  request: fields(deletionFields),
  documented: idReference,
  response: z.object({ settlementRuleId: shownId }).meta({ id: 'SettlementRuleReference' }),
  async handle(app, { caller }, input) {
    const { id } = await changeNoted(app, caller, deletedId(input), 'delete');
    return { settlementRuleId: id };
  },
});

export const getSettlementRule = protectedEndpoint({
  method: 'GET',
  path: '/settlement-rule',
  operationId: 'getSettlementRule',
  auth: 'read',
  scope: 'money',
  summary: `A settlement rule, and what it did in its last ${RUNS_SHOWN} periods, newest first`,
  request: fields(named),
  response: z
    .object({
      settlementRule: settlementRuleSchema,
      runs: z.array(settlementRunSchema),
    })
    .meta({ id: 'SettlementRuleAnswer' }),
  async handle(app, { caller }, { id }) {
    const rule = await requireRule(app, caller, id);
    const runs = await listRuns(app.db, rule.id, RUNS_SHOWN);
    return { settlementRule: ruleView(rule), runs: runs.map((run) => runView(rule, run)) };
  },
});

export const getSettlementRules = protectedEndpoint({
  method: 'GET',
  path: '/settlement-rules',
  operationId: 'listSettlementRules',
  auth: 'read',
  scope: 'money',
  summary: 'Settlement rules, newest first',
  request: fields(pageQuery),
  response: z
    .object({ settlementRules: z.array(settlementRuleSchema), nextCursor })
    .meta({ id: 'SettlementRulePage' }),
  async handle(app, { caller }, input) {
    const page = await listRules(app, caller, parsePage(input));
    return { settlementRules: page.shown.map(ruleView), nextCursor: page.nextCursor };
  },
});
