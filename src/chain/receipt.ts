// A payment as observed on a chain, and the SQL of its table. What stands here is a fact that is
// recomputed as the chain changes (write-receipts.ts); what it is worth is decided elsewhere.

import type { ChainId } from '#catalog/chain.ts';
import { listInvoiceChains } from '#catalog/network.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
  units,
} from '#db/table.ts';
import { type DepositPurpose, HANDED_OUT } from '#deposit/deposit-instruction.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { BRAKE_FACTOR } from './chain-policy.ts';

export const RECEIPT = defineTable('receipt', {
  id: selectOnly(bigInteger),
  chain: text<ChainId>(),
  creditKey: text(),
  /** Undefined when nobody asked for it: suspense. */
  instructionId: optional(text()),
  merchantId: optional(text()),
  purpose: optional(text<DepositPurpose>()),
  purposeId: optional(text()),
  /** What arrived, which may not be what was asked for. */
  assetId: text(),
  units,
  transaction: text(),
  destination: text(),
  spends: texts(),
  status: text<'SEEN' | 'INCLUDED' | 'FINAL' | 'GONE'>(),
  /** Rises when a payment appears again after its credit was reversed. */
  generation: selectOnly(integer),
  seenAt: moment,
  blockHeight: optional(bigInteger),
  blockHash: optional(text()),
  minedAt: optional(moment),
  confirmationsRequired: optional(integer),
  /** Since when it is deep enough and held by the brake of its chain; undefined when it is not. */
  heldAt: optional(moment),
  finalAt: optional(moment),
  goneAt: optional(moment),
  /** Height of the chain when it stopped standing. */
  goneHeight: optional(bigInteger),
  replacedBy: optional(text()),
  conflictHeight: optional(bigInteger),
  creditedGeneration: selectOnly(optional(integer)),
  reversedGeneration: selectOnly(optional(integer)),
  /**
   * What the merchant is credited in, of money that a person assigned to a checkout that never
   * asked for it; undefined of all other money.
   */
  unaskedSettlementAssetId: selectOnly(optional(text())),
});
/** As it stands in its table. */
export type KnownReceipt = Row<typeof RECEIPT>;

/** Perhaps not written yet. */
export type NewReceipt = Omit<KnownReceipt, 'id'>;

/** With what follows from the height of its chain when it was read. */
export type Receipt = KnownReceipt & {
  /** Last height recorded of its chain. */
  readonly chainHeight: bigint;
  /** Blocks that hold or bury it; 0 while unconfirmed. */
  readonly confirmations: bigint;
  /** With how many it becomes final: twice what is required while the brake of its chain is on. */
  readonly confirmationsNeeded: number | undefined;
  /** The chain has been without it for long enough that its credit is taken back (section 4.8). */
  readonly reversalDue: boolean;
};

export function confirmationsOf(
  receipt: Pick<KnownReceipt, 'blockHeight'>,
  chainHeight: bigint,
): bigint {
  if (receipt.blockHeight === undefined || receipt.blockHeight > chainHeight) return 0n;
  return chainHeight - receipt.blockHeight + 1n;
}

function confirmationsNeeded(
  receipt: Pick<KnownReceipt, 'status' | 'confirmationsRequired'>,
  isBraked: boolean,
): number | undefined {
  const { status, confirmationsRequired } = receipt;
  if (confirmationsRequired === undefined || status === 'FINAL') return confirmationsRequired;
  return isBraked ? BRAKE_FACTOR * confirmationsRequired : confirmationsRequired;
}

/** Credited, and the credit was not taken back. */
export function hasLiveCredit(
  receipt: Pick<KnownReceipt, 'generation' | 'creditedGeneration' | 'reversedGeneration'>,
): boolean {
  const { generation, creditedGeneration, reversedGeneration } = receipt;
  return creditedGeneration === generation && reversedGeneration !== generation;
}

/**
 * Section 4.8: a credit is taken back when a transaction that spends the same money is as deep as
 * the receipt had to be, or when the chain has grown by twice that depth without it.
 */
export function isReversalDue(
  receipt: Pick<
    KnownReceipt,
    | 'status'
    | 'generation'
    | 'creditedGeneration'
    | 'reversedGeneration'
    | 'confirmationsRequired'
    | 'goneHeight'
    | 'conflictHeight'
  >,
  chainHeight: bigint,
): boolean {
  if (receipt.status !== 'SEEN' && receipt.status !== 'GONE') return false;
  if (!hasLiveCredit(receipt)) return false;
  // A chain that is final at once has a depth of 1 here: its receipts never come back by
  // themselves.
  const depth = BigInt(Math.max(1, receipt.confirmationsRequired ?? 1));
  const { conflictHeight, goneHeight } = receipt;
  if (conflictHeight !== undefined && chainHeight - conflictHeight + 1n >= depth) return true;
  return goneHeight !== undefined && chainHeight - goneHeight >= 2n * depth;
}

/** Receipts with the height of their chain at this moment. */
async function readReceipts(reader: Reader, tail: Statement): Promise<Receipt[]> {
  const rows = await reader.query<{ chainHeight: bigint; isBraked: boolean }>(sql`
    select ${RECEIPT.columnsOf('r')}, c.height as "chainHeight", c.brake is not null as "isBraked"
    from receipt r join chain_cursor c on c.chain = r.chain ${tail}`);
  return rows.map((row) => {
    const { isBraked, ...receipt } = RECEIPT.parse(row);
    return {
      ...receipt,
      confirmations: confirmationsOf(receipt, receipt.chainHeight),
      confirmationsNeeded: confirmationsNeeded(receipt, isBraked),
      reversalDue: isReversalDue(receipt, receipt.chainHeight),
    };
  });
}

/** Everything that arrived for these things, oldest first, on all chains. */
export function listReceiptsByPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    sql`where r.purpose = ${purpose} and r.purpose_id = any(${purposeIds}::text[]) order by r.id`,
  );
}

export async function listReceiptsByIds(
  reader: Reader,
  ids: readonly bigint[],
): Promise<Receipt[]> {
  if (ids.length === 0) return [];
  return readReceipts(reader, sql`where r.id = any(${ids}::bigint[]) order by r.id`);
}

/**
 * Only those a settlement may have to act on (under way, final and not credited, credited and
 * gone): a destination may be paid for years.
 */
export function listUnsettledReceipts(
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    sql`where r.purpose = ${purpose} and r.purpose_id = ${purposeId} and (
        r.status in ('SEEN', 'INCLUDED')
        or (r.status = 'FINAL' and r.credited_generation is distinct from r.generation)
        or (r.status = 'GONE' and r.credited_generation = r.generation
          and r.reversed_generation is distinct from r.generation)
        or (r.status = 'GONE' and r.credited_generation is null))
      order by r.id`,
  );
}

const unsettledSuspense = (chain: ChainId) => sql`
  r.chain = ${chain} and r.instruction_id is null and r.purpose is null and r.id in (
    select id from receipt where chain = ${chain} and instruction_id is null
      and coalesce(credited_generation, 0) < generation and status = 'FINAL'
    union all
    select id from receipt where chain = ${chain} and instruction_id is null
      and status in ('SEEN', 'GONE') and credited_generation is not null
      and (reversed_generation is null or reversed_generation < credited_generation))`;

/** Nobody's money that is final and not booked, or booked and missing from the chain. */
export function listUnsettledSuspense(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<Receipt[]> {
  return readReceipts(reader, sql`where ${unsettledSuspense(chain)} order by r.id limit ${most}`);
}

/** Those of them that still are; others who do the same skip what we hold. */
export function lockUnsettledSuspense(
  tx: Tx,
  chain: ChainId,
  receiptIds: readonly bigint[],
): Promise<Receipt[]> {
  return readReceipts(
    tx,
    sql`where ${unsettledSuspense(chain)} and r.id = any(${receiptIds}::bigint[])
      order by r.id for update of r skip locked`,
  );
}

const RECEIPTS_PER_TRANSACTION = 500;

/**
 * On every chain and for whomever; `transactions` are the ways one hash is written. By the index on
 * the hash; a transaction that pays very many destinations is cut off.
 */
export function listReceiptsByTransaction(
  reader: Reader,
  transactions: readonly string[],
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    // Who paid an invoice has its payment hash, which is the credit key. One condition and no list
    // of ids: both indexes lead to the rows, and none is looked up a second time by its id.
    sql`where (r.transaction = any(${transactions}::text[])
        or (r.chain = any(${listInvoiceChains()}::text[])
          and r.credit_key = any(${transactions}::text[])))
      order by r.id limit ${RECEIPTS_PER_TRANSACTION}`,
  );
}

/** Those that wait for their chain, as `npx quittance parked list` shows them (list-parked.ts). */
export function selectHeld(): Statement {
  return sql`
    select 'payment' as kind, id::text, held_at as since,
      'deep enough, and held by the brake of ' || chain as why, false as "isMended"
    from receipt where held_at is not null`;
}

/**
 * A text that is another one after any change to what arrived for a thing, or to the height and
 * the brake that its confirmations are counted with. `thing`: its id, as the statement around has
 * it.
 */
export function receiptsVersion(purpose: DepositPurpose, thing: Statement): Statement {
  return sql`(
    select string_agg(concat(r.xmin::text, r.ctid::text, h.height::text, h.brake is null), '')
    from receipt r join chain_cursor h on h.chain = r.chain
    where r.purpose = ${purpose} and r.purpose_id = ${thing})`;
}

/** Those the brake of a chain holds, the longest held first. */
export function listHeldReceipts(reader: Reader, chain: ChainId, most: number): Promise<Receipt[]> {
  return readReceipts(
    reader,
    sql`where r.chain = ${chain} and r.held_at is not null order by r.held_at, r.id limit ${most}`,
  );
}

/** Of chains where the brake holds any. */
export function countHeldReceipts(
  reader: Reader,
): Promise<{ readonly chain: ChainId; readonly count: bigint }[]> {
  return reader.query(sql`
    select chain, count(*) from receipt where held_at is not null group by chain`);
}

/**
 * The compare and set of a credit (R2): unless the receipt is final and this generation is not
 * credited, the update breaks the check `credited_generation <= generation` and with it the
 * transaction with ConstraintViolation `receipt_check1`.
 */
export function markReceiptCredited(tx: Tx, receiptId: bigint, generation: number): void {
  tx.send(sql`
    update receipt set credited_generation = case
      when status = 'FINAL' and generation = ${generation}
        and (credited_generation is null or credited_generation < generation)
      then generation else generation + 1 end
    where id = ${receiptId}`);
}

/** Likewise: only what is credited, missing from the chain, and not reversed. */
export function markReceiptReversed(tx: Tx, receiptId: bigint, generation: number): void {
  tx.send(sql`
    update receipt set reversed_generation = ${generation}, credited_generation = case
      when status in ('SEEN', 'GONE') and credited_generation = ${generation}
        and (reversed_generation is null or reversed_generation < ${generation})
      then credited_generation else generation + 1 end
    where id = ${receiptId}`);
}

type AssignedReceipt = {
  readonly receiptId: bigint;
  /** The one that was booked in suspense; the payment is the next. */
  readonly generation: number;
  readonly merchantId: string;
  readonly checkoutId: string;
  /** What asked for it; undefined where nothing did. */
  readonly instructionId: string | undefined;
  readonly unaskedSettlementAssetId: string | undefined;
};

/**
 * Money in suspense becomes a payment of a checkout: as if it had come once more, to be decided by
 * the settlement of the checkout. To be held: first the chain (`holdChain`), then the checkout.
 */
export function assignReceipt(tx: Tx, assigned: AssignedReceipt): void {
  const { receiptId, generation, merchantId, checkoutId } = assigned;
  tx.send(sql`
    update receipt set purpose = 'checkout', purpose_id = ${checkoutId},
      merchant_id = ${merchantId}, instruction_id = ${assigned.instructionId ?? null},
      unasked_settlement_asset_id = ${assigned.unaskedSettlementAssetId ?? null},
      reversed_generation = generation, generation = generation + 1
    where id = ${receiptId} and generation = ${generation} and status = 'FINAL'
      and credited_generation = ${generation}`);
}

/**
 * By asset, zeros included: what stands in blocks up to this height and is not credited, less what
 * is credited and stands in none of them. Looks through all that ever arrived on the chain.
 */
export function sumUncredited(
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<AssetAmount[]> {
  return reader.query<AssetAmount>(sql`
    select asset_id as "assetId", sum(units * (is_there::int - is_credited::int)) as units
    from (select asset_id, units,
        status in ('INCLUDED', 'FINAL') and block_height <= ${height} as is_there,
        credited_generation is not distinct from generation
          and reversed_generation is distinct from generation as is_credited
      from receipt where chain = ${chain}) as one
    group by asset_id order by asset_id`);
}

/** Where final money arrived on a chain, and in what, each once, suspense included. */
export function listPaid(
  reader: Reader,
  chain: ChainId,
  most: number,
  statuses: readonly ('INCLUDED' | 'FINAL')[] = ['FINAL'],
): Promise<{ readonly destination: string; readonly assetId: string }[]> {
  return reader.query(sql`
    select distinct destination, asset_id as "assetId" from receipt
    where chain = ${chain} and status = any(${statuses}::text[])
    order by destination, asset_id limit ${most}`);
}

/** The same by what came last, which is the likeliest to be there still; with repetitions. */
export function listPaidLast(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<{ readonly destination: string; readonly assetId: string }[]> {
  return reader.query(sql`
    select destination, asset_id as "assetId" from receipt
    where chain = ${chain} and status = 'FINAL' order by block_height desc, id desc limit ${most}`);
}

export type UnpaidDestination = {
  readonly destination: string;
  readonly createdAt: Temporal.Instant;
};

/**
 * What was handed out since then and has received nothing, oldest first. For chains where a
 * destination is paid once and is its own credit key (Lightning). A Lightning address is none: its
 * invoices are.
 */
export function listUnpaid(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<readonly UnpaidDestination[]> {
  return reader.query<UnpaidDestination>(sql`
    select i.destination, i.created_at as "createdAt" from ${HANDED_OUT} i
    where i.chain = ${chain} and i.created_at >= ${since}
      and (i.purpose = 'checkout' or i.is_address_invoice)
      and not exists (select 1 from receipt r
        where r.chain = i.chain and r.credit_key = i.destination)
    order by i.created_at`);
}
