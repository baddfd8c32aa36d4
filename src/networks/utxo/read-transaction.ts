// From a node's decoded transaction to transfers. Guarantees: units are exact, above zero and at
// most what can exist; each transfer is one plain output whose script is the address it names, and
// the transaction id commits to it (confirm-outputs.ts); anything malformed fails as a whole (a NodeLie), so that half a block is never recorded.
//
// Left out on purpose, never credited:
// - coinbase outputs: immature for 100 blocks, and nobody pays a shop with one;
// - MWEB inputs and outputs (`ismweb`), which are not on the visible chain;
// - every output of the HogEx transaction, peg-outs among them: immature for 6 blocks, and the
//   payer knows another transaction id than the chain has;
// - bare multisig and bare public keys: nodes up to 0.21 show an address for them that has another
//   script.

import type { Transfer } from '#deposit/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { confirmOutputs, type ShownOutput } from './confirm-outputs.ts';
import { isRecord } from './json-rpc.ts';
import { NodeLie } from './node-lie.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type ReadTransaction = {
  readonly transaction: string;
  readonly isCoinbase: boolean;
  /** `txid:vout` of every input. */
  readonly spends: readonly string[];
  readonly transfers: readonly Transfer[];
};

const hashPattern = /^[0-9a-f]{64}$/;
const addressPattern = /^[0-9A-Za-z]{14,100}$/;
const plainAmount = /^(\d{1,10})\.(\d{8})$/;

/** Output scripts whose address stands for exactly that script. */
const creditableTypes: ReadonlySet<unknown> = new Set([
  'pubkeyhash',
  'scripthash',
  'witness_v0_keyhash',
  'witness_v0_scripthash',
  'witness_v1_taproot',
]);

/**
 * `place`: an unconfirmed transaction has the flag of MWEB data when it also pays into MWEB, a
 * transaction in a block only when it is the HogEx.
 * @throws NodeLie
 */
export function readTransaction(
  value: unknown,
  chain: UtxoChain,
  place: 'block' | 'mempool',
): ReadTransaction {
  const { txid, vin, vout, hex } = requireRecord(value, 'a transaction');
  const transaction = requireHash(txid, 'a transaction id');
  const inputs = requireList(vin, `the inputs of ${transaction}`);
  const outputs = requireList(vout, `the outputs of ${transaction}`);
  const isCoinbase = inputs.some((input) => isRecord(input) && input.coinbase !== undefined);
  const spends = isCoinbase ? [] : inputs.flatMap((input) => readInput(input, transaction));
  const isCreditable = !isCoinbase && !(place === 'block' && isHogEx(hex, outputs));
  const seen = new Set<number>();
  const transfers: Transfer[] = [];
  const shown: ShownOutput[] = [];
  for (const output of outputs) {
    const read = readOutput(output, transaction, chain);
    if (read === undefined) continue;
    const { vout: n, destination, units } = read;
    if (seen.has(n)) throw new NodeLie(`${transaction} has output ${n} twice`);
    seen.add(n);
    if (!isCreditable || destination === undefined || units === 0n) continue;
    const creditKey = `${transaction}:${n}`;
    shown.push({ vout: n, units, destination });
    const { assetId } = chain;
    // Every address we hand out is an instruction in the database, so an unmatched one is not ours.
    transfers.push({ creditKey, transaction, destination, assetId, units, spends, ours: false });
  }
  if (shown.length > 0) confirmOutputs(transaction, hex, shown, chain.bech32Prefix);
  return { transaction, isCoinbase, spends, transfers };
}

/**
 * The transaction that a Litecoin miner adds as the last of a block to move coins in and out of
 * MWEB: its first output is the new peg-in pool, and its flag byte (after 4 bytes of version) is 8.
 */
function isHogEx(hex: unknown, outputs: readonly unknown[]): boolean {
  if (typeof hex === 'string' && hex.startsWith('0008', 8)) return true;
  return outputs.some((output) => scriptType(output) === 'witness_mweb_hogaddr');
}

function scriptType(output: unknown): unknown {
  if (!isRecord(output) || !isRecord(output.scriptPubKey)) return undefined;
  return output.scriptPubKey.type;
}

function readInput(value: unknown, transaction: string): string[] {
  const input = requireRecord(value, `an input of ${transaction}`);
  if (input.ismweb === true) return [];
  const { txid, vout } = input;
  return [`${requireHash(txid, `an input of ${transaction}`)}:${requireIndex(vout, transaction)}`];
}

type ReadOutput = {
  readonly vout: number;
  readonly destination: string | undefined;
  readonly units: bigint;
};

function readOutput(value: unknown, transaction: string, chain: UtxoChain): ReadOutput | undefined {
  const output = requireRecord(value, `an output of ${transaction}`);
  if (output.ismweb === true) return undefined;
  const vout = requireIndex(output.n, transaction);
  const units = readUnits(output.value, chain);
  if (units === undefined) throw new NodeLie(`${transaction}:${vout} has no possible amount`);
  const script = requireRecord(output.scriptPubKey, `the script of ${transaction}:${vout}`);
  return { vout, units, destination: readAddress(script) };
}

/** The node's own spelling, which is the canonical one (canonical-address.ts). */
function readAddress(script: Record<string, unknown>): string | undefined {
  if (!creditableTypes.has(script.type)) return undefined;
  const { address, addresses } = script;
  // `addresses` was replaced by `address` in Bitcoin Core 22; Litecoin Core 0.21 has the first.
  const only = address ?? (Array.isArray(addresses) && addresses.length === 1 ? addresses[0] : '');
  return typeof only === 'string' && addressPattern.test(only) ? only : undefined;
}

/** Units of an amount's text as quoteAmounts left it; undefined for anything else. */
function readUnits(value: unknown, chain: UtxoChain): bigint | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = chain.decimals === 8 ? plainAmount.exec(value) : null;
  const units =
    plain === null ? amountFromText(value, chain.decimals) : BigInt(`${plain[1]}${plain[2]}`);
  return units === undefined || units > chain.mostUnits ? undefined : units;
}

export function requireRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw new NodeLie(`${what} is missing or malformed`);
  return value;
}

export function requireList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new NodeLie(`${what} are missing or malformed`);
  return value;
}

export function requireHash(value: unknown, what: string): string {
  if (typeof value === 'string' && hashPattern.test(value)) return value;
  throw new NodeLie(`${what} is no hash`);
}

export function requireInteger(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new NodeLie(`${what} is no integer`);
}

function requireIndex(value: unknown, transaction: string): number {
  return requireInteger(value, `an output number in ${transaction}`);
}
