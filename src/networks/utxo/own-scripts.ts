// The scripts of our own addresses with what a signer needs to find their keys: the public key, and
// the path to it from the key that the origin of the descriptor names.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { assert } from '#base/assert.ts';
import { publicKeyDeriver } from '#networks/extended-key.ts';
import { addressOfKey } from './derive-address.ts';
import { outputScript } from './output-script.ts';
import { type AddressSource, parseAddressSource } from './parse-address-source.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** Payers pay to the receiving branch; to the other one goes what is left of what we spend. */
export type Branch = 'receiving' | 'change';

export type OwnScript = {
  readonly script: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly keyOrigin: KeyOrigin;
};

/** As PSBTs have it (BIP-174, PSBT_IN_BIP32_DERIVATION). */
type KeyOrigin = {
  /** Of the master key; of the extended key itself where the operator gave no origin. */
  readonly fingerprint: number;
  /** Steps from there on; hardened ones have the highest of 32 bits. */
  readonly path: readonly number[];
};

const HARDENED = 2 ** 31;
const RECEIVING_STEP = 0;
const CHANGE_STEP = 1;
const ORIGIN_PATTERN = /\(\[([0-9a-f]{8})((?:\/\d+h?)*)\]/;

/**
 * Where change goes: the same key, branch 1 instead of 0 (BIP-44). Undefined where the descriptor
 * has no branches: change then goes to a receiving index that nobody else has.
 */
export function changeSource(source: AddressSource, chain: UtxoChain): AddressSource | undefined {
  if (source.path.at(-1) !== RECEIVING_STEP) return undefined;
  const [descriptor = ''] = source.descriptorWithOrigin.split('#');
  const change = descriptor.replace(`/${RECEIVING_STEP}/*)`, `/${CHANGE_STEP}/*)`);
  return parseAddressSource(change, chain);
}

/** Pure. The index is below 2^31. */
export function ownScripts(
  source: AddressSource,
  chain: UtxoChain,
): (branch: Branch, index: bigint) => OwnScript {
  const change = changeSource(source, chain);
  const branches = {
    receiving: scriptsOf(source, chain),
    change: change && scriptsOf(change, chain),
  };
  return (branch, index) => {
    const scriptAt = branches[branch];
    assert(scriptAt !== undefined, 'the descriptor has no branch for change');
    return scriptAt(index);
  };
}

function scriptsOf(source: AddressSource, chain: UtxoChain): (index: bigint) => OwnScript {
  const publicKeyAt = publicKeyDeriver(source.key, source.path);
  const { fingerprint, path } = originOf(source);
  return (index) => {
    const publicKey = publicKeyAt(index);
    const script = outputScript(addressOfKey(publicKey, source.script, chain), chain);
    assert(script !== undefined, 'an address of ours is none of the chain');
    const keyOrigin = { fingerprint, path: [...path, ...source.path, Number(index)] };
    return { script, publicKey, keyOrigin };
  };
}

function originOf({ descriptorWithOrigin, key }: AddressSource): KeyOrigin {
  const [, fingerprint, steps = ''] = ORIGIN_PATTERN.exec(descriptorWithOrigin) ?? [];
  if (fingerprint === undefined) return { fingerprint: fingerprintOf(key.publicKey), path: [] };
  const path = steps
    .split('/')
    .slice(1)
    .map((step) => Number.parseInt(step, 10) + (step.endsWith('h') ? HARDENED : 0));
  return { fingerprint: Number.parseInt(fingerprint, 16), path };
}

/** BIP-32: the first four bytes of the HASH160 of the public key. */
function fingerprintOf(publicKey: Uint8Array): number {
  return Buffer.from(ripemd160(sha256(publicKey))).readUInt32BE();
}
