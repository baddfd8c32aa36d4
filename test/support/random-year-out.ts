// What leaves a merchant in a year by chance, and what comes of money that was nobody's. As in
// random-year.ts: entries of the acts themselves, sums from the amounts alone.
import { feeEntry, partEntry } from '#custody/custody-entries.ts';
import { accountsOf, type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import type { Suspense } from '#settle/suspense.ts';
import { type SuspenseAct, suspenseActEntry } from '#settle/suspense-act.ts';
import { openTransfer, type Transfer, type TransferTerms } from '#transfer/transfer.ts';
import {
  completeEntry,
  requoteEntry,
  reserveEntry,
  returnEntry,
} from '#transfer/transfer-entries.ts';
import { fillEntry } from '#treasury/hedge-entries.ts';
import type { HedgeFill, HedgeOrder } from '#treasury/hedge-order.ts';
import type { TestApi } from './test-api.ts';
import { add, type Sums } from './year-sums.ts';

export type YearBooks = {
  readonly api: TestApi;
  readonly merchantId: string;
  readonly balances: Sums;
  readonly settlements: Sums;
  readonly fees: Sums;
  readonly events: Sums;
  count: number;
};

export function balanceOf({ balances }: YearBooks, code: string, assetId: string): bigint {
  return balances.get(`${code} ${assetId}`) ?? 0n;
}

export async function post({ api }: YearBooks, ...entries: Entry[]): Promise<void> {
  await ensureAccounts(api.db, accountsOf(entries));
  await api.db.transact(async (tx) => postEntries(tx, entries));
}

type Sent = {
  readonly kind: 'TRANSFER' | 'REFUND';
  readonly source: 'merchant:available' | 'merchant:pending';
  readonly assetId: string;
  readonly units: bigint;
};
/** What the network took: all that was reserved, half of it, or more. */
type Taken = 'reserved' | 'half' | 'beyond';
const TAKEN: readonly Taken[] = ['reserved', 'half', 'beyond'];

export const takenOf = (pick: number): Taken => TAKEN[pick % TAKEN.length] ?? 'half';

/** Reserved, and the entry of it posted. */
export async function reserve(
  year: YearBooks,
  sent: Sent,
  at: Temporal.Instant,
): Promise<Transfer> {
  const { units, assetId, kind, source } = sent;
  const [networkFeeUnits, feeUnits] = [units / 50n, units / 100n];
  const terms: TransferTerms = {
    ...{ merchantId: year.merchantId, environment: 'test', kind, source, assetId, units },
    ...{ beneficiaryId: undefined, network: 'LITECOIN', account: { address: 'a' } },
    ...{ networkFeeUnits, feeUnits, targetUnits: units - networkFeeUnits - feeUnits },
    ...{ state: 'RESERVED', apiKey: undefined, createdAt: at, expiresAt: at, committedAt: at },
    ...{ restsUntil: undefined, nextStepAt: undefined },
  };
  const transfer = await year.api.db.transact(async (tx) => openTransfer(year.api.app, tx, terms));
  await post(year, reserveEntry(transfer, at));
  move(year, assetId, units, source, 'merchant:reserved');
  return transfer;
}

function move({ balances }: YearBooks, assetId: string, units: bigint, from: string, to: string) {
  add(balances, from, assetId, -units);
  add(balances, to, assetId, units);
}

/** The payer claims it, and the network takes more by then. */
export async function requote(
  year: YearBooks,
  transfer: Transfer,
  moreUnits: bigint,
  at: Temporal.Instant,
): Promise<Transfer> {
  const { units, networkFeeUnits, source, assetId } = transfer;
  const next = {
    ...{ ...transfer, requotedUnits: moreUnits, units: units + moreUnits },
    networkFeeUnits: networkFeeUnits + moreUnits,
  };
  await post(year, requoteEntry(next, at));
  move(year, assetId, moreUnits, source, 'merchant:reserved');
  return next;
}

export async function fail(year: YearBooks, transfer: Transfer, at: Temporal.Instant) {
  await post(year, returnEntry(transfer, at));
  move(year, transfer.assetId, transfer.units, 'merchant:reserved', transfer.source);
}

/** Answers what was booked, so that it can be undone. */
export async function complete(
  year: YearBooks,
  transfer: Transfer,
  taken: Taken,
  at: Temporal.Instant,
): Promise<{ readonly entry: Entry; undo(at: Temporal.Instant): Promise<void> }> {
  const { networkFeeUnits, assetId } = transfer;
  const paid = taken === 'half' ? networkFeeUnits / 2n : networkFeeUnits;
  const done: Transfer = {
    ...transfer,
    feeTakenUnits: taken === 'reserved' ? undefined : paid,
    feeBeyondUnits: taken === 'beyond' ? 5n : 0n,
    paidOutside: taken === 'half' && year.count % 2 === 0,
  };
  const entry = completeEntry(done, at);
  await post(year, entry);
  land(year, done, paid, 1n);
  return {
    entry,
    undo: async (undoneAt) => {
      const reversal = { kind: 'sending-reversal', cause: 'reorganisation', occurredAt: undoneAt };
      await post(year, ...reverseEntries([entry], reversal));
      land(year, done, paid, -1n);
      add(year.events, 'CAME_BACK', assetId, done.units - networkFeeUnits + paid);
    },
  };
}

function land(year: YearBooks, transfer: Transfer, paid: bigint, sign: bigint): void {
  const { assetId, units, networkFeeUnits, feeUnits, targetUnits, kind } = transfer;
  add(year.balances, 'merchant:reserved', assetId, -sign * units);
  add(year.balances, 'merchant:available', assetId, sign * (networkFeeUnits - paid));
  add(year.fees, 'service', assetId, sign * feeUnits);
  add(year.fees, 'network', assetId, sign * paid);
  if (sign < 0n) return;
  add(year.events, kind === 'REFUND' ? 'REFUNDED' : 'SENT', assetId, -targetUnits);
  add(year.events, 'FEE', assetId, -(feeUnits + paid));
}

const SUSPENSE: Partial<Suspense> = { environment: 'test', network: 'LITECOIN' };

/** Money nobody asked for, and what a person makes of it. */
export async function resolveSuspense(
  year: YearBooks,
  { assetId, units }: { readonly assetId: string; readonly units: bigint },
  kind: SuspenseAct['kind'],
  at: Temporal.Instant,
): Promise<void> {
  const { merchantId, count } = year;
  await post(year, {
    ...{ causeKey: `receipt:${count}:1`, kind: 'suspense-receipt', environment: 'test' as const },
    occurredAt: at,
    postings: [
      { account: { code: 'custody:LITECOIN' }, assetId, units },
      { account: { code: 'suspense:LITECOIN' }, assetId, units: -units },
    ],
  });
  const suspense = { ...SUSPENSE, id: BigInt(count), assetId, units } as Suspense;
  const act: Partial<SuspenseAct> = {
    number: 1,
    kind,
    merchantId,
    actor: 'a',
    reason: 'b',
    actedAt: at,
  };
  await post(year, suspenseActEntry(suspense, act as SuspenseAct));
  if (kind !== 'ASSIGN' && kind !== 'CAME_BACK') return;
  add(year.balances, 'merchant:available', assetId, units);
  add(year.events, 'RECEIVED', assetId, units);
  if (kind === 'CAME_BACK') return;
  add(year.settlements, 'source', assetId, units);
  add(year.settlements, 'net', assetId, units);
}

/** Orders filled in parts with a fee in a third asset, cold storage, gas: none is a merchant's. */
export async function keepHouse(
  year: YearBooks,
  act: { readonly assetId: string; readonly otherId: string; readonly units: bigint },
  at: Temporal.Instant,
): Promise<void> {
  const { assetId, otherId, units } = act;
  const order: Partial<HedgeOrder> = {
    ...{ id: `h${year.count}`, environment: 'test', provider: 'kraken' },
    ...{ giveAssetId: assetId, getAssetId: otherId },
  };
  const part = (number: bigint): Partial<HedgeFill> => ({
    ...{ orderId: `h${year.count}`, fillId: String(number), actor: 'a', soldUnits: units * number },
    ...{ gotUnits: units + number, closedUnits: units, feeAssetId: 'BTC:NATIVE', feeUnits: number },
  });
  const fills = assetId === otherId ? [] : [part(1n), part(2n)];
  const departure = {
    ...({
      id: BigInt(year.count),
      chain: 'test:LITECOIN',
      transaction: 't',
      undoneCount: 0,
    } as const),
    feeAssetId: 'ETH:NATIVE',
  };
  const moved = {
    number: 1,
    assetId,
    units,
    purpose: 'OUTSIDE',
    decidedBy: 'a',
    reason: 'b',
  } as const;
  await post(
    year,
    ...fills.map((fill) => fillEntry(order as HedgeOrder, fill as HedgeFill, at)),
    feeEntry(departure, units, at),
    partEntry(departure, moved, at),
  );
}
