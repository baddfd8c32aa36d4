// A key as somebody gives it to the signer, in the spelling of each network's own tools, or made
// here. What is kept has one spelling. No refusal repeats what was typed. Loaded by the signer
// alone.

import { WIF } from '@scure/btc-signer/payment.js';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { EVM_CHAIN_NAMES } from '#networks/evm/evm-chain.ts';
import { STELLAR_CHAIN_NAMES } from '#networks/stellar/stellar-chain.ts';
import { UTXO_CHAINS, type UtxoChain } from '#networks/utxo/utxo-chain.ts';
import { XRPL_CHAIN_NAMES } from '#networks/xrpl/xrpl-chain.ts';
import type { KeyFamilies, NewKey, OpenKey, SignerKey } from '#signer/open-key.ts';
import { evmAccountKey, isEvmNetwork, openEvmKey } from './evm-key.ts';
import { isStellarSeed, openStellarKey, stellarSeedOf } from './stellar-key.ts';
import { accountOfExtendedKey, accountOfSeed, openUtxoKey, utxoChainOf } from './utxo-key.ts';
import { familySeedOf, openXrplKey, pairOf } from './xrpl-key.ts';

type Kept = Pick<SignerKey, 'secret'> & { readonly origin?: string | undefined };

type Family = {
  readonly chains: (network: string) => readonly string[];
  /** Undefined when the text is none of the family. */
  keep(key: NewKey, secret: string): Kept | undefined;
  make(key: NewKey, random: Random): Kept;
  readonly open: (key: SignerKey) => OpenKey;
  readonly spellings: string;
};

const HEX_KEY = /^(?:0x)?([0-9a-f]{64})$/i;
const HEX_SEED = /^(?:[0-9a-f]{2}){16,64}$/i;
/** Of test chains: tprv, vprv, ttpv. */
const TEST_PRIVATE = /^(?:tprv|vprv|ttpv)/;
const ORIGIN = /^[0-9a-f]{8}(?:\/\d+h)*$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const UTXO: Family = {
  chains: (network) =>
    UTXO_CHAINS.filter(({ assetId }) => assetId === assetOf(network)).map((one) => one.nodeChain),
  keep: ({ script = 'wpkh', origin, ...key }, secret) => {
    const chain = utxoChainOf(key);
    if (HEX_SEED.test(secret)) return accountOfSeed(Buffer.from(secret, 'hex'), script, chain);
    const single = wifKey(secret, chain);
    if (single !== undefined) return { secret: single };
    const isTest = chain.coinType === 1;
    if (!/^[a-zA-Z]{3}[vp]/.test(secret) || TEST_PRIVATE.test(secret) !== isTest) return undefined;
    const found = accountOfExtendedKey(secret, script, chain);
    return found && { ...found, origin: found.origin ?? origin };
  },
  make: ({ script = 'wpkh', ...key }, random) =>
    accountOfSeed(random.bytes(32), script, utxoChainOf(key)),
  open: openUtxoKey,
  spellings:
    'an extended private key (xprv, zprv; tprv on test chains) of the account or the master key, ' +
    'a private key in WIF, or a BIP-32 seed in hexadecimal',
};

const EVM: Family = {
  chains: () => EVM_CHAIN_NAMES,
  keep: (_, secret) => {
    const digits = HEX_KEY.exec(secret)?.[1];
    const kept =
      digits?.toLowerCase() ?? (/^xprv/.test(secret) ? evmAccountKey(secret) : undefined);
    return kept === undefined ? undefined : { secret: kept };
  },
  make: (_, random) => ({ secret: random.bytes(32).toHex() }),
  open: openEvmKey,
  spellings: "a private key in hexadecimal, or an xprv of m/44'/60'/0' or of the master key",
};

const STELLAR: Family = {
  chains: () => STELLAR_CHAIN_NAMES,
  keep: (_, secret) => (isStellarSeed(secret) ? { secret } : undefined),
  make: (_, random) => ({ secret: stellarSeedOf(random.bytes(32)) }),
  open: openStellarKey,
  spellings: 'a secret seed (S...)',
};

const XRPL: Family = {
  chains: () => XRPL_CHAIN_NAMES,
  keep: (_, secret) => {
    const kept = /^[0-9a-f]{64,66}$/i.test(secret) ? secret.toUpperCase() : secret;
    return pairOf(kept) === undefined ? undefined : { secret: kept };
  },
  make: (_, random) => ({ secret: familySeedOf(random.bytes(16)) }),
  open: openXrplKey,
  spellings: 'a family seed (s..., sEd...), or a private key in hexadecimal',
};

function assetOf(network: string): string {
  return network === 'BITCOIN' ? 'BTC:NATIVE' : 'LTC:NATIVE';
}

function familyOf(network: string): Family {
  if (network === 'BITCOIN' || network === 'LITECOIN') return UTXO;
  if (network === 'STELLAR') return STELLAR;
  if (network === 'XRP_LEDGER') return XRPL;
  if (isEvmNetwork(network)) return EVM;
  throw refuse(`--network: the signer has no keys of ${network}`);
}

function openKey(key: SignerKey): OpenKey {
  return familyOf(key.network).open(key);
}

/** @throws Refusal that says what is wrong with it. */
function keyToKeep(key: NewKey, random: Random): SignerKey {
  const { name, network, chain, origin, secret } = key;
  if (!NAME.test(name)) throw refuse('--name: small letters, digits and hyphens, at most 40');
  const family = familyOf(network);
  const chains = family.chains(network);
  if (!chains.includes(chain)) throw refuse(`--chain: one of ${chains.join(', ')}`);
  if (origin !== undefined && !ORIGIN.test(origin))
    throw refuse('--origin: as in 0123abcd/84h/0h/0h');
  return secret === undefined
    ? whole(family, key, family.make(key, random))
    : keep(family, key, secret.trim());
}

function keep(family: Family, key: NewKey, secret: string): SignerKey {
  try {
    const kept = family.keep(key, secret);
    if (kept !== undefined) return whole(family, key, kept);
  } catch {
    // The cause is left out: libraries quote what they cannot read.
  }
  throw refuse(`what was given is no key of ${key.network} (${key.chain}): ${family.spellings}`);
}

function whole(family: Family, key: NewKey, kept: Kept): SignerKey {
  const given = Object.entries({ ...key, ...kept }).filter(([, value]) => value !== undefined);
  const made = Object.fromEntries(given) as SignerKey;
  // What cannot be opened is not kept.
  family.open(made);
  return made;
}

function wifKey(text: string, chain: UtxoChain): string | undefined {
  // Of all chains but the main ones it is that of Bitcoin's test network (chainparams.cpp).
  const wif = chain.coinType === 1 ? 0xef : chain.assetId === 'BTC:NATIVE' ? 0x80 : 0xb0;
  const { bech32Prefix: bech32, publicKeyHashVersion: pubKeyHash, scriptHashVersions } = chain;
  try {
    const bytes = WIF({ bech32, pubKeyHash, scriptHash: scriptHashVersions[0], wif }).decode(text);
    return Buffer.from(bytes).toString('hex');
  } catch {
    return undefined;
  }
}

function refuse(sentence: string): Refusal {
  return new Refusal('invalid', 'signer_key_invalid', sentence);
}

/** For the program of the signer, and for nobody else: the service never loads it. */
export const KEY_FAMILIES: KeyFamilies = { openKey, keyToKeep };
