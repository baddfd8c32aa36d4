// Address number `index` of a source: BIP-32 public derivation, then BIP-84 or BIP-86. Each one is
// derived twice by separate code and compared (AD1): once with @scure/bip32 and our own hash and
// bech32, once with our own BIP-32 step over @noble/curves, node:crypto and @scure/btc-signer. A
// difference is a bug in one of them and no address is given.
import { createHmac } from 'node:crypto';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { assert } from '#base/assert.ts';
import { taprootAddress, witnessKeyHashAddress } from './canonical-address.ts';
import type { AddressSource } from './parse-address-source.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type DeriveAddress = (index: bigint) => string;

/** Pure; the steps common to all indexes are taken once. The index is below 2^31. */
export function addressDeriver(source: AddressSource, chain: UtxoChain): DeriveAddress {
  const first = deriveWithLibrary(source, chain);
  const second = deriveByOurselves(source, chain);
  return (index) => {
    assert(index >= 0n && index < 2n ** 31n, `no derivation index: ${index}`);
    const address = first(Number(index));
    assert(address === second(Number(index)), `two derivations differ at index ${index}`);
    return address;
  };
}

function deriveWithLibrary(
  { key, path, script }: AddressSource,
  chain: UtxoChain,
): (index: number) => string {
  const versions = { public: chain.extendedPublicVersion, private: 0 };
  let parent = HDKey.fromExtendedKey(key.text, versions);
  for (const step of path) parent = parent.deriveChild(step);
  return (index) => {
    const { publicKey } = parent.deriveChild(index);
    assert(publicKey !== null, 'a derived key has no public key');
    if (script === 'tr') return taprootAddress(outputKey(publicKey), chain);
    return witnessKeyHashAddress(ripemd160(sha256(publicKey)), chain);
  };
}

/** BIP-341 without a script path: Q = P + hash_TapTweak(P) G, P with an even y. */
function outputKey(publicKey: Uint8Array): Uint8Array {
  const { lift_x: liftX, taggedHash } = schnorr.utils;
  const internalKey = publicKey.subarray(1);
  const tweak = BigInt(`0x${Buffer.from(taggedHash('TapTweak', internalKey)).toString('hex')}`);
  assert(tweak < secp256k1.Point.Fn.ORDER, 'an invalid taproot tweak');
  const internal = liftX(BigInt(`0x${Buffer.from(internalKey).toString('hex')}`));
  return internal.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true).subarray(1);
}

type PublicNode = { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array };

function deriveByOurselves(
  { key, path, script }: AddressSource,
  chain: UtxoChain,
): (index: number) => string {
  const parent = path.reduce<PublicNode>(derivePublicChild, key);
  const network = {
    bech32: chain.bech32Prefix,
    pubKeyHash: chain.publicKeyHashVersion,
    scriptHash: chain.scriptHashVersions[0],
    // Only for private keys, which never come here.
    wif: 0,
  };
  return (index) => {
    const { publicKey } = derivePublicChild(parent, index);
    const { address } =
      script === 'tr'
        ? p2tr(publicKey.subarray(1), undefined, network)
        : p2wpkh(publicKey, network);
    assert(address !== undefined, 'a derived key has no address');
    return address;
  };
}

/** CKDpub of BIP-32. An invalid child has a chance of 2^-127 and fails. */
function derivePublicChild(parent: PublicNode, index: number): PublicNode {
  const data = Buffer.alloc(37);
  data.set(parent.publicKey);
  data.writeUInt32BE(index, 33);
  const digest = createHmac('sha512', parent.chainCode).update(data).digest();
  const tweak = BigInt(`0x${digest.toString('hex', 0, 32)}`);
  assert(tweak > 0n && tweak < secp256k1.Point.Fn.ORDER, 'an invalid child key');
  const point = secp256k1.Point.BASE.multiply(tweak).add(
    secp256k1.Point.fromBytes(parent.publicKey),
  );
  assert(!point.is0(), 'an invalid child key');
  return { publicKey: point.toBytes(true), chainCode: new Uint8Array(digest.subarray(32)) };
}
