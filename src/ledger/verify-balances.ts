// Balances against postings (L3 to L6) in statements that each look at a range of rows. Postings
// are summed by account up to an entry below which none can appear any more; then each balance is
// compared with that sum and the few postings that came later, read in the same statement. So the
// sums of many moments are compared with a balance of one.
import { systemClock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import { accountText } from './account.ts';
import { findSealHead, findSettledTop } from './seal-entries.ts';
import {
  type CheckedAccount,
  listAccountsAfter,
  listOrphanPostings,
  type SumOfRange,
  sumPostingsAfter,
} from './verify-store.ts';

type Tell = (fault: string) => void;
type Sum = { units: bigint; reversed: bigint };
type Sums = Map<bigint, Sum>;

const postingsAtOnce = 5_000;
const accountsAtOnce = 500;
const orphansMax = 100;
/**
 * If more entries than this came while the others were summed, they are summed too before balances
 * are compared.
 */
const laterMost = 1_000n;

/** Gives the number of accounts. */
export async function verifyBalances(
  db: Db,
  tell: Tell,
  onProgress: (step: string) => void,
): Promise<bigint> {
  const sums: Sums = new Map();
  let settled = 0n;
  for (;;) {
    const next = await findSettled(db, settled);
    await sumUpTo(next);
    const isNear = next - settled <= laterMost;
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
      for (const row of rows) addTo(sums, row);
      await tellOrphans(rows, range);
      onProgress(`postings of entries up to ${range.upTo} of ${most} were summed`);
    });
  }

  async function tellOrphans(rows: readonly SumOfRange[], range: PostingRange): Promise<void> {
    if (rows.every(({ orphans }) => orphans === 0n)) return;
    for (const { entryId, lines } of await listOrphanPostings(db, {
      ...range,
      limit: orphansMax,
    })) {
      tell(`L3: entry ${entryId} is missing but ${lines} postings of it exist`);
    }
  }
}

/** At least `known`. When a writer lingers, what is sealed already: sealing waited for writers. */
async function findSettled(db: Db, known: bigint): Promise<bigint> {
  const sealed = (await findSealHead(db))?.lastEntry ?? 0n;
  const least = sealed > known ? sealed : known;
  return (await findSettledTop({ db, clock: systemClock }, least)) ?? least;
}

type PostingRange = { readonly after: bigint; readonly upTo: bigint };

async function walkPostings(
  db: Db,
  walk: { readonly after: bigint; readonly most: bigint | undefined },
  take: (rows: readonly SumOfRange[], range: PostingRange) => Promise<void>,
): Promise<void> {
  let { after } = walk;
  for (;;) {
    const rows = await sumPostingsAfter(db, { after, most: walk.most, limit: postingsAtOnce });
    const upTo = rows[0]?.upTo;
    if (upTo === undefined) return;
    await take(rows, { after, upTo });
    after = upTo;
    // The proof must end however much is posted while it runs.
    const postings = rows.reduce((sum, row) => sum + row.postings, 0n);
    if (postings < postingsAtOnce) return;
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
    const rows = await listAccountsAfter(db, { after, settled, limit: accountsAtOnce });
    for (const row of rows) {
      accounts += 1n;
      after = row.id;
      checkAccount(row, sums.get(row.id) ?? { units: 0n, reversed: 0n }, tell);
      const total = `${row.environment} accounts in ${row.assetId}`;
      totals.set(total, (totals.get(total) ?? 0n) + row.balanceUnits - row.laterUnits);
    }
    onProgress(`the balances of ${accounts} accounts were compared`);
    if (rows.length < accountsAtOnce) break;
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
