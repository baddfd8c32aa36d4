// Checkouts of a merchant, newest first, with everything that is known about each.

import type { Environment } from '#catalog/chain.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { CheckoutRecord, CheckoutState } from './checkout.ts';
import { listCheckoutPlaces } from './checkout-list-store.ts';
import { type FindCheckoutApp, findCheckout } from './find-checkout.ts';

/** All that are given must hold. */
export type CheckoutFilter = {
  readonly state: CheckoutState | undefined;
  /** Created at or after. */
  readonly from: Temporal.Instant | undefined;
  /** Created before. */
  readonly to: Temporal.Instant | undefined;
  readonly customerId: string | undefined;
  /** Fields at the top of `meta` and the text of their values: a number as it was written. */
  readonly meta: ReadonlyMap<string, string>;
};

export type CheckoutPage = {
  readonly checkouts: readonly CheckoutRecord[];
  readonly nextCursor: string | null;
};

const READ_AT_ONCE = 8;

export async function listCheckouts(
  app: FindCheckoutApp,
  owner: { readonly merchantId: string; readonly environment: Environment },
  filter: CheckoutFilter,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<CheckoutPage> {
  const places = await listCheckoutPlaces(app.db, owner, filter, { cursor, most: limit + 1 });
  const { shown, nextCursor } = cutPage(places, limit, (place) => place);
  const records: (CheckoutRecord | undefined)[] = [];
  let next = 0;
  const read = async () => {
    for (let at = next++; at < shown.length; at = next++) {
      records[at] = await findCheckout(app, owner, shown[at]?.id ?? '');
    }
  };
  await Promise.all(Array.from({ length: READ_AT_ONCE }, read));
  return { checkouts: records.filter((record) => record !== undefined), nextCursor };
}
