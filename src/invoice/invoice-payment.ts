// Invoices that pay transfers over Lightning, and the SQL of their table. Guarantees: an
// invoice is for one transfer, for ever; a transfer has one at a time that can be paid; the node is
// told to pay nothing that was changed in the database.

import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  flag,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import type { TransferSealKeys } from '#transfer/transfer.ts';

const INVOICE_PAYMENT = defineTable('invoice_payment', {
  paymentHash: text(),
  chain: text<ChainId>(),
  transferId: text(),
  invoice: text(),
  description: optional(text()),
  /** What the receiver gets. */
  units,
  feeUnitsMost: units,
  expiresAt: moment,
  /** A person was shown it. */
  byHand: flag,
  createdAt: moment,
  /** When the node was last told to pay it, and how often it was. */
  orderedAt: optional(moment),
  orders: integer,
  /** Not paid, and can be paid no more. */
  overAt: selectOnly(optional(moment)),
  preimage: selectOnly(optional(text())),
  seal: bytes,
});

export type StoredInvoice = Row<typeof INVOICE_PAYMENT>;
type NewInvoice = Omit<StoredInvoice, 'overAt' | 'preimage' | 'seal'>;

/** False when it is of another order already, or the transfer has one. */
export async function insertInvoice(
  tx: Tx,
  keyring: TransferSealKeys,
  invoice: NewInvoice,
): Promise<boolean> {
  const row = { ...invoice, seal: sealOf(keyring, invoice) };
  const unlessThere = sql`on conflict do nothing returning payment_hash`;
  return (await tx.query(INVOICE_PAYMENT.insert([row], unlessThere))).length === 1;
}

/** The one that can be paid. @throws Refusal conflict when it was changed in the database. */
export async function findLiveInvoice(
  reader: Reader,
  keyring: TransferSealKeys,
  transferId: string,
): Promise<StoredInvoice | undefined> {
  const found = await INVOICE_PAYMENT.find(
    reader,
    sql`where transfer_id = ${transferId} and over_at is null`,
  );
  if (found !== undefined) requireSealed(keyring, found);
  return found;
}

/** Every one that the transfer had. @throws Refusal conflict when one was changed. */
export async function listInvoices(
  reader: Reader,
  keyring: TransferSealKeys,
  transferId: string,
): Promise<StoredInvoice[]> {
  const found = await INVOICE_PAYMENT.select(
    reader,
    sql`where transfer_id = ${transferId} order by created_at`,
  );
  for (const invoice of found) requireSealed(keyring, invoice);
  return found;
}

/** What the node was told to pay since then and may have paid, fees included. */
export async function sumOrdered(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<bigint> {
  const [found] = await reader.query<{ sum: string }>(sql`
    select coalesce(sum(units + fee_units_most), 0)::text as sum from invoice_payment
    where chain = ${chain} and ordered_at > ${since} and over_at is null`);
  return BigInt(found?.sum ?? 0);
}

/** Until the transaction ends nobody else counts what was ordered, and adds to it. */
export async function lockInvoices(tx: Tx): Promise<void> {
  await tx.query(sql`lock table invoice_payment in share row exclusive mode`);
}

/** The node is told once more. */
export function noteOrdered(tx: Tx, paymentHash: string, now: Temporal.Instant): void {
  tx.send(sql`
    update invoice_payment set ordered_at = ${now}, orders = orders + 1
    where payment_hash = ${paymentHash} and over_at is null and not by_hand`);
}

export async function notePreimage(db: Db, paymentHash: string, preimage: string): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update invoice_payment set preimage = ${preimage}
      where payment_hash = ${paymentHash} and over_at is null`),
  );
}

export function markInvoiceOver(tx: Tx, paymentHash: string, now: Temporal.Instant): void {
  tx.send(sql`
    update invoice_payment set over_at = ${now}
    where payment_hash = ${paymentHash} and over_at is null and preimage is null`);
}

function requireSealed(keyring: TransferSealKeys, invoice: StoredInvoice): void {
  const expected = sealOf(keyring, invoice);
  const { seal, paymentHash } = invoice;
  if (seal.length === expected.length && timingSafeEqual(seal, expected)) return;
  throw new Refusal('conflict', 'invoice_changed', [
    `the invoice ${paymentHash} was changed in the database: it is not paid, and the operator has ` +
      'to repair it first',
  ]);
}

function sealOf(keyring: TransferSealKeys, invoice: NewInvoice): Uint8Array {
  const parts = [
    'invoice-payment/v1',
    invoice.paymentHash,
    invoice.chain,
    invoice.transferId,
    invoice.invoice,
    String(invoice.units),
    String(invoice.feeUnitsMost),
    invoice.byHand,
  ];
  return keyring.mac('transfer', new TextEncoder().encode(JSON.stringify(parts)));
}
