import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { listReceiptsByIds } from '#chain/receipt.ts';
import { listRemarks } from '#chain/strangers.ts';
import { listCheckoutMeta } from '#checkout/list-checkouts.ts';
import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import { listSuspenseRows, type Suspense, type SuspenseFilter } from '#settle/suspense.ts';
import { listSuspenseActs } from '#settle/suspense-act.ts';
import type { SuspenseRecord } from './suspense-view.ts';

/** Newest first. */
export async function listSuspense(
  { db }: { readonly db: Reader },
  filter: SuspenseFilter,
  most: number,
): Promise<SuspenseRecord[]> {
  return joinSuspense(db, await listSuspenseRows(db, filter, most));
}

export async function joinSuspense(
  reader: Reader,
  rows: readonly Suspense[],
): Promise<SuspenseRecord[]> {
  const named = rows.filter(({ purpose }) => purpose === 'checkout');
  const [receipts, acts, remarks, metas] = await Promise.all([
    listReceiptsByIds(
      reader,
      rows.map(({ receiptId }) => receiptId),
    ),
    listSuspenseActs(
      reader,
      rows.map(({ id }) => id),
    ),
    listRemarks(
      reader,
      rows.map(({ receiptId }) => receiptId),
    ),
    listCheckoutMeta(
      reader,
      named.flatMap(({ purposeId }) => purposeId ?? []),
    ),
  ]);
  return rows.flatMap((suspense) =>
    receipts
      .filter(({ id }) => id === suspense.receiptId)
      .map((receipt) => ({
        suspense,
        receipt,
        acts: acts.filter(({ suspenseId }) => suspenseId === suspense.id),
        remark: remarks.get(receipt.id),
        checkoutMeta:
          suspense.purpose === 'checkout' ? metas.get(suspense.purposeId ?? '') : undefined,
      })),
  );
}

type SuspenseOwner = { readonly merchantId: string; readonly environment: Environment };

/** What names a checkout or an address of the merchant, whatever became of it; newest first. */
export async function pageSuspense(
  { db }: { readonly db: Reader },
  owner: SuspenseOwner,
  page: { readonly limit: number; readonly cursor: PagePlace | undefined },
) {
  const filter = { ...owner, isOpen: false, before: placeOf(page.cursor) };
  const rows = await listSuspense({ db }, filter, page.limit + 1);
  return cutPage(rows, page.limit, ({ suspense }) => ({
    at: suspense.foundAt,
    id: String(suspense.id),
  }));
}

function placeOf(cursor: PagePlace | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,18}$/.test(cursor.id)) return BigInt(cursor.id);
  throw new Refusal('invalid', 'cursor_invalid', 'cursor: is not one of ours');
}
