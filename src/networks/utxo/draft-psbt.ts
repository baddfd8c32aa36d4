// A transaction that pays what a person has to send, put together and not signed: a PSBT for any
// wallet that has the keys of our addresses, hardware wallets among them.

import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { assert } from '#base/assert.ts';
import type { DraftedPsbt, DraftOrder } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { readDraftTerms, refusedDraft } from '#networks/draft-terms.ts';
import type { OwnCoin } from './build-psbt.ts';
import { handOutPsbt, type PsbtParts } from './hand-out-psbt.ts';
import { outputScript } from './output-script.ts';
import { ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import { type FeeRateLimits, readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import { selectCoins } from './select-coins.ts';
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
