import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { Account } from './account.ts';
import type { Entry } from './ledger-entry.ts';

export function createAccountsStatement(accounts: readonly Account[]): Statement {
  return sql`
    insert into ledger_account (environment, merchant_id, code, asset_id)
    select * from unnest(
      ${accounts.map(({ environment }) => environment)}::text[],
      ${accounts.map(({ merchantId }) => merchantId ?? null)}::text[],
      ${accounts.map(({ code }) => code)}::text[],
      ${accounts.map(({ assetId }) => assetId)}::text[])
    on conflict do nothing`;
}

/**
 * The input is JSON, not arrays: the planner's guess about its size does not depend on the values,
 * so it settles on one plan instead of planning each time (a third of the cost of the statement).
 *
 * `line` finds each account by its natural key (the lateral makes it an index scan whatever the
 * planner believes about the size of the input). Balances move by the trigger of postings
 * (0036-ledger-balance.sql), in order of the accounts.
 *
 * An entry to be corrected that is not found becomes entry 0, which the foreign key refuses.
 */
export function postEntriesStatement(entries: readonly Entry[]): Statement {
  const lines = entries.flatMap(({ environment, postings }, entryIndex) =>
    postings.map(({ account, assetId, units }, index) => ({
      index: entryIndex,
      position: index + 1,
      environment,
      owner: account.merchantId ?? '',
      code: account.code,
      asset_id: assetId,
      units: `${units}`,
    })),
  );
  return sql`
    with entry as materialized (
      select * from json_to_recordset(${JSON.stringify(entries.map(entryInput))}::json) as entry (
        index int, cause_key text, kind text, environment text, merchant_id text, subject_id text,
        corrects_entry bigint, corrects_cause_key text, is_reversal boolean, evidence text,
        occurred_at timestamptz)
    ), line as materialized (
      select line.*, account.id as account_id
      from json_to_recordset(${JSON.stringify(lines)}::json) as line (
        index int, position int, environment text, owner text, code text, asset_id text,
        units numeric(78,0))
      left join lateral (
        select id from ledger_account a
        where a.environment = line.environment and a.owner = line.owner
          and a.code = line.code and a.asset_id = line.asset_id
        limit 1
      ) account on true
    ), posted_entry as (
      insert into ledger_entry (cause_key, kind, environment, merchant_id, subject_id,
                                corrects_entry, is_reversal, evidence, occurred_at)
      select cause_key, kind, environment, merchant_id, subject_id,
        case when corrects_cause_key is null then corrects_entry else coalesce(
          (select id from ledger_entry c where c.cause_key = entry.corrects_cause_key), 0) end,
        is_reversal, evidence, occurred_at
      from entry order by index
      returning id, cause_key
    )
    insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
    select posted_entry.id, position, account_id, asset_id, line.environment, owner, units
    from line join entry using (index) join posted_entry using (cause_key)`;
}

/** Row numbers travel as text: JSON numbers are not exact everywhere. */
function entryInput(entry: Entry, index: number): Record<string, unknown> {
  return {
    index,
    cause_key: entry.causeKey,
    kind: entry.kind,
    environment: entry.environment,
    merchant_id: entry.merchantId,
    subject_id: entry.subjectId,
    corrects_entry: entry.correctsEntry?.toString(),
    corrects_cause_key: entry.correctsCauseKey,
    is_reversal: entry.isReversal ?? false,
    evidence: entry.evidence,
    occurred_at: entry.occurredAt.toString(),
  };
}

/** An entry with its lines side by side in arrays; the arrays are null when it has none. */
export type PostedRow = {
  readonly id: bigint;
  readonly causeKey: string;
  readonly kind: string;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly subjectId: string | null;
  readonly correctsEntry: bigint | null;
  readonly correctedAt: Temporal.Instant | null;
  readonly isReversal: boolean;
  readonly evidence: string | null;
  readonly occurredAt: Temporal.Instant;
  readonly positions: readonly number[] | null;
  readonly assetIds: readonly string[] | null;
  readonly units: readonly bigint[] | null;
  /** Of the accounts. */
  readonly environments: readonly (string | null)[] | null;
  readonly merchantIds: readonly (string | null)[] | null;
  readonly codes: readonly (string | null)[] | null;
  readonly accountAssetIds: readonly (string | null)[] | null;
};

/** Entries of a sub-query over ledger_entry with their lines, by row number. */
export function entriesFrom(source: Statement): Statement {
  return sql`
    select e.id, e.cause_key as "causeKey", e.kind, e.environment, e.merchant_id as "merchantId",
      e.subject_id as "subjectId", e.corrects_entry as "correctsEntry",
      e.is_reversal as "isReversal", e.evidence, e.occurred_at as "occurredAt",
      (select c.occurred_at from ledger_entry c where c.id = e.corrects_entry) as "correctedAt",
      line.*
    from ${source} e cross join lateral (
      select array_agg(p.position order by p.position) as positions,
        array_agg(p.asset_id order by p.position) as "assetIds",
        array_agg(p.units order by p.position) as units,
        array_agg(a.environment order by p.position) as environments,
        array_agg(a.merchant_id order by p.position) as "merchantIds",
        array_agg(a.code order by p.position) as codes,
        array_agg(a.asset_id order by p.position) as "accountAssetIds"
      from ledger_posting p left join ledger_account a on a.id = p.account_id
      where p.entry_id = e.id
    ) line
    order by e.id`;
}

/** The next entries by row number: above `after`, at most `upTo`. */
export function listEntriesAfter(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<PostedRow[]> {
  return reader.query<PostedRow>(
    entriesFrom(sql`(
      select * from ledger_entry where id > ${after} and id <= ${upTo} order by id limit ${limit}
    )`),
  );
}

export type SealRow = {
  readonly number: bigint;
  readonly lastEntry: bigint;
  readonly entryCount: number;
  readonly previousHash: Uint8Array;
  readonly hash: Uint8Array;
};

const sealColumns = sql`number, last_entry as "lastEntry", entry_count as "entryCount",
  previous_hash as "previousHash", hash`;

export async function findLastSeal(reader: Reader): Promise<SealRow | undefined> {
  const [row] = await reader.query<SealRow>(sql`
    select ${sealColumns} from ledger_seal order by number desc limit 1`);
  return row;
}

export function listSealsAfter(reader: Reader, after: bigint, limit: number): Promise<SealRow[]> {
  return reader.query<SealRow>(sql`
    select ${sealColumns} from ledger_seal where number > ${after} order by number limit ${limit}`);
}

export async function insertSeal(tx: Tx, seal: SealRow, sealedAt: Temporal.Instant): Promise<void> {
  await tx.query(sql`
    insert into ledger_seal (number, last_entry, entry_count, previous_hash, hash, sealed_at)
    values (${seal.number}, ${seal.lastEntry}, ${seal.entryCount}, ${seal.previousHash},
            ${seal.hash}, ${sealedAt})`);
}

const writersNow = sql`array(
  select distinct virtualtransaction from pg_locks
  where locktype = 'relation' and relation = 'ledger_entry'::regclass and granted
    and pid <> pg_backend_pid() and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database()))`;

/**
 * The highest entry visible and the transactions that were then writing entries. The locks are read
 * after the snapshot was taken, so whoever has drawn a number up to `top` is finished or is listed:
 * an insert locks the table before it draws its number, and holds the lock until it ends. What the
 * asking transaction wrote itself it sees.
 */
export async function findWriters(
  reader: Reader,
): Promise<{ readonly top: bigint; readonly writers: readonly string[] }> {
  const [row] = await reader.query<{ top: bigint; writers: string[] }>(sql`
    with top as materialized (select coalesce(max(id), 0) as id from ledger_entry)
    select top.id as top, ${writersNow} as writers from top`);
  assert(row !== undefined, 'an aggregate gives a row');
  return row;
}

export async function findRemaining(
  reader: Reader,
  writers: readonly string[],
): Promise<readonly string[]> {
  const [row] = await reader.query<{ writers: string[] }>(sql`
    select array(select unnest(${writersNow}) intersect
                 select unnest(${writers}::text[])) as writers`);
  return row?.writers ?? [];
}
