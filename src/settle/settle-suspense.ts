// Books final money that nobody asked for, so that custody agrees with the chain (R6): it lies in
// suspense until a person assigns, returns or writes it off. Runs any number of times, in any
// number of processes.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { listUnsettledSuspense, lockUnsettledSuspense, type Receipt } from '#chain/receipt.ts';
import { listRemarks, listReturning } from '#chain/strangers.ts';
import type { Db } from '#db/db.ts';
import { GAS_ACCOUNT, OWNED_CONTRACT } from '#deposit/given-out.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { requireAccounts, takeReceipts, transactWithAccounts } from './settle.ts';
import { reasonOfStranger } from './suspense.ts';
import { holdSuspense } from './suspense-act.ts';

const BATCH = 100;

type SettleSuspenseApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/** How many receipts were booked or taken back; call again while it is above zero. */
export async function settleSuspense(app: SettleSuspenseApp, chain: ChainId): Promise<number> {
  const now = app.clock.now();
  const unsettled = unsettledOf(await listUnsettledSuspense(app.db, chain, BATCH), now);
  if (unsettled.length === 0) return 0;
  const wanted = unsettled.map(({ receipt }) => receipt.id);
  const settled = await transactWithAccounts(app.db, async (tx) => {
    const found = unsettledOf(await lockUnsettledSuspense(tx, chain, wanted), now);
    const reversed = found.filter(({ isReversal }) => isReversal).map(bookingOf);
    const taken = found
      .filter(({ isReversal }) => !isReversal)
      .map(bookingOf)
      .map((suspense) => ({ ...suspense, suspense }));
    const held = await holdSuspense(
      tx,
      reversed.map(({ receiptId }) => receiptId),
    );
    const undone = takeReceipts(tx, { taken, reversed, held }, now);
    const entries = [...found.map(({ entry }) => entry), ...undone];
    requireAccounts(app.db, entries);
    postEntries(tx, entries);
    return found;
  });
  const [remarks, returning] = await Promise.all([
    listRemarks(app.db, wanted),
    listReturning(app.db, wanted),
  ]);
  for (const { receipt, isReversal } of settled) {
    const what = isReversal ? 'left the chain again' : 'arrived that nobody asked for';
    const remark = remarks.get(receipt.id);
    const reason = remark === undefined ? {} : { reason: remark };
    // What brings back a transfer is recognised, or stays for a person, right after. Whoever names
    // an account for gas sends it coins, and a Safe holds what its owners put there.
    const isOperators = remark === GAS_ACCOUNT || remark === OWNED_CONTRACT;
    const isExpected = returning.has(receipt.id) || isOperators;
    const level = isExpected ? 'warn' : 'error';
    app.log[level](`money ${what}`, { ...alarmOf(receipt), ...reason });
  }
  return settled.length;
}

function bookingOf({ receipt }: Unsettled) {
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
