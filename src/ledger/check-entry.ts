import { UNITS_LIMIT } from './ledger-entry.ts';
import type { PostedEntry } from './post-entry.ts';

/**
 * What is wrong with an entry as it stands in the database, a sentence each (L1, L2, L3, L11, L12).
 */
export function* checkEntry(row: PostedEntry): Iterable<string> {
  const name = `entry ${row.id}`;
  const units = row.units ?? [];
  if (units.length < 2) yield `L2: ${name} has ${units.length} postings, not two or more`;
  const sums = new Map<string, bigint>();
  for (const [index, posted] of units.entries()) {
    const line = `${name}, line ${row.positions?.[index]},`;
    const assetId = row.assetIds?.[index] ?? '';
    sums.set(assetId, (sums.get(assetId) ?? 0n) + posted);
    if (posted === 0n) yield `L2: ${line} moves nothing`;
    if (posted >= UNITS_LIMIT || posted <= -UNITS_LIMIT) yield `L12: ${line} is out of range`;
    if (row.codes?.[index] === null) {
      yield `L2: ${line} posts to an account that does not exist`;
    } else {
      if (row.accountAssetIds?.[index] !== assetId) {
        yield `L2: ${line} is in ${assetId}, its account in ${row.accountAssetIds?.[index]}`;
      }
      if (row.environments?.[index] !== row.environment) {
        yield `L2: ${line} posts a ${row.environment} entry to a ${row.environments?.[index]} account`;
      }
      const owner = row.merchantIds?.[index] ?? null;
      if (owner !== null && owner !== row.merchantId) {
        yield `L2: ${line} moves money of merchant ${owner} in an entry of ${row.merchantId}`;
      }
    }
  }
  for (const [assetId, sum] of sums) {
    if (sum !== 0n) yield `L1: ${name} is out of balance by ${sum} units of ${assetId}`;
  }
  yield* checkCorrection(row, name);
}

function* checkCorrection(row: PostedEntry, name: string): Iterable<string> {
  if (row.correctsEntry === null) return;
  if (row.correctedAt === null) {
    yield `L3: ${name} corrects entry ${row.correctsEntry}, which does not exist`;
    return;
  }
  if (row.correctsEntry >= row.id) yield `L3: ${name} corrects a later entry`;
  if (Temporal.Instant.compare(row.occurredAt, row.correctedAt) < 0) {
    yield `L11: ${name} is dated before entry ${row.correctsEntry}, which it corrects`;
  }
}
