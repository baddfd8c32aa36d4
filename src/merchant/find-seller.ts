import type { Reader } from '#db/db.ts';
import { selectSeller } from './merchant-store.ts';

/** What a customer may know about the merchant that is paid. */
export type Seller = {
  readonly name: string;
  readonly shopName: string | undefined;
  /** Postal address, several lines. */
  readonly sellerInfo: string | undefined;
  readonly displaySellerInfo: boolean;
};

export function findSeller(reader: Reader, merchantId: string): Promise<Seller | undefined> {
  return selectSeller(reader, merchantId);
}
