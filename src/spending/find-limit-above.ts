// Whether one act is above a limit for single acts: then it waits, or needs a second person.
import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { measureAmount, type SpendingApp } from './measure-amount.ts';
import { listLimitsOf, type SpendingLimit } from './spending-limit.ts';

/** The first limit that it exceeds. What cannot be valued exceeds it. */
export async function findLimitAbove(
  app: SpendingApp,
  reader: Reader,
  owner: Owner,
  kind: 'TWO_PEOPLE' | 'COOL_DOWN',
  { amount, now }: { readonly amount: AssetAmount; readonly now: Temporal.Instant },
): Promise<SpendingLimit | undefined> {
  const limits = await listLimitsOf(reader, owner);
  return limits.find((limit) => {
    if (limit.kind !== kind) return false;
    const units = measureAmount(app, limit, amount, now);
    return units === undefined || units > limit.mostUnits;
  });
}

const COOL_DOWN = { hours: 24 } as const;

/** From when so much may go to a free address; undefined: at once. */
export async function restsUntil(
  app: SpendingApp,
  reader: Reader,
  owner: Owner,
  amount: AssetAmount,
  now: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const above = await findLimitAbove(app, reader, owner, 'COOL_DOWN', { amount, now });
  // As exactly as the database keeps it: it is sealed.
  return above && now.add(COOL_DOWN).round('millisecond');
}
