// What a person did with money in suspense: the SQL of its table, its posting, and how both are
// undone when the chain takes the money back.

import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  flag,
  integer,
  moment,
  optional,
  type Row,
  text,
} from '#db/table.ts';
import { type Entry, type EntryPosting, reverseEntries } from '#ledger/ledger-entry.ts';
import { lockSuspenseOfReceipts, SUSPENSE, type Suspense, updateSuspense } from './suspense.ts';

export const SUSPENSE_ACT = defineTable('suspense_act', {
  suspenseId: bigInteger,
  /** 1 for the first of a suspense. */
  number: integer,
  /** CAME_BACK: recognised as a transfer of ours that was sent back. */
  kind: text<'ASSIGN' | 'RETURN' | 'WRITE_OFF' | 'CAME_BACK'>(),
  actor: text(),
  reason: text(),
  merchantId: optional(text()),
  checkoutId: optional(text()),
  address: optional(text()),
  transaction: optional(text()),
  transferId: optional(text()),
  /** Assigned as a payment of its checkout: it is decided there what the merchant is credited. */
  isPayment: flag,
  actedAt: moment,
});
export type SuspenseAct = Row<typeof SUSPENSE_ACT>;

/** Its merchant and its checkout are from now on those of the suspense. */
export function insertSuspenseAct(tx: Tx, act: SuspenseAct): void {
  const { suspenseId, merchantId = null, checkoutId = null } = act;
  tx.send(SUSPENSE_ACT.insert([act]));
  tx.send(sql`
    update suspense set act_count = ${act.number},
      merchant_id = coalesce(${merchantId}, merchant_id),
      purpose = coalesce(${checkoutId === null ? null : 'checkout'}, purpose),
      purpose_id = coalesce(${checkoutId}, purpose_id)
    where id = ${suspenseId}`);
}

/** In order of their numbers; the transaction of a transfer is told where there is one. */
export async function listSuspenseActs(
  reader: Reader,
  suspenseIds: readonly bigint[],
): Promise<SuspenseAct[]> {
  if (suspenseIds.length === 0) return [];
  const rows = await reader.query<{ readonly sent: string | null }>(sql`
    select ${SUSPENSE_ACT.columnsOf('a')}, t.transaction as sent
    from suspense_act a left join transfer t on t.id = a.transfer_id
    where a.suspense_id = any(${suspenseIds}::bigint[]) order by a.suspense_id, a.number`);
  return rows.map((row) => {
    const { sent, ...act } = SUSPENSE_ACT.parse(row);
    return { ...act, transaction: act.transaction ?? sent ?? undefined };
  });
}

/** How often it had been sent back, and a reorganisation undid that. */
export async function countUndoneReturns(reader: Reader, suspenseId: bigint): Promise<number> {
  const [row] = await reader.query<{ times: number }>(sql`
    select count(*)::int as times
    from suspense_act a join undone_transfer u on u.transfer_id = a.transfer_id
    where a.suspense_id = ${suspenseId} and u.state = 'COMPLETED'`);
  return row?.times ?? 0;
}

export async function findSuspenseOfTransfer(
  reader: Reader,
  transferId: string,
): Promise<Suspense | undefined> {
  const own = sql`select suspense_id from suspense_act where transfer_id = ${transferId}`;
  return SUSPENSE.find(reader, sql`where id in (${own})`);
}

/**
 * Debit positive, credit negative (docs/money.md); the cause key makes each act happen once (L7). A
 * return by a transfer has the entries of the transfer.
 */
export function suspenseActEntry(suspense: Suspense, act: SuspenseAct): Entry {
  const { environment, assetId, network, units } = suspense;
  return {
    causeKey: `suspense:${suspense.id}:${act.number}`,
    kind: `suspense-${act.kind.toLowerCase().replace('_', '-')}`,
    environment,
    merchantId: act.kind === 'ASSIGN' || act.kind === 'CAME_BACK' ? act.merchantId : undefined,
    subjectId: `suspense:${suspense.id}`,
    evidence: JSON.stringify({ by: act.actor, reason: act.reason }),
    occurredAt: act.actedAt,
    postings: [
      { account: { code: `suspense:${network}` }, assetId, units },
      { account: accountOf(suspense, act), assetId, units: -units },
    ],
  };
}

function accountOf({ network }: Suspense, act: SuspenseAct): EntryPosting['account'] {
  switch (act.kind) {
    case 'ASSIGN':
      // Assigned in the asset it came in. What it is worth to the merchant is a separate entry of
      // the checkout.
      if (act.isPayment) return { code: `custody:${network}` };
      return { merchantId: act.merchantId, code: 'merchant:available' };
    case 'RETURN':
      return { code: `custody:${network}` };
    case 'WRITE_OFF':
      return { code: 'dust' };
    case 'CAME_BACK': {
      // A refund that gave back pending money names its checkout, which it pays again.
      const code = act.checkoutId === undefined ? 'merchant:available' : 'merchant:pending';
      return { merchantId: act.merchantId, code };
    }
  }
}

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

/**
 * The chain took back money that lay in suspense. What a person did with it is undone too, except
 * that nothing brings back what was sent: then the house is short of it, and the books say so.
 * Answers the entries that undo it, to be posted after that of the receipt is reversed.
 */
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
  // What pays its checkout again is counted there: the house is short of it, and a person looks.
  if (last.kind === 'CAME_BACK' && last.checkoutId !== undefined) return [];
  return reverseEntries([suspenseActEntry(suspense, last)], {
    kind: 'suspense-reversal',
    cause: 'reorganisation',
    occurredAt: now,
  });
}
