// Extended public keys (BIP-32), as operators configure them, and the public keys they derive.
// Guarantees: a private key and a damaged key are refused, and no refusal repeats the key; every
// public key is derived twice by separate code and compared (AD1), once with @scure/bip32 and once
// with our own step over @noble/curves and node:crypto. A difference is a bug in one of them, and
// no key is given.
import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';

type PublicNode = {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly chainCode: Uint8Array;
};

export type ExtendedKey = PublicNode & {
  /** First four bytes: the chain, and which scripts the key is for. */
  readonly version: number;
  readonly depth: number;
  /** Base58 with these version bytes. */
  readonly text: string;
};

const BASE58CHECK = createBase58check(sha256);

/**
 * Private version bytes seen in the wild (BIP-32, SLIP-132): refused loudly, whatever the chain.
 */
const PRIVATE_VERSIONS: ReadonlySet<number> = new Set([
  0x0488ade4, 0x049d7878, 0x04b2430c, 0x0295b005, 0x02aa7a99, 0x04358394, 0x044a4e28, 0x045f18bc,
  0x024285b5, 0x02575048, 0x019d9cfe, 0x01b26792, 0x0436ef7d,
]);

/** `otherwise` says what a text is that is none. @throws Refusal (invalid) naming the fault. */
export function readExtendedKey(text: string, otherwise: string): ExtendedKey {
  // Checked before the checksum, because even a private key with a typing error has been exposed
  // and must be replaced.
  if (/^[a-zA-Z]{1,3}p(?:rv|v)/.test(text) && !/^..ub/.test(text)) throw refusePrivateKey();
  let bytes: Uint8Array;
  try {
    bytes = BASE58CHECK.decode(text);
  } catch {
    throw refuseSource(otherwise);
  }
  if (bytes.length !== 78) throw refuseSource('the extended key does not have 78 bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(0);
  const publicKey = bytes.slice(45);
  if (PRIVATE_VERSIONS.has(version) || publicKey[0] === 0) throw refusePrivateKey();
  return { version, depth: view.getUint8(4), chainCode: bytes.slice(13, 45), publicKey, text };
}

/** The same key, spelled for another chain or other scripts. */
export function withVersion(key: ExtendedKey, version: number): ExtendedKey {
  const bytes = BASE58CHECK.decode(key.text).slice();
  new DataView(bytes.buffer).setUint32(0, version);
  return { ...key, version, text: BASE58CHECK.encode(bytes) };
}

/**
 * The compressed public key at an index below 2^31, under unhardened steps. Pure; the steps common
 * to all indexes are taken once.
 */
export function publicKeyDeriver(
  key: ExtendedKey,
  path: readonly number[],
): (index: bigint) => Uint8Array {
  const versions = { public: key.version, private: 0 };
  const library = path.reduce(
    (parent, step) => parent.deriveChild(step),
    HDKey.fromExtendedKey(key.text, versions),
  );
  const own = path.reduce<PublicNode>((parent, step) => derivePublicChild(parent, step), key);
  const ownPoint = secp256k1.Point.fromBytes(own.publicKey);
  return (index) => {
    assert(index >= 0n && index < 2n ** 31n, `no derivation index: ${index}`);
    const { publicKey } = library.deriveChild(Number(index));
    const second = derivePublicChild(own, Number(index), ownPoint).publicKey;
    const isSame = publicKey !== null && Buffer.from(publicKey).equals(second);
    assert(isSame, `two derivations differ at index ${index}`);
    return publicKey;
  };
}

/**
 * CKDpub of BIP-32. An invalid child has a chance of 2^-127 and fails. `point` is the public key of
 * the parent. Whoever has the extended public key can compute all of this: no secret is multiplied
 * that would need the slower multiplication, which takes the same time for each number. While an
 * address is derived the counter of its source is held.
 */
function derivePublicChild(
  parent: PublicNode,
  index: number,
  point = secp256k1.Point.fromBytes(parent.publicKey),
): PublicNode {
  const data = Buffer.alloc(37);
  data.set(parent.publicKey);
  data.writeUInt32BE(index, 33);
  const digest = createHmac('sha512', parent.chainCode).update(data).digest();
  const tweak = BigInt(`0x${digest.toString('hex', 0, 32)}`);
  assert(tweak > 0n && tweak < secp256k1.Point.Fn.ORDER, 'an invalid child key');
  const child = secp256k1.Point.BASE.multiplyUnsafe(tweak).add(point);
  assert(!child.is0(), 'an invalid child key');
  return { publicKey: child.toBytes(true), chainCode: new Uint8Array(digest.subarray(32)) };
}

export function refuseSource(sentence: string): Refusal {
  return new Refusal('invalid', 'address_source_invalid', sentence);
}

export function refusePrivateKey(): Refusal {
  return new Refusal(
    'invalid',
    'private_key_refused',
    'this is a PRIVATE key: it is not used and not stored. It has been in a place where it does ' +
      'not belong, so move its funds to a new one, and configure the extended public key',
  );
}
