// A transaction that pays what a person has to send, put together and not signed: a PSBT for any
// wallet that has the keys of our addresses, hardware wallets among them.

import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { assert } from '#base/assert.ts';
import type { DraftedPsbt, DraftOrder } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { RpcFailure, requireFields, requireThat } from '#networks/answer-fields.ts';
import { readDraftTerms, refusedDraft, writeDraftTerms } from '#networks/draft-terms.ts';
import { urParts } from '#networks/ur.ts';
import { buildPsbt, type OwnCoin } from './build-psbt.ts';
import { type CoreRpc, RPC_METHOD_MISSING, requireBytes, requireCount } from './json-rpc.ts';
import { outputScript } from './output-script.ts';
import { type OwnPlace, ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import type { AddressSource } from './parse-address-source.ts';
import { type FeeRateLimits, readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import { type RawChain, readUnconfirmed } from './read-transaction.ts';
import { relayPolicy } from './relay-policy.ts';
import { type Coin, type CoinSelection, type ScriptPayment, selectCoins } from './select-coins.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type DraftParts = PsbtParts & { readonly rates: FeeRateLimits | undefined };

/** @throws Refusal conflict that says what is missing. */
export async function draftPsbt(
  { rpc, source, chain, tipHeight, rates }: DraftParts,
  { payments, unspent, feeRate: given, replaces }: DraftOrder,
): Promise<DraftedPsbt> {
  const { coins, change } = ownCoins(source, chain, unspent);
  const feeRate =
    given === undefined ? await readFeeRate(rpc, chain, rates) : given * UNITS_PER_RATE;
  const chosen = selectCoins({
    coins,
    payments: payments.map(({ account, units }) => {
      const script = outputScript(account.address ?? '', chain);
      if (script === undefined) throw refusedDraft('an address is none of this network');
      return { script, units };
    }),
    changeScript: ownScripts(source, chain)(change.branch, change.index).script,
    feeRate,
    policy: relayPolicy(chain.assetId),
    replaces: replaces === undefined ? undefined : replacedBy(replaces, coins),
  });
  if ('refused' in chosen) throw refusedDraft(sentenceOf(chosen, chain));
  const paid = payments.map(({ account, units }) => ({
    script: outputScript(account.address ?? '', chain) ?? new Uint8Array(),
    units,
  }));
  return handOutPsbt({ rpc, source, chain, tipHeight }, { ...chosen, payments: paid, change });
}

/** The PSBT that was handed out. */
export function psbtOfTerms(terms: string): Uint8Array {
  return Buffer.from(readDraftTerms(terms, ['psbt']).psbt, 'base64');
}

/** What was signed and can still land: whatever spends all of its coins as well stands for it. */
function replacedBy(terms: string, coins: readonly OwnCoin[]) {
  const spent = spentByTerms(terms, coins);
  if (spent === undefined) throw refusedDraft('what was signed for it is being sent already');
  return { coins: spent, ...draftedFee(terms) };
}

/** All that it spends; undefined where one of these is not among the coins. */
export function spentByTerms(
  terms: string,
  coins: readonly OwnCoin[],
): readonly OwnCoin[] | undefined {
  const outpoints = outpointsOf(psbtOfTerms(terms));
  const spent = coins.filter(({ transaction, vout }) => outpoints.has(`${transaction}:${vout}`));
  return spent.length === outpoints.size ? spent : undefined;
}

export function draftedFee(terms: string) {
  const { feeUnits, virtualSize } = readDraftTerms(terms, ['feeUnits', 'virtualSize']);
  return { feeUnits: BigInt(feeUnits), virtualSize: Number(virtualSize) };
}

function outpointsOf(psbt: Uint8Array): ReadonlySet<string> {
  const { unsignedTx } = RawPSBTV0.decode(psbt).global;
  assert(unsignedTx !== undefined, 'version 0 has an unsigned transaction');
  const inputs: readonly { readonly txid: Uint8Array; readonly index: number }[] =
    unsignedTx.inputs;
  return new Set(inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`));
}

type CoinRefusal = Extract<ReturnType<typeof selectCoins>, { readonly refused: string }>;

function sentenceOf(refusal: CoinRefusal, { decimals, assetId }: UtxoChain): string {
  const amount = (units: bigint) => `${amountToText(units, decimals)} ${assetId.split(':')[0]}`;
  switch (refusal.refused) {
    case 'too-little':
      return `the addresses that are watched hold ${amount(refusal.missingUnits)} too little`;
    case 'too-large':
      return 'that is more than one transaction holds: send fewer at once';
    case 'dust':
      return `payment ${refusal.payment + 1} is below ${amount(refusal.leastUnits)}: nobody relays it`;
  }
}

// Coins that are chosen, as what a person is handed: a PSBT with all that signers ask for, its
// codes, and what is kept of it.
type PsbtParts = {
  readonly rpc: CoreRpc;
  readonly source: AddressSource;
  readonly chain: UtxoChain & RawChain;
  readonly tipHeight: bigint;
};

type Chosen = CoinSelection<OwnCoin> & {
  readonly payments: readonly ScriptPayment[];
  /** Where what is left goes. */
  readonly change: OwnPlace;
};

/** A code that a hardware wallet scans from a terminal; each part once more, mixed. */
const FRAMES = { fragmentBytes: 200, mixedForEach: 1 };

/** @throws NodeLie, Outage */
export async function handOutPsbt(
  { rpc, source, chain, tipHeight }: PsbtParts,
  { inputs, payments, change, feeUnits, changeUnits, virtualSize }: Chosen,
): Promise<DraftedPsbt> {
  const order = {
    inputs,
    payments,
    change: changeUnits === 0n ? undefined : { ...change, units: changeUnits },
    lockTime: Number(tipHeight),
  };
  // Signatures of taproot are over every amount that is spent: no device asks for more.
  const previous =
    source.script === 'tr' ? new Map() : await readPreviousTransactions(rpc, chain, inputs);
  const whole = inputs.map((coin) => {
    return { ...coin, previousTransaction: previous.get(coin.transaction) };
  });
  const bytes = buildPsbt({ ...order, inputs: whole }, source, chain);
  const text = Buffer.from(bytes).toString('base64');
  return {
    format: 'PSBT',
    text,
    terms: writeDraftTerms({ psbt: text, feeUnits, virtualSize: String(virtualSize) }),
    spends: inputs.map(({ transaction, vout }) => `${transaction}:${vout}`),
    // Without them it is some codes and not hundreds; whoever scans it signs so.
    frames: urParts('crypto-psbt', buildPsbt(order, source, chain), FRAMES),
    feeUnits,
    changeUnits,
    inputs: inputs.length,
    virtualSize,
  };
}

// The whole transactions that made the coins of a payment, for hardware wallets: without them an
// amount may be lied about (BIP-174, non-witness UTXO), and some sign nothing then. Each is asked
// of the node and is what its id says. Where the node has it no more (pruned), or cannot be asked,
// it is left out: software that signs segwit needs none.

/**
 * Bytes of all together. A payment of an exchange to a thousand people may be one of them, and what
 * was drafted is kept, and goes to the signer in one line.
 */
const BYTES_MOST = 200_000;

/** By id. @throws NodeLie, Outage */
export async function readPreviousTransactions(
  rpc: CoreRpc,
  chain: RawChain,
  coins: readonly Pick<Coin, 'transaction' | 'vout'>[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const coin of coins) {
    const { transaction } = coin;
    if (read.has(transaction)) continue;
    const raw = await readPrevious(rpc, coin);
    if (raw === undefined) continue;
    requireThat(
      readUnconfirmed(raw, chain).transaction === transaction,
      `another transaction was given than ${transaction}`,
    );
    bytes += raw.length;
    if (bytes > BYTES_MOST) return new Map();
    read.set(transaction, raw);
  }
  return read;
}

/** Undefined where the node does not have it. */
async function readPrevious(
  rpc: CoreRpc,
  { transaction, vout }: Pick<Coin, 'transaction' | 'vout'>,
): Promise<Buffer | undefined> {
  try {
    const inBlock = await blockOf(rpc, transaction, vout);
    // Named with its block it is found without an index of all transactions.
    const params = inBlock === undefined ? [transaction, false] : [transaction, false, inBlock];
    return requireBytes(await rpc.call('getrawtransaction', params), `transaction ${transaction}`);
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

/** The hash of its block; undefined while it waits for one, or when it is spent. */
async function blockOf(
  rpc: CoreRpc,
  transaction: string,
  vout: number,
): Promise<unknown | undefined> {
  const found = await rpc.call('gettxout', [transaction, vout]).catch((error: unknown) => {
    // Servers of Esplora find every transaction by its id.
    if (error instanceof RpcFailure && error.code === RPC_METHOD_MISSING) return null;
    throw error;
  });
  if (found === null) return undefined;
  const { bestblock, confirmations } = requireFields(found, 'an unspent output');
  const depth = requireCount(confirmations, 'the depth of an output');
  if (depth === 0) return undefined;
  const header = requireFields(await rpc.call('getblockheader', [bestblock]), 'a header');
  const height = requireCount(header.height, 'a height');
  return rpc.call('getblockhash', [height - depth + 1]);
}
