import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import { newSealedSecret } from './api-key-secret.ts';
import { endSecrets, insertSecret, lockApiKey } from './api-key-store.ts';
import { unknownApiKey } from './change-api-key.ts';
import type { NewApiKey } from './create-api-key.ts';
import type { Keyring } from './keyring.ts';
import { assertOverlap } from './rotation-overlap.ts';

/**
 * A new secret for the key. The one it had stays valid beside it for the overlap; what was left of
 * an earlier rotation ends now, so at most two are ever valid. To be shown once.
 * @throws Refusal `missing` for an unknown or revoked key.
 */
export async function rotateApiKey(
  app: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly random: Random;
  },
  { key, overlapHours }: { readonly key: string; readonly overlapHours: number },
): Promise<NewApiKey> {
  assertOverlap(overlapHours);
  return app.db.transact(async (tx) => {
    const owner = await lockApiKey(tx, key);
    if (owner === undefined) throw unknownApiKey(key);
    const { merchantId } = owner;
    const now = app.clock.now();
    const dataKey = app.keyring.openDataKey(merchantId, owner.sealedDataKey);
    const made = newSealedSecret(app.keyring, app.random, dataKey, { merchantId, key });
    endSecrets(tx, key, { now, currentUntil: now.add({ hours: overlapHours }) });
    insertSecret(tx, key, made.sealed, now);
    return { key, secret: made.secret };
  });
}
