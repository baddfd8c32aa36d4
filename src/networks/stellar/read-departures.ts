// What left our account in a range of ledgers, by transaction: what the effects of each operation
// took from a balance, to the receiver that was signed, and what the network charged. An operation
// whose effects took something else than its receiver was given has the name of its type for a
// destination, and so has everything that is no payment: a person has to look at it. What we sent
// to ourselves as another asset says what it gave us.
import type { Departure, DeparturePart } from '#deposit/network.ts';
import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { requireInteger } from './horizon-fields.ts';
import type { FeeCharge } from './list-fee-charges.ts';
import type { Movement } from './read-effect.ts';
import type { IncomeSource, ReadIncomes } from './read-incomes.ts';
import { isPaymentType, type ReadOperation, readOperation } from './read-operation.ts';
import { balanceChanges } from './reconcile-income.ts';

export type LedgerDeparture = Departure & { readonly ledger: bigint };

type LeftIn = Pick<ReadIncomes, 'operations' | 'movements'> & {
  readonly recorded: bigint;
  /** What left above `recorded` and up to here. */
  readonly tip: bigint;
  readonly charges: readonly FeeCharge[];
  /** Whose leaving counts. */
  readonly assetIds: readonly string[];
};

const NATIVE = 'XLM:NATIVE';

/** In the order of the ledgers. @throws NodeLie, Outage */
export async function readLedgerDepartures(
  source: IncomeSource,
  left: LeftIn,
): Promise<LedgerDeparture[]> {
  const { recorded, tip, assetIds } = left;
  const operations = new Map(left.operations.map((operation) => [operation.id, operation]));
  const charges = new Map(
    left.charges
      .filter(({ ledger }) => ledger > recorded && ledger <= tip)
      .map((charge) => [charge.transaction, charge]),
  );
  const found = new Map<string, LedgerDeparture>();
  for (const [id, movements] of Map.groupBy(left.movements, ({ operationId }) => operationId)) {
    const taken = [...balanceChanges(movements, recorded, tip)]
      .filter(([assetId, units]) => units < 0n && assetIds.includes(assetId))
      .map(([assetId, units]) => ({ assetId, units: -units }));
    if (taken.length === 0) continue;
    const operation = operations.get(id) ?? (await readUnlisted(source, id, movements));
    const { transaction, ledger } = operation;
    const parts = taken.map((one) => partOf(operation, one));
    const before = found.get(transaction)?.parts ?? [];
    const fee = { assetId: NATIVE, units: charges.get(transaction)?.units ?? 0n };
    found.set(transaction, { transaction, ledger, fee, parts: [...before, ...parts] });
  }
  // What failed, what moved nothing, and what somebody else did while we paid for it.
  for (const { transaction, ledger, units } of charges.values()) {
    if (found.has(transaction)) continue;
    found.set(transaction, { transaction, ledger, fee: { assetId: NATIVE, units }, parts: [] });
  }
  return [...found.values()];
}

function partOf(
  { id, type, sent, claimable, incomes }: ReadOperation,
  { assetId, units }: Pick<DeparturePart, 'assetId' | 'units'>,
): DeparturePart {
  const isExact = sent?.assetId === assetId && sent.units === units;
  const destination = isExact ? sent.destination : type;
  const own = incomes.find((income) => income.isOwn && income.assetId !== assetId);
  const got = own && { assetId: own.assetId, units: own.units };
  const left = isExact && claimable ? { claimable } : {};
  return {
    creditKey: `${id}/${assetId}`,
    destination,
    assetId,
    units,
    ...(got && { got }),
    ...left,
  };
}

/** Payments that involve us are listed; only what took an offer of ours need not. */
async function readUnlisted(
  { horizon, chain, account, networkId }: IncomeSource,
  id: bigint,
  movements: readonly Movement[],
): Promise<ReadOperation> {
  const { json } = await horizon.get(`/operations/${id}`, { join: 'transactions' });
  if (json === undefined) throw nodeOutage(chain, `Horizon does not know operation ${id}`);
  const record = requireFields(json, 'an operation');
  requireThat(requireInteger(record, 'id') === id, 'the answer is of another operation');
  const type = requireText(record, 'type');
  requireThat(/^[a-z_]{1,60}$/.test(type), `operation ${id} has no type`);
  const isTrade = movements.every(({ kind }) => kind !== 'debit');
  requireThat(isTrade || !isPaymentType(type), `operation ${id} is missing among the payments`);
  return readOperation(record, account, networkId);
}

/** One line for each part and each fee, to be compared with those of another Horizon. */
export function spellDepartures(departures: readonly LedgerDeparture[]): Set<string> {
  return new Set(
    departures.flatMap(({ transaction, fee, parts }) => [
      `${transaction} fee ${fee.units}`,
      ...parts.map(({ creditKey, destination, units, got, claimable }) =>
        [transaction, creditKey, destination, units, got?.units, got?.assetId, claimable?.id]
          .map(String)
          .join(' '),
      ),
    ]),
  );
}

/** Those of one ledger. */
export function departuresIn(departures: readonly LedgerDeparture[], height: bigint): Departure[] {
  return departures
    .filter(({ ledger }) => ledger === height)
    .map(({ ledger: _, ...departure }) => departure);
}
