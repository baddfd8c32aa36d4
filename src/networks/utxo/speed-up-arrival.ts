// A payment to us that waits with too low a fee: a transaction that spends it back to us and pays
// for both (CPFP), signed elsewhere. What the parent pays is what our own node says of it.
import type { Refusal } from '#base/refusal.ts';
import type { DraftedPsbt, SpeedUpOrder } from '#deposit/money-out.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import { isFields, RpcFailure, requireFields, requireThat } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { decideSpeedUp, type SpeedUpRefusal } from './decide-speed-up.ts';
import { type DraftParts, handOutPsbt } from './draft-psbt.ts';
import { type CoreRpc, requireCount } from './json-rpc.ts';
import { ownCoins } from './own-coins.ts';
import { ownScripts } from './own-scripts.ts';
import { readFeeRate, UNITS_PER_RATE } from './read-fee-rate.ts';
import { relayPolicy } from './relay-policy.ts';
import type { WaitingPackage } from './replacement-fee.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** @throws Refusal conflict that says why it cannot be, or need not be. @throws NodeLie, Outage */
export async function speedUpArrival(
  { rates, ...parts }: DraftParts,
  { transaction, outputs, replaces, unspent, feeRate: given }: SpeedUpOrder,
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
    replaced: await readReplaced(rpc, replaces, chain),
    changeScript: ownScripts(source, chain)(change.branch, change.index).script,
  });
  if ('refused' in chosen) throw notDone(chosen, chain);
  return handOutPsbt(parts, { ...chosen, payments: [], change });
}

/** With what hangs from them. One that the node does not have stands in nobody's way. */
export async function readReplaced(
  rpc: CoreRpc,
  replaces: readonly string[],
  { decimals }: UtxoChain,
): Promise<WaitingPackage[]> {
  const read: WaitingPackage[] = [];
  for (const transaction of replaces) {
    const entry = await findEntry(rpc, transaction);
    if (entry === undefined) continue;
    const { fees, descendantsize } = requireFields(entry, 'a transaction that waits');
    read.push(packageOf(isFields(fees) ? fees.descendant : undefined, descendantsize, decimals));
  }
  return read;
}

async function readWaiting(
  rpc: CoreRpc,
  transaction: string,
  { decimals }: UtxoChain,
): Promise<WaitingPackage> {
  const entry = requireFields(await askEntry(rpc, transaction), 'a transaction that waits');
  const { fees, ancestorsize } = entry;
  return packageOf(isFields(fees) ? fees.ancestor : undefined, ancestorsize, decimals);
}

function packageOf(fee: unknown, size: unknown, decimals: number): WaitingPackage {
  const feeUnits = typeof fee === 'string' ? amountFromText(fee, decimals) : undefined;
  requireThat(feeUnits !== undefined, 'the fee of a transaction that waits is no amount');
  const virtualSize = requireCount(size, 'the size of what waits');
  requireThat(virtualSize > 0, 'a transaction that waits has no size');
  return { feeUnits, virtualSize };
}

/** Undefined where the node does not have it waiting. */
async function findEntry(rpc: CoreRpc, transaction: string): Promise<unknown> {
  try {
    return await rpc.call('getmempoolentry', [transaction]);
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

async function askEntry(rpc: CoreRpc, transaction: string): Promise<unknown> {
  try {
    return await rpc.call('getmempoolentry', [transaction]);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw refusedDraft(
      'the node does not have it waiting: it is in a block, replaced, or was dropped',
    );
  }
}

function notDone(refusal: SpeedUpRefusal, { decimals, assetId }: UtxoChain): Refusal {
  if (refusal.refused === 'fast-enough') {
    return refusedDraft(
      'it pays that rate already, or what you have sent for it does: wait, or give a higher one ' +
        'with --fee-rate',
    );
  }
  const missing = `${amountToText(refusal.missingUnits, decimals)} ${assetId.split(':')[0]}`;
  return refusedDraft(
    `what arrives with it is ${missing} too little to pay for both: wait, or give a lower rate ` +
      'with --fee-rate',
  );
}
