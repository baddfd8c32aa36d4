// Reads a checkout with everything that is known about it, in one round trip. What is asked for at
// the same time is read together.

import { createBatch } from '#base/batch.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { CheckoutRecord } from './checkout.ts';
import { findCheckoutIdByPageToken, findCheckoutRows } from './checkout-store.ts';
import { pageTokenHash } from './page-token.ts';
import { type ReadRecordsApp, readRecords } from './read-records.ts';

export type FindCheckoutApp = ReadRecordsApp & { readonly db: Db };

/** Undefined also for a checkout of another merchant or environment (E9). */
export async function findCheckout(
  app: FindCheckoutApp,
  owner: { readonly merchantId: string; readonly environment: Environment },
  id: string,
): Promise<CheckoutRecord | undefined> {
  const record = await findAnyCheckout(app, id);
  const isOwn = record?.merchantId === owner.merchantId && record.environment === owner.environment;
  return isOwn ? record : undefined;
}

/** For the hosted page, which is opened by its token alone. */
export async function findCheckoutByPageToken(
  app: FindCheckoutApp,
  token: string,
): Promise<CheckoutRecord | undefined> {
  const id = await findCheckoutIdByPageToken(app.db, pageTokenHash(token));
  return id === undefined ? undefined : findAnyCheckout(app, id);
}

type LookUp = (id: string) => Promise<CheckoutRecord | undefined>;

const lookUps = new WeakMap<Db, LookUp>();
const LOOK_UPS_AT_ONCE = 2;
const CHECKOUTS_PER_LOOK_UP = 50;

/** For the operator: any checkout. */
export function findAnyCheckout(
  app: FindCheckoutApp,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const lookUp = lookUps.get(app.db) ?? openLookUp(app);
  lookUps.set(app.db, lookUp);
  return lookUp(id);
}

function openLookUp(app: FindCheckoutApp): LookUp {
  const { db, keyring, networks } = app;
  return createBatch({
    most: CHECKOUTS_PER_LOOK_UP,
    atOnce: LOOK_UPS_AT_ONCE,
    async run(asked: readonly string[]) {
      const ids = [...new Set(asked)];
      const records = await db.read((reader) =>
        readRecords({ keyring, networks }, reader, ids, findCheckoutRows(reader, ids)),
      );
      const byId = new Map(records.map((record) => [record.id, record]));
      return asked.map((id) => byId.get(id));
    },
  });
}
