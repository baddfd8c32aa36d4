// Address number `index` of a source: BIP-32 public derivation, then BIP-84 or BIP-86. Keys are
// derived twice (extended-key.ts), and the address of a key is computed twice by separate code and
// compared (AD1): with our own hash and bech32, and with @scure/btc-signer. A difference is a bug
// in one of them, and no address is given.
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { assert } from '#base/assert.ts';
import { publicKeyDeriver } from '#networks/extended-key.ts';
import { taprootAddress, witnessKeyHashAddress } from './output-script.ts';
import type { AddressSource, SourceScript } from './parse-address-source.ts';
import type { UtxoChain } from './utxo-chain.ts';

type DeriveAddress = (index: bigint) => string;

/** Pure. The index is below 2^31. */
export function addressDeriver(
  { key, path, script }: AddressSource,
  chain: UtxoChain,
): DeriveAddress {
  const publicKeyAt = publicKeyDeriver(key, path);
  return (index) => addressOfKey(publicKeyAt(index), script, chain);
}

/** Pure. The key is compressed. */
export function addressOfKey(
  publicKey: Uint8Array,
  script: SourceScript,
  chain: UtxoChain,
): string {
  const address = addressByOurselves(publicKey, script, chain);
  const second = addressByLibrary(publicKey, script, chain);
  assert(address === second, `two addresses differ: ${address} and ${second}`);
  return address;
}

function addressByOurselves(publicKey: Uint8Array, script: SourceScript, chain: UtxoChain): string {
  if (script === 'tr') return taprootAddress(outputKey(publicKey), chain);
  return witnessKeyHashAddress(ripemd160(sha256(publicKey)), chain);
}

function addressByLibrary(publicKey: Uint8Array, script: SourceScript, chain: UtxoChain) {
  const network = {
    bech32: chain.bech32Prefix,
    pubKeyHash: chain.publicKeyHashVersion,
    scriptHash: chain.scriptHashVersions[0],
    // Only for private keys, which never come here.
    wif: 0,
  };
  const payment =
    script === 'tr' ? p2tr(publicKey.subarray(1), undefined, network) : p2wpkh(publicKey, network);
  return payment.address;
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
