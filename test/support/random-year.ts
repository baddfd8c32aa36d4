// A year of a merchant by chance: sales at once, pending and converted, refunds, swaps, transfers
// alone and in batches, reversals, suspense, and what the house does beside it. Entries are those
// of the acts themselves; what they come to is added up here from the amounts alone, without a
// look at a posting, so that reports can be held against it.
import fc from 'fast-check';
import type { Credit } from '#checkout/credit.ts';
import {
  receiptEntry,
  releaseEntry,
  reversalEntries,
} from '#checkout-settlement/checkout-entries.ts';
import type { DepositAddress, DepositCredit } from '#deposit-address/deposit-address.ts';
import { depositEntry } from '#deposit-address/deposit-entries.ts';
import { swapEntry } from '#swap/commit-swap.ts';
import type { Swap } from '#swap/swap.ts';
import {
  balanceOf,
  complete,
  fail,
  keepHouse,
  post,
  requote,
  reserve,
  resolveSuspense,
  takenOf,
  type YearBooks,
} from './random-year-out.ts';
import type { TestApi } from './test-api.ts';
import { add, type Sums } from './year-sums.ts';

export const YEAR_ASSETS = ['LTC:NATIVE', 'BTC:NATIVE', 'EUR:FIAT', 'ETH:NATIVE', 'XRP:NATIVE'];
const YEAR_ACTS = [
  ...['sale', 'sale', 'converted', 'converted', 'pending', 'pending', 'release', 'release'],
  ...['deposit', 'swap', 'swap', 'transfer', 'batch', 'fail', 'undo', 'refund', 'refund-pending'],
  ...['reverse', 'reverse', 'assign', 'came-back', 'write-off', 'house'],
] as const;

/** One of them, by chance. */
export const yearAct = fc.record({
  kind: fc.constantFrom(...YEAR_ACTS),
  assetId: fc.constantFrom(...YEAR_ASSETS),
  otherId: fc.constantFrom(...YEAR_ASSETS),
  units: fc.bigInt({ min: 1_000n, max: 10_000_000_000n }),
  part: fc.bigInt({ min: 1n, max: 1000n }),
  pick: fc.nat(1000),
});

export type YearAct = {
  readonly kind: (typeof YEAR_ACTS)[number];
  readonly assetId: string;
  readonly otherId: string;
  readonly units: bigint;
  /** Thousandths: how much of what there is, or how much is kept. */
  readonly part: bigint;
  readonly pick: number;
};

type Receipt = { readonly credit: Credit; readonly refunded?: true };

export type Year = YearBooks & {
  /** Accounts of the merchant, after each act: more of his money is positive. */
  readonly history: { readonly at: Temporal.Instant; readonly balances: Sums }[];
  readonly conversions: Sums;
  receipts: Receipt[];
};

/** `first`: above all numbers of acts of years before in the same database. */
export function beginYear(api: TestApi, merchantId: string, first: number): Year {
  const sums = () => new Map<string, bigint>();
  return {
    ...{ api, merchantId, history: [], balances: sums(), settlements: sums(), fees: sums() },
    ...{ conversions: sums(), events: sums(), receipts: [], count: first },
  };
}

/** What cannot be done now is not done. */
async function doAct(year: Year, act: YearAct, at: Temporal.Instant): Promise<void> {
  year.count += 1;
  await ACTS[act.kind](year, act, at);
  year.history.push({ at, balances: new Map(year.balances) });
}

/** The hours from one act to the next; two of them are of one moment. */
export async function liveYear(
  year: Year,
  acts: readonly YearAct[],
  { start, gap }: { readonly start: Temporal.Instant; readonly gap: number },
): Promise<void> {
  for (const [index, act] of acts.entries()) {
    const hours = Math.min(index * gap, 365 * 24 - 1);
    await doAct(year, act, start.add({ hours, seconds: Math.floor(index / 2) }));
  }
}

type Done = (year: Year, act: YearAct, at: Temporal.Instant) => Promise<void>;

const ACTS: Readonly<Record<YearAct['kind'], Done>> = {
  sale: (year, act, at) => sell(year, { ...act, otherId: act.assetId }, at, 'available'),
  converted: (year, act, at) => sell(year, act, at, 'available'),
  pending: (year, act, at) => sell(year, act, at, 'pending'),
  release,
  deposit,
  swap,
  transfer: (year, act, at) => send(year, act, at),
  batch,
  fail: (year, act, at) => send(year, act, at),
  undo: (year, act, at) => send(year, act, at),
  refund: (year, act, at) => send(year, act, at),
  'refund-pending': refundPending,
  reverse,
  assign: (year, act, at) => resolveSuspense(year, act, 'ASSIGN', at),
  'came-back': (year, act, at) => resolveSuspense(year, act, 'CAME_BACK', at),
  'write-off': (year, act, at) => resolveSuspense(year, act, 'WRITE_OFF', at),
  house: keepHouse,
};

function ownerOf({ merchantId, count }: Year) {
  return {
    checkoutId: `c${String(count).padStart(11, '0')}`,
    merchantId,
    environment: 'test',
  } as const;
}

async function sell(
  year: Year,
  { assetId, otherId, units, part }: YearAct,
  at: Temporal.Instant,
  account: 'available' | 'pending',
): Promise<void> {
  const isOrigin = assetId === otherId;
  // Conversion at any rate; without one a unit may be left over by rounding.
  const settlementUnits = isOrigin ? units - (part % 2n) : units / 3n + part;
  const feeUnits = (settlementUnits * (part % 30n)) / 1000n;
  const facts: Partial<Credit> = {
    ...{ receiptId: BigInt(year.count), generation: 1, network: 'LITECOIN', assetId, units },
    ...{ settlementAssetId: otherId, settlementUnits, feeUnits, account, evidence: '{}' },
    ...{ netUnits: settlementUnits - feeUnits, paysDebt: false },
  };
  const credit = facts as Credit;
  await post(year, { ...receiptEntry(ownerOf(year), credit, at), subjectId: subject(credit) });
  year.receipts.push({ credit });
  if (account === 'available') return earn(year, credit, 1n, isOrigin ? undefined : 'CONVERTED');
  add(year.balances, 'merchant:pending', assetId, units);
  add(year.events, 'RECEIVED', assetId, units);
}

const subject = ({ receiptId }: Credit) => `c${String(receiptId).padStart(11, '0')}`;

/** `given`: what became of what was paid, where it was exchanged. */
function earn(year: Year, credit: Credit, sign: bigint, given: string | undefined): void {
  const { assetId, units, settlementAssetId, settlementUnits, netUnits, feeUnits } = credit;
  add(year.balances, 'merchant:available', settlementAssetId, sign * netUnits);
  add(year.settlements, 'source', assetId, sign * units);
  add(year.settlements, 'net', settlementAssetId, sign * netUnits);
  add(year.settlements, 'fee', settlementAssetId, sign * feeUnits);
  add(year.fees, 'service', settlementAssetId, sign * feeUnits);
  if (given === 'FEE') return;
  add(year.events, sign > 0n ? 'RECEIVED' : 'TAKEN_BACK', settlementAssetId, sign * netUnits);
  if (given === undefined) return;
  add(year.events, given, assetId, -sign * units);
  convert(year, { assetId, units, otherId: settlementAssetId, settlementUnits, feeUnits }, sign);
}

type Converted = {
  readonly assetId: string;
  readonly units: bigint;
  readonly otherId: string;
  readonly settlementUnits: bigint;
  readonly feeUnits: bigint;
};

function convert({ conversions }: Year, made: Converted, sign: bigint): void {
  add(conversions, 'source', made.assetId, sign * made.units);
  add(conversions, 'target', made.otherId, sign * made.settlementUnits);
  add(conversions, 'fee', made.otherId, sign * made.feeUnits);
}

async function release(year: Year, { pick }: YearAct, at: Temporal.Instant): Promise<void> {
  const waiting = year.receipts.filter(
    ({ credit, refunded }) => credit.account === 'pending' && !refunded && !credit.releasedAt,
  );
  const found = waiting[pick % Math.max(1, waiting.length)];
  if (found === undefined) return;
  const credit = { ...found.credit, releasedAt: at };
  const { assetId, settlementAssetId, units, netUnits } = credit;
  await post(year, { ...releaseEntry(ownerOf(year), credit, at), subjectId: subject(credit) });
  year.receipts = year.receipts.map((one) => (one === found ? { credit } : one));
  add(year.balances, 'merchant:pending', assetId, -units);
  const isOrigin = assetId === settlementAssetId;
  earn(year, credit, 1n, isOrigin ? 'FEE' : 'SOLD');
  if (isOrigin) add(year.events, 'FEE', assetId, netUnits - units);
}

async function reverse(year: Year, { pick }: YearAct, at: Temporal.Instant): Promise<void> {
  const found = year.receipts[pick % Math.max(1, year.receipts.length)];
  if (found === undefined) return;
  const { credit, refunded } = found;
  year.receipts = year.receipts.filter((one) => one !== found);
  const asked = refunded ? { ...credit, account: 'refunded' as const } : credit;
  const owner = { ...ownerOf(year), checkoutId: subject(credit) };
  await post(year, ...reversalEntries(owner, asked, at));
  const { assetId, settlementAssetId, units, netUnits } = credit;
  const isOrigin = assetId === settlementAssetId;
  if (credit.account === 'available') {
    earn(year, credit, -1n, isOrigin ? undefined : 'CONVERTED');
    return;
  }
  add(year.events, 'TAKEN_BACK', assetId, -units);
  if (credit.releasedAt === undefined) {
    add(year.balances, refunded ? 'merchant:owed' : 'merchant:pending', assetId, -units);
    return;
  }
  earn(year, credit, -1n, isOrigin ? 'FEE' : 'CAME_BACK');
  if (isOrigin) add(year.events, 'CAME_BACK', assetId, units - netUnits);
}

async function deposit(year: Year, { assetId, units, part }: YearAct, at: Temporal.Instant) {
  const feeUnits = (units * (part % 20n)) / 1000n;
  const facts: Partial<DepositAddress> = {
    ...{
      id: 'd00000000001',
      merchantId: year.merchantId,
      network: 'LITECOIN',
      environment: 'test',
    },
  };
  const paid: Partial<DepositCredit> = {
    ...{ receiptId: BigInt(year.count), generation: 1, assetId, units, feeUnits },
    ...{ netUnits: units - feeUnits, account: 'available' },
  };
  const credit = paid as DepositCredit;
  await post(year, depositEntry(facts as DepositAddress, credit, at));
  earn(
    year,
    { ...credit, settlementAssetId: assetId, settlementUnits: units } as Credit,
    1n,
    undefined,
  );
}

async function swap(year: Year, { assetId, otherId, part }: YearAct, at: Temporal.Instant) {
  const units = (balanceOf(year, 'merchant:available', assetId) * part) / 1000n;
  if (assetId === otherId || units < 10n) return;
  const settlementUnits = units / 2n + 7n;
  const feeUnits = settlementUnits / 200n;
  const facts: Partial<Swap> = {
    ...{ id: ownerOf(year).checkoutId.replace('c', 's'), merchantId: year.merchantId },
    ...{ environment: 'test', sourceAssetId: assetId, sourceUnits: units, targetAssetId: otherId },
    ...{ targetUnits: settlementUnits - feeUnits, feeUnits, rates: '{}' },
  };
  await post(year, swapEntry(facts as Swap, at));
  add(year.balances, 'merchant:available', assetId, -units);
  add(year.balances, 'merchant:available', otherId, settlementUnits - feeUnits);
  add(year.events, 'SOLD', assetId, -units);
  add(year.events, 'RECEIVED', otherId, settlementUnits - feeUnits);
  add(year.fees, 'service', otherId, feeUnits);
  convert(year, { assetId, units, otherId, settlementUnits, feeUnits }, 1n);
}

/** What may leave now, of what is available and not owed. */
function spendable(year: Year, { assetId, part }: YearAct): bigint {
  const owed = balanceOf(year, 'merchant:owed', assetId);
  const free = balanceOf(year, 'merchant:available', assetId) + owed;
  return (free * part) / 1000n;
}

async function send(year: Year, act: YearAct, at: Temporal.Instant): Promise<void> {
  const { assetId, kind, pick } = act;
  const units = spendable(year, act);
  if (units < 200n) return;
  const isRefund = kind === 'refund';
  const sent = { assetId, units, source: 'merchant:available' } as const;
  const made = await reserve(year, { ...sent, kind: isRefund ? 'REFUND' : 'TRANSFER' }, at);
  const more = balanceOf(year, 'merchant:available', assetId) / 10n;
  const asked = isRefund && more > 0n ? await requote(year, made, more, at) : made;
  if (kind === 'fail') return fail(year, asked, at);
  const done = await complete(year, asked, takenOf(pick), at);
  if (kind !== 'undo') return;
  await done.undo(at);
  await complete(year, { ...asked, undoneCount: 1 }, takenOf(pick + 1), at);
}

/** One transaction that carries several, each with its share of the fee. */
async function batch(year: Year, act: YearAct, at: Temporal.Instant): Promise<void> {
  const size = 2 + (act.pick % 3);
  const units = spendable(year, act) / BigInt(size);
  if (units < 200n) return;
  const sent = { assetId: act.assetId, units, source: 'merchant:available' } as const;
  const made = [];
  for (let one = 0; one < size; one += 1) {
    made.push(await reserve(year, { ...sent, kind: 'TRANSFER' }, at));
  }
  for (const transfer of made) await complete(year, transfer, 'half', at);
}

/** All that arrived of one goes back, its fees out of it. */
async function refundPending(year: Year, { pick }: YearAct, at: Temporal.Instant): Promise<void> {
  const waiting = year.receipts.filter(
    ({ credit, refunded }) => credit.account === 'pending' && !refunded && !credit.releasedAt,
  );
  const found = waiting[pick % Math.max(1, waiting.length)];
  if (found === undefined) return;
  const { assetId, units } = found.credit;
  const sent = { assetId, units, kind: 'REFUND', source: 'merchant:pending' } as const;
  await complete(year, await reserve(year, sent, at), takenOf(pick), at);
  year.receipts = year.receipts.map((one) => (one === found ? { ...one, refunded: true } : one));
}
