// Proves the ledger from its rows alone, as if no constraint or trigger existed: they can be
// switched off by whoever owns the database, and a disk can lie. Reads only, may run beside live
// traffic, and holds one batch and a bounded list of faults in memory, whatever the size of the
// ledger.
import type { Db } from '#db/db.ts';
import { accountText } from './account.ts';
import { checkEntry } from './check-entry.ts';
import { listEntriesAfter, listSealsAfter, type PostedRow, type SealRow } from './ledger-store.ts';
import { firstPreviousHash, hashEntries, type SealHead } from './seal-entries.ts';
import {
  type CheckedAccount,
  findTopEntry,
  listAccountsAfter,
  listOrphanPostings,
  listRepeatedCauses,
  listUnbalancedAssets,
} from './verify-store.ts';

export type Verification = {
  readonly ok: boolean;
  readonly entries: bigint;
  readonly postings: bigint;
  readonly accounts: bigint;
  readonly seals: bigint;
  readonly head: SealHead | undefined;
  /** A sentence each; at most 100, then one that says how many more. */
  readonly faults: readonly string[];
};

type Faults = { readonly list: string[]; count: number };

const batchSize = 500;
const faultsMax = 100;

/** Every invariant of the ledger (L1 to L7, L12) and the chain of seals (L11). */
export async function verifyLedger(db: Db): Promise<Verification> {
  const faults: Faults = { list: [], count: 0 };
  const accounts = await verifyAccounts(db, faults);
  for (const { environment, assetId, units } of await listUnbalancedAssets(db, faultsMax)) {
    note(
      faults,
      `L5: all ${environment} accounts in ${assetId} sum to ${units} units, not to zero`,
    );
  }
  for (const { entryId, lines } of await listOrphanPostings(db, faultsMax)) {
    note(faults, `L3: entry ${entryId} is missing but ${lines} postings of it exist`);
  }
  for (const { causeKey, times } of await listRepeatedCauses(db, faultsMax)) {
    note(faults, `L7: ${times} entries have the cause key ${causeKey}`);
  }
  const chain = await verifyEntries(db, faults);
  const unsaid = faults.count - faults.list.length;
  if (unsaid > 0) faults.list.push(`and ${unsaid} more faults`);
  return { ok: faults.count === 0, accounts, ...chain, faults: faults.list };
}

async function verifyAccounts(db: Db, faults: Faults): Promise<bigint> {
  let count = 0n;
  let after = 0n;
  for (;;) {
    const rows = await listAccountsAfter(db, after, batchSize);
    for (const row of rows) {
      count += 1n;
      checkAccount(row, faults);
      after = row.id;
    }
    if (rows.length < batchSize) return count;
  }
}

function checkAccount(row: CheckedAccount, faults: Faults): void {
  const name = `account ${row.id} (${accountText({ ...row, merchantId: row.merchantId ?? undefined })})`;
  if (row.balanceUnits !== row.postedUnits) {
    note(
      faults,
      `L4: ${name} has a balance of ${row.balanceUnits} units, its postings sum to ${row.postedUnits}`,
    );
  }
  const isClaim = row.code === 'merchant:owed';
  if (isClaim && row.balanceUnits < 0n) {
    note(faults, `L6: ${name} says that ${-row.balanceUnits} units more were paid than owed`);
  }
  const mayOwe = row.merchantId === null || isClaim;
  if (!mayOwe && row.balanceUnits > row.reversedUnits) {
    note(
      faults,
      `L6: ${name} is overdrawn by ${row.balanceUnits} units, reversals took ${row.reversedUnits}`,
    );
  }
}

/** Walks the entries once by row number, and the seals beside them. */
async function verifyEntries(
  db: Db,
  faults: Faults,
): Promise<Pick<Verification, 'entries' | 'postings' | 'seals' | 'head'>> {
  let entries = 0n;
  let postings = 0n;
  const take = (rows: readonly PostedRow[]) => {
    for (const row of rows) {
      entries += 1n;
      postings += BigInt(row.units?.length ?? 0);
      for (const fault of checkEntry(row)) note(faults, fault);
    }
  };
  const { seals, last } = await verifySeals(db, faults, take);
  const upTo = await findTopEntry(db);
  let after = last?.lastEntry ?? 0n;
  for (;;) {
    const rows = await listEntriesAfter(db, { after, upTo, limit: batchSize });
    take(rows);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < batchSize) break;
  }
  const head = last && { number: last.number, lastEntry: last.lastEntry, hash: last.hash.toHex() };
  return { entries, postings, seals, head };
}

async function verifySeals(
  db: Db,
  faults: Faults,
  take: (rows: readonly PostedRow[]) => void,
): Promise<{ seals: bigint; last: SealRow | undefined }> {
  let seals = 0n;
  let last: SealRow | undefined;
  for (;;) {
    const batch = await listSealsAfter(db, last?.number ?? 0n, batchSize);
    for (const seal of batch) {
      seals += 1n;
      const range = { after: last?.lastEntry ?? 0n, upTo: seal.lastEntry };
      // One more than was sealed, to notice an entry that was added to the range.
      const rows = await listEntriesAfter(db, { ...range, limit: seal.entryCount + 1 });
      take(rows);
      checkSeal(seal, last, rows, faults);
      last = seal;
    }
    if (batch.length < batchSize) return { seals, last };
  }
}

function checkSeal(
  seal: SealRow,
  previous: SealRow | undefined,
  rows: readonly PostedRow[],
  faults: Faults,
): void {
  const name = `seal ${seal.number}`;
  if (seal.number !== (previous?.number ?? 0n) + 1n) {
    note(faults, `L11: the chain has a gap before ${name}`);
  }
  const previousHash = previous?.hash ?? firstPreviousHash;
  if (Buffer.compare(seal.previousHash, previousHash) !== 0) {
    note(faults, `L11: ${name} does not follow from the seal before it`);
  }
  if (rows.length !== seal.entryCount) {
    const found = rows.length > seal.entryCount ? 'more are there' : `${rows.length} are there`;
    note(faults, `L11: ${name} covers ${seal.entryCount} entries, ${found}`);
  } else if (Buffer.compare(seal.hash, hashEntries(seal.number, seal.previousHash, rows)) !== 0) {
    note(faults, `L11: an entry up to ${seal.lastEntry} was changed after ${name} was made`);
  }
}

function note(faults: Faults, fault: string): void {
  faults.count += 1;
  if (faults.list.length < faultsMax) faults.list.push(fault);
}
