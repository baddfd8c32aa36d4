import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul } from '#base/text.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import type { Db, Reader } from '#db/db.ts';
import type { Keyring } from './keyring.ts';
import type { Merchant } from './merchant.ts';
import { insertMerchant, selectMerchants } from './merchant-store.ts';
import { newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts';

const nameLengthMax = 200;

/**
 * A merchant with its test and live sides, each with its own webhook secret, and no API key yet.
 * @throws Refusal `invalid` when the name is not 1 to 200 characters.
 */
export async function createMerchant(
  app: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly random: Random;
  },
  { name }: { readonly name: string },
): Promise<Merchant> {
  const { db, keyring, clock, random } = app;
  const length = codePointLength(name);
  const isText = length >= 1 && length <= nameLengthMax && !hasNul(name) && !hasLoneSurrogate(name);
  if (!isText) {
    const fault = `The name of a merchant is 1 to ${nameLengthMax} characters.`;
    throw new Refusal('invalid', 'merchant_name', fault);
  }
  const merchant = { id: newId(random), name, createdAt: clock.now() };
  const { dataKey, sealed: sealedDataKey } = keyring.newDataKey(merchant.id);
  const environments = ENVIRONMENTS.map((environment) => ({
    environment,
    sealedWebhookSecret: sealWebhookSecret(
      keyring,
      dataKey,
      { merchantId: merchant.id, environment },
      newWebhookSecret(random),
    ),
  }));
  await db.single((tx) => insertMerchant(tx, { ...merchant, sealedDataKey, environments }));
  return merchant;
}

/** The oldest merchant: in a fresh installation, the one it was set up for. */
export async function findFirstMerchant(reader: Reader): Promise<Merchant | undefined> {
  const [first] = await selectMerchants(reader, { after: undefined, limit: 1 });
  return first;
}

export async function hasOtherMerchants(reader: Reader, merchantId: string): Promise<boolean> {
  const oldest = await selectMerchants(reader, { after: undefined, limit: 2 });
  return oldest.some(({ id }) => id !== merchantId);
}

/** Oldest first; the next page begins after the last merchant of this one. */
export function listMerchants(
  reader: Reader,
  page: { readonly after?: Merchant | undefined; readonly limit: number },
): Promise<Merchant[]> {
  return selectMerchants(reader, { after: page.after, limit: page.limit });
}
