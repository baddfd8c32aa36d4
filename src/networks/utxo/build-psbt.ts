// A transaction to be signed elsewhere, as PSBT (BIP-174, version 0): what is spent, what is
// paid, and where a signer finds the keys. Guarantees: every input is at an address of ours, with
// the amount that its own transaction says where that is given; every input can be replaced
// (BIP-125); the change goes to an address of the same descriptor, which a signer can tell from a
// payment. No key is here.

import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import { assert } from '#base/assert.ts';
import { type Branch, type OwnScript, ownScripts } from './own-scripts.ts';
import type { AddressSource } from './parse-address-source.ts';
import { doubleSha256, toShown } from './read-transaction.ts';
import type { Coin, ScriptPayment } from './select-coins.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type OwnCoin = Coin & {
  readonly branch: Branch;
  readonly index: bigint;
  /**
   * The whole transaction that made it, as the node gives it. Hardware wallets ask for it, because
   * without it an amount may be lied about (BIP-174); one with data of Litecoin's MWEB is left out.
   */
  readonly previousTransaction?: Uint8Array | undefined;
};

export type PsbtOrder = {
  readonly inputs: readonly OwnCoin[];
  readonly payments: readonly ScriptPayment[];
  readonly change:
    | { readonly branch: Branch; readonly index: bigint; readonly units: bigint }
    | undefined;
  /** Block height before which nobody mines it: the tip, so that a reorganisation gains nothing. */
  readonly lockTime: number;
};

const VERSION = 2;
/** Says that it may be replaced (BIP-125), and that the lock time counts. */
const SEQUENCE = 0xfffffffd;
const MWEB_FLAG = 8;

/** Payments in their order, then the change. */
export function buildPsbt(
  { inputs, payments, change, lockTime }: PsbtOrder,
  source: AddressSource,
  chain: UtxoChain,
): Uint8Array {
  const scriptAt = ownScripts(source, chain);
  const isTaproot = source.script === 'tr';
  const spent = inputs.map((coin) => ({ coin, own: scriptAt(coin.branch, coin.index) }));
  const back = change && { own: scriptAt(change.branch, change.index), units: change.units };
  const outputs = [
    ...payments.map(({ script, units }) => ({ script, amount: units })),
    ...(back === undefined ? [] : [{ script: back.own.script, amount: back.units }]),
  ];
  assert(spent.length > 0 && outputs.length > 0, 'a transaction without inputs or outputs');
  const unsignedTx = {
    version: VERSION,
    inputs: spent.map(({ coin }) => ({
      txid: Buffer.from(coin.transaction, 'hex'),
      index: coin.vout,
      finalScriptSig: new Uint8Array(),
      sequence: SEQUENCE,
    })),
    outputs,
    lockTime,
  };
  const psbt = {
    global: { unsignedTx },
    inputs: spent.map(({ coin, own }) => ({
      witnessUtxo: { script: own.script, amount: coin.units },
      ...previousOf(coin, own),
      ...keyOf(own, isTaproot),
    })),
    outputs: [...payments.map(() => ({})), ...(back ? [keyOf(back.own, isTaproot)] : [])],
  };
  // The library's types know no shared memory, which nobody has here.
  return RawPSBTV0.encode(psbt as Parameters<typeof RawPSBTV0.encode>[0]);
}

/** BIP-174, and for taproot BIP-371. */
function keyOf({ publicKey, keyOrigin }: OwnScript, isTaproot: boolean) {
  const { fingerprint } = keyOrigin;
  const der = { fingerprint, path: [...keyOrigin.path] };
  const derivation: [Uint8Array, typeof der] = [publicKey, der];
  if (!isTaproot) return { bip32Derivation: [derivation] };
  const internalKey = publicKey.subarray(1);
  const hashes: Uint8Array[] = [];
  const row: [Uint8Array, { hashes: Uint8Array[]; der: typeof der }] = [
    internalKey,
    { hashes, der },
  ];
  return { tapInternalKey: internalKey, tapBip32Derivation: [row] };
}

function previousOf({ transaction, vout, units, previousTransaction }: OwnCoin, own: OwnScript) {
  if (previousTransaction === undefined || hasMweb(previousTransaction)) return {};
  const nonWitnessUtxo = RawTx.decode(previousTransaction);
  const { version, inputs, outputs, lockTime } = nonWitnessUtxo;
  const id = toShown(doubleSha256(RawOldTx.encode({ version, inputs, outputs, lockTime })));
  const output = outputs[vout];
  assert(id === transaction, `${transaction} is another transaction: ${id}`);
  const isSame = output?.amount === units && Buffer.from(own.script).equals(output.script);
  assert(isSame, `${transaction}:${vout} is not what it was taken for`);
  return { nonWitnessUtxo };
}

/** A marker where the count of inputs would be, then flags (BIP-144; LIP-2 for the MWEB one). */
function hasMweb(transaction: Uint8Array): boolean {
  return transaction[4] === 0 && ((transaction[5] ?? 0) & MWEB_FLAG) !== 0;
}
