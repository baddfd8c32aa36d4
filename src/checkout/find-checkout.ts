// Reads a checkout with everything that is known about it. What is asked for at the same time is
// read together, one statement a table, and what did not change since it was read is not read
// again: of that only its version is asked for.

import { anchorDepositsVersion, listAnchorDepositsByPurpose } from '#anchor/anchor-deposit.ts';
import type { Owner } from '#catalog/owner.ts';
import { listReceiptsByPurpose, receiptsVersion } from '#chain/receipt.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import type { Row } from '#db/table.ts';
import {
  type InstructionKeys,
  listInstructionsByPurpose,
  listPurposeIds,
} from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import { createBatch } from '#runtime/batch.ts';
import {
  CHECKOUT,
  CHECKOUT_STATE_CHANGE,
  type Checkout,
  type CheckoutRecord,
  lockCheckoutRow,
  selectCheckouts,
} from './checkout.ts';
import { listCheckoutRefunds } from './checkout-refund.ts';
import {
  joinCommitment,
  listCommitmentRows,
  listPastWindows,
  listWindowRates,
} from './commitment.ts';
import { creditKey, listReceiptCredits, ratesOfCredit } from './credit.ts';
import { pageTokenHash } from './page-token.ts';

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

/** Ids of those of a merchant that were to be paid to one of these destinations. */
export function listCheckoutsPaidAt(
  reader: Reader,
  owner: Owner,
  destinations: readonly string[],
): Promise<string[]> {
  return listPurposeIds(reader, owner, { purpose: 'checkout', destinations });
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

const LOOK_UPS = new WeakMap<Db, LookUp>();
const LOOK_UPS_AT_ONCE = 1;
const CHECKOUTS_PER_LOOK_UP = 50;

/** For the operator: any checkout. */
export function findAnyCheckout(
  app: FindCheckoutApp,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const lookUp = LOOK_UPS.get(app.db) ?? openLookUp(app);
  LOOK_UPS.set(app.db, lookUp);
  return lookUp(id);
}

function openLookUp({ db, keyring, networks }: FindCheckoutApp): LookUp {
  const app = { keyring, networks };
  const remembered = createRememberedRecords();
  /** Whether nothing had been written when somebody looked last: then that is asked alone. */
  let isQuiet = false;
  return createBatch({
    most: CHECKOUTS_PER_LOOK_UP,
    atOnce: LOOK_UPS_AT_ONCE,
    async run(asked: readonly string[]) {
      if (isQuiet) {
        const kept = asked.map((id) => remembered.get(id));
        const since = commonSnapshot(kept);
        if (since !== undefined && (await isUnchanged(db, since))) {
          return kept.map((one) => one?.record);
        }
      }
      const ids = [...new Set(asked)];
      const found = new Map<string, CheckoutRecord>();
      const known = new Map(ids.map((id) => [id, remembered.get(id)]));
      const unknown = ids.filter((id) => known.get(id) === undefined);
      const unchangedSince = commonSnapshot([...known.values()]);
      const read = await db.read(async (reader) => {
        // The versions are read first, so that the next look-up notices a change between the two
        // reads.
        const [versions] = await Promise.all([
          readRecordVersions(reader, ids, unchangedSince),
          unknown.length > 0 && readInto(app, reader, unknown, found),
        ]);
        return versions;
      });
      isQuiet = read === undefined;
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

const STANDING = CHECKOUT.only('id', 'state', 'flags', 'quotedUntil', 'completedAt');

/** How each of them stands, for whoever has opened them. */
export function listStandings(
  reader: Reader,
  ids: readonly string[],
): Promise<Row<typeof STANDING>[]> {
  return STANDING.select(reader, sql`where id = any(${ids}::text[])`);
}

export type ReadRecordsApp = {
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

/**
 * `checkouts` of these ids, read or locked by whoever asks; they may come later than the statements
 * here, which then travel together with theirs.
 */
export async function readRecords(
  app: ReadRecordsApp,
  reader: Reader,
  ids: readonly string[],
  checkouts: Promise<readonly Checkout[]>,
): Promise<CheckoutRecord[]> {
  const [found, commitments, windows, instructions, receipts, anchored, credits, refunds, changes] =
    await Promise.all([
      checkouts,
      listCommitmentRows(reader, ids),
      listPastWindows(reader, ids),
      listInstructionsByPurpose(app, reader, 'checkout', ids),
      listReceiptsByPurpose(reader, 'checkout', ids),
      listAnchorDepositsByPurpose(reader, 'checkout', ids),
      listReceiptCredits(reader, ids),
      listCheckoutRefunds(reader, ids),
      CHECKOUT_STATE_CHANGE.select(
        reader,
        sql`where checkout_id = any(${ids}::text[]) order by version`,
      ),
    ]);
  return found.map((checkout) => ({
    ...checkout,
    commitments: commitments
      .filter(({ checkoutId }) => checkoutId === checkout.id)
      .map((commitment) =>
        joinCommitment(
          commitment,
          windows,
          instructions.get(checkout.id) ?? [],
          app.networks,
          checkout.environment,
        ),
      ),
    receipts: receipts.filter(({ purposeId }) => purposeId === checkout.id),
    anchorDeposits: anchored.filter(({ instructionId }) =>
      instructions.get(checkout.id)?.some(({ id }) => id === instructionId),
    ),
    credits: credits.filter(({ checkoutId }) => checkoutId === checkout.id),
    refunds: refunds.filter(({ checkoutId }) => checkoutId === checkout.id),
    stateHistory: changes.filter(({ checkoutId }) => checkoutId === checkout.id),
  }));
}

type RememberedRecord = {
  readonly version: string;
  /**
   * The snapshot at which the version was last found unchanged. While it stays the same, nothing
   * was written.
   */
  readonly snapshot: string;
  readonly record: CheckoutRecord;
};

type RememberedRecords = {
  get(id: string): RememberedRecord | undefined;
  set(id: string, remembered: RememberedRecord): void;
};

/** That at which all of them were found unchanged; undefined: there is none. */
function commonSnapshot(known: readonly (RememberedRecord | undefined)[]): string | undefined {
  const snapshot = known[0]?.snapshot;
  return known.every((one) => one?.snapshot === snapshot) ? snapshot : undefined;
}

const RECORDS_MOST = 1_000;

/**
 * Checkouts as they were last read. A record is given again only after the database said, in this
 * very look-up, that none of its rows changed since.
 */
function createRememberedRecords(): RememberedRecords {
  // In two halves, so that a use costs one look: what nobody used while the newer half filled
  // leaves with the older one.
  let newer = new Map<string, RememberedRecord>();
  let older = newer;
  function set(id: string, remembered: RememberedRecord): void {
    if (newer.size >= RECORDS_MOST / 2 && !newer.has(id)) {
      older = newer;
      newer = new Map();
    }
    newer.set(id, remembered);
  }
  return {
    get(id) {
      const found = newer.get(id);
      if (found !== undefined) return found;
      const before = older.get(id);
      if (before !== undefined) set(id, before);
      return before;
    },
    set,
  };
}

/**
 * Whether nothing was written in the whole database since. It comes to the same as a comparison of
 * the versions and is not the half of it, since those have five tables and this has none.
 */
async function isUnchanged(db: Db, since: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 where pg_current_snapshot()::text <> ${since}`);
  return rows.length === 0;
}

/**
 * A text that is another one after any change: the place of a row and the transaction that wrote
 * it, and the heights and brakes that confirmations are counted with. Commitments, credits and the
 * history are only ever written together with the row of their checkout, credits of a refund with
 * the refund. Everything that `readRecords` reads must be in it; check-invariants.ts of the tests
 * compares what is remembered with what is stored.
 */
type RecordVersions = {
  /** Of the transactions that had ended: while it is the same, nothing at all was written. */
  readonly snapshot: string;
  readonly versions: ReadonlyMap<string, string>;
};

/**
 * Undefined when nothing was written in the whole database since `unchangedSince`, which is asked
 * for free. Only for checkouts that exist: none is ever deleted.
 */
async function readRecordVersions(
  reader: Reader,
  ids: readonly string[],
  unchangedSince: string | undefined,
): Promise<RecordVersions | undefined> {
  const rows = await reader.query<{ id: string; version: string; snapshot: string }>(sql`
    select c.id, pg_current_snapshot()::text as snapshot,
      concat_ws('/', c.xmin::text, c.ctid::text,
      ${receiptsVersion('checkout', sql`c.id`)},
      (select string_agg(concat(f.xmin::text, f.ctid::text, t.xmin::text, t.ctid::text), '')
        from refund f left join transfer t on t.id = f.transfer_id where f.checkout_id = c.id),
      ${anchorDepositsVersion('checkout', sql`c.id`)}) as version
    from checkout c
    where (select pg_current_snapshot()::text) <> ${unchangedSince ?? ''}
      and c.id = any(${ids}::text[])`);
  const [first] = rows;
  if (first === undefined && unchangedSince !== undefined) return undefined;
  return {
    snapshot: first?.snapshot ?? '',
    versions: new Map(rows.map(({ id, version }) => [id, version])),
  };
}

/**
 * The checkout as it stands, held until the transaction ends: nothing is settled, cancelled or
 * refunded meanwhile. Undefined also for one of another merchant or environment (E9).
 */
export async function lockCheckout(
  app: ReadRecordsApp,
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const checkout = await lockCheckoutRow(tx, id);
  if (checkout?.merchantId !== owner.merchantId || checkout.environment !== owner.environment) {
    return undefined;
  }
  const [record] = await readRecords(app, tx, [id], Promise.resolve([checkout]));
  return record;
}

/** The prices by which each of its credits was valued, by `creditKey`: of its window, of then. */
export async function listCreditRates(
  reader: Reader,
  { id, credits }: Pick<CheckoutRecord, 'id' | 'credits'>,
): Promise<ReadonlyMap<string, CreditRates>> {
  const windows = credits.length === 0 ? [] : await listWindowRates(reader, id);
  const rated = credits.map((credit) => {
    const { openedAt, rateIds } = ratesOfCredit(credit);
    const window = windows.find(
      ({ network, assetId, committedAt }) =>
        network === credit.network &&
        assetId === credit.assetId &&
        openedAt !== undefined &&
        committedAt.equals(openedAt),
    );
    const rates = { openedAt, ofWindow: window?.rateIds ?? [], ofThen: rateIds };
    return [creditKey(credit), rates] as const;
  });
  return new Map(rated);
}

type CreditRates = {
  readonly openedAt: Temporal.Instant | undefined;
  readonly ofWindow: readonly bigint[];
  readonly ofThen: readonly bigint[];
};
