// A transaction that moves money of ours away, as its chain shows it, and the SQL of its tables. It
// is a fact that changes with the chain; what it is for, and its entries, are decided elsewhere.
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  insertOnly,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
  units,
} from '#db/table.ts';
import { HANDED_OUT } from '#deposit/deposit-instruction.ts';
import type { UnspentOutput } from '#deposit/money-out.ts';

export const DEPARTURE = defineTable('departure', {
  id: selectOnly(bigInteger),
  chain: text<ChainId>(),
  transaction: text(),
  spends: texts(),
  feeAssetId: text(),
  /** What the network took from us; undefined when that cannot be told. */
  feeUnits: optional(units),
  status: text<'SEEN' | 'INCLUDED' | 'GONE'>(),
  blockHeight: optional(bigInteger),
  blockHash: optional(text()),
  /** Depth at which it is booked. */
  confirmationsRequired: integer,
  seenAt: moment,
  bookedAt: selectOnly(optional(moment)),
  /** How often it was booked and a reorganisation undid that. */
  undoneCount: selectOnly(integer),
});

const UNDONE_DEPARTURE = defineTable('undone_departure', {
  departureId: bigInteger,
  number: integer,
  /** What the network took beyond what the transfers in it paid of it. */
  restUnits: units,
  bookedAt: moment,
  undoneAt: moment,
});

/**
 * OWN stays with us, OUTSIDE elsewhere, LOST nowhere; CONVERSION filled an order of the house,
 * CONVERTED was exchanged without one.
 */
export type PartPurpose = 'OWN' | 'TRANSFER' | 'OUTSIDE' | 'LOST' | 'CONVERSION' | 'CONVERTED';

export const DEPARTURE_PART = defineTable('departure_part', {
  departureId: bigInteger,
  number: integer,
  chain: insertOnly(text<ChainId>()),
  creditKey: text(),
  destination: text(),
  assetId: text(),
  units,
  /** What the same operation gave us for it, where the network itself converts. */
  gotAssetId: optional(text()),
  gotUnits: optional(units),
  /** Where the receiver fetches it, and from when on we may take it back. */
  claimableId: optional(text()),
  reclaimableAt: optional(moment),
  /** Undefined until it is known. */
  purpose: optional(text<PartPurpose>()),
  transferId: selectOnly(optional(text())),
  /** Of a CONVERSION. */
  orderId: selectOnly(optional(text())),
  decidedBy: selectOnly(optional(text())),
  reason: selectOnly(optional(text())),
  decidedAt: selectOnly(optional(moment)),
});
export type RecordedPart = Row<typeof DEPARTURE_PART>;

export type RecordedDeparture = Row<typeof DEPARTURE> & {
  readonly parts: readonly RecordedPart[];
  /** Blocks that hold or bury it. */
  readonly confirmations: bigint;
  /** As deep as it has to be. */
  readonly isFinal: boolean;
};

/** Where money of ours was moved and is ours as the network shows it, and in what, each once. */
export function listMovedHere(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<{ readonly destination: string; readonly assetId: string }[]> {
  return reader.query(sql`
    select distinct destination, asset_id as "assetId" from departure_part
    where chain = ${chain} and purpose = 'OWN' and decided_by is null
    order by destination, asset_id limit ${most}`);
}

/** Oldest first, each with its parts and how deep it is now. */
async function readDepartures(reader: Reader, tail: Statement): Promise<RecordedDeparture[]> {
  const rows = await reader.query<{ readonly chainHeight: bigint | null }>(sql`
    select ${DEPARTURE.columnsOf('d')}, c.height as "chainHeight"
    from departure d left join chain_cursor c on c.chain = d.chain ${tail}`);
  const departures = rows.map((row) => DEPARTURE.parse(row));
  const parts = await DEPARTURE_PART.select(
    reader,
    sql`where departure_id = any(${departures.map(({ id }) => id)}::bigint[])
      order by departure_id, number`,
  );
  const ofDeparture = Map.groupBy(parts, ({ departureId }) => departureId);
  return departures.map(({ chainHeight, ...departure }) => {
    const { blockHeight, confirmationsRequired } = departure;
    const isBuried = blockHeight !== undefined && chainHeight !== null;
    const confirmations = isBuried ? chainHeight - blockHeight + 1n : 0n;
    return {
      ...departure,
      parts: ofDeparture.get(departure.id) ?? [],
      confirmations,
      isFinal: isBuried && confirmations >= BigInt(confirmationsRequired),
    };
  });
}

/**
 * Not booked yet, or gone while a transfer still waits for it; those that are gone first, because
 * what took their place carries the same transfers, and those in a block before those in none,
 * which may be what had their place. And booked, and in no block any more.
 */
export function listUnsettledDepartures(
  reader: Reader,
  most: number,
): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.booked_at is null and (d.status <> 'GONE' or exists (
        select 1 from departure_part p where p.departure_id = d.id and p.transfer_id is not null))
        or d.booked_at is not null and d.status <> 'INCLUDED'
      order by d.status = 'GONE' desc, d.status = 'SEEN', d.id limit ${most}`,
  );
}

/**
 * Whose entries do not say what the blocks up to this height say: not booked, booked and in none of
 * them. Oldest first.
 */
export function listUnderWay(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.chain = ${chain}
      and (d.booked_at is null or d.status <> 'INCLUDED' or d.block_height > ${height})
      order by d.id`,
  );
}

/** With a part of which nobody knows what it is for, or once booked and no longer in a block. */
export function listUnexplained(reader: Reader, most: number): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.id in (
        select departure_id from departure_part p join departure open on open.id = p.departure_id
          where p.purpose is null and open.status <> 'GONE'
        union select id from departure where booked_at is not null and status <> 'INCLUDED'
        union select id from departure where undone_count > 0 and status = 'SEEN')
      order by d.id limit ${most}`,
  );
}

/** What left since then, with a part of which nobody knows what it is for. Oldest first. */
export function listUndecided(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.chain = ${chain} and d.status <> 'GONE' and d.seen_at >= ${since}
      and exists (select 1 from departure_part p
        where p.departure_id = d.id and p.purpose is null)
      order by d.id`,
  );
}

/** Once booked, undone by a reorganisation, and waiting to be mined. */
export function listUndone(reader: Reader, chain: ChainId): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.chain = ${chain} and d.undone_count > 0 and d.status = 'SEEN' order by d.id`,
  );
}

/** Others that are not booked and spend the same: one of all of them lands. */
export function listRivalsOf(
  reader: Reader,
  { id, chain, spends }: Pick<RecordedDeparture, 'id' | 'chain' | 'spends'>,
): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.chain = ${chain} and d.id <> ${id} and d.booked_at is null
      and d.spends && ${spends}::text[] order by d.id`,
  );
}

/** Others that spend the same and are in no block: a reorganisation may have undone them. */
export function listUndoneBeside(reader: Reader, id: bigint): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`join departure beside on beside.id = ${id} and beside.chain = d.chain
      and beside.id <> d.id and beside.spends && d.spends
      where d.status <> 'INCLUDED' order by d.id`,
  );
}

export async function lockDeparture(tx: Tx, id: bigint): Promise<RecordedDeparture | undefined> {
  await tx.query(sql`select 1 from departure where id = ${id} for update`);
  const [found] = await readDepartures(tx, sql`where d.id = ${id}`);
  return found;
}

/** Which transfer was left in this balance for its receiver. */
export async function findCarriedBy(
  reader: Reader,
  chain: ChainId,
  claimableId: string,
): Promise<string | undefined> {
  const found = await DEPARTURE_PART.find(
    reader,
    sql`where chain = ${chain} and claimable_id = ${claimableId} and transfer_id is not null`,
  );
  return found?.transferId;
}

/** Whether a block shows what carries the transfer of this id. */
export function isMined(transferId: Statement): Statement {
  return sql`exists (select 1 from departure_part p join departure d on d.id = p.departure_id
    where p.transfer_id = ${transferId} and d.status = 'INCLUDED')`;
}

/** Whether something that spends one of these outputs of ours is in a block and booked. */
export function isSpentForGood(chain: Statement, spends: Statement): Statement {
  return sql`exists (select 1 from departure d where d.chain = ${chain} and d.status = 'INCLUDED'
    and d.booked_at is not null and d.spends && ${spends})`;
}

/** The same, by another transaction than this one. */
export function isSpentByAnother(
  chain: Statement,
  spends: Statement,
  transaction: Statement,
): Statement {
  return sql`exists (select 1 from departure d where d.chain = ${chain} and d.status = 'INCLUDED'
    and d.booked_at is not null and d.spends && ${spends} and d.transaction <> ${transaction})`;
}

/** The transaction itself, and whatever spends one of these outputs of ours. */
export function listSpenders(
  reader: Reader,
  { chain, transaction, spends }: Pick<RecordedDeparture, 'chain' | 'transaction' | 'spends'>,
): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.chain = ${chain} and d.status <> 'GONE'
      and (d.transaction = ${transaction} or d.spends && ${spends}::text[]) order by d.id`,
  );
}

/** Those of an unconfirmed transaction: one a chain that has it. */
export function listUnconfirmed(reader: Reader, transaction: string): Promise<RecordedDeparture[]> {
  return readDepartures(
    reader,
    sql`where d.transaction = ${transaction} and d.status = 'SEEN' order by d.id`,
  );
}

/** It will not be mined, as far as anybody knows; should it be, it is INCLUDED then. */
export function markGone(tx: Tx, id: bigint): void {
  tx.send(sql`update departure set status = 'GONE' where id = ${id} and status = 'SEEN'`);
}

/** From now on its entries stand. */
export function markBooked(tx: Tx, id: bigint, now: Temporal.Instant): void {
  tx.send(sql`update departure set booked_at = ${now} where id = ${id}`);
}

/** Its entries are reversed: it is booked anew when it is deep enough again. */
export function markUnbooked(
  tx: Tx,
  { id: departureId, undoneCount, bookedAt }: RecordedDeparture,
  restUnits: bigint,
  undoneAt: Temporal.Instant,
): void {
  const number = undoneCount + 1;
  const booking = { departureId, number, restUnits, bookedAt: bookedAt ?? undoneAt, undoneAt };
  tx.send(UNDONE_DEPARTURE.insert([booking]));
  tx.send(sql`
    update departure set booked_at = null, undone_count = ${number} where id = ${departureId}`);
}

type PartChange = {
  readonly purpose: PartPurpose | undefined;
  readonly transferId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly decidedBy?: string | undefined;
  readonly reason?: string | undefined;
};

export function decidePart(
  tx: Tx,
  { departureId, number }: Pick<RecordedPart, 'departureId' | 'number'>,
  { purpose, transferId, orderId, decidedBy, reason }: PartChange,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update departure_part set purpose = ${purpose ?? null}, transfer_id = ${transferId ?? null},
      order_id = ${orderId ?? null}, decided_by = ${decidedBy ?? null}, reason = ${reason ?? null},
      decided_at = ${purpose === undefined ? null : now}
    where departure_id = ${departureId} and number = ${number}`);
}

/** More than a transaction can spend by far. */
const UNSPENT_MOST = 5_000;

/**
 * Outputs of ours that nothing of ours spends yet, largest first: payments that are booked, because
 * what is not final may yet go, and change that is mined. `replaced`: transactions that wait to be
 * mined, and whose place is taken by what is going to spend the same.
 */
export function listUnspent(
  reader: Reader,
  chain: ChainId,
  replaced: readonly string[],
): Promise<UnspentOutput[]> {
  return reader.query<UnspentOutput>(sql`
    with output as (
      select r.credit_key, r.destination, r.units, r.block_height, i.source_index
      from receipt r left join ${HANDED_OUT} i on i.id = r.instruction_id
      where r.chain = ${chain} and r.status = 'FINAL' and r.credited_generation = r.generation
        and r.reversed_generation is distinct from r.generation
      union all
      select p.credit_key, p.destination, p.units, d.block_height, i.source_index
      from departure_part p join departure d on d.id = p.departure_id and d.booked_at is not null
      left join ${HANDED_OUT} i on i.chain = p.chain and i.destination = p.destination
      where p.chain = ${chain} and p.purpose = 'OWN' and d.status = 'INCLUDED')
    select credit_key as "creditKey", destination, units, source_index as "sourceIndex",
      (c.height - block_height + 1)::int as confirmations
    from output join chain_cursor c on c.chain = ${chain}
    where not exists (select 1 from departure d where d.chain = ${chain} and d.status <> 'GONE'
      and d.spends @> array[output.credit_key]
      and (d.status = 'INCLUDED' or d.transaction <> all(${replaced}::text[])))
    order by units desc, credit_key limit ${UNSPENT_MOST}`);
}

/** What a transaction pays us that is in no block, whether something of ours spends it or not. */
export function listWaitingArrivals(
  reader: Reader,
  chain: ChainId,
  transaction: string,
): Promise<UnspentOutput[]> {
  return reader.query<UnspentOutput>(sql`
    select r.credit_key as "creditKey", r.destination, r.units, i.source_index as "sourceIndex",
      0 as confirmations
    from receipt r left join ${HANDED_OUT} i on i.id = r.instruction_id
    where r.chain = ${chain} and r.transaction = ${transaction} and r.status = 'SEEN'
    order by r.credit_key`);
}
