// Proves the ledger from its rows alone, as if no constraint or trigger existed: they can be
// switched off by whoever owns the database, and a disk can lie. Reads only, may run beside live
// traffic, in statements that each look at a range of rows, whatever the size of the ledger. Holds
// one batch, a bounded list of faults and one sum for each account in memory.
import { type Db, type Reader, sql } from '#db/db.ts';
import { checkEntry } from './check-entry.ts';
import { findTopEntry, listEntriesAfter, type PostedEntry } from './post-entry.ts';
import {
  type EventDigest,
  FIRST_PREVIOUS_HASH,
  hashDigests,
  hashSeal,
  listDigestsAfter,
  listSealsAfter,
  type Seal,
  type SealHead,
} from './seal-entries.ts';
import { verifyBalances } from './verify-balances.ts';
import { type Proof, type Tally, wholeProof } from './verify-checkpoint.ts';
import { verifyDays } from './verify-days.ts';

type Verification = {
  readonly ok: boolean;
  readonly entries: bigint;
  readonly postings: bigint;
  /** Undefined where their balances were left out. */
  readonly accounts: bigint | undefined;
  readonly seals: bigint;
  readonly head: SealHead | undefined;
  /** When events were sealed for the first time; undefined when none is. */
  readonly eventsSince: Temporal.Instant | undefined;
  /** A sentence each; at most 100, then one that says how many more. */
  readonly faults: readonly string[];
};

/** Told after each statement how far the proof is, in words for a person who waits. */
type OnProgress = (step: string) => void;

type Faults = { readonly list: string[]; count: number };

const BATCH_SIZE = 500;
const CAUSES_AT_ONCE = 1_000;
const FAULTS_MAX = 100;

/**
 * Every invariant of the ledger (L1 to L7, L12), its sums by day (L13), the chain of seals (L11)
 * and the digests of events that it covers (W5). `proof`: how far it had come before; without one
 * it begins at the first.
 */
export async function verifyLedger(
  db: Db,
  onProgress: OnProgress = () => undefined,
  proof: Proof = wholeProof(),
): Promise<Verification> {
  const faults: Faults = { list: [], count: 0 };
  const tell = (fault: string) => note(faults, fault);
  const { sums } = proof;
  const accounts = sums && (await verifyBalances(db, { sums, walks: proof }, tell, onProgress));
  if (sums) await verifyDays(db, tell, onProgress);
  await verifyCauses(db, { proof, faults, tell, onProgress });
  const chain = await verifyEntries(db, { proof, faults, onProgress });
  const unsaid = faults.count - faults.list.length;
  if (unsaid > 0) faults.list.push(`and ${unsaid} more faults`);
  return { ok: faults.count === 0, accounts, ...chain, faults: faults.list };
}

type Step = {
  readonly proof: Proof;
  readonly faults: Faults;
  readonly onProgress: OnProgress;
};

async function verifyCauses(
  db: Db,
  { proof, faults, tell, onProgress }: Step & { readonly tell: (fault: string) => void },
): Promise<void> {
  type Repeated = { readonly causeKey: string; readonly times: bigint };
  const tellRepeated = ({ causeKey, times }: Repeated) =>
    tell(`L7: ${times} entries have the cause key ${causeKey}`);
  if (!(await hasIndexOfCauses(db))) {
    tell(
      'L7: the unique index of cause keys is missing: nothing keeps an act from being posted twice',
    );
    (await listRepeatedCauses(db, FAULTS_MAX)).forEach(tellRepeated);
    return;
  }
  const most = await findTopEntry(db);
  for (let after = proof.from('causes'); ; ) {
    const range = { after, most, limit: CAUSES_AT_ONCE };
    const { upTo, repeated } = await listRepeatedCausesAfter(db, range);
    repeated.forEach(tellRepeated);
    if (upTo === null) return;
    after = upTo;
    proof.reached('causes', upTo, faults.count === 0);
    onProgress(`causes of entries up to ${upTo} were looked up`);
  }
}

/** Walks the entries once by row number, and the seals beside them. */
async function verifyEntries(
  db: Db,
  { proof, faults, onProgress }: Step,
): Promise<Pick<Verification, 'entries' | 'postings' | 'seals' | 'head' | 'eventsSince'>> {
  let { entries, postings } = proof.tally;
  const take = (rows: readonly PostedEntry[]) => {
    for (const row of rows) {
      entries += 1n;
      postings += BigInt(row.units?.length ?? 0);
      for (const fault of checkEntry(row)) note(faults, fault);
    }
    const last = rows.at(-1);
    if (last !== undefined) onProgress(`entries up to ${last.id} were compared with their seals`);
  };
  const counted = () => ({ entries, postings });
  const { seals, last, eventsSince } = await verifySeals(db, { proof, faults, take, counted });
  const upTo = await findTopEntry(db);
  let after = last?.lastEntry ?? 0n;
  for (;;) {
    const rows = await listEntriesAfter(db, { after, upTo, limit: BATCH_SIZE });
    take(rows);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH_SIZE) break;
  }
  const head = last && { number: last.number, lastEntry: last.lastEntry, hash: last.hash.toHex() };
  return { entries, postings, seals, head, eventsSince };
}

async function verifySeals(
  db: Db,
  walk: Omit<Step, 'onProgress'> & {
    readonly take: (rows: readonly PostedEntry[]) => void;
    readonly counted: () => Pick<Tally, 'entries' | 'postings'>;
  },
): Promise<Pick<Tally, 'seals' | 'eventsSince'> & { readonly last: Seal | undefined }> {
  const { proof, faults, take, counted } = walk;
  let { seals, eventsSince } = proof.tally;
  let last = proof.seal;
  for (;;) {
    const batch = await listSealsAfter(db, last?.number ?? 0n, BATCH_SIZE);
    for (const seal of batch) {
      seals += 1n;
      const range = { after: last?.lastEntry ?? 0n, upTo: seal.lastEntry };
      // One more than was sealed, to notice an entry that was added to the range.
      const rows = await listEntriesAfter(db, { ...range, limit: seal.entryCount + 1 });
      take(rows);
      checkSeal(seal, last, rows, faults);
      if (seal.eventsHash !== undefined) await verifyDigests(db, seal, last, faults);
      if (seal.eventCount > 0) eventsSince ??= seal.sealedAt;
      last = seal;
      proof.reachedSeal(seal, { ...counted(), seals, eventsSince }, faults.count === 0);
    }
    if (batch.length < BATCH_SIZE) return { seals, last, eventsSince };
  }
}

function checkSeal(
  seal: Seal,
  previous: Seal | undefined,
  rows: readonly PostedEntry[],
  faults: Faults,
): void {
  const name = `seal ${seal.number}`;
  if (seal.number !== (previous?.number ?? 0n) + 1n) {
    note(faults, `L11: the chain has a gap before ${name}`);
  }
  const previousHash = previous?.hash ?? FIRST_PREVIOUS_HASH;
  if (Buffer.compare(seal.previousHash, previousHash) !== 0) {
    note(faults, `L11: ${name} does not follow from the seal before it`);
  }
  if (rows.length !== seal.entryCount) {
    const found = rows.length > seal.entryCount ? 'more are there' : `${rows.length} are there`;
    note(faults, `L11: ${name} covers ${seal.entryCount} entries, ${found}`);
  } else if (Buffer.compare(seal.hash, hashSeal(seal, rows)) !== 0) {
    note(faults, `L11: an entry up to ${seal.lastEntry} was changed after ${name} was made`);
  }
}

/** Of the events that were sealed with it. */
async function verifyDigests(
  reader: Reader,
  seal: Seal,
  previous: Seal | undefined,
  faults: Faults,
): Promise<void> {
  const after = previous?.lastEvent ?? 0n;
  const { lastEvent: upTo, eventCount } = seal;
  const isNone = eventCount === 0 && upTo === after;
  const digests: EventDigest[] = isNone
    ? []
    : await listDigestsAfter(reader, { after, upTo, limit: eventCount + 1 });
  if (digests.length !== eventCount) {
    const found = digests.length > eventCount ? 'more are there' : `${digests.length} are there`;
    note(faults, `W5: seal ${seal.number} covers the digests of ${eventCount} events, ${found}`);
  } else if (Buffer.compare(seal.eventsHash ?? new Uint8Array(), hashDigests(digests)) !== 0) {
    const name = `the digest of an event up to number ${upTo}`;
    note(faults, `W5: ${name} was changed after seal ${seal.number} was made`);
  }
}

function note(faults: Faults, fault: string): void {
  faults.count += 1;
  if (faults.list.length < FAULTS_MAX) faults.list.push(fault);
}

/**
 * Without this index a cause key cannot be looked up, and nothing would keep it from being used
 * twice.
 */
async function hasIndexOfCauses(reader: Reader): Promise<boolean> {
  const found = await reader.query(sql`
    select 1 from pg_index i join pg_attribute a
      on a.attrelid = i.indrelid and a.attname = 'cause_key' and i.indkey::text = a.attnum::text
    where i.indrelid in (select 'ledger_entry'::regclass::oid
        -- On a worker of Citus that is a view of the table (postgres/name-on-worker.ts).
        union all select d.refobjid from pg_rewrite r join pg_depend d on d.objid = r.oid
          and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
        where r.ev_class = 'ledger_entry'::regclass)
      and i.indisunique and i.indisvalid and i.indisready and i.indpred is null`);
  return found.length > 0;
}

/** Of the next entries: the first one of several with the same cause key, and how many they are. */
async function listRepeatedCausesAfter(
  reader: Reader,
  range: { readonly after: bigint; readonly most: bigint; readonly limit: number },
): Promise<{
  readonly upTo: bigint | null;
  readonly repeated: readonly { readonly causeKey: string; readonly times: bigint }[];
}> {
  const { after, most, limit } = range;
  const rows = await reader.query<{ upTo: bigint; causeKey: string | null; times: bigint }>(sql`
    with batch as materialized (
      select id, cause_key from ledger_entry where id > ${after} and id <= ${most}
      order by id limit ${limit})
    select (select max(id) from batch) as "upTo", found."causeKey", found.times
    from (select 1) as one left join lateral (
      select batch.cause_key as "causeKey", same.times
      from batch cross join lateral (
        select count(*) as times, min(id) as first from ledger_entry e
        where e.cause_key = batch.cause_key) same
      where same.times > 1 and same.first = batch.id) found on true`);
  return {
    upTo: rows[0]?.upTo ?? null,
    repeated: rows.flatMap(({ causeKey, times }) => (causeKey === null ? [] : { causeKey, times })),
  };
}

/** One statement over all entries: where there is no index, any other way is worse. */
function listRepeatedCauses(
  reader: Reader,
  limit: number,
): Promise<{ causeKey: string; times: bigint }[]> {
  return reader.query(sql`
    select cause_key as "causeKey", count(*) as times from ledger_entry
    group by cause_key having count(*) > 1 order by cause_key limit ${limit}`);
}
