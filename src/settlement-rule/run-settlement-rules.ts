// Follows the rules that are due. Nobody is at the keyboard: each is carried out by the acts that a
// merchant calls (swap, transfer), so that it meets the same checks, prices and limits.
// Guarantees: a period of a rule is settled once, whichever processes look and whatever dies in
// between: swap, transfer and the row of the period are one transaction under the lock of the rule,
// and that row is unique. What cannot be done leaves nothing behind but its reason; it is tried
// again within its period, and told once until something else is the reason or it was done.
import { mayKey } from '#access/api-key.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { isBefore } from '#base/instant.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { findChainStatus, isBehind } from '#chain/chain-status.ts';
import type { Db, Reader, Tx } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { balancesOf, walletOf } from '#ledger/account.ts';
import { readFeePartsPerMillion, readRiskTolerance } from '#merchant/merchant.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import type { Wake } from '#runtime/loop.ts';
import { mayPerson, personOf } from '#staff/person.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { type CommitTransferApp, commitTransfer } from '#transfer/commit-transfer.ts';
import { type QuoteTransferApp, quoteTransfer } from '#transfer/quote-transfer.ts';
import { latestDue, nextDue } from './schedule.ts';
import {
  listDueRuleIds,
  lockDueRule,
  moveRule,
  postponeRule,
  type RuleSealKeys,
  ruleView,
  runView,
  type SettlementRule,
  type SettlementRun,
  scheduleOf,
  writeRun,
} from './settlement-rule.ts';

export type RunRulesApp = Parameters<typeof createSwap>[0] &
  QuoteTransferApp &
  CommitTransferApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly keyring: RuleSealKeys;
    readonly wakes?: { readonly transfer?: Wake | undefined; readonly deliver: Wake } | undefined;
  };

const MOST_PER_STEP = 50;
/** How soon a rule without a schedule looks at its balance again. */
const LOOK_SECONDS = 60;
/** How soon what could not be done is tried again. */
const RETRY_MINUTES = 15;

export async function runSettlementRules(app: RunRulesApp): Promise<'idle' | 'busy'> {
  const ids = await listDueRuleIds(app.db, app.clock.now(), MOST_PER_STEP);
  for (const id of ids) await followRule(app, id);
  return ids.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug in one rule never keeps the others from being followed. */
async function followRule(app: RunRulesApp, id: string): Promise<void> {
  try {
    await app.db.transact((tx) => carryOut(app, tx, id));
    app.wakes?.transfer?.wake();
  } catch (error) {
    if (error instanceof Outage) throw error;
    const why = whyNot(error);
    if (why === undefined) {
      app.log.error('a settlement rule failed', { ruleId: id, error });
      await noteFailure(app, id);
      return;
    }
    await app.db.transact((tx) => skip(app, tx, id, why));
  }
  app.wakes?.deliver.wake();
}

/** Why a rule is not followed now. Nobody asked, so it is no refusal that an endpoint answers. */
class NotNow extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'NotNow';
    this.code = code;
  }
}

/** Undefined for a bug. */
function whyNot(error: unknown): Why | undefined {
  if (error instanceof NotNow) return { code: error.code, reason: error.message };
  if (!(error instanceof Refusal)) return undefined;
  return { code: error.code, reason: error.details.join('; ') };
}

const FAILED = {
  code: 'settlement_failed',
  reason: 'an error inside the service, which its operator finds in the log',
} as const;

async function noteFailure(app: RunRulesApp, id: string): Promise<void> {
  try {
    await app.db.transact((tx) => skip(app, tx, id, FAILED));
  } catch (error) {
    if (error instanceof Outage) throw error;
    // The row itself was changed, so nothing of it can be believed, nor told.
    await postponeRule(app.db, id, app.clock.now().add({ minutes: RETRY_MINUTES }));
  }
}

/** @throws Refusal or NotNow for why it cannot be done: then nothing of it happened. */
async function carryOut(app: RunRulesApp, tx: Tx, id: string): Promise<void> {
  const now = app.clock.now();
  const rule = await lockDueRule({ ...app, db: tx }, id, now);
  if (rule === undefined) return;
  const dueAt = periodOf(rule, now);
  const units = await spareUnits(tx, rule);
  if (units === undefined) {
    if (scheduleOf(rule) === undefined) return moveOn(tx, rule, dueAt, now);
    const reason = `of ${rule.assetId} there is less than the rule asks for`;
    return skip(app, tx, id, { code: BELOW, reason });
  }
  await requireMoney(tx, rule);
  await requireChain(tx, rule, now);
  const done = await settle({ ...app, db: dbWithin(tx), wakes: undefined }, rule, units);
  const run: SettlementRun = {
    ...{ ruleId: id, dueAt, merchantId: rule.merchantId, state: 'DONE', units, lookedAt: now },
    ...{ code: undefined, reason: undefined, ...done },
  };
  assert(await writeRun(tx, run), `rule ${id} was followed at ${dueAt} before`);
  moveOn(tx, { ...rule, toldCode: undefined }, dueAt, now);
}

const BELOW = 'balance_below_threshold';

async function settle(
  app: RunRulesApp,
  rule: SettlementRule,
  units: bigint,
): Promise<Pick<SettlementRun, 'swapId' | 'transferId'>> {
  const { merchantId, environment, apiKey, assetId: sourceAssetId, convertTo } = rule;
  const owner = { merchantId, environment, maker: makerOf(rule) };
  let left = { assetId: sourceAssetId, units };
  let swapId: string | undefined;
  if (convertTo !== undefined) {
    const [feePartsPerMillion, riskTolerance] = await Promise.all([
      readFeePartsPerMillion(app.db, merchantId),
      readRiskTolerance(app.db, owner),
    ]);
    const caller = { ...owner, apiKey, feePartsPerMillion, riskTolerance };
    const fixed = { sourceUnits: units };
    const quoted = await createSwap(app, caller, {
      sourceAssetId,
      targetAssetId: convertTo,
      fixed,
    });
    const swap = await commitSwap(app, { swapId: quoted.id, owner });
    swapId = swap.id;
    left = { assetId: convertTo, units: swap.targetUnits };
  }
  const { network, beneficiaryId: targetAccount } = rule;
  if (network === undefined || targetAccount === undefined)
    return { swapId, transferId: undefined };
  const amount = decimalFromUnits(left.units, getAsset(left.assetId).decimals);
  const request = { network, asset: left.assetId, amount, targetAccount };
  const quoted = await quoteTransfer(app, { ...owner, apiKey }, request);
  const transfer = await commitTransfer(app, owner, quoted.id);
  return { swapId, transferId: transfer.id };
}

/** What may go: what is available and not owed, less what stays. Undefined: too little. */
async function spareUnits(reader: Reader, rule: SettlementRule): Promise<bigint | undefined> {
  const { assetId, keepUnits, thresholdUnits = 0n } = rule;
  const balances = (await balancesOf(reader, rule)).filter((one) => one.assetId === assetId);
  const { availableUnits, owedUnits } = walletOf(assetId, balances);
  const freeUnits = availableUnits - owedUnits;
  return freeUnits >= thresholdUnits && freeUnits > keepUnits ? freeUnits - keepUnits : undefined;
}

/** A key or person who may not move money any more moves none through what they made. */
async function requireMoney(reader: Reader, rule: SettlementRule): Promise<void> {
  const { apiKey, merchantId, actor } = rule;
  const personId = personOf(makerOf(rule) ?? '');
  const mayMove =
    apiKey !== undefined
      ? await mayKey(reader, apiKey, 'money')
      : personId === undefined || (await mayPerson(reader, { personId, merchantId }, 'move-money'));
  if (mayMove) return;
  throw apiKey === undefined
    ? new NotNow(
        'maker_left',
        `${actor}, who made this rule, may not move money any more: let another owner make it`,
      )
    : new NotNow(
        'key_revoked',
        `the key ${apiKey}, which made this rule, may not move money any more: make it with another one`,
      );
}

/** A person; undefined where a key or the operator made it. */
function makerOf({ apiKey, actor }: SettlementRule): string | undefined {
  return apiKey === undefined && personOf(actor) !== undefined ? actor : undefined;
}

/** Money is not sent over a chain that is not seen, or that does not look as it should. */
async function requireChain(
  reader: Reader,
  { environment, network }: SettlementRule,
  now: Temporal.Instant,
): Promise<void> {
  if (network === undefined) return;
  const status = await findChainStatus(reader, chainOf(environment, network));
  if (status === undefined) return;
  if (status.brake !== undefined) {
    const message = `${network} is not used before it looks as usual again: ${status.brake}`;
    throw new NotNow('brake_on', message);
  }
  if (status.fault === undefined && !isBehind(status, now)) return;
  throw new NotNow('network_behind', `${network} is not seen at the moment`);
}

type Why = { readonly code: string; readonly reason: string };

async function skip(app: RunRulesApp, tx: Tx, id: string, why: Why): Promise<void> {
  const now = app.clock.now();
  const rule = await lockDueRule({ ...app, db: tx }, id, now);
  if (rule === undefined) return;
  const dueAt = periodOf(rule, now);
  const run: SettlementRun = {
    ...{ ruleId: id, dueAt, merchantId: rule.merchantId, state: 'SKIPPED', lookedAt: now, ...why },
    ...{ units: undefined, swapId: undefined, transferId: undefined },
  };
  assert(await writeRun(tx, run), `rule ${id} was followed at ${dueAt} before`);
  const isNew = rule.toldCode !== why.code;
  const told = { ...rule, toldCode: why.code };
  const eventSequence = rule.eventSequence + (isNew ? 1 : 0);
  if (isNew) tell(app, tx, { ...rule, eventSequence }, run);
  const schedule = scheduleOf(rule);
  const next = schedule && nextDue(schedule, dueAt);
  const retryAt = now.add({ minutes: RETRY_MINUTES }).round('millisecond');
  // The hour was for this balance: another one has its own.
  if (next !== undefined && (why.code === BELOW || !isBefore(retryAt, next))) {
    moveRule(tx, id, { ...told, eventSequence, dueAt: next, nextAt: next });
  } else moveRule(tx, id, { ...told, eventSequence, dueAt, nextAt: retryAt });
}

/** Of periods that nobody looked at, because the service did not run, only the last one is left. */
function periodOf(rule: SettlementRule, now: Temporal.Instant): Temporal.Instant {
  const schedule = scheduleOf(rule);
  return schedule === undefined ? rule.dueAt : latestDue(schedule, rule.dueAt, now);
}

function moveOn(tx: Tx, rule: SettlementRule, dueAt: Temporal.Instant, now: Temporal.Instant) {
  const schedule = scheduleOf(rule);
  const look = now.add({ seconds: LOOK_SECONDS }).round('millisecond');
  const next = schedule === undefined ? look : nextDue(schedule, dueAt);
  moveRule(tx, rule.id, { ...rule, dueAt: next, nextAt: next });
}

function tell(app: RunRulesApp, tx: Tx, rule: SettlementRule, run: SettlementRun): void {
  const settlement = { settlementRule: ruleView(rule), run: runView(rule, run) };
  enqueueEvent(tx, {
    ...{ id: newId(app.random), merchantId: rule.merchantId, environment: rule.environment },
    ...{ type: 'SETTLEMENT_SKIPPED', subject: 'settlement-rule', subjectId: rule.id },
    sequence: rule.eventSequence,
    causeKey: `settlement-rule:${rule.id}:skipped:${rule.eventSequence}`,
    data: JSON.stringify(settlement),
    apiKey: rule.apiKey,
    createdAt: run.lookedAt,
  });
}
