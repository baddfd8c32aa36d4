// Payments that somebody let go while the brake of their chain held them, and the SQL of the table.
// Rows are only added.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { bigInteger, defineTable, insertOnly, json, moment, text } from '#db/table.ts';
import type { BrakeCause } from '#deposit/network.ts';
import { isCovered } from './decide-release.ts';
import type { KnownReceipt } from './receipt.ts';

export const RELEASED_PAYMENT = defineTable('released_payment', {
  receiptId: bigInteger,
  releaseId: insertOnly(text()),
  chain: insertOnly(text<ChainId>()),
  blockHash: text(),
  causes: json<readonly BrakeCause[]>(),
  releasedAt: insertOnly(moment),
});

type Release = {
  readonly releaseId: string;
  readonly chain: ChainId;
  readonly causes: readonly BrakeCause[];
  readonly releasedAt: Temporal.Instant;
};

export function insertReleased(
  tx: Tx,
  release: Release,
  payments: readonly { readonly id: bigint; readonly blockHash: string }[],
): void {
  tx.send(
    RELEASED_PAYMENT.insert(
      payments.map(({ id, blockHash }) => ({ ...release, receiptId: id, blockHash })),
    ),
  );
}

/** Which of these are let go for what is wrong now. */
export async function findReleased(
  reader: Reader,
  known: readonly KnownReceipt[],
  causes: readonly BrakeCause[],
): Promise<
  (receipt: { readonly id: bigint | undefined; readonly blockHash: string | undefined }) => boolean
> {
  const ids = known.flatMap(({ id, status }) => (status === 'INCLUDED' ? [id] : []));
  if (ids.length === 0) return () => false;
  const rows = await RELEASED_PAYMENT.select(reader, sql`where receipt_id = any(${ids}::bigint[])`);
  const counting = rows.filter((row) => isCovered(causes, row.causes));
  const names = new Set(counting.map(({ receiptId, blockHash }) => `${receiptId} ${blockHash}`));
  return ({ id, blockHash }) => names.has(`${id} ${blockHash}`);
}
