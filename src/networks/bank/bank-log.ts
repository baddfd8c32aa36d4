// The log of what statements of a bank told, and the SQL of its tables. It is read like a chain:
// each row has a hash of what it means and of the row before.

import { createHash } from 'node:crypto';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  moment,
  type NewRow,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import type { BlockReference } from '#deposit/network.ts';

/** The end of the log of each bank; its row is the lock under which the log grows. */
export const BANK_LOG = defineTable('bank_log', {
  chain: text<ChainId>(),
  height: bigInteger,
  hash: text(),
});

export const BANK_ENTRY = defineTable('bank_entry', {
  chain: text<ChainId>(),
  account: text(),
  statementId: bigInteger,
  recordedAt: moment,
  height: bigInteger,
  kind: text<'CREDIT' | 'REVERSAL' | 'PAYMENT' | 'CHARGE'>(),
  currency: text(),
  /** Why it was taken for nobody. */
  remark: optional(text()),
  creditKey: text(),
  units,
  reference: optional(text()),
  endToEndId: optional(text()),
  /** PAYMENT: who got it, where the bank tells the account. */
  receiver: optional(text()),
  /** The transfer of ours that it names, with right check characters; CREDIT: brings back. */
  transferId: optional(text()),
  /** PAYMENT: what the bank kept in the same booking, beside the units. */
  chargeUnits: units,
  transaction: text(),
  /** The key of the booking that holds this transaction: the booking is known again by it. */
  entryKey: text(),
  entryReference: optional(text()),
  entryUnits: units,
  fingerprint: text(),
  details: text(),
  /** The height of the reversal that takes this credit back. */
  undoneBy: selectOnly(optional(bigInteger)),
  hash: text(),
  parentHash: text(),
});

/** A booking that is in the log. */
export type KnownEntry = Pick<
  Row<typeof BANK_ENTRY>,
  'entryKey' | 'entryReference' | 'entryUnits' | 'fingerprint' | 'details'
>;

/** A row of the log that can be joined with another one. */
export type OpenEntry = Pick<
  Row<typeof BANK_ENTRY>,
  'height' | 'units' | 'currency' | 'transaction' | 'reference' | 'endToEndId'
>;

/** Where a row is from, and its place among the others, is added when it is written. */
export type NewEntry = Omit<
  NewRow<typeof BANK_ENTRY>,
  'chain' | 'account' | 'statementId' | 'recordedAt' | 'hash' | 'parentHash'
>;

/** Before the first row. */
export const LOG_START = { height: 0n, hash: digestOf('the log of a bank') } as const;

const KNOWN = BANK_ENTRY.only('entryKey', 'entryReference', 'entryUnits', 'fingerprint', 'details');
const OPEN = BANK_ENTRY.only(
  'height',
  'units',
  'currency',
  'transaction',
  'reference',
  'endToEndId',
);

type HashedEntry = {
  readonly creditKey: string;
  readonly units: bigint;
  readonly isUndone: boolean;
};

export function logHash(parentHash: string, { creditKey, units, isUndone }: HashedEntry): string {
  return digestOf(JSON.stringify([parentHash, creditKey, String(units), isUndone]));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One importer a bank at a time. Gives the end of the log. */
export async function lockLog(tx: Tx, chain: ChainId): Promise<BlockReference> {
  await tx.query(BANK_LOG.insert([{ chain, ...LOG_START }], sql`on conflict (chain) do nothing`));
  return (await BANK_LOG.find(tx, sql`where chain = ${chain} for update`)) ?? LOG_START;
}

/** Another one as soon as anything was imported. */
export async function endOfLog(reader: Reader, chain: ChainId): Promise<BlockReference> {
  return (await BANK_LOG.find(reader, sql`where chain = ${chain}`)) ?? LOG_START;
}

/** Bookings that may be the same as one of these. */
export async function listKnownEntries(
  reader: Reader,
  chain: ChainId,
  account: string,
  wanted: { readonly references: readonly string[]; readonly fingerprints: readonly string[] },
): Promise<KnownEntry[]> {
  const rows = await reader.query<object>(sql`
    select distinct ${KNOWN.columns} from bank_entry
    where chain = ${chain} and account = ${account}
      and (entry_reference = any(${wanted.references}::text[])
        or fingerprint = any(${wanted.fingerprints}::text[]))
    order by entry_key`);
  return rows.map(KNOWN.parse);
}

/** Credits of these amounts that stand, lowest first. */
export async function listStandingCredits(
  reader: Reader,
  chain: ChainId,
  account: string,
  amounts: readonly bigint[],
): Promise<OpenEntry[]> {
  if (amounts.length === 0) return [];
  return OPEN.select(
    reader,
    sql`where chain = ${chain} and account = ${account}
      and kind = 'CREDIT' and undone_by is null and units = any(${amounts}::numeric[])
      order by height`,
  );
}

/** Reversals that could not be joined with the credit they take back yet, lowest first. */
export function listOpenReversals(
  reader: Reader,
  chain: ChainId,
  account: string,
): Promise<OpenEntry[]> {
  return OPEN.select(
    reader,
    sql`where ${isOpenReversal(chain)} and account = ${account} order by height`,
  );
}

export async function countOpenReversals(reader: Reader, chain: ChainId): Promise<bigint> {
  const [row] = await reader.query<{ count: bigint }>(
    sql`select count(*) from bank_entry where ${isOpenReversal(chain)}`,
  );
  return row?.count ?? 0n;
}

function isOpenReversal(chain: ChainId): Statement {
  return sql`chain = ${chain} and kind = 'REVERSAL' and undoes is null`;
}

/** Of these transfers those under whose reference a statement booked a payment. */
export async function listDebited(
  reader: Reader,
  chain: ChainId,
  transferIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.query<{ id: string }>(sql`
    select distinct transfer_id as id from bank_entry
    where chain = ${chain} and kind = 'PAYMENT' and transfer_id = any(${transferIds}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

const LOGGED = BANK_ENTRY.only(
  'height',
  'kind',
  'creditKey',
  'account',
  'currency',
  'units',
  'reference',
  'receiver',
  'transferId',
  'chargeUnits',
  'transaction',
  'remark',
  'undoneBy',
  'hash',
  'parentHash',
  'recordedAt',
);
export type LogEntry = Row<typeof LOGGED> & {
  /** The credit key that this reversal takes back. */
  readonly undoneKey: string | null;
};

/** Lowest first. Without `most`: to the end. */
export async function listLogEntries(
  reader: Reader,
  chain: ChainId,
  above: bigint,
  most: number | null,
): Promise<LogEntry[]> {
  const rows = await reader.query<{ undoneKey: string | null }>(sql`
    select ${LOGGED.columnsOf('e')}, u.credit_key as "undoneKey"
    from bank_entry e left join bank_entry u on u.chain = e.chain and u.height = e.undoes
    where e.chain = ${chain} and e.height > ${above} order by e.height limit ${most}::bigint`);
  return rows.map(LOGGED.parse);
}

/** Hashes of those rows that there are. */
export async function listLogHashes(
  reader: Reader,
  chain: ChainId,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await reader.query<BlockReference>(sql`
    select height, hash from bank_entry
    where chain = ${chain} and height = any(${heights}::bigint[])`);
  return new Map([LOG_START, ...rows].map(({ height, hash }) => [height, hash]));
}
