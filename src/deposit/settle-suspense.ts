// Books final money that nobody asked for, so that custody agrees with the chain (R6): it lies in
// suspense until a person assigns, returns or writes it off. Runs any number of times, in any
// number of processes.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { closeSuspense, holdSuspense } from './close-suspense.ts';
import { markReceiptCredited, markReceiptReversed } from './credit-receipt.ts';
import { GIVEN_BEFORE_RESTORE, listLeftOut } from './left-out-store.ts';
import type { Receipt } from './receipt.ts';
import { listUnsettledSuspense, lockUnsettledSuspense } from './receipt-store.ts';
import { reasonOfStranger } from './suspense.ts';
import { insertSuspense } from './suspense-store.ts';

const BATCH = 100;

export type SettleSuspenseApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/** How many receipts were booked or taken back; call again while it is above zero. */
export async function settleSuspense(app: SettleSuspenseApp, chain: ChainId): Promise<number> {
  const now = app.clock.now();
  const unsettled = unsettledOf(await listUnsettledSuspense(app.db, chain, BATCH), now);
  if (unsettled.length === 0) return 0;
  // Before the transaction: accounts are made in one of their own.
  await ensureAccounts(app.db, accountsOf(unsettled.map(({ entry }) => entry)));
  const wanted = unsettled.map(({ receipt }) => receipt.id);
  const settled = await app.db.transact(async (tx) => {
    const found = unsettledOf(await lockUnsettledSuspense(tx, chain, wanted), now);
    const lost = found.filter(({ isReversal }) => isReversal).map(({ receipt }) => receipt.id);
    const held = await holdSuspense(tx, lost);
    const undone: Entry[] = [];
    for (const { receipt, isReversal } of found) {
      const { id: receiptId, generation } = receipt;
      const mark = isReversal ? markReceiptReversed : markReceiptCredited;
      mark(tx, receiptId, generation);
      if (isReversal) undone.push(...closeSuspense(tx, held, { receiptId, generation }, now));
      else insertSuspense(tx, bookingOf(receipt), now);
    }
    postEntries(tx, [...found.map(({ entry }) => entry), ...undone]);
    return found;
  });
  const leftOut = new Set((await listLeftOut(app.db, [chain])).map((one) => one.destination));
  for (const { receipt, isReversal } of settled) {
    const what = isReversal ? 'left the chain again' : 'arrived that nobody asked for';
    const reason = leftOut.has(receipt.destination) ? { reason: GIVEN_BEFORE_RESTORE } : {};
    app.log.error(`money ${what}`, { ...alarmOf(receipt), ...reason });
  }
  return settled.length;
}

function bookingOf(receipt: Receipt) {
  const { chain, destination, id: receiptId, generation, assetId, units } = receipt;
  return {
    receiptId,
    generation,
    environment: environmentOf(chain),
    network: networkOf(chain),
    assetId,
    units,
    reason: reasonOfStranger(chain, destination),
  };
}

type Unsettled = {
  readonly receipt: Receipt;
  readonly entry: Entry;
  readonly isReversal: boolean;
};

function unsettledOf(receipts: readonly Receipt[], now: Temporal.Instant): Unsettled[] {
  return receipts.flatMap((receipt): Unsettled[] => {
    if (receipt.status === 'FINAL') {
      return [{ receipt, entry: suspenseEntry(receipt, now), isReversal: false }];
    }
    if (!receipt.reversalDue) return [];
    return [{ receipt, entry: suspenseReversal(receipt, now), isReversal: true }];
  });
}

function suspenseEntry(receipt: Receipt, occurredAt: Temporal.Instant): Entry {
  const network = networkOf(receipt.chain);
  const { assetId, units } = receipt;
  return {
    causeKey: `receipt:${receipt.id}:${receipt.generation}`,
    kind: 'suspense-receipt',
    environment: environmentOf(receipt.chain),
    evidence: JSON.stringify({ transaction: receipt.transaction, creditKey: receipt.creditKey }),
    occurredAt,
    postings: [
      { account: { code: `custody:${network}` }, assetId, units },
      { account: { code: `suspense:${network}` }, assetId, units: -units },
    ],
  };
}

function suspenseReversal(receipt: Receipt, occurredAt: Temporal.Instant): Entry {
  const original = suspenseEntry(receipt, occurredAt);
  return {
    ...original,
    causeKey: `reverse:${original.causeKey}`,
    kind: 'suspense-reversal',
    correctsCauseKey: original.causeKey,
    isReversal: true,
    postings: original.postings.map((posting) => ({ ...posting, units: -posting.units })),
  };
}

function alarmOf(receipt: Receipt): Record<string, unknown> {
  const { chain, transaction, destination, assetId, units } = receipt;
  return { chain, transaction, destination, assetId, units };
}
