import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { Customer, CustomerOwner } from './customer.ts';
import { listCustomerRows } from './customer-store.ts';

export type CustomerPage = {
  readonly customers: readonly Customer[];
  readonly nextCursor: string | null;
};

/** Newest first, without those deleted. */
export async function listCustomers(
  app: { readonly db: Reader },
  owner: CustomerOwner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<CustomerPage> {
  const rows = await listCustomerRows(app.db, owner, { most: limit + 1, place: cursor });
  const { shown, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({
    at: createdAt,
    id,
  }));
  return { customers: shown, nextCursor };
}
