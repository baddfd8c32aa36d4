// Address number `index` of an account: BIP-32 public derivation along BIP-44 (m/44'/60'/0'/0/i),
// then keccak-256 and the checksum of EIP-55. Every address is derived twice by separate code and
// compared (AD1): once with @scure/bip32 and viem, once with our own BIP-32 step over @noble/curves
// and node:crypto and our own checksum. A difference is a bug in one of them and no address is
// given. No private key can come here: it is refused, whatever else it is.

import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { publicKeyToAddress } from 'viem/accounts';
import { getAddress, isAddress } from 'viem/utils';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';

export type AddressAccount = {
  /** The one spelling of this source: extended public key and path. */
  readonly descriptor: string;
  /** With the checksum of EIP-55. Pure. The index is below 2^31. */
  readonly addressAt: (index: bigint) => string;
};

const base58check = createBase58check(sha256);
const publicVersion = 0x0488b21e;
/** m/44'/60'/0', and m/44'/60'/0'/0 of wallets that give the branch of the addresses. */
const accountDepth = 3;
const branchDepth = 4;

/** @throws Refusal (invalid) naming the fault; never repeats the key. */
export function openAccount(extendedPublicKey: string): AddressAccount {
  const text = extendedPublicKey.trim();
  const key = parseKey(text);
  const path = key.depth === accountDepth ? [0] : [];
  const library = path.reduce(
    (parent, step) => parent.deriveChild(step),
    HDKey.fromExtendedKey(text),
  );
  const own = path.reduce<PublicNode>(derivePublicChild, key);
  return {
    descriptor: `evm(${text}/${[...path, '*'].join('/')})`,
    addressAt(index) {
      assert(index >= 0n && index < 2n ** 31n, `no derivation index: ${index}`);
      const { publicKey } = library.deriveChild(Number(index));
      assert(publicKey !== null, 'a derived key has a public key');
      const point = secp256k1.Point.fromBytes(publicKey);
      const address = publicKeyToAddress(`0x${point.toHex(false)}`);
      const second = addressOf(derivePublicChild(own, Number(index)).publicKey);
      assert(address === second, `two derivations differ at index ${index}`);
      return address;
    },
  };
}

/**
 * In lower case, as transfers are matched; undefined for what is no address or has a wrong
 * checksum. All in lower case it has none and is taken as it is.
 */
export function canonicalAddress(address: string): string | undefined {
  if (!isAddress(address, { strict: address !== address.toLowerCase() })) return undefined;
  return getAddress(address).toLowerCase();
}

type PublicNode = { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array };
type ExtendedKey = PublicNode & { readonly depth: number };

function parseKey(text: string): ExtendedKey {
  // Before the checksum: a private key with a typing error is still one to be replaced.
  if (/^[a-zA-Z]{1,3}p(?:rv|v)/.test(text) && !/^..ub/.test(text)) throw refusePrivate();
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    throw refuse('no extended public key: its checksum does not match');
  }
  if (bytes.length !== 78) throw refuse('the extended key does not have 78 bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const publicKey = bytes.slice(45);
  if (publicKey[0] === 0) throw refusePrivate();
  if (view.getUint32(0) !== publicVersion) {
    throw refuse('the extended key is not one of Ethereum: it begins with xpub');
  }
  const depth = view.getUint8(4);
  if (depth !== accountDepth && depth !== branchDepth) {
    throw refuse(
      `the extended key is at depth ${depth}; that of an account (m/44'/60'/0') is at depth ` +
        `${accountDepth}, that of its addresses (m/44'/60'/0'/0) at depth ${branchDepth}`,
    );
  }
  return { depth, chainCode: bytes.slice(13, 45), publicKey };
}

/** CKDpub of BIP-32. An invalid child has a chance of 2^-127 and fails. */
function derivePublicChild(parent: PublicNode, index: number): PublicNode {
  const data = Buffer.alloc(37);
  data.set(parent.publicKey);
  data.writeUInt32BE(index, 33);
  const digest = createHmac('sha512', parent.chainCode).update(data).digest();
  const tweak = BigInt(`0x${digest.toString('hex', 0, 32)}`);
  assert(tweak > 0n && tweak < secp256k1.Point.Fn.ORDER, 'an invalid child key');
  const child = secp256k1.Point.BASE.multiply(tweak).add(
    secp256k1.Point.fromBytes(parent.publicKey),
  );
  assert(!child.is0(), 'an invalid child key');
  return { publicKey: child.toBytes(true), chainCode: new Uint8Array(digest.subarray(32)) };
}

/** Last 20 bytes of the hash of the point; a letter is a capital where the hash's digit is 8 up. */
function addressOf(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1);
  const digits = keccak_256(point).subarray(12).toHex();
  const checksum = keccak_256(new TextEncoder().encode(digits)).toHex();
  const letters = Array.from(digits, (digit, at) =>
    Number.parseInt(checksum[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

function refuse(sentence: string): Refusal {
  return new Refusal('invalid', 'address_source_invalid', sentence);
}

function refusePrivate(): Refusal {
  return new Refusal(
    'invalid',
    'private_key_refused',
    'this is a PRIVATE key: it is not used and not stored. It has been in a place where it does ' +
      'not belong, so move its funds to a new one, and configure the extended public key',
  );
}
