// What our account received in a range of ledgers: its payments and its effects, listed apart and
// compared, and what came by neither a payment nor from ourselves.
import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import { type Horizon, outage } from './horizon.ts';
import { requireHash, requireInteger } from './horizon-fields.ts';
import { listAll } from './list-pages.ts';
import { type Movement, readEffect } from './read-effect.ts';
import { type Income, isPaymentType, readOperation } from './read-operation.ts';
import { compareWithEffects, type OtherIncome } from './reconcile-income.ts';

export type IncomeSource = {
  readonly horizon: Horizon;
  readonly chain: string;
  readonly account: string;
  readonly networkId: string;
};

export type LedgerRange = {
  /** The last ledger recorded: incomes are those above it, up to `tip`. */
  readonly recorded: bigint;
  readonly tip: bigint;
  /** Movements are listed above `after`, which is not above `recorded`, up to `upTo`. */
  readonly after: bigint;
  readonly upTo: bigint;
};

export type ReadIncomes = {
  readonly incomes: readonly Income[];
  readonly movements: readonly Movement[];
};

/** @throws NodeLie when payments and effects differ. */
export async function readIncomes(source: IncomeSource, range: LedgerRange): Promise<ReadIncomes> {
  const { horizon, chain: what, account, networkId } = source;
  const { recorded, tip } = range;
  const [operations, movements] = await Promise.all([
    listAll({
      horizon,
      what,
      path: `/accounts/${account}/payments`,
      query: { join: 'transactions', include_failed: false },
      after: recorded,
      upTo: tip,
      read: (record) => readOperation(record, account, networkId),
    }),
    listAll({
      horizon,
      what,
      path: `/accounts/${account}/effects`,
      after: range.after,
      upTo: range.upTo,
      read: (record) => readEffect(record, account),
    }),
  ]);
  const inRange = movements.filter(({ ledger }) => ledger > recorded && ledger <= tip);
  const others = compareWithEffects(operations, inRange);
  const incomes = operations.flatMap((operation) => operation.incomes);
  for (const other of others) incomes.push(await readOther(source, other));
  return { incomes, movements };
}

/**
 * A balance that somebody claimed for us, or a pool: nobody was asked for it, so it names no
 * customer. An operation that should have been among the payments is a lie.
 */
async function readOther(
  { horizon, chain, account }: IncomeSource,
  { operationId, transaction, order, assetId, units }: OtherIncome,
): Promise<Income> {
  const came = { creditKey: `${operationId}-${order}`, operationId, assetId, units };
  if (transaction !== undefined) return { ...came, transaction, memo: undefined, isOwn: false };
  const { json } = await horizon.get(`/operations/${operationId}`);
  if (json === undefined) throw outage(chain, `Horizon does not know operation ${operationId}`);
  const record = requireFields(json, 'an operation');
  const type = requireText(record, 'type');
  requireThat(requireInteger(record, 'id') === operationId, 'the answer is of another operation');
  requireThat(!isPaymentType(type), `operation ${operationId} is missing among the payments`);
  return {
    ...came,
    transaction: requireHash(record, 'transaction_hash'),
    memo: undefined,
    isOwn: requireText(record, 'source_account') === account && type !== 'claim_claimable_balance',
  };
}
