// What a merchant wants done with a balance by itself, and the SQL of its table. Guarantees: a rule
// that was changed in the database is not followed, because the key of its seal lies outside (D3).
// Not guaranteed: anything about a row that was taken away, paused, or put back as it once was.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  bytes,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import { nextDue, type PERIODS, type Schedule } from './schedule.ts';

export const SETTLEMENT_RULE = defineTable('settlement_rule', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  assetId: text(),
  thresholdUnits: optional(units),
  keepUnits: units,
  every: optional(text<(typeof PERIODS)[number]>()),
  day: optional(integer),
  hour: optional(integer),
  zone: optional(text()),
  /** Asset that it is converted to first. */
  convertTo: optional(text()),
  /** Both, or neither: where it is sent then. */
  network: optional(text()),
  beneficiaryId: optional(text()),
  /** Undefined where the operator made it. */
  apiKey: optional(text()),
  actor: text(),
  createdAt: moment,
  seal: bytes,
  /** The period that comes next, or that is tried now. */
  dueAt: moment,
  /** When it is looked at next. */
  nextAt: moment,
  pausedAt: selectOnly(optional(moment)),
  toldCode: selectOnly(optional(text())),
  eventSequence: selectOnly(integer),
});
type RuleRow = Row<typeof SETTLEMENT_RULE>;
export type SettlementRule = Omit<RuleRow, 'seal'>;

/** The narrow part of the keyring that seals need. */
export type RuleSealKeys = { mac(purpose: 'settlement-rule', bytes: Uint8Array): Uint8Array };

type App = { readonly db: Reader; readonly keyring: RuleSealKeys };

/** Over all that never changes. */
export function sealOfRule(
  keyring: RuleSealKeys,
  rule: Omit<SettlementRule, 'dueAt' | 'nextAt' | 'pausedAt' | 'toldCode' | 'eventSequence'>,
): Uint8Array {
  const parts = [
    'settlement-rule/v1',
    rule.id,
    rule.merchantId,
    rule.environment,
    rule.assetId,
    rule.thresholdUnits === undefined ? null : String(rule.thresholdUnits),
    String(rule.keepUnits),
    rule.every ?? null,
    rule.day ?? null,
    rule.hour ?? null,
    rule.zone ?? null,
    rule.convertTo ?? null,
    rule.network ?? null,
    rule.beneficiaryId ?? null,
    rule.apiKey ?? null,
    rule.actor,
    rule.createdAt.epochMilliseconds,
  ];
  return keyring.mac('settlement-rule', new TextEncoder().encode(JSON.stringify(parts)));
}

/** @throws AssertionFailure when a row is not the one that was written. */
async function select(app: App, rest: Statement): Promise<SettlementRule[]> {
  const rows = await SETTLEMENT_RULE.select(app.db, rest);
  return rows.map(({ seal, ...rule }) => {
    const expected = sealOfRule(app.keyring, rule);
    const isSealed = seal.length === expected.length && timingSafeEqual(seal, expected);
    assert(isSealed, `settlement rule ${rule.id} was changed in the database`);
    return rule;
  });
}

const living = (owner: Owner) => sql`${ownedBy(owner)} and deleted_at is null`;

/** @throws Refusal missing `settlement_rule_missing`, also for one of another owner (E9). */
export async function requireRule(app: App, owner: Owner, id: string): Promise<SettlementRule> {
  const [found] = await select(app, sql`where id = ${id} and ${living(owner)}`);
  if (found === undefined) throw ruleMissing();
  return found;
}

/** Newest first, without those deleted. */
export async function listRules(
  app: App,
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly shown: readonly SettlementRule[]; readonly nextCursor: string | null }> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await select(
    app,
    sql`where ${living(owner)} and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  return cutPage(rows, limit, ({ createdAt, id: ruleId }) => ({ at: createdAt, id: ruleId }));
}

const IDS = SETTLEMENT_RULE.only('id');

/** Oldest first. */
export async function listDueRuleIds(
  reader: Reader,
  now: Temporal.Instant,
  most: number,
): Promise<string[]> {
  const rows = await IDS.select(
    reader,
    sql`where next_at <= ${now} and paused_at is null and deleted_at is null
      order by next_at, id limit ${most}`,
  );
  return rows.map(({ id }) => id);
}

/** Undefined when it is not due any more, or when somebody else is at it. */
export async function lockDueRule(
  app: { readonly db: Tx; readonly keyring: RuleSealKeys },
  id: string,
  now: Temporal.Instant,
): Promise<SettlementRule | undefined> {
  const [rule] = await select(
    app,
    sql`where id = ${id} and next_at <= ${now} and paused_at is null and deleted_at is null
      for update skip locked`,
  );
  return rule;
}

/** `toldCode`: what the merchant was told of why nothing is done, if this was an event. */
export function moveRule(
  tx: Tx,
  id: string,
  to: Pick<SettlementRule, 'dueAt' | 'nextAt' | 'toldCode' | 'eventSequence'>,
): void {
  tx.send(sql`
    update settlement_rule set due_at = ${to.dueAt}, next_at = ${to.nextAt},
      told_code = ${to.toldCode ?? null}, event_sequence = ${to.eventSequence}
    where id = ${id}`);
}

/** A row that nobody can read: what it says is not followed, so that only time moves. */
export async function postponeRule(db: Db, id: string, until: Temporal.Instant): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`update settlement_rule set next_at = ${until} where id = ${id}`),
  );
}

/** A merchant's TEST rules are looked at so much earlier, none before now. Gives how many. */
export async function bringRulesNearer(
  { db, clock }: Pick<ChangeApp, 'db' | 'clock'>,
  { merchantId, minutes }: { readonly merchantId: string; readonly minutes: number },
): Promise<number> {
  const now = clock.now();
  const by = sql`make_interval(mins => ${minutes})`;
  const moved = await db.single((tx) =>
    tx.query(sql`
      update settlement_rule set next_at = greatest(next_at - ${by}, ${now}::timestamptz),
        due_at = least(due_at, greatest(due_at - ${by}, ${now}::timestamptz))
      where merchant_id = ${merchantId} and environment = 'test' and deleted_at is null
        and paused_at is null and next_at > ${now}
      returning id`),
  );
  return moved.length;
}

export type RuleChange = 'pause' | 'resume' | 'delete';

type ChangeApp = {
  readonly db: Db;
  readonly keyring: RuleSealKeys;
  readonly clock: { now(): Temporal.Instant };
};

/**
 * Repeating it answers the same. A rule that goes on begins with the period that comes next.
 * @throws Refusal missing `settlement_rule_missing`.
 */
export function changeRule(
  { db, keyring, clock }: ChangeApp,
  owner: Owner,
  id: string,
  change: RuleChange,
): Promise<SettlementRule> {
  return db.transact(async (tx) => {
    const [rule] = await select(
      { db: tx, keyring },
      sql`where id = ${id} and ${living(owner)} for update`,
    );
    if (rule === undefined) throw ruleMissing();
    const now = clock.now();
    if (change === 'resume') {
      if (rule.pausedAt === undefined) return rule;
      const at = firstDue(scheduleOf(rule), now);
      tx.send(sql`
        update settlement_rule set paused_at = null, due_at = ${at}, next_at = ${at},
          told_code = null where id = ${id}`);
      return { ...rule, pausedAt: undefined, dueAt: at, nextAt: at, toldCode: undefined };
    }
    if (change === 'delete') {
      tx.send(sql`update settlement_rule set deleted_at = ${now} where id = ${id}`);
      return rule;
    }
    const pausedAt = rule.pausedAt ?? now;
    tx.send(sql`update settlement_rule set paused_at = ${pausedAt} where id = ${id}`);
    return { ...rule, pausedAt };
  });
}

/** Undefined: whenever the threshold is reached. */
export function scheduleOf({ every, day, hour, zone }: SettlementRule): Schedule | undefined {
  if (every === undefined) return undefined;
  assert(hour !== undefined && zone !== undefined, 'a schedule has an hour and a zone');
  return { every, day, hour, zone };
}

/** Of a rule without a schedule: at once. To the millisecond, as it is kept. */
export function firstDue(schedule: Schedule | undefined, now: Temporal.Instant): Temporal.Instant {
  return schedule === undefined ? now.round('millisecond') : nextDue(schedule, now);
}

/** `settlementRule` of the endpoints (api-contract.md 5). Amounts in whole coins. */
export function ruleView(rule: SettlementRule) {
  const { decimals } = getAsset(rule.assetId);
  const { thresholdUnits, every, day, hour = 0, zone = 'UTC' } = rule;
  return {
    id: rule.id,
    state: rule.pausedAt === undefined ? ('ACTIVE' as const) : ('PAUSED' as const),
    assetId: rule.assetId,
    threshold: thresholdUnits === undefined ? null : amountToText(thresholdUnits, decimals),
    keep: amountToText(rule.keepUnits, decimals),
    schedule: every === undefined ? null : { every, day: day ?? null, hour, zone },
    convertTo: rule.convertTo ?? null,
    network: rule.network ?? null,
    beneficiaryId: rule.beneficiaryId ?? null,
    nextTime: rule.pausedAt === undefined ? timestamp(rule.nextAt) : null,
    createdBy: rule.actor,
    timestamp: timestamp(rule.createdAt),
  };
}

function ruleMissing(): Refusal {
  return new Refusal('missing', 'settlement_rule_missing', 'no such settlement rule');
}

// What a rule did in one period, and the SQL of its table: one row, so that no period is settled
// twice, whatever runs beside or dies in between.
export const SETTLEMENT_RUN = defineTable('settlement_run', {
  ruleId: text(),
  /** Of which period: when it was due. */
  dueAt: moment,
  merchantId: text(),
  state: text<'DONE' | 'SKIPPED'>(),
  /** What was taken of the balance. */
  units: optional(units),
  swapId: optional(text()),
  transferId: optional(text()),
  /** Why it was skipped: for programs, and for people. */
  code: optional(text()),
  reason: optional(text()),
  /** When it was tried last. */
  lookedAt: moment,
});
export type SettlementRun = Row<typeof SETTLEMENT_RUN>;

/** False where the period was settled before: then nothing of this may be committed. */
export async function writeRun(tx: Tx, run: SettlementRun): Promise<boolean> {
  const rest = sql`on conflict (rule_id, due_at) do update
    set ${SETTLEMENT_RUN.excluded(['state', 'units', 'swapId', 'transferId', 'code', 'reason', 'lookedAt'])}
    where settlement_run.state = 'SKIPPED' returning rule_id`;
  return (await tx.query(SETTLEMENT_RUN.insert([run], rest))).length === 1;
}

/** Newest first. */
export function listRuns(reader: Reader, ruleId: string, most: number): Promise<SettlementRun[]> {
  return SETTLEMENT_RUN.select(
    reader,
    sql`where rule_id = ${ruleId} order by due_at desc limit ${most}`,
  );
}

/** One of `runs` of a settlement rule (api-contract.md 5). */
export function runView({ assetId }: Pick<SettlementRule, 'assetId'>, run: SettlementRun) {
  return {
    dueTime: timestamp(run.dueAt),
    state: run.state,
    amount: run.units === undefined ? null : amountToText(run.units, getAsset(assetId).decimals),
    swapId: run.swapId ?? null,
    transferId: run.transferId ?? null,
    code: run.code ?? null,
    reason: run.reason ?? null,
    timestamp: timestamp(run.lookedAt),
  };
}
