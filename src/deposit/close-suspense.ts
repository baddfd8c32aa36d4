// The chain took back money that lay in suspense. What a person did with it is undone too, except
// that nothing brings back what was sent: then the house is short of it, and the books say so.

import type { Tx } from '#db/db.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { reverseEntries } from '#ledger/reverse-entries.ts';
import type { Suspense } from './suspense.ts';
import { suspenseActEntry } from './suspense-entries.ts';
import {
  listSuspenseActs,
  lockSuspenseOfReceipts,
  type SuspenseAct,
  updateSuspense,
} from './suspense-store.ts';

export type HeldSuspense = {
  readonly suspense: Suspense;
  readonly acts: readonly SuspenseAct[];
};

/** Locked after the thing it names, before ledger accounts. */
export async function holdSuspense(
  tx: Tx,
  receiptIds: readonly bigint[],
): Promise<readonly HeldSuspense[]> {
  if (receiptIds.length === 0) return [];
  const rows = await lockSuspenseOfReceipts(tx, receiptIds);
  const decided = rows.filter(({ actCount }) => actCount > 0);
  const acts = await listSuspenseActs(
    tx,
    decided.map(({ id }) => id),
  );
  return rows.map((suspense) => ({
    suspense,
    acts: acts.filter(({ suspenseId }) => suspenseId === suspense.id),
  }));
}

/** Entries that undo what was done with it; to be posted after that of the receipt is reversed. */
export function closeSuspense(
  tx: Tx,
  held: readonly HeldSuspense[],
  lost: { readonly receiptId: bigint; readonly generation: number },
  now: Temporal.Instant,
): Entry[] {
  const found = held.find(
    ({ suspense }) =>
      suspense.receiptId === lost.receiptId && suspense.generation === lost.generation,
  );
  if (found === undefined) return [];
  const { suspense, acts } = found;
  updateSuspense(tx, suspense.id, { state: 'GONE', resolvedAt: now });
  const last = acts.at(-1);
  const isKept = suspense.state === 'ASSIGNED' || suspense.state === 'WRITTEN_OFF';
  if (last === undefined || !isKept) return [];
  return reverseEntries([suspenseActEntry(suspense, last)], {
    kind: 'suspense-reversal',
    cause: 'reorganisation',
    occurredAt: now,
  });
}
