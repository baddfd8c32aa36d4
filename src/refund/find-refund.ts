import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import { claimTokenHash } from './claim-token.ts';
import type { Refund } from './refund.ts';
import { findRefundRow, findRefundRowByClaim, listRefundRows } from './refund-store.ts';

type FindRefundApp = { readonly db: Reader };

/** Undefined also for one of another merchant or environment (E9). */
export async function findRefund(
  { db }: FindRefundApp,
  owner: Owner,
  id: string,
): Promise<Refund | undefined> {
  const found = await findRefundRow(db, id);
  if (found?.merchantId !== owner.merchantId) return undefined;
  return found.environment === owner.environment ? found : undefined;
}

/** For the page of the payer, which is opened by its token alone. */
export function findRefundByClaim({ db }: FindRefundApp, token: string) {
  return findRefundRowByClaim(db, claimTokenHash(token));
}

/** Newest first. */
export async function listRefunds(
  { db }: FindRefundApp,
  owner: Owner,
  page: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly shown: readonly Refund[]; readonly nextCursor: string | null }> {
  const rows = await listRefundRows(db, owner, page.cursor, page.limit + 1);
  return cutPage(rows, page.limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
