// Headers of ledgers. The hash is computed here from the fields of the header, so a server cannot
// change a field without changing this hash and that of every later ledger (xrpl.org, Ledger
// Header).

import {
  CAPITAL_HASH,
  type Fields,
  requireFields,
  requireHash,
  requireThat,
} from '#networks/answer-fields.ts';
import { sha512Half } from './xrpl-address.ts';
import {
  requireDrops,
  requireLedgerIndex,
  requireUint32,
  requireValidated,
} from './xrpl-fields.ts';

export type LedgerHeader = {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** The close time, which the network rounds to ten seconds. */
  readonly minedAt: Temporal.Instant;
};

/** Seconds from 1970 to 2000, where the ledger begins to count. */
const RIPPLE_EPOCH_SECONDS = 946_684_800;
/** HashPrefix::ledgerMaster, "LWR" and a zero. */
const PREFIX = Buffer.from('4C575200', 'hex');

/** @throws NodeLie when the answer to `ledger` is not a validated ledger, or not the one asked. */
export function readLedgerHeader(answer: Fields, asked: bigint | undefined): LedgerHeader {
  requireValidated(answer, 'a ledger');
  const header = requireFields(answer.ledger, 'a ledger');
  requireThat(header.closed === true, 'a ledger is not closed');
  const height = requireLedgerIndex(header);
  requireThat(asked === undefined || height === asked, `ledger ${height} is not the one asked for`);
  const closeSeconds = requireUint32(header, 'close_time');
  const hash = hashOf(header);
  requireThat(
    requireHash(header.ledger_hash, 'ledger_hash', CAPITAL_HASH) === hash &&
      requireHash(answer.ledger_hash, 'ledger_hash', CAPITAL_HASH) === hash,
    `the header of ledger ${height} has another hash`,
  );
  return {
    height,
    hash,
    parentHash: requireHash(header.parent_hash, 'parent_hash', CAPITAL_HASH),
    minedAt: Temporal.Instant.fromEpochMilliseconds((RIPPLE_EPOCH_SECONDS + closeSeconds) * 1000),
  };
}

function hashOf(header: Fields): string {
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32BE(requireUint32(header, 'ledger_index'), 0);
  numbers.writeBigUInt64BE(requireDrops(header, 'total_coins'), 4);
  const hashes = ['parent_hash', 'transaction_hash', 'account_hash'].map((name) =>
    Buffer.from(requireHash(header[name], name, CAPITAL_HASH), 'hex'),
  );
  const times = Buffer.alloc(10);
  times.writeUInt32BE(requireUint32(header, 'parent_close_time'), 0);
  times.writeUInt32BE(requireUint32(header, 'close_time'), 4);
  for (const [index, name] of ['close_time_resolution', 'close_flags'].entries()) {
    const value = requireUint32(header, name);
    requireThat(value < 256, `${name} is no byte`);
    times.writeUInt8(value, 8 + index);
  }
  return sha512Half(Buffer.concat([PREFIX, numbers, ...hashes, times]));
}
