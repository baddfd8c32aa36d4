// Reads a checkout with everything that is known about it. What is asked for at the same time is
// read together, and what did not change since it was read is not read again: of that only its
// version is asked for.

import { createBatch } from '#base/batch.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { type CheckoutRecord, selectCheckouts } from './checkout.ts';
import { pageTokenHash } from './page-token.ts';
import { type ReadRecordsApp, readRecords } from './read-records.ts';
import { readRecordVersions } from './record-version-store.ts';
import { createRememberedRecords } from './remembered-records.ts';

export type FindCheckoutApp = ReadRecordsApp & { readonly db: Db };

/** Undefined also for a checkout of another merchant or environment (E9). */
export async function findCheckout(
  app: FindCheckoutApp,
  owner: Owner,
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
  const [found] = await app.db.query<{ id: string }>(
    sql`select id from checkout where page_token_hash = ${pageTokenHash(token)}`,
  );
  return found && findAnyCheckout(app, found.id);
}

type LookUp = (id: string) => Promise<CheckoutRecord | undefined>;

const lookUps = new WeakMap<Db, LookUp>();
const LOOK_UPS_AT_ONCE = 1;
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

function openLookUp({ db, keyring, networks }: FindCheckoutApp): LookUp {
  const app = { keyring, networks };
  const remembered = createRememberedRecords();
  return createBatch({
    most: CHECKOUTS_PER_LOOK_UP,
    atOnce: LOOK_UPS_AT_ONCE,
    async run(asked: readonly string[]) {
      const ids = [...new Set(asked)];
      const found = new Map<string, CheckoutRecord>();
      const known = new Map(ids.map((id) => [id, remembered.get(id)]));
      const unknown = ids.filter((id) => known.get(id) === undefined);
      const snapshots = new Set([...known.values()].map((one) => one?.snapshot));
      const [unchangedSince] = snapshots.size === 1 ? snapshots : [];
      const read = await db.read(async (reader) => {
        // The versions are read first, so that the next look-up notices a change between the two
        // reads.
        const [versions] = await Promise.all([
          readRecordVersions(reader, ids, unchangedSince),
          unknown.length > 0 && readInto(app, reader, unknown, found),
        ]);
        return versions;
      });
      if (read === undefined) return asked.map((id) => known.get(id)?.record);
      const { versions, snapshot } = read;
      const changed = ids.filter((id) => {
        const before = known.get(id);
        if (before === undefined || before.version !== versions.get(id)) return !found.has(id);
        found.set(id, before.record);
        return false;
      });
      const stale = changed.filter((id) => versions.has(id));
      if (stale.length > 0) await db.read((reader) => readInto(app, reader, stale, found));
      for (const [id, record] of found) {
        const version = versions.get(id);
        if (version !== undefined) remembered.set(id, { version, snapshot, record });
      }
      return asked.map((id) => found.get(id));
    },
  });
}

async function readInto(
  app: ReadRecordsApp,
  reader: Reader,
  ids: readonly string[],
  found: Map<string, CheckoutRecord>,
): Promise<void> {
  for (const record of await readStoredRecords(app, reader, ids)) found.set(record.id, record);
}

/** Reads the records as they are stored, without those in memory. */
export function readStoredRecords(
  app: ReadRecordsApp,
  reader: Reader,
  ids: readonly string[],
): Promise<CheckoutRecord[]> {
  const checkouts = selectCheckouts(reader, sql`where id = any(${ids}::text[])`);
  return readRecords(app, reader, ids, checkouts);
}
