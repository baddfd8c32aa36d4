// How the database is filled faster than a shop could: nothing is synced, no index that grows in no
// order is kept while rows are copied, and what was copied is vacuumed while it is still in memory.
// Guarantees: at the end the schema is what the migrations made, and every index is whole; the
// server is started anew with the service's own settings before anything is measured.

import { type Db, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

/** A crash of the machine may destroy what is there: then the directory is filled anew. */
export const FILLING_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'wal_buffers=256MB',
  'max_wal_size=2GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
  'shared_buffers=4GB',
  // Several indexes are made at once.
  'maintenance_work_mem=1GB',
  'work_mem=128MB',
];

/**
 * Whose keys are hashes: each row goes to another page, and all of them do not fit into memory. The
 * others grow at one end, or have no row of a paid checkout, and cost less than to read their
 * tables once more.
 */
const HASHED_INDEXES = [
  'checkout_page_token_hash_key',
  'checkout_pkey',
  'checkout_state_change_pkey',
  'deposit_instruction_chain_destination_key',
  'deposit_instruction_destination_hash',
  'deposit_instruction_of_purpose',
  'deposit_instruction_pkey',
  'commitment_pkey',
  'commitment_instruction_id_key',
  'receipt_chain_credit_key_key',
  'receipt_transaction',
  'receipt_purpose',
  'receipt_credit_checkout',
  'ledger_entry_subject',
  'event_cause_key_key',
  'event_subject_subject_id_sequence_key',
  'event_pkey',
  'webhook_delivery_event',
];
const MADE_AT_ONCE = 2;

/**
 * From here on no row is added to them, and no query uses them. They are not dropped, so that
 * constraints and foreign keys stay as they are.
 */
export async function stopIndexes(db: Db): Promise<void> {
  await db.transact(async (tx) => {
    const stopped = await tx.query(sql`
      update pg_index set indisready = false, indisvalid = false
      where indexrelid in (select oid from pg_class where relkind = 'i'
        and relnamespace = 'public'::regnamespace and relname = any(${HASHED_INDEXES}::text[]))
      returning indexrelid`);
    if (stopped.length !== HASHED_INDEXES.length) throw new Error('an index has another name now');
  });
}

/** Makes those that were stopped, of all rows. A run after a killed one makes only the rest. */
export async function makeIndexes(db: Db, say: (line: string) => void): Promise<void> {
  const stopped = await listStopped(db);
  const made = async () => {
    for (let index = stopped.shift(); index !== undefined; index = stopped.shift()) {
      const startMs = performance.now();
      // Unique ones are refused here when a row is there twice.
      await run(db, `reindex index ${index}`);
      say(`${index} was made in ${Math.round((performance.now() - startMs) / 1000)} s`);
    }
  };
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, made));
  const left = await listStopped(db);
  if (left.length > 0) throw new Error(`${left.join()} are not whole`);
}

/** The large ones first: at the end both workers are done at about the same time. */
async function listStopped(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not (i.indisready and i.indisvalid)
    order by pg_relation_size(i.indrelid) desc, name`);
  return rows.map(({ name }) => name);
}

/** Of what was not vacuumed yet: while it is in memory, no page has to be read or written for it. */
export async function vacuumCopied(db: Db, tables: readonly string[]): Promise<void> {
  await run(db, `vacuum (truncate off, index_cleanup off) ${tables.join()}`);
}

export async function run(db: Db, statement: string): Promise<void> {
  await db.single((tx) => tx.query(rawStatement(statement)));
}

/**
 * Into the memory of the machine: what is new goes to any page of them, and so does who looks for an id.
 * A shop that is open has them there, as long as they fit. Twice, since the kernel soon lets go of what
 * was asked for only once. Answers how many bytes they have.
 */
export async function readHashedIndexes(db: Db): Promise<number> {
  await run(db, 'create extension if not exists pg_prewarm');
  let bytes = 0;
  for (const index of [...HASHED_INDEXES, ...HASHED_INDEXES]) {
    const [read] = await db.transact((tx) => {
      tx.send(sql`set local statement_timeout = 0`);
      return tx.query<{ bytes: bigint }>(sql`
        select pg_prewarm(${index}::regclass, 'read') * current_setting('block_size')::bigint as bytes`);
    });
    bytes += Number(read?.bytes ?? 0n);
  }
  return bytes / 2;
}
