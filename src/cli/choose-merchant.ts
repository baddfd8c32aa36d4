import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import { findFirstMerchant } from '#merchant/merchant.ts';
import { textOption, type Values } from './command.ts';

/** `--merchant ID`, or the merchant there is. @throws Refusal when there is none yet. */
export async function chooseMerchant(
  { db }: { readonly db: Reader },
  values: Values,
): Promise<string> {
  const merchantId = textOption(values, 'merchant') ?? (await findFirstMerchant(db))?.id;
  if (merchantId !== undefined) return merchantId;
  throw new Refusal('missing', 'merchant_missing', [
    'there is no merchant yet: npx quittance merchant create --name NAME',
  ]);
}
