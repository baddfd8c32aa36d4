// The output script of an address, and back, for every kind of address that money is sent to. A
// wrong script sends money into the void, so it is made twice by separate code and compared
// (AD1): by our own bytes, and by @scure/btc-signer. A difference is a bug in one of them, and no
// script is given.

import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer/payment.js';
import { assert } from '#base/assert.ts';
import type { UtxoChain } from './utxo-chain.ts';

const BASE58CHECK = createBase58check(sha256);
const OP_DUP = 0x76;
const OP_HASH160 = 0xa9;
const OP_EQUAL = 0x87;
const OP_EQUALVERIFY = 0x88;
const OP_CHECKSIG = 0xac;
const OP_1 = 0x51;
const PUSH_20 = 20;

/** Undefined when the text is no address of the chain, another network's among them. */
export function outputScript(address: string, chain: UtxoChain): Uint8Array | undefined {
  const canonical = canonicalAddress(address, chain);
  if (canonical === undefined) return undefined;
  const script = scriptByOurselves(canonical, chain);
  const second = OutScript.encode(required(libraryAddress(chain).decode(canonical)));
  assert(Buffer.from(script).equals(second), `two scripts differ for ${canonical}`);
  return script;
}

/** As the chain's node shows it; undefined for a script that no address stands for. */
export function addressOfScript(script: Uint8Array, chain: UtxoChain): string | undefined {
  try {
    const address = libraryAddress(chain).encode(required(OutScript.decode(script)));
    // The library has addresses for future witness versions as well.
    return canonicalAddress(address, chain);
  } catch {
    return undefined;
  }
}

function scriptByOurselves(address: string, chain: UtxoChain): Uint8Array {
  if (address.startsWith(`${chain.bech32Prefix}1`)) return witnessScript(address, chain);
  const [version, ...hash] = BASE58CHECK.decode(address);
  return version === chain.publicKeyHashVersion
    ? Uint8Array.of(OP_DUP, OP_HASH160, PUSH_20, ...hash, OP_EQUALVERIFY, OP_CHECKSIG)
    : Uint8Array.of(OP_HASH160, PUSH_20, ...hash, OP_EQUAL);
}

/** BIP-141: the version, then one push of the program. */
function witnessScript(address: string, chain: UtxoChain): Uint8Array {
  const isTaproot = address[chain.bech32Prefix.length + 1] === 'p';
  const decoded = (isTaproot ? bech32m : bech32).decodeUnsafe(address);
  assert(decoded !== undefined, `${address} is not canonical`);
  const program = bech32.fromWords(decoded.words.slice(1));
  return Uint8Array.of(isTaproot ? OP_1 : 0, program.length, ...program);
}

function libraryAddress(chain: UtxoChain) {
  return Address({
    bech32: chain.bech32Prefix,
    pubKeyHash: chain.publicKeyHashVersion,
    scriptHash: chain.scriptHashVersions[0],
    // Only for private keys, which never come here.
    wif: 0,
  });
}

function required<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'no script');
  return value;
}

// Addresses of Bitcoin-like chains: base58check (pay to public key hash, to script hash), bech32
// (BIP-173, witness version 0) and bech32m (BIP-350, taproot). Anything else, Litecoin's MWEB
// addresses and unknown witness versions among it, is no address for us: money sent there could not
// be recognised or would be anyone's.
const base58check = createBase58check(sha256);

/** The spelling the chain's node shows; undefined when the text is no address of the chain. */
export function canonicalAddress(address: string, chain: UtxoChain): string | undefined {
  // Longer than any address: nothing below should see it.
  if (address.length > 100) return undefined;
  return canonicalWitness(address, chain) ?? canonicalBase58(address, chain);
}

/** Pay to witness public key hash: version 0 over the 20 bytes of HASH160. */
export function witnessKeyHashAddress(keyHash: Uint8Array, chain: UtxoChain): string {
  return bech32.encode(chain.bech32Prefix, [0, ...bech32.toWords(keyHash)]);
}

/** Version 1 over the 32 bytes of the output key. */
export function taprootAddress(outputKey: Uint8Array, chain: UtxoChain): string {
  return bech32m.encode(chain.bech32Prefix, [1, ...bech32m.toWords(outputKey)]);
}

function canonicalWitness(address: string, chain: UtxoChain): string | undefined {
  const lower = address.toLowerCase();
  // Mixed case is forbidden by BIP-173.
  if (address !== lower && address !== address.toUpperCase()) return undefined;
  if (!lower.startsWith(`${chain.bech32Prefix}1`)) return undefined;
  // The version stands first and tells which checksum it must be.
  const isTaproot = lower[chain.bech32Prefix.length + 1] === 'p';
  const decoded = (isTaproot ? bech32m : bech32).decodeUnsafe(lower);
  if (decoded === undefined || decoded.prefix !== chain.bech32Prefix) return undefined;
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  if (!program) return undefined;
  const { length } = program;
  const isKnown = version === 0 ? length === 20 || length === 32 : version === 1 && length === 32;
  return isKnown ? lower : undefined;
}

function canonicalBase58(address: string, chain: UtxoChain): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(address);
  } catch {
    return undefined;
  }
  const [version] = bytes;
  if (bytes.length !== 21 || version === undefined) return undefined;
  if (version === chain.publicKeyHashVersion) return address;
  if (!chain.scriptHashVersions.includes(version)) return undefined;
  return base58check.encode(Uint8Array.of(chain.scriptHashVersions[0], ...bytes.subarray(1)));
}
