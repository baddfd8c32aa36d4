// The output script of an address, and back, for every kind of address that money is sent to. A
// wrong script sends money into the void, so it is made twice by separate code and compared
// (AD1): by our own bytes, and by @scure/btc-signer. A difference is a bug in one of them, and no
// script is given.
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer/payment.js';
import { assert } from '#base/assert.ts';
import { canonicalAddress } from './canonical-address.ts';
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
