// What a rule did in one period, and the SQL of its table: one row, so that no period is settled
// twice, whatever runs beside or dies in between.
import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text, units } from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { SettlementRule } from './settlement-rule.ts';

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
