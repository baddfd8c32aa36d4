import { findSeller } from '#account/seller.ts';
import type { Reader } from '#db/db.ts';
import type { CheckoutRequest } from './checkout-request.ts';

/** Settings of the page that were asked for and cannot be shown, in words for the merchant. */
export async function pageWarnings(
  { db }: { readonly db: Reader },
  merchantId: string,
  { pageSettings }: Pick<CheckoutRequest, 'pageSettings'>,
): Promise<string[]> {
  if (pageSettings.displaySellerInfo !== true) return [];
  const seller = await findSeller(db, merchantId);
  if (seller === undefined || seller.page.sellerInfo !== null) return [];
  return [
    'pageSettings.displaySellerInfo: there is nothing to show yet; the operator stores it with `quittance merchant page set --seller-info`',
  ];
}
