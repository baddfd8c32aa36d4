import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { newSealedSecret } from './api-key-secret.ts';
import { insertApiKey } from './api-key-store.ts';
import type { Keyring } from './keyring.ts';
import { getMerchantDataKey } from './merchant-secret.ts';
import type { Scope } from './scope.ts';

/** To be shown once: the secret cannot be read again, only rotated. */
export type NewApiKey = { readonly key: string; readonly secret: string };

/**
 * `X-Basic` is on for test keys and off for live ones (change-api-key switches it).
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function createApiKey(
  app: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly random: Random;
  },
  request: {
    readonly merchantId: string;
    readonly environment: Environment;
    readonly label?: string | undefined;
    /** Undefined: everything. */
    readonly scopes?: readonly Scope[] | undefined;
  },
): Promise<NewApiKey> {
  const { merchantId, environment } = request;
  const dataKey = await getMerchantDataKey(app, merchantId);
  const key = newId(app.random);
  const { secret, sealed } = newSealedSecret(app.keyring, app.random, dataKey, { merchantId, key });
  const row = {
    key,
    merchantId,
    environment,
    label: request.label ?? null,
    basicAllowed: environment === 'test',
    scopes: request.scopes ?? null,
    createdAt: app.clock.now(),
  };
  await app.db.single((tx) => insertApiKey(tx, row, sealed));
  return { key, secret };
}
