// A second opinion (ask-nodes.ts): what one Horizon says arrived or left, another must say as well,
// in the same history.

import type { BlockReference } from '#deposit/network.ts';
import { NodeLie, requireFields, requireThat } from '#networks/answer-fields.ts';
import { askSecond } from '#networks/ask-nodes.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import type { Horizon } from './horizon.ts';
import { cursorBeforeLedger, requireRecords } from './horizon-fields.ts';
import { openFeeCharges } from './list-fee-charges.ts';
import { listPart } from './list-pages.ts';
import { type LedgerDeparture, readLedgerDepartures, spellDepartures } from './read-departures.ts';
import { type IncomeSource, readIncomes } from './read-incomes.ts';
import { readLedger } from './read-ledger.ts';
import { type Income, readOperation } from './read-operation.ts';

type Asked = Omit<IncomeSource, 'horizon'> & {
  /** Asked in this order until one answers. */
  readonly others: readonly Horizon[];
  /** It is about the ledgers above `recorded` and up to `tip`. */
  readonly recorded: bigint;
  readonly tip: BlockReference;
};

type Confirmation = Asked & {
  readonly incomes: readonly Income[];
  readonly isOurs: (income: Income) => boolean;
};

/** @throws Outage when another Horizon says otherwise, or none can be asked. */
export async function confirmIncomes(confirmation: Confirmation): Promise<void> {
  const { chain, others } = confirmation;
  const confirm = (horizon: Horizon) => confirmAt(horizon, confirmation);
  await askSecond({ what: chain, others, kind: 'Horizon', confirm });
}

type LeftConfirmation = Asked & {
  readonly departures: readonly LedgerDeparture[];
  readonly assetIds: readonly string[];
};

/** @throws Outage when another Horizon says otherwise, or none can be asked. */
export async function confirmDepartures(confirmation: LeftConfirmation): Promise<void> {
  const { chain, others, recorded, tip, departures, assetIds } = confirmation;
  const confirm = async (horizon: Horizon) => {
    await requireSameLedger(horizon, confirmation);
    const source = { ...confirmation, horizon };
    const upTo = tip.height;
    const read = await readIncomes(source, { recorded, tip: upTo, after: recorded, upTo });
    requireThat(read.isWhole, 'only one of two has so many payments');
    const charges = await openFeeCharges(source, upTo)(recorded);
    const left = { ...read, recorded, tip: upTo, charges, assetIds };
    const found = spellDepartures(await readLedgerDepartures(source, left));
    for (const one of found.symmetricDifference(spellDepartures(departures))) {
      throw new NodeLie(`only one of two has ${one}`);
    }
  };
  await askSecond({ what: chain, others, kind: 'Horizon', confirm });
}

async function requireSameLedger(horizon: Horizon, { chain, tip }: Asked): Promise<void> {
  const cursor = cursorBeforeLedger(tip.height);
  const { json } = await horizon.get('/ledgers', { order: 'asc', limit: 1, cursor });
  const [ledger] = requireRecords(json, 1).map(readLedger);
  if (ledger === undefined) {
    throw nodeOutage(chain, `${horizon.host} has not seen ledger ${tip.height}`);
  }
  // The header that was hashed holds the height.
  if (ledger.hash !== tip.hash) {
    throw new NodeLie(`ledger ${tip.height} is another one`);
  }
}

async function confirmAt(horizon: Horizon, confirmation: Confirmation): Promise<void> {
  const { recorded, tip, incomes, isOurs, account, networkId } = confirmation;
  await requireSameLedger(horizon, confirmation);
  const { items: operations, readTo } = await listPart({
    horizon,
    path: `/accounts/${account}/payments`,
    query: { join: 'transactions', include_failed: false },
    after: recorded,
    upTo: tip.height,
    read: (record) => readOperation(record, account, networkId),
  });
  requireThat(readTo === undefined, 'only one of two has so many payments');
  const found = operations.flatMap((operation) => operation.incomes).filter(isOurs);
  for (const income of incomes) {
    if (income.fetched !== undefined) await confirmFetched(horizon, confirmation, income);
  }
  // Money that came by something else than a payment belongs to nobody until a person has looked at
  // it.
  const here = incomes.filter(({ creditKey }) => !creditKey.includes('-'));
  const differing = spell(found).symmetricDifference(spell(here));
  for (const one of differing) throw new NodeLie(`only one of two has ${one}`);
}

/** It is booked without a person, so another Horizon has to have what was signed. */
async function confirmFetched(
  horizon: Horizon,
  { account, networkId }: Confirmation,
  { operationId, fetched, transaction }: Income,
): Promise<void> {
  const { json } = await horizon.get(`/operations/${operationId}`, { join: 'transactions' });
  requireThat(json !== undefined, `only one of two has operation ${operationId}`);
  const read = readOperation(requireFields(json, 'an operation'), account, networkId);
  requireThat(
    read.id === operationId && read.fetched === fetched && read.transaction === transaction,
    `only one of two has fetched ${fetched}`,
  );
}

function spell(incomes: readonly Income[]): Set<string> {
  return new Set(
    incomes.map(({ creditKey, transaction, memo, assetId, units }) =>
      [creditKey, transaction, memo, assetId, units].map(String).join(' '),
    ),
  );
}
