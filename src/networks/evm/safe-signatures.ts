// Signatures of the owners of a Safe: read from what somebody pasted, tied to the owner who made
// each, and put together as the contract takes them. Guarantees: nothing is taken that is not the
// signature of an owner over exactly this hash; each owner counts once. Owners that are contracts
// (EIP-1271) are not taken, since only the chain could say what they signed. Pure.
// Source: safe-smart-account, `checkNSignatures` and docs/signatures.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { OwnerSignature } from '#deposit/money-out.ts';
import { notSigned } from '#networks/outgoing-payment.ts';
import { evmAddressOf } from './derive-address.ts';

const SIGNATURE_BYTES = 65;
/** More than there are owners anywhere. */
const TEXT_MOST = 10_000;
/** `eth_sign` puts a sentence before the hash; the contract knows it by a higher v. */
const ETH_SIGN_MORE = 4;
const FIRST_V = 27;
const ETH_SIGN_PREFIX = Buffer.from('\x19Ethereum Signed Message:\n32');

/**
 * One or several, on lines of their own or one after the other, as wallets and the tools of Safe
 * give them. `known`: owners that signed it before. @throws Refusal invalid
 * `signed_transaction_invalid` that says which one is wrong, and how
 */
export function readOwnerSignatures(
  text: string,
  hash: string,
  {
    owners,
    known = [],
  }: { readonly owners: readonly string[]; readonly known?: readonly string[] },
): readonly OwnerSignature[] {
  const read: OwnerSignature[] = [];
  for (const [at, bytes] of splitSignatures(text).entries()) {
    const signature = readOne(bytes, hash, owners, `signature ${at + 1}`);
    const { owner } = signature;
    if (known.includes(owner) || read.some((one) => one.owner === owner)) {
      throw notSigned(`${owner} has signed it already: each owner counts once`);
    }
    read.push(signature);
  }
  return read;
}

/** As `execTransaction` takes them: by owner, the lowest address first. */
export function joinSignatures(signatures: readonly OwnerSignature[]): Buffer {
  const sorted = [...signatures].sort((one, other) => (one.owner < other.owner ? -1 : 1));
  return Buffer.concat(sorted.map(({ signature }) => Buffer.from(signature.slice(2), 'hex')));
}

function splitSignatures(text: string): Buffer[] {
  const trimmed = text.length <= TEXT_MOST ? text.trim() : '';
  const parts = trimmed === '' ? [] : trimmed.split(/[\s,]+/);
  const found = parts.flatMap((part) => {
    const digits = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(part)?.[1] ?? '';
    const bytes = Buffer.from(digits, 'hex');
    if (bytes.length === 0 || bytes.length % SIGNATURE_BYTES !== 0) return [undefined];
    const count = bytes.length / SIGNATURE_BYTES;
    return Array.from({ length: count }, (_, at) =>
      bytes.subarray(at * SIGNATURE_BYTES, (at + 1) * SIGNATURE_BYTES),
    );
  });
  const whole = found.filter((bytes) => bytes !== undefined);
  if (whole.length > 0 && whole.length === found.length) return whole;
  throw notSigned(
    'it must be signatures of owners of the Safe in hexadecimal: 0x and 130 digits each, one a ' +
      'line, as eth_signTypedData_v4 gives them',
  );
}

function readOne(
  bytes: Buffer,
  hash: string,
  owners: readonly string[],
  which: string,
): OwnerSignature {
  const v = bytes[SIGNATURE_BYTES - 1] ?? 0;
  const parity = parityOf(v);
  if (parity === undefined) {
    throw notSigned(`${which} ends with ${v}, which is no signature by a key (27, 28, 31 or 32)`);
  }
  const plain = Buffer.from(hash.slice(2), 'hex');
  const spoken = Buffer.from(keccak_256(Buffer.concat([ETH_SIGN_PREFIX, plain])));
  const [overHash, overSpoken] = [plain, spoken].map((one) => recover(bytes, parity, one));
  // Wallets that sign with eth_sign do not add to v what the contract wants added.
  const isSpoken = v >= FIRST_V + ETH_SIGN_MORE || !owners.includes(overHash ?? '');
  const owner = isSpoken ? overSpoken : overHash;
  if (owner === undefined || !owners.includes(owner)) {
    const by = v >= FIRST_V + ETH_SIGN_MORE ? overSpoken : overHash;
    throw notSigned(
      `${which} is over something else, or by ${by ?? 'nobody'}, who is no owner of the Safe`,
    );
  }
  const last = FIRST_V + parity + (isSpoken ? ETH_SIGN_MORE : 0);
  const body = bytes.subarray(0, SIGNATURE_BYTES - 1).toString('hex');
  return { owner, signature: `0x${body}${last.toString(16)}` };
}

/** Some hardware counts from 0. */
function parityOf(v: number): 0 | 1 | undefined {
  if (v === 0 || v === 27 || v === 31) return 0;
  return v === 1 || v === 28 || v === 32 ? 1 : undefined;
}

function recover(bytes: Buffer, parity: number, hash: Buffer): string | undefined {
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32, 64)].map((part) =>
    BigInt(`0x${part.toString('hex')}`),
  );
  try {
    const signature = new secp256k1.Signature(r ?? 0n, s ?? 0n, parity);
    return evmAddressOf(signature.recoverPublicKey(hash).toBytes(false)).toLowerCase();
  } catch {
    // Numbers that are no point of the curve: nobody has signed so.
    return undefined;
  }
}
