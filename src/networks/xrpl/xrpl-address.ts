// Addresses of the XRP Ledger. Classic ones (Base58 encodings): a zero, 20 bytes of the account and
// four bytes of SHA-256 twice. X-addresses (XLS-5) put a destination tag and the network beside the
// account. Nothing without its checksum is an address.

import { createHash } from 'node:crypto';
import { base58xrp } from '@scure/base';

const ACCOUNT_BYTES = 20;
const CHECKSUM_BYTES = 4;
/** Prefix, account, flag, tag and four bytes that must be zero. */
const X_ADDRESS_BYTES = 2 + ACCOUNT_BYTES + 1 + 8;

/** The 20 bytes of the account; undefined when the text is no classic address. */
export function classicAccountId(text: string): Buffer | undefined {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return undefined;
  const payload = checkedPayload(text);
  return payload?.length === 1 + ACCOUNT_BYTES && payload[0] === 0
    ? payload.subarray(1)
    : undefined;
}

export function classicAddress(accountId: Uint8Array): string {
  return withChecksum(Buffer.concat([Buffer.alloc(1), accountId]));
}

type TaggedAccount = { readonly account: string; readonly tag: bigint | undefined };

/** What an X-address of the network names; undefined when it is none, or one of another network. */
export function readXAddress(text: string, prefix: number): TaggedAccount | undefined {
  if (!/^[XT][1-9A-HJ-NP-Za-km-z]{45,47}$/.test(text)) return undefined;
  const payload = checkedPayload(text);
  if (payload?.length !== X_ADDRESS_BYTES || payload.readUInt16BE(0) !== prefix) return undefined;
  const account = classicAddress(payload.subarray(2, 2 + ACCOUNT_BYTES));
  const flag = payload[2 + ACCOUNT_BYTES];
  const tag = payload.readBigUInt64LE(3 + ACCOUNT_BYTES);
  if (flag === 0 && tag === 0n) return { account, tag: undefined };
  return flag === 1 && tag < 2n ** 32n ? { account, tag } : undefined;
}

/** Index of the AccountRoot entry in the state of a ledger (Ledger object ids, space 0x0061). */
export function accountRootIndex(accountId: Uint8Array): string {
  return sha512Half(Buffer.concat([Buffer.from([0, 0x61]), accountId]));
}

/** The first half of SHA-512, in the upper case of the ledger. */
export function sha512Half(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest().subarray(0, 32).toString('hex').toUpperCase();
}

function checkedPayload(text: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = Buffer.from(base58xrp.decode(text));
  } catch {
    return undefined;
  }
  const payload = bytes.subarray(0, -CHECKSUM_BYTES);
  return bytes.subarray(-CHECKSUM_BYTES).equals(checksumOf(payload)) ? payload : undefined;
}

function withChecksum(payload: Uint8Array): string {
  return base58xrp.encode(Buffer.concat([payload, checksumOf(payload)]));
}

function checksumOf(payload: Uint8Array): Buffer {
  const once = createHash('sha256').update(payload).digest();
  return createHash('sha256').update(once).digest().subarray(0, CHECKSUM_BYTES);
}
