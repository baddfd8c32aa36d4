// Books final money that nobody asked for, so that custody agrees with the chain (R6): it lies in
// suspense until a person assigns it. Runs any number of times, in any number of processes.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { markReceiptCredited, markReceiptReversed } from './credit-receipt.ts';
import type { Receipt } from './receipt.ts';
import { lockUnsettledSuspense } from './receipt-store.ts';

const BATCH = 100;

export type SettleSuspenseApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/** How many receipts were booked or taken back; call again while it is above zero. */
export async function settleSuspense(app: SettleSuspenseApp, chain: ChainId): Promise<number> {
  const now = app.clock.now();
  const settled = await app.db.transact(async (tx) => {
    const receipts = await lockUnsettledSuspense(tx, chain, BATCH);
    const credited = receipts.filter(({ status }) => status === 'FINAL');
    const reversed = receipts.filter(({ reversalDue }) => reversalDue);
    const entries = [
      ...credited.map((receipt) => suspenseEntry(receipt, now)),
      ...reversed.map((receipt) => suspenseReversal(receipt, now)),
    ];
    if (entries.length === 0) return { credited, reversed };
    await ensureAccounts(app.db, accountsOf(entries));
    for (const { id, generation } of credited) markReceiptCredited(tx, id, generation);
    for (const { id, generation } of reversed) markReceiptReversed(tx, id, generation);
    postEntries(tx, entries);
    return { credited, reversed };
  });
  for (const receipt of settled.credited) {
    app.log.error('money arrived that nobody asked for', alarmOf(receipt));
  }
  for (const receipt of settled.reversed) {
    app.log.error('money in suspense left the chain again', alarmOf(receipt));
  }
  return settled.credited.length + settled.reversed.length;
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
