// What moves coins of ours to ourselves and waits with too low a fee: the same coins once more with
// a higher one, signed elsewhere. What nodes ask of a replacement is held against what our node has
// of the first; where it dropped that, against what was drafted.
import type { Refusal } from '#base/refusal.ts';
import type { DraftedPsbt, ReplaceMoveOrder } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { decideHigherFee, type HigherFeeRefusal } from './decide-higher-fee.ts';
import { type DraftParts, draftedFee, handOutPsbt, spentByTerms } from './draft-psbt.ts';
import { ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import { readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import { readReplaced } from './speed-up-arrival.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** @throws Refusal conflict that says why it cannot be, or need not be. @throws NodeLie, Outage */
export async function replaceMove(
  { rates, ...parts }: DraftParts,
  { transaction, replaces, unspent, feeRate: given }: ReplaceMoveOrder,
): Promise<DraftedPsbt> {
  const { rpc, source, chain } = parts;
  const { coins, change } = ownCoins(source, chain, unspent);
  const spent = spentByTerms(replaces, coins);
  if (spent === undefined) {
    throw refusedDraft(
      'what it spends is in no block, or is spent by something else: a child of a payment to you ' +
        'is replaced by npx quittance custody speed-up, once more',
    );
  }
  const feeRate =
    given === undefined ? await readFeeRate(rpc, chain, rates) : given * UNITS_PER_RATE;
  const [waiting] = await readReplaced(rpc, [transaction], chain);
  const chosen = decideHigherFee({
    ...{ coins: spent, feeRate, policy: relayPolicy(chain.assetId) },
    replaced: waiting ?? draftedFee(replaces),
    changeScript: ownScripts(source, chain)(change.branch, change.index).script,
  });
  if ('refused' in chosen) throw notDone(chosen, chain);
  return handOutPsbt(parts, { ...chosen, payments: [], change });
}

function notDone(refusal: HigherFeeRefusal, { decimals, assetId }: UtxoChain): Refusal {
  if (refusal.refused === 'fast-enough') {
    return refusedDraft('it pays that rate already: wait, or give a higher one with --fee-rate');
  }
  const missing = `${amountToText(refusal.missingUnits, decimals)} ${assetId.split(':')[0]}`;
  return refusedDraft(
    `its coins are ${missing} too little for that fee: wait, or give a lower rate with --fee-rate`,
  );
}
