// A second opinion: what one Horizon says arrived, another must say as well, in the same history.
// A Horizon that does not answer is no opinion; without any, nothing is believed.
import { Outage } from '#base/refusal.ts';
import type { BlockReference } from '#deposit/network.ts';
import { type Horizon, outage } from './horizon.ts';
import { HorizonLie, requireFields, requireRecords } from './horizon-fields.ts';
import type { IncomeSource } from './read-incomes.ts';
import { readLedger } from './read-ledger.ts';
import { type Income, readOperation } from './read-operation.ts';

export type Confirmation = Omit<IncomeSource, 'horizon'> & {
  /** Asked in this order until one answers. */
  readonly others: readonly Horizon[];
  readonly tip: BlockReference;
  readonly incomes: readonly Income[];
};

/** @throws Outage when another Horizon says otherwise, or none can be asked. */
export async function confirmIncomes(confirmation: Confirmation): Promise<void> {
  const { chain, others } = confirmation;
  const reasons: string[] = [];
  for (const horizon of others) {
    try {
      return await confirmAt(horizon, confirmation);
    } catch (error) {
      if (error instanceof HorizonLie) {
        throw outage(chain, `${horizon.host} says otherwise`, error.message);
      }
      if (!(error instanceof Outage)) throw error;
      reasons.push(error.message);
    }
  }
  throw outage(chain, 'no second Horizon can be asked about a payment', reasons.join('; '));
}

async function confirmAt(horizon: Horizon, confirmation: Confirmation): Promise<void> {
  const { chain, tip, incomes, account, networkId } = confirmation;
  const cursor = ((tip.height - 1n) << 32n).toString();
  const { json } = await horizon.get('/ledgers', { order: 'asc', limit: 1, cursor });
  const [ledger] = requireRecords(json, 1).map(readLedger);
  if (ledger === undefined)
    throw outage(chain, `${horizon.host} has not seen ledger ${tip.height}`);
  if (ledger.height !== tip.height || ledger.hash !== tip.hash) {
    throw new HorizonLie(`ledger ${tip.height} is another one`);
  }
  const checked = new Set<bigint>();
  for (const { operationId, creditKey } of incomes) {
    // What came by no payment is nobody's until a person has looked at it.
    if (creditKey.includes('-') || checked.has(operationId)) continue;
    checked.add(operationId);
    await confirmOperation(horizon, operationId, confirmation, { account, networkId });
  }
}

async function confirmOperation(
  horizon: Horizon,
  operationId: bigint,
  { chain, incomes }: Confirmation,
  { account, networkId }: { account: string; networkId: string },
): Promise<void> {
  const path = `/operations/${operationId}`;
  const { json } = await horizon.get(path, { join: 'transactions' });
  if (json === undefined) throw outage(chain, `${horizon.host} does not know ${path}`);
  const found = readOperation(requireFields(json, 'an operation'), account, networkId);
  const here = incomes.filter((income) => income.operationId === operationId);
  if (spell(found.incomes) !== spell(here)) {
    throw new HorizonLie(`operation ${operationId} gave something else`);
  }
}

function spell(incomes: readonly Income[]): string {
  return incomes
    .map((income) => Object.values(income).map(String).join(' '))
    .sort()
    .join('\n');
}
