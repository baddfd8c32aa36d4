// Secrets of a merchant at rest: sealed under the merchant's data key, which is wrapped by the key
// file. Other folders seal what they keep for a merchant with these functions too.
import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import type { DataKey, Keyring, SealLabel } from './keyring.ts';
import { findSealedDataKey } from './merchant-store.ts';

export function sealText(
  keyring: Keyring,
  dataKey: DataKey,
  label: SealLabel,
  text: string,
): Uint8Array {
  return keyring.seal(dataKey, label, Buffer.from(text));
}

/** @throws UnsealFailure */
export function unsealText(
  keyring: Keyring,
  dataKey: DataKey,
  label: SealLabel,
  sealed: Uint8Array,
): string {
  return Buffer.from(keyring.unseal(dataKey, label, sealed)).toString();
}

/** One query. @throws Refusal `missing` when there is no such merchant. */
export async function getMerchantDataKey(
  app: { readonly db: Reader; readonly keyring: Keyring },
  merchantId: string,
): Promise<DataKey> {
  const sealed = await findSealedDataKey(app.db, merchantId);
  if (sealed === undefined) {
    throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
  }
  return app.keyring.openDataKey(merchantId, sealed);
}
