// What Horizon says in one listing is held against what it says in another, and against what the
// account holds: an operation left out, shown twice or changed is noticed before anything is
// recorded (money.md: a credit needs an observed balance increase that covers it). Pure.

import { requireThat } from '#networks/answer-fields.ts';
import type { Movement } from './read-effect.ts';
import type { Income, ReadOperation } from './read-operation.ts';

/**
 * Money that came in by something else than a payment (a claimed balance, a liquidity pool), or by
 * an operation that nobody here can read.
 */
export type OtherIncome = {
  readonly operationId: bigint;
  /** Known where the operation was listed. */
  readonly transaction: string | undefined;
  readonly order: bigint;
  readonly assetId: string;
  readonly units: bigint;
};

/**
 * Every operation that gave us something has the effects to it, and every effect its operation.
 * Both lists are of the same ledgers. @throws NodeLie where they differ.
 */
export function compareWithEffects(
  operations: readonly ReadOperation[],
  movements: readonly Movement[],
): OtherIncome[] {
  const untold = new Map(
    operations.filter((one) => one.isUntold).map(({ id, transaction }) => [id, transaction]),
  );
  const listed = new Set(operations.filter((one) => !one.isUntold).map(({ id }) => id));
  const credits = movements.filter(({ kind }) => kind === 'credit');
  const expected = sumByKey(operations.flatMap(({ incomes }) => incomes.map(incomeChange)));
  const observed = sumByKey(
    credits.filter(({ operationId }) => listed.has(operationId)).flatMap(creditChanges),
  );
  for (const key of new Set([...expected.keys(), ...observed.keys()])) {
    const [wanted, found] = [expected.get(key) ?? 0n, observed.get(key) ?? 0n];
    requireThat(wanted === found, `${key}: the operation gave ${wanted}, its effects ${found}`);
  }
  return credits
    .filter(({ operationId }) => !listed.has(operationId))
    .flatMap(({ operationId, order, changes }) =>
      changes.map(({ assetId, units }) => {
        return { operationId, transaction: untold.get(operationId), order, assetId, units };
      }),
    );
}

function incomeChange({ operationId, assetId, units }: Income): readonly [string, bigint] {
  return [`operation ${operationId} ${assetId}`, units];
}

function creditChanges({ operationId, changes }: Movement): (readonly [string, bigint])[] {
  return changes.map(({ assetId, units }) => [`operation ${operationId} ${assetId}`, units]);
}

function sumByKey(pairs: readonly (readonly [string, bigint])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [key, units] of pairs) sums.set(key, (sums.get(key) ?? 0n) + units);
  return sums;
}

/** Change of each balance over the ledgers above `after` and up to `last`, without fees. */
export function balanceChanges(
  movements: readonly Movement[],
  after: bigint,
  last: bigint,
): Map<string, bigint> {
  // A path payment of ours has a debit and a credit, and its steps beside them.
  const settled = new Set(
    movements
      .filter(({ kind }) => kind === 'credit' || kind === 'debit')
      .map(({ operationId }) => operationId),
  );
  const counted = movements
    .filter(({ ledger }) => ledger > after && ledger <= last)
    .filter(({ kind, operationId }) => kind !== 'trade' || !settled.has(operationId));
  return sumByKey(
    counted.flatMap(({ changes }) =>
      changes.map(({ assetId, units }): readonly [string, bigint] => [assetId, units]),
    ),
  );
}
