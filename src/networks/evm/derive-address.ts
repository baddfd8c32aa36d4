// Address number `index` of an account: BIP-32 public derivation along BIP-44 (m/44'/60'/0'/0/i),
// then keccak-256 and the checksum of EIP-55. Point and hash are computed twice by separate code
// and compared (AD1), with @noble and with OpenSSL. A difference is a bug in one of them, and no
// address is given. No private key can come here: it is refused, whatever else it is.

import { createHash, ECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { assert } from '#base/assert.ts';
import { publicKeyDeriver, readExtendedKey, refuseSource } from '#networks/extended-key.ts';

export type AddressAccount = {
  /** The one spelling of this source: extended public key and path. */
  readonly descriptor: string;
  /** With the checksum of EIP-55. Pure. The index is below 2^31. */
  readonly addressAt: (index: bigint) => string;
};

const PUBLIC_VERSION = 0x0488b21e;
/** m/44'/60'/0', and m/44'/60'/0'/0 of wallets that give the branch of the addresses. */
const ACCOUNT_DEPTH = 3;
const BRANCH_DEPTH = 4;

/** @throws Refusal (invalid) naming the fault; never repeats the key. */
export function openEvmAccount(extendedPublicKey: string): AddressAccount {
  const key = readExtendedKey(
    extendedPublicKey.trim(),
    'no extended public key: its checksum does not match',
  );
  const { text, version, depth } = key;
  if (version !== PUBLIC_VERSION) {
    throw refuseSource('the extended key is not one of Ethereum: it begins with xpub');
  }
  if (depth !== ACCOUNT_DEPTH && depth !== BRANCH_DEPTH) {
    throw refuseSource(
      `the extended key is at depth ${depth}; that of an account (m/44'/60'/0') is at depth ` +
        `${ACCOUNT_DEPTH}, that of its addresses (m/44'/60'/0'/0) at depth ${BRANCH_DEPTH}`,
    );
  }
  const path = depth === ACCOUNT_DEPTH ? [0] : [];
  const publicKeyAt = publicKeyDeriver(key, path);
  return {
    descriptor: `evm(${text}/${[...path, '*'].join('/')})`,
    addressAt(index) {
      const publicKey = publicKeyAt(index);
      const address = evmAddressOf(secp256k1.Point.fromBytes(publicKey).toBytes(false));
      const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed');
      assert(typeof point !== 'string', 'a key in bytes is given back in bytes');
      assert(address === evmAddressOf(point, opensslKeccak), `two hashes differ at index ${index}`);
      return address;
    },
  };
}

/**
 * In lower case, as arrivals are matched; undefined for what is no address or has a wrong
 * checksum. All in lower case it has none and is taken as it is.
 */
export function canonicalEvmAddress(address: string): string | undefined {
  if (address === address.toLowerCase())
    return /^0x[0-9a-f]{40}$/.test(address) ? address : undefined;
  return hasEvmChecksum(address) ? address.toLowerCase() : undefined;
}

/** Whether it is an address with the checksum of EIP-55. */
export function hasEvmChecksum(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  return withChecksum(address.slice(2).toLowerCase(), keccak_256) === address;
}

type Hash = (bytes: Uint8Array) => Uint8Array;

function opensslKeccak(bytes: Uint8Array): Uint8Array {
  return createHash('keccak-256').update(bytes).digest();
}

/**
 * With the checksum of EIP-55: the last 20 bytes of the hash of the point, which is uncompressed,
 * without the byte that says its form.
 */
export function evmAddressOf(point: Uint8Array, keccak: Hash = keccak_256): string {
  return withChecksum(Buffer.from(keccak(point.subarray(1)).subarray(12)).toString('hex'), keccak);
}

/** A letter is a capital where the hash of all digits has 8 or more at its place. */
function withChecksum(digits: string, keccak: Hash): string {
  const checksum = Buffer.from(keccak(Buffer.from(digits))).toString('hex');
  const letters = Array.from(digits, (digit, at) =>
    Number.parseInt(checksum[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}
