// Posting is one statement that takes the locks in one order and moves entries, lines and balances
// together. Guarantees: all entries or none; a cause posts once (a second time fails the
// transaction with ConstraintViolation `ledger_entry_cause_key_key`); only a reversal takes a
// merchant account below zero, and while it is there nothing but a reversal takes more out of it
// (else ConstraintViolation `ledger_account_not_overdrawn`). Not guaranteed: freedom from deadlock
// when one transaction posts twice. Post everything of an act in one call; the transaction is
// repeated otherwise.

import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { NumberedTable } from '#db/settled-top.ts';
import {
  bigInteger,
  defineTable,
  flag,
  moment,
  nullable,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { type Account, LEDGER_ACCOUNT } from './account.ts';
import { assertBalanced, type Entry } from './ledger-entry.ts';

/** Accounts known to exist, per database: they are never removed. */
const knownAccounts = new WeakMap<Db, Set<string>>();
const KNOWN_ACCOUNTS_MAX = 200_000;

/**
 * Which of the accounts this process has not seen yet. An act that finds some inside its
 * transaction gives up, calls `ensureAccounts` and begins again: two connections at once for one
 * act would starve the pool.
 */
export function findUnknownAccounts(db: Db, accounts: readonly Account[]): Account[] {
  const known = knownAccounts.get(db);
  const unknown = new Map<string, Account>();
  for (const account of accounts) {
    const key = keyOf(account);
    if (known?.has(key) !== true) unknown.set(key, account);
  }
  return [...unknown.values()];
}

/**
 * Makes sure that the accounts exist, outside any other transaction. Costs nothing when this
 * process has seen them. To be awaited before `transact`, with every account that its entries may
 * touch.
 */
export async function ensureAccounts(db: Db, accounts: readonly Account[]): Promise<void> {
  const unknown = findUnknownAccounts(db, accounts);
  if (unknown.length === 0) return;
  // Sorted, so that two processes that create the same accounts do not wait for each other
  // crosswise.
  const sorted = unknown.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  const rows = sorted.map((account) => ({ ...account, merchantId: account.merchantId }));
  await db.single((tx) => tx.query(LEDGER_ACCOUNT.insert(rows, sql`on conflict do nothing`)));
  const known = knownAccounts.get(db) ?? new Set();
  knownAccounts.set(db, known);
  if (known.size + sorted.length > KNOWN_ACCOUNTS_MAX) known.clear();
  for (const account of sorted) known.add(keyOf(account));
}

function keyOf({ environment, merchantId, code, assetId }: Account): string {
  return JSON.stringify([environment, merchantId ?? '', code, assetId]);
}

/**
 * Queues the entries, all in one statement that is not awaited: it travels with what follows, at
 * the latest with COMMIT. The accounts must exist (`ensureAccounts`), else ConstraintViolation
 * `ledger_posting_account_id_not_null`; an entry to be corrected must be posted already, else
 * ConstraintViolation `ledger_entry_corrects_entry_fkey`.
 * @throws AssertionFailure when an entry does not balance.
 */
export function postEntries(tx: Tx, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  for (const entry of entries) assertBalanced(entry);
  const causes = new Set(entries.map(({ causeKey }) => causeKey));
  assert(causes.size === entries.length, 'two entries of one act have the same cause key');
  tx.send(postEntriesStatement(entries));
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
function postEntriesStatement(entries: readonly Entry[]): Statement {
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

// Entries as they stand in the database.
export const LEDGER_ENTRY = defineTable('ledger_entry', {
  id: selectOnly(bigInteger),
  causeKey: text(),
  kind: text(),
  environment: text<Environment>(),
  merchantId: nullable(text()),
  subjectId: nullable(text()),
  correctsEntry: nullable(bigInteger),
  isReversal: flag,
  evidence: nullable(text()),
  occurredAt: moment,
});

export const ENTRY_NUMBERS: NumberedTable = {
  name: LEDGER_ENTRY.name,
  top: sql`select coalesce(max(id), 0) from ledger_entry`,
};

/** An entry with its lines side by side in arrays; the arrays are null when it has none. */
export type PostedEntry = Row<typeof LEDGER_ENTRY> & {
  readonly correctedAt: Temporal.Instant | null;
  readonly positions: readonly number[] | null;
  readonly assetIds: readonly string[] | null;
  readonly units: readonly bigint[] | null;
  /** Of the accounts. */
  readonly environments: readonly (string | null)[] | null;
  readonly merchantIds: readonly (string | null)[] | null;
  readonly codes: readonly (string | null)[] | null;
  readonly accountAssetIds: readonly (string | null)[] | null;
};

/** The next entries by row number: above `after`, at most `upTo`. */
export async function listEntriesAfter(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<PostedEntry[]> {
  const rows = await reader.query<PostedEntry>(sql`
    select ${LEDGER_ENTRY.columnsOf('e')},
      (select c.occurred_at from ledger_entry c where c.id = e.corrects_entry) as "correctedAt",
      line.*
    from (
      select * from ledger_entry where id > ${after} and id <= ${upTo} order by id limit ${limit}
    ) e cross join lateral (
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
    order by e.id`);
  return rows.map((row) => LEDGER_ENTRY.parse(row));
}

export async function findTopEntry(reader: Reader): Promise<bigint> {
  const [row] = await reader.query<{ top: bigint }>(sql`select (${ENTRY_NUMBERS.top}) as top`);
  return row?.top ?? 0n;
}
