import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { Transfer, TransferOwner } from './transfer.ts';
import { findTransferRow, listTransferRows } from './transfer-store.ts';

/** Undefined also for one of another merchant or environment (E9), and for a refund. */
export async function findTransfer(
  { db }: { readonly db: Reader },
  owner: TransferOwner,
  id: string,
): Promise<Transfer | undefined> {
  const found = await findTransferRow(db, id);
  if (found === undefined || found.kind !== 'TRANSFER') return undefined;
  if (found.merchantId !== owner.merchantId) return undefined;
  return found.environment === owner.environment ? found : undefined;
}

/** Newest first. */
export async function listTransfers(
  { db }: { readonly db: Reader },
  owner: TransferOwner,
  page: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly shown: readonly Transfer[]; readonly nextCursor: string | null }> {
  const rows = await listTransferRows(db, owner, page.cursor, page.limit + 1);
  return cutPage(rows, page.limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
