// What our account received in a range of ledgers: its payments and its effects, listed apart and
// compared, and what came by neither a payment nor from ourselves.
import {
  type Fields,
  requireFields,
  requireHash,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import type { Horizon } from './horizon.ts';
import { requireInteger } from './horizon-fields.ts';
import { listPart, listParts } from './list-pages.ts';
import { type Movement, readEffect } from './read-effect.ts';
import { type Income, isPaymentType, type ReadOperation, readOperation } from './read-operation.ts';
import { balanceChanges, compareWithEffects, type OtherIncome } from './reconcile-income.ts';

export type IncomeSource = {
  readonly horizon: Horizon;
  readonly chain: string;
  readonly account: string;
  readonly networkId: string;
};

type LedgerRange = {
  /** The last ledger recorded: incomes are those above it, up to `tip`. */
  readonly recorded: bigint;
  readonly tip: bigint;
  /** Changes are summed above `after`, which is not above `recorded`; movements go up to `upTo`. */
  readonly after: bigint;
  readonly upTo: bigint;
  /** How many records are read at once; for tests. */
  readonly partRecords?: number | undefined;
};

export type ReadIncomes = {
  readonly incomes: readonly Income[];
  /** Payments of the ledgers above `recorded` and up to `readTo`, from us too. */
  readonly operations: readonly ReadOperation[];
  /** Of the ledgers above `recorded`. */
  readonly movements: readonly Movement[];
  /** What the balances changed by above `after` and up to `recorded`. */
  readonly earlier: ReadonlyMap<string, bigint>;
  /** False where there is more than a part: the rest is read by the steps that follow. */
  readonly isWhole: boolean;
  /** Everything up to this ledger was read: the tip where it is whole. */
  readonly readTo: bigint;
};

/** @throws NodeLie when payments and effects differ. */
export async function readIncomes(source: IncomeSource, range: LedgerRange): Promise<ReadIncomes> {
  const { horizon, account, networkId } = source;
  const { recorded, tip, upTo, partRecords } = range;
  const effects = {
    horizon,
    path: `/accounts/${account}/effects`,
    read: (record: Fields) => readEffect(record, account),
    partRecords,
  };
  const [payments, moved] = await Promise.all([
    listPart({
      horizon,
      path: `/accounts/${account}/payments`,
      query: { join: 'transactions', include_failed: false },
      after: recorded,
      upTo: tip,
      read: (record) => readOperation(record, account, networkId),
      partRecords,
    }),
    listPart({ ...effects, after: recorded, upTo }),
  ]);
  const readTo = least(tip, payments.readTo ?? tip, moved.readTo ?? tip);
  const isWhole = payments.readTo === undefined && moved.readTo === undefined;
  const operations = payments.items.filter(({ ledger }) => ledger <= readTo);
  const inRange = moved.items.filter(({ ledger }) => ledger <= readTo);
  const others = compareWithEffects(operations, inRange);
  const incomes = operations.flatMap((operation) => operation.incomes);
  for (const other of others) incomes.push(await readOther(source, other));
  const earlier = new Map<string, bigint>();
  if (isWhole && range.after < recorded) {
    for await (const { items } of listParts({ ...effects, after: range.after, upTo: recorded })) {
      addTo(earlier, balanceChanges(items, range.after, recorded));
    }
  }
  return { incomes, operations, movements: moved.items, earlier, isWhole, readTo };
}

function least(...ledgers: readonly bigint[]): bigint {
  return ledgers.reduce((one, other) => (one < other ? one : other));
}

function addTo(sums: Map<string, bigint>, changes: ReadonlyMap<string, bigint>): void {
  for (const [assetId, units] of changes) sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
}

/**
 * A balance that somebody claimed for us, or a pool: nobody was asked for it, so it names no
 * customer. An operation that should have been among the payments is a lie.
 */
async function readOther(
  { horizon, chain, account, networkId }: IncomeSource,
  { operationId, transaction, order, assetId, units }: OtherIncome,
): Promise<Income> {
  const came = { creditKey: `${operationId}-${order}`, operationId, assetId, units };
  if (transaction !== undefined) return { ...came, transaction, memo: undefined, isOwn: false };
  const { json } = await horizon.get(`/operations/${operationId}`, { join: 'transactions' });
  if (json === undefined) throw nodeOutage(chain, `Horizon does not know operation ${operationId}`);
  const record = requireFields(json, 'an operation');
  const type = requireText(record, 'type');
  requireThat(requireInteger(record, 'id') === operationId, 'the answer is of another operation');
  requireThat(!isPaymentType(type), `operation ${operationId} is missing among the payments`);
  const isFetched = type === 'claim_claimable_balance';
  const fetched = isFetched ? readOperation(record, account, networkId).fetched : undefined;
  return {
    ...{ ...came, fetched },
    transaction: requireHash(record.transaction_hash, 'transaction_hash'),
    memo: undefined,
    isOwn: requireText(record, 'source_account') === account && !isFetched,
  };
}
