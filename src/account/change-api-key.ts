import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { updateApiKey } from './api-key-store.ts';

/** Ends the key for good, at once. Revoking a revoked key changes nothing. */
export async function revokeApiKey(
  app: { readonly db: Db; readonly clock: Clock },
  key: string,
): Promise<void> {
  const change = { revokedAt: app.clock.now(), basicAllowed: null };
  if (!(await app.db.single((tx) => updateApiKey(tx, key, change)))) throw unknownApiKey(key);
}

/** Switches `X-Basic` for the key. */
export async function allowBasic(
  app: { readonly db: Db },
  key: string,
  basicAllowed: boolean,
): Promise<void> {
  const change = { revokedAt: null, basicAllowed };
  if (!(await app.db.single((tx) => updateApiKey(tx, key, change)))) throw unknownApiKey(key);
}

export function unknownApiKey(key: string): Refusal {
  return new Refusal('missing', 'api_key_unknown', `There is no API key ${key}.`);
}
