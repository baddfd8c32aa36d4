// A record of a payment whose transaction is written as no protocol of today writes one, and signed so.

import { createHash } from 'node:crypto';
import { Networks } from '@stellar/stellar-base';
import type { FakeRecord } from './stellar-ledger.ts';

/** Text memo, by its number in Stellar-transaction.x. */
const TEXT = Buffer.of(0, 0, 0, 1);
/** One signature of 64 bytes, its hint, its length, and how many there are. */
const SIGNATURES_BYTES = 76;

/** The same transaction with a kind of memo that does not exist yet, under its own hash. */
export function fromTheFuture(record: FakeRecord): FakeRecord {
  const transaction = record.transaction as FakeRecord;
  const bytes = Buffer.from(String(transaction.envelope_xdr), 'base64');
  const text = Buffer.from(String(transaction.memo));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  bytes.writeInt32BE(9, bytes.indexOf(Buffer.concat([TEXT, length, text])));
  const signed = bytes.subarray(0, bytes.length - SIGNATURES_BYTES);
  const networkId = createHash('sha256').update(Networks.PUBLIC).digest();
  const hash = createHash('sha256').update(networkId).update(signed).digest('hex');
  const changed = { ...transaction, hash, envelope_xdr: bytes.toString('base64') };
  return { ...record, transaction_hash: hash, transaction: changed };
}
