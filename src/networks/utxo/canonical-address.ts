// Addresses of Bitcoin-like chains: base58check (pay to public key hash, to script hash), bech32
// (BIP-173, witness version 0) and bech32m (BIP-350, taproot). Anything else, Litecoin's MWEB
// addresses and unknown witness versions among it, is no address for us: money sent there could not
// be recognised or would be anyone's.
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { UtxoChain } from './utxo-chain.ts';

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
