// A payment to us that waits with too low a fee: a transaction that spends it back to us and pays
// for both (CPFP), signed elsewhere. What the parent pays is what our own node says of it.
import type { Refusal } from '#base/refusal.ts';
import type { DraftedPsbt, SpeedUpOrder } from '#deposit/money-out.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import { isFields, RpcFailure, requireFields, requireThat } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { decideSpeedUp, type SpeedUpRefusal, type WaitingPackage } from './decide-speed-up.ts';
import type { DraftParts } from './draft-psbt.ts';
import { handOutPsbt } from './hand-out-psbt.ts';
import { type CoreRpc, RPC_METHOD_MISSING } from './json-rpc.ts';
import { ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import { readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import { requireCount } from './require-answer.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** @throws Refusal conflict that says why it cannot be, or need not be. @throws NodeLie, Outage */
export async function speedUpArrival(
  { rates, ...parts }: DraftParts,
  { transaction, outputs, unspent, feeRate: given }: SpeedUpOrder,
): Promise<DraftedPsbt> {
  const { rpc, source, chain } = parts;
  // The others are asked for as well: where change went before is seen by them.
  const { coins, change } = ownCoins(source, chain, [...unspent, ...outputs]);
  const ours = coins.filter((coin) => coin.transaction === transaction);
  if (ours.length === 0) {
    throw refusedDraft('it paid an address that nobody was given here: spend it with your wallet');
  }
  const feeRate =
    given === undefined ? await readFeeRate(rpc, chain, rates) : given * UNITS_PER_RATE;
  const chosen = decideSpeedUp({
    ...{ outputs: ours, feeRate, policy: relayPolicy(chain.assetId) },
    parents: await readWaiting(rpc, transaction, chain),
    changeScript: ownScripts(source, chain)(change.branch, change.index).script,
  });
  if ('refused' in chosen) throw notDone(chosen, chain);
  return handOutPsbt(parts, { ...chosen, payments: [], change });
}

async function readWaiting(
  rpc: CoreRpc,
  transaction: string,
  { decimals }: UtxoChain,
): Promise<WaitingPackage> {
  const entry = requireFields(await askEntry(rpc, transaction), 'a transaction that waits');
  const { fees, ancestorsize } = entry;
  const said = isFields(fees) ? fees.ancestor : undefined;
  const feeUnits = typeof said === 'string' ? amountFromText(said, decimals) : undefined;
  requireThat(feeUnits !== undefined, 'the fee of a transaction that waits is no amount');
  return { feeUnits, virtualSize: requireCount(ancestorsize, 'the size of what waits') };
}

async function askEntry(rpc: CoreRpc, transaction: string): Promise<unknown> {
  try {
    return await rpc.call('getmempoolentry', [transaction]);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw refusedDraft(
      error.code === RPC_METHOD_MISSING
        ? 'what it pays is not known without a node of your own: speed it up with your wallet'
        : 'the node does not have it waiting: it is in a block, replaced, or was dropped',
    );
  }
}

function notDone(refusal: SpeedUpRefusal, { decimals, assetId }: UtxoChain): Refusal {
  if (refusal.refused === 'fast-enough') {
    return refusedDraft('it pays that rate already: wait, or give a higher one with --fee-rate');
  }
  const missing = `${amountToText(refusal.missingUnits, decimals)} ${assetId.split(':')[0]}`;
  return refusedDraft(
    `what arrives with it is ${missing} too little to pay for both: wait, or give a lower rate ` +
      'with --fee-rate',
  );
}
