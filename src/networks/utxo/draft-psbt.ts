// A transaction that pays what a person has to send, put together and not signed: a PSBT for any
// wallet that has the keys of our addresses, hardware wallets among them.

import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { assert } from '#base/assert.ts';
import type { DraftedPsbt, DraftOrder, UnspentOutput } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { readDraftTerms, refusedDraft, writeDraftTerms } from '#networks/draft-terms.ts';
import { urParts } from '#networks/ur.ts';
import { buildPsbt, type OwnCoin } from './build-psbt.ts';
import { addressDeriver } from './derive-address.ts';
import type { CoreRpc } from './json-rpc.ts';
import { outputScript } from './output-script.ts';
import { changeSource, ownScripts } from './own-scripts.ts';
import type { AddressSource } from './parse-address-source.ts';
import { readPreviousTransactions } from './previous-transactions.ts';
import { type FeeRateLimits, readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import type { RawChain } from './read-transaction.ts';
import { relayPolicy } from './relay-policy.ts';
import { selectCoins } from './select-coins.ts';
import type { UtxoChain } from './utxo-chain.ts';

type DraftParts = {
  readonly rpc: CoreRpc;
  readonly source: AddressSource;
  readonly chain: UtxoChain & RawChain;
  readonly tipHeight: bigint;
  readonly rates: FeeRateLimits | undefined;
};

/** A code that a hardware wallet scans from a terminal; each part once more, mixed. */
const FRAMES = { fragmentBytes: 200, mixedForEach: 1 };
/** As far as change is looked for. */
const CHANGE_LOOKED_AT = 1_000;

/** @throws Refusal conflict that says what is missing. */
export async function draftPsbt(
  { rpc, source, chain, tipHeight, rates }: DraftParts,
  { payments, unspent, feeRate: given, replaces }: DraftOrder,
): Promise<DraftedPsbt> {
  const indexOf = changeIndexes(source, chain, unspent);
  const coins = unspent.flatMap((output) => coinOf(output, source, indexOf));
  const used = [...indexOf.values()].reduce((most, one) => (one > most ? one : most), -1n);
  const branch = changeSource(source, chain) === undefined ? 'receiving' : 'change';
  if (branch === 'receiving') {
    throw refusedDraft(
      'the descriptor has no branch for change (…/0/*): send it with your wallet itself',
    );
  }
  const change = { branch, index: used + 1n } as const;
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
  const { inputs, feeUnits, changeUnits, virtualSize } = chosen;
  const order = {
    inputs,
    payments: payments.map(({ account, units }) => ({
      script: outputScript(account.address ?? '', chain) ?? new Uint8Array(),
      units,
    })),
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

/** The PSBT that was handed out. */
export function psbtOfTerms(terms: string): Uint8Array {
  return Buffer.from(readDraftTerms(terms, ['psbt']).psbt, 'base64');
}

/** What was signed and can still land: whatever spends all of its coins as well stands for it. */
function replacedBy(terms: string, coins: readonly OwnCoin[]) {
  const { feeUnits, virtualSize } = readDraftTerms(terms, ['feeUnits', 'virtualSize']);
  const outpoints = outpointsOf(psbtOfTerms(terms));
  const spent = coins.filter(({ transaction, vout }) => outpoints.has(`${transaction}:${vout}`));
  if (spent.length !== outpoints.size)
    throw refusedDraft('what was signed for it is being sent already');
  return { coins: spent, feeUnits: BigInt(feeUnits), virtualSize: Number(virtualSize) };
}

function outpointsOf(psbt: Uint8Array): ReadonlySet<string> {
  const { unsignedTx } = RawPSBTV0.decode(psbt).global;
  assert(unsignedTx !== undefined, 'version 0 has an unsigned transaction');
  const inputs: readonly { readonly txid: Uint8Array; readonly index: number }[] =
    unsignedTx.inputs;
  return new Set(inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`));
}

/** Of coins that our wallet gave itself. */
function changeIndexes(
  source: AddressSource,
  chain: UtxoChain,
  unspent: readonly UnspentOutput[],
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  const change = changeSource(source, chain);
  const wanted = new Set(
    unspent.flatMap(({ sourceIndex, destination }) => (sourceIndex === null ? [destination] : [])),
  );
  if (change === undefined || wanted.size === 0) return found;
  const addressAt = addressDeriver(change, chain);
  for (let index = 0n; index < CHANGE_LOOKED_AT && found.size < wanted.size; index += 1n) {
    const address = addressAt(index);
    if (wanted.has(address)) found.set(address, index);
  }
  return found;
}

/** How what arrives at addresses of this source is spent. */
export function coinKind(script: AddressSource['script']): 'p2tr' | 'p2wpkh' {
  return script === 'tr' ? 'p2tr' : 'p2wpkh';
}

function coinOf(
  { creditKey, destination, units, sourceIndex, confirmations }: UnspentOutput,
  { script }: AddressSource,
  indexOf: ReadonlyMap<string, bigint>,
): OwnCoin[] {
  const [transaction = '', vout = ''] = creditKey.split(':');
  const kind = coinKind(script);
  const coin = { transaction, vout: Number(vout), units, kind, confirmations } as const;
  if (sourceIndex !== null) return [{ ...coin, branch: 'receiving', index: sourceIndex }];
  const index = indexOf.get(destination);
  return index === undefined ? [] : [{ ...coin, branch: 'change', index }];
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
