import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { isStorable } from '#base/text.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import type { Keyring } from '#installation/keyring.ts';
import { MERCHANT, MERCHANT_ENVIRONMENT, type Merchant } from './merchant.ts';
import { newWebhookSecret, sealWebhookSecret } from './merchant-secret.ts';

const NAME_LENGTH_MAX = 200;

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
  if (name === '' || !isStorable(name, NAME_LENGTH_MAX)) {
    const fault = `The name of a merchant is 1 to ${NAME_LENGTH_MAX} characters.`;
    throw new Refusal('invalid', 'merchant_name', fault);
  }
  const merchant = { id: newId(random), name, createdAt: clock.now() };
  const { dataKey, sealed: sealedDataKey } = keyring.newDataKey(merchant.id);
  const sides = ENVIRONMENTS.map((environment) => {
    const owner = { merchantId: merchant.id, environment };
    const secret = newWebhookSecret(random);
    return { ...owner, sealedWebhookSecret: sealWebhookSecret(keyring, dataKey, owner, secret) };
  });
  await db.single((tx) =>
    tx.query(sql`
      with made as (${MERCHANT.insert([{ ...merchant, sealedDataKey }])})
      ${MERCHANT_ENVIRONMENT.insert(sides)}`),
  );
  return merchant;
}
