// From a ledger record of Horizon to a block. The hash of a ledger is SHA-256 over its header in
// XDR, which names the ledger before it: a changed header, or one out of order, does not fit.

import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import type { BlockReference } from '#deposit/network.ts';
import {
  type Fields,
  NodeLie,
  requireHash,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { requireInteger, requireSequence, requireTime } from './horizon-fields.ts';

export type ReadLedger = BlockReference & {
  readonly parentHash: string;
  readonly minedAt: Temporal.Instant;
};

/** @throws NodeLie when the record contradicts its own header. */
export function readLedger(record: Fields): ReadLedger {
  const height = requireSequence(record, 'sequence');
  const hash = requireHash(record.hash, 'hash');
  const parentHash = requireHash(record.prev_hash, 'prev_hash');
  const minedAt = requireTime(record, 'closed_at');
  const what = `ledger ${height}`;
  requireThat(requireInteger(record, 'paging_token') === height << 32n, `${what} is misplaced`);
  const bytes = Buffer.from(requireText(record, 'header_xdr'), 'base64');
  const computed = createHash('sha256').update(bytes).digest('hex');
  requireThat(computed === hash, `${what} has another hash than its header`);
  const header = readHeader(bytes, what);
  requireThat(
    BigInt(header.ledgerSeq()) === height &&
      header.previousLedgerHash().toString('hex') === parentHash &&
      header.scpValue().closeTime().toBigInt() * 1000n === BigInt(minedAt.epochMilliseconds),
    `${what} contradicts its header`,
  );
  return { height, hash, parentHash, minedAt };
}

function readHeader(bytes: Buffer, what: string): xdr.LedgerHeader {
  try {
    return stellar.base.xdr.LedgerHeader.fromXDR(bytes);
  } catch {
    throw new NodeLie(`the header of ${what} cannot be read`);
  }
}
