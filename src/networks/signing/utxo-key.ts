// A key of Bitcoin or Litecoin. Of a PSBT nothing is believed but what its signatures cover: every
// input has to be at an address of this key (wpkh or tr, branches 0 and 1), every output is a
// payment of the order or goes back to this key, the fee is what is left.
//
// BIP-143 lets a hostile service lie about the amount of one input while another one is signed, and
// put two such halves together. So a coin is worth what it was said to be worth the first time; the
// log remembers that (decide-signature.ts).

import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawOldTx } from '@scure/btc-signer/script.js';
import { assert } from '#base/assert.ts';
import { addressOfKey } from '#networks/utxo/derive-address.ts';
import { addressOfScript, canonicalAddress, outputScript } from '#networks/utxo/output-script.ts';
import { parseAddressSource } from '#networks/utxo/parse-address-source.ts';
import { readSignedPsbt } from '#networks/utxo/read-signed-psbt.ts';
import { doubleSha256, toShown } from '#networks/utxo/read-transaction.ts';
import {
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  signatureHashes,
  type UnsignedTransaction,
} from '#networks/utxo/signature-hash.ts';
import { UTXO_CHAINS, type UtxoChain } from '#networks/utxo/utxo-chain.ts';
import type { SignerKey } from '#signer/open-key.ts';
import {
  differs,
  isFoundAgain,
  type OpenKey,
  type ReviewedOrder,
  requireFact,
  unreadable,
} from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';

type Psbt = ReturnType<typeof RawPSBTV0.decode>;
type Input = Psbt['inputs'][number];
type Derived = Pick<Input, 'bip32Derivation' | 'tapBip32Derivation'>;
/** Branch and index below an extended key. */
type Path = readonly [branch: number, index: number];
/** The private key that a script of ours belongs to; undefined for every other script. */
type FindKey = (script: Uint8Array, paths: readonly Path[]) => Uint8Array | undefined;

const BASE58CHECK = createBase58check(sha256);
/** Extended private keys are kept in this spelling, whatever they came in. */
const XPRV = 0x0488ade4;
const HARDENED = 2 ** 31;
const BRANCHES = [0, 1];
/** Times begin here, heights end before (BIP-113). */
const LOCK_TIME_MOST = 500_000_000;

export function utxoChainOf({ network, chain }: Pick<SignerKey, 'network' | 'chain'>): UtxoChain {
  const assetId = network === 'BITCOIN' ? 'BTC:NATIVE' : 'LTC:NATIVE';
  const found = UTXO_CHAINS.find((one) => one.assetId === assetId && one.nodeChain === chain);
  assert(found !== undefined, `no chain ${chain} of ${network}`);
  return found;
}

export function openUtxoKey(key: SignerKey): OpenKey {
  const chain = utxoChainOf(key);
  const { find, address, descriptor } = key.secret.startsWith('xprv')
    ? extendedKey(key, chain)
    : singleKey(key, chain);
  const { name, environment, network } = key;
  const shown = { name, environment, network, chain: key.chain, address };
  return {
    shown: descriptor === undefined ? shown : { ...shown, descriptor },
    isFor: ({ unsigned }) => isOurs(readPsbt(unsigned), find),
    owns: ({ account, index }) => {
      const script = outputScript(account.address ?? '', chain);
      const isNumbered = index !== undefined && isFoundAgain(index);
      const paths = isNumbered ? BRANCHES.map((branch): Path => [branch, Number(index)]) : [];
      return script !== undefined && find(script, paths) !== undefined;
    },
    spell: (address) => canonicalAddress(address, chain),
    review: (order) => review(order, chain, find),
  };
}

/** By what it spends first; all the rest must be of the same key. */
function isOurs({ inputs: [first] }: Psbt, find: FindKey): boolean {
  const script = first?.witnessUtxo?.script;
  return first !== undefined && script !== undefined && find(script, pathsOf(first)) !== undefined;
}

function extendedKey({ secret, script = 'wpkh', origin }: SignerKey, chain: UtxoChain) {
  const versions = { private: XPRV, public: chain.extendedPublicVersion };
  const account = HDKey.fromExtendedKey(secret, versions);
  const from = origin === undefined ? '' : `[${origin}]`;
  const text = `${script}(${from}${account.publicExtendedKey}/0/*)`;
  const branches = BRANCHES.map((branch) => account.deriveChild(branch));
  const keyAt = (branch: number, index: number): Uint8Array => {
    const { privateKey } = branches[branch]?.deriveChild(index) ?? {};
    assert(privateKey instanceof Uint8Array, 'a private key derives private keys');
    return privateKey;
  };
  const find: FindKey = (wanted, paths) =>
    paths
      .map(([branch, index]) => keyAt(branch, index))
      .find((one) => isSame(scriptOf(one, script, chain), wanted));
  return {
    find,
    address: addressOfKey(secp256k1.getPublicKey(keyAt(0, 0)), script, chain),
    descriptor: parseAddressSource(text, chain).descriptorWithOrigin,
  };
}

/** The last two steps; which key they begin at shows in the script. */
function pathsOf({ bip32Derivation, tapBip32Derivation }: Derived): Path[] {
  const paths = [
    ...(bip32Derivation ?? []).map(([, { path }]) => path),
    ...(tapBip32Derivation ?? []).map(([, { der }]) => der.path),
  ];
  return paths.flatMap((path): Path[] => {
    const [branch = -1, index = HARDENED] = path.slice(-2);
    return BRANCHES.includes(branch) && index < HARDENED ? [[branch, index]] : [];
  });
}

/** One address; what is left comes back to it. */
function singleKey({ secret, script = 'wpkh' }: SignerKey, chain: UtxoChain) {
  const privateKey = Buffer.from(secret, 'hex');
  const own = scriptOf(privateKey, script, chain);
  const find: FindKey = (wanted) => (isSame(own, wanted) ? privateKey : undefined);
  const address = addressOfKey(secp256k1.getPublicKey(privateKey), script, chain);
  return { find, address, descriptor: undefined };
}

function scriptOf(privateKey: Uint8Array, script: 'wpkh' | 'tr', chain: UtxoChain): Uint8Array {
  const address = addressOfKey(secp256k1.getPublicKey(privateKey), script, chain);
  const found = outputScript(address, chain);
  assert(found !== undefined, 'an address of ours is one of the chain');
  return found;
}

type Spent = { readonly units: bigint; readonly script: Uint8Array; readonly key: Uint8Array };

function review(order: SignOrder, chain: UtxoChain, find: FindKey): ReviewedOrder {
  const psbt = readPsbt(order.unsigned);
  const transaction = unsignedOf(psbt);
  const outpoints = transaction.inputs.map(
    ({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`,
  );
  requireSpends(order, transaction, outpoints);
  const spent = psbt.inputs.map((input, at) => spentBy(input, transaction, at, find));
  const receivers = requirePaid(order, psbt, transaction, chain, find);
  const units = (list: readonly { readonly units: bigint }[]) =>
    list.reduce((sum, one) => sum + one.units, 0n);
  const paid = units(transaction.outputs.map(({ amount }) => ({ units: amount })));
  const feeUnits = units(spent) - paid;
  if (feeUnits < 0n) throw differs('it pays more than it spends');
  if (feeUnits > order.feeUnits) {
    throw differs(`its fee is ${feeUnits} units; ordered are at most ${order.feeUnits}`);
  }
  return {
    feeUnits,
    receivers,
    turns: outpoints.map((outpoint) => `${order.network} ${outpoint}`),
    coins: new Map(outpoints.map((outpoint, at) => [outpoint, spent[at]?.units ?? 0n])),
    isTurnForOneOrder: false,
    sign: () => signPsbt(psbt, transaction, spent, chain),
  };
}

function readPsbt(text: string): Psbt {
  try {
    const bytes = base64.decode(text);
    const psbt = RawPSBTV0.decode(bytes);
    const again = RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0]);
    if (isSame(again, bytes)) return psbt;
  } catch (error) {
    throw unreadable('it is no PSBT of version 0 (BIP-174) in base64', error);
  }
  throw unreadable('it is no PSBT in the one spelling that is written here');
}

function unsignedOf({ global }: Psbt): UnsignedTransaction {
  const { unsignedTx } = global;
  if (unsignedTx === undefined) throw unreadable('the PSBT has no unsigned transaction');
  if (unsignedTx.inputs.length === 0) throw unreadable('the transaction spends nothing');
  return unsignedTx;
}

function requireSpends(
  { facts }: SignOrder,
  { inputs, lockTime }: UnsignedTransaction,
  outpoints: readonly string[],
): void {
  const ordered = new Set(requireFact(facts.spends, 'spends'));
  const found = new Set(outpoints);
  if (found.size !== inputs.length) throw unreadable('the transaction spends a coin twice');
  if (lockTime >= LOCK_TIME_MOST) throw differs('it may be mined only from a certain time on');
  const others = [...found].filter((outpoint) => !ordered.has(outpoint));
  const missing = [...ordered].filter((outpoint) => !found.has(outpoint));
  if (others.length + missing.length > 0) {
    throw differs([
      ...others.map((outpoint) => `it spends ${outpoint}, which the order does not name`),
      ...missing.map((outpoint) => `it does not spend ${outpoint}, which the order names`),
    ]);
  }
}

function spentBy(input: Input, { inputs }: UnsignedTransaction, at: number, find: FindKey): Spent {
  const what = `input ${at + 1}`;
  const { witnessUtxo, nonWitnessUtxo, sighashType } = input;
  if (witnessUtxo === undefined) throw unreadable(`${what} does not say what it spends`);
  const { script, amount: units } = witnessUtxo;
  if (sighashType !== undefined && sighashType > SIGHASH_ALL) {
    throw differs(`${what} asks for a signature that does not cover all`);
  }
  const key = find(script, pathsOf(input));
  if (key === undefined) throw differs(`${what} is at no address of this key`);
  const own = inputs[at];
  if (nonWitnessUtxo !== undefined && own !== undefined) {
    const output = nonWitnessUtxo.outputs[own.index];
    const { version, lockTime, outputs } = nonWitnessUtxo;
    const plain = { version, lockTime, outputs, inputs: nonWitnessUtxo.inputs };
    const id = toShown(doubleSha256(RawOldTx.encode(plain)));
    const isRight = id === Buffer.from(own.txid).toString('hex') && output?.amount === units;
    if (!isRight) throw differs(`${what} is not worth what the PSBT says`);
  }
  return { units, script, key };
}

/** Every output is a payment of the order, or comes back to us. Gives the receivers. */
function requirePaid(
  { payments }: SignOrder,
  psbt: Psbt,
  { outputs }: UnsignedTransaction,
  chain: UtxoChain,
  find: FindKey,
): readonly string[] {
  const open = payments.map(({ assetId, units, account }) => {
    const script = outputScript(account.address ?? '', chain);
    if (script === undefined) throw differs(`a receiver is no address of ${chain.name}`);
    if (assetId !== chain.assetId) throw differs(`${chain.name} does not carry ${assetId}`);
    return { text: `${Buffer.from(script).toString('hex')} ${units}`, units };
  });
  const left = open.map(({ text }) => text);
  const faults = outputs.flatMap(({ script, amount }, at): string[] => {
    const paid = left.indexOf(`${Buffer.from(script).toString('hex')} ${amount}`);
    if (paid >= 0) {
      left.splice(paid, 1);
      return [];
    }
    const back = pathsOf(psbt.outputs[at] ?? {}).filter(([, index]) => isFoundAgain(index));
    if (find(script, back) !== undefined) return [];
    const to =
      addressOfScript(script, chain) ?? `the script ${Buffer.from(script).toString('hex')}`;
    return [`output ${at + 1} gives ${amount} units to ${to}, which is neither ordered nor ours`];
  });
  const missing = left.length === 0 ? [] : [`${left.length} of the ordered payments are not in it`];
  if (faults.length + missing.length > 0) throw differs([...faults.slice(0, 10), ...missing]);
  return payments.map(({ account }) => canonicalAddress(account.address ?? '', chain) ?? '');
}

function signPsbt(
  psbt: Psbt,
  transaction: UnsignedTransaction,
  spent: readonly Spent[],
  chain: UtxoChain,
) {
  const handedOut = encode({ ...psbt, inputs: psbt.inputs.map(withoutSignatures) });
  const hashes = signatureHashes(transaction, spent);
  const inputs = psbt.inputs.map((input, at) => {
    const { script, key } = spent[at] ?? { script: new Uint8Array(), key: new Uint8Array() };
    const plain = withoutSignatures(input);
    if (script[0] === 0) {
      const options = { prehash: false, format: 'der', lowS: true } as const;
      const signature = secp256k1.sign(hashes.keyHash(at), key, options);
      const whole = Uint8Array.of(...signature, SIGHASH_ALL);
      return { ...plain, partialSig: [[secp256k1.getPublicKey(key), whole]] };
    }
    const hash = hashes.taproot(at, SIGHASH_DEFAULT);
    // Without chance (BIP-340 allows it), so that asking again gives the same bytes.
    return { ...plain, tapKeySig: schnorr.sign(hash, outputKeyOf(key), new Uint8Array(32)) };
  });
  const signed = encode({ ...psbt, inputs: inputs as Psbt['inputs'] });
  const read = readSignedPsbt(signed, handedOut, chain);
  assert(!('refused' in read), 'what was signed here is signed rightly');
  return { signedTransaction: base64.encode(signed), transaction: read.transaction };
}

function withoutSignatures(input: Input): Input {
  const { partialSig, tapKeySig, finalScriptSig, finalScriptWitness, ...rest } = input;
  return rest;
}

function encode(psbt: Psbt): Uint8Array {
  return RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0]);
}

/** BIP-341 without a script path: the private key of the output key. */
function outputKeyOf(privateKey: Uint8Array): Uint8Array {
  const { Fn } = secp256k1.Point;
  const publicKey = secp256k1.getPublicKey(privateKey);
  const secret = Fn.fromBytes(privateKey);
  const even = publicKey[0] === 2 ? secret : Fn.neg(secret);
  const tweak = Fn.fromBytes(schnorr.utils.taggedHash('TapTweak', publicKey.subarray(1)));
  return Fn.toBytes(Fn.add(even, tweak));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}

/**
 * An extended private key as it is kept: of an account, in the spelling xprv. A master key
 * (depth 0) is derived to the account of its purpose, and tells its origin.
 */
export function accountOfExtendedKey(
  text: string,
  script: 'wpkh' | 'tr',
  chain: UtxoChain,
): { readonly secret: string; readonly origin: string | undefined } | undefined {
  const bytes = BASE58CHECK.decode(text).slice();
  if (bytes.length !== 78) return undefined;
  new DataView(bytes.buffer).setUint32(0, XPRV);
  const key = HDKey.fromExtendedKey(BASE58CHECK.encode(bytes));
  if (key.depth === 3) return { secret: key.privateExtendedKey, origin: undefined };
  return key.depth === 0 ? accountOfMaster(key, script, chain) : undefined;
}

export function accountOfSeed(seed: Uint8Array, script: 'wpkh' | 'tr', chain: UtxoChain) {
  return accountOfMaster(HDKey.fromMasterSeed(seed), script, chain);
}

function accountOfMaster(master: HDKey, script: 'wpkh' | 'tr', chain: UtxoChain) {
  const purpose = script === 'tr' ? 86 : 84;
  const account = master.derive(`m/${purpose}'/${chain.coinType}'/0'`);
  const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
  const origin = `${fingerprint}/${purpose}h/${chain.coinType}h/0h`;
  return { secret: account.privateExtendedKey, origin };
}
