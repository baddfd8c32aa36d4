// Balances against postings (L3 to L6) in statements that each look at a range of rows. Postings
// are summed by account up to an entry below which none can appear any more; then each balance is
// compared with that sum and the few postings that came later, read in the same statement. So the
// sums of many moments are compared with a balance of one.
import { systemClock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { type AccountCode, accountText } from './account.ts';
import { ENTRY_NUMBERS } from './post-entry.ts';
import { findSealHead } from './seal-entries.ts';
import type { Sum, Walks } from './verify-checkpoint.ts';

type Tell = (fault: string) => void;
type Sums = Map<bigint, Sum>;

const POSTINGS_AT_ONCE = 5_000;
const ACCOUNTS_AT_ONCE = 500;
const ORPHANS_MAX = 100;
/**
 * If more entries than this came while the others were summed, they are summed too before balances
 * are compared.
 */
const LATER_MOST = 1_000n;

/** Gives the number of accounts. `sums`: of the postings up to where that walk has come. */
export async function verifyBalances(
  db: Db,
  { sums, walks }: { readonly sums: Sums; readonly walks: Walks },
  tell: Tell,
  onProgress: (step: string) => void,
): Promise<bigint> {
  let settled = walks.from('postings');
  let isRight = true;
  for (;;) {
    const next = await findSettled(db, settled);
    await sumUpTo(next);
    const isNear = next - settled <= LATER_MOST;
    settled = next;
    if (isNear) break;
  }
  const accounts = await compareBalances(db, { sums, settled, tell, onProgress });
  // Postings above the last entry belong to no entry, or came while this ran.
  await walkPostings(db, { after: settled, most: undefined }, (rows, range) =>
    tellOrphans(rows, range),
  );
  return accounts;

  async function sumUpTo(most: bigint): Promise<void> {
    await walkPostings(db, { after: settled, most }, async (rows, range) => {
      await tellOrphans(rows, range);
      for (const row of rows) addTo(sums, row);
      walks.reached('postings', range.upTo, isRight);
      onProgress(`postings of entries up to ${range.upTo} of ${most} were summed`);
    });
  }

  async function tellOrphans(rows: readonly SumOfRange[], range: PostingRange): Promise<void> {
    if (rows.every(({ orphans }) => orphans === 0n)) return;
    for (const { entryId, lines } of await listOrphanPostings(db, {
      ...range,
      limit: ORPHANS_MAX,
    })) {
      isRight = false;
      tell(`L3: entry ${entryId} is missing but ${lines} postings of it exist`);
    }
  }
}

/** At least `known`. When a writer lingers, what is sealed already: sealing waited for writers. */
async function findSettled(db: Db, known: bigint): Promise<bigint> {
  const sealed = (await findSealHead(db))?.lastEntry ?? 0n;
  const least = sealed > known ? sealed : known;
  return (await findSettledTop({ db, clock: systemClock }, ENTRY_NUMBERS, least)) ?? least;
}

type PostingRange = { readonly after: bigint; readonly upTo: bigint };

async function walkPostings(
  db: Db,
  walk: { readonly after: bigint; readonly most: bigint | undefined },
  take: (rows: readonly SumOfRange[], range: PostingRange) => Promise<void>,
): Promise<void> {
  let { after } = walk;
  for (;;) {
    const rows = await sumPostingsAfter(db, { after, most: walk.most, limit: POSTINGS_AT_ONCE });
    const upTo = rows[0]?.upTo;
    if (upTo === undefined) return;
    await take(rows, { after, upTo });
    after = upTo;
    // The proof must end however much is posted while it runs.
    const postings = rows.reduce((sum, row) => sum + row.postings, 0n);
    if (postings < POSTINGS_AT_ONCE) return;
  }
}

function addTo(sums: Sums, { accountId, units, reversed }: SumOfRange): void {
  const sum = sums.get(accountId);
  if (sum === undefined) sums.set(accountId, { units, reversed });
  else {
    sum.units += units;
    sum.reversed += reversed;
  }
}

async function compareBalances(
  db: Db,
  walk: {
    readonly sums: Sums;
    readonly settled: bigint;
    readonly tell: Tell;
    readonly onProgress: (step: string) => void;
  },
): Promise<bigint> {
  const { sums, settled, tell, onProgress } = walk;
  // Up to `settled` every asset sums to zero, whatever is posted while the accounts are read.
  const totals = new Map<string, bigint>();
  let accounts = 0n;
  let after = 0n;
  for (;;) {
    const rows = await listAccountsAfter(db, { after, settled, limit: ACCOUNTS_AT_ONCE });
    for (const row of rows) {
      accounts += 1n;
      after = row.id;
      checkAccount(row, sums.get(row.id) ?? { units: 0n, reversed: 0n }, tell);
      const total = `${row.environment} accounts in ${row.assetId}`;
      totals.set(total, (totals.get(total) ?? 0n) + row.balanceUnits - row.laterUnits);
    }
    onProgress(`the balances of ${accounts} accounts were compared`);
    if (rows.length < ACCOUNTS_AT_ONCE) break;
  }
  for (const [total, units] of totals) {
    if (units !== 0n) tell(`L5: all ${total} sum to ${units} units, not to zero`);
  }
  return accounts;
}

function checkAccount(row: CheckedAccount, sum: Sum, tell: Tell): void {
  const { balanceUnits } = row;
  const name = `account ${row.id} (${accountText({ ...row, merchantId: row.merchantId ?? undefined })})`;
  const postedUnits = sum.units + row.laterUnits;
  if (balanceUnits !== postedUnits) {
    tell(`L4: ${name} has a balance of ${balanceUnits} units, its postings sum to ${postedUnits}`);
  }
  const isClaim = row.code === 'merchant:owed';
  if (isClaim && balanceUnits < 0n) {
    tell(`L6: ${name} says that ${-balanceUnits} units more were paid than owed`);
  }
  const mayOwe = row.merchantId === null || isClaim;
  const reversed = sum.reversed + row.laterReversed;
  if (!mayOwe && balanceUnits > reversed) {
    tell(`L6: ${name} is overdrawn by ${balanceUnits} units, reversals took ${reversed}`);
  }
}

type SumOfRange = {
  readonly accountId: bigint;
  readonly units: bigint;
  /** What reversals took out of it, all together. */
  readonly reversed: bigint;
  /** Where the range ends. */
  readonly upTo: bigint;
  readonly postings: bigint;
  /** Postings whose entry is missing. */
  readonly orphans: bigint;
};

/**
 * What the next postings by number of their entry move, by account; nothing when none are left.
 * The entry is looked up in a scalar sub-query because that is always an index scan.
 */
function sumPostingsAfter(
  reader: Reader,
  range: {
    readonly after: bigint;
    /** Undefined: as far as there are any. */
    readonly most: bigint | undefined;
    /** Postings; the last entry is taken whole. */
    readonly limit: number;
  },
): Promise<SumOfRange[]> {
  const { after, most, limit } = range;
  const isBelow = most === undefined ? sql`` : sql`and entry_id <= ${most}`;
  return reader.query(sql`
    with last as materialized (
      select max(entry_id) as id from (
        select entry_id from ledger_posting where entry_id > ${after} ${isBelow}
        order by entry_id limit ${limit}) batch)
    select (select id from last) as "upTo", account_id as "accountId", sum(units) as units,
      coalesce(sum(units) filter (where units > 0 and is_reversal), 0) as reversed,
      count(*) as postings, count(*) filter (where is_reversal is null) as orphans
    from (
      select account_id, units,
        (select e.is_reversal from ledger_entry e where e.id = entry_id) as is_reversal
      from ledger_posting
      where entry_id > ${after} and entry_id <= (select id from last)) line
    group by account_id`);
}

type CheckedAccount = {
  readonly id: bigint;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly code: AccountCode;
  readonly assetId: string;
  readonly balanceUnits: bigint;
  /** Of the balance, what postings of entries above `settled` moved; and reversals among them. */
  readonly laterUnits: bigint;
  readonly laterReversed: bigint;
};

/** One statement, so that a balance and its later postings are of one moment. */
function listAccountsAfter(
  reader: Reader,
  range: { readonly after: bigint; readonly settled: bigint; readonly limit: number },
): Promise<CheckedAccount[]> {
  const { after, settled, limit } = range;
  // Of later postings two ends are named, because PostgreSQL takes what has one end for a third of
  // all, and reads all of them.
  return reader.query<CheckedAccount>(sql`
    with later as materialized (
      select account_id, sum(units) as units,
        sum(units) filter (where units > 0 and is_reversal) as reversed
      from (
        select account_id, units,
          (select e.is_reversal from ledger_entry e where e.id = entry_id) as is_reversal
        from ledger_posting where entry_id > ${settled}
          and entry_id <= (select max(entry_id) from ledger_posting)) line
      group by account_id)
    select a.account_id as id, a.environment, a.merchant_id as "merchantId", a.code,
      a.asset_id as "assetId", a.balance_units as "balanceUnits",
      coalesce(later.units, 0) as "laterUnits", coalesce(later.reversed, 0) as "laterReversed"
    from ledger_balance a left join later on later.account_id = a.account_id
    where a.account_id > ${after} order by a.account_id limit ${limit}`);
}

function listOrphanPostings(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<{ entryId: bigint; lines: bigint }[]> {
  return reader.query(sql`
    select entry_id as "entryId", count(*) as lines from ledger_posting p
    where entry_id > ${after} and entry_id <= ${upTo}
      and (select e.id from ledger_entry e where e.id = p.entry_id) is null
    group by entry_id order by entry_id limit ${limit}`);
}
