// Many small coins of ours as one, in a transaction that pays nobody else and is signed elsewhere:
// for when fees are low, so that later payments need few inputs.
import type { Refusal } from '#base/refusal.ts';
import type { ConsolidationOrder, DraftedPsbt } from '#deposit/money-out.ts';
import { amountToText } from '#money/asset-amount.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { type ConsolidationRefusal, decideConsolidation } from './decide-consolidation.ts';
import { type DraftParts, handOutPsbt } from './draft-psbt.ts';
import { ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import { readFeeRate, SLOW_BLOCKS, UNITS_PER_RATE } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** @throws Refusal conflict that says why it is not worth it. */
export async function consolidateCoins(
  { rates, ...parts }: DraftParts,
  { unspent, most, belowUnits, feeRate: given }: ConsolidationOrder,
): Promise<DraftedPsbt> {
  const { rpc, source, chain } = parts;
  const { coins, change } = ownCoins(source, chain, unspent);
  const feeRate =
    given === undefined
      ? await readFeeRate(rpc, chain, rates, SLOW_BLOCKS)
      : given * UNITS_PER_RATE;
  const chosen = decideConsolidation({
    ...{ coins, most, belowUnits, feeRate, policy: relayPolicy(chain.assetId) },
    changeScript: ownScripts(source, chain)(change.branch, change.index).script,
  });
  if ('refused' in chosen) throw notWorthIt(chosen, chain);
  return handOutPsbt(parts, { ...chosen, payments: [], change });
}

function notWorthIt(refusal: ConsolidationRefusal, { decimals, assetId }: UtxoChain): Refusal {
  if (refusal.refused === 'dust') {
    const least = `${amountToText(refusal.leastUnits, decimals)} ${assetId.split(':')[0]}`;
    return refusedDraft(
      `together they leave less than ${least}, which nobody relays: take more of them (--most), ` +
        'or wait for lower fees',
    );
  }
  const { worthIt, found } = refusal;
  return refusedDraft(
    `of ${found} confirmed coins that nothing spends, ${worthIt} bring more than they cost now, ` +
      'and it takes two: wait for more coins or lower fees, or raise --below',
  );
}
