// Above a limit one endpoint is not enough (A19): another one must show the
// same block and the same receipt, or nothing of the step is taken. With a single endpoint there is
// nobody to ask: it is trusted alone, and should be one's own node.

import { Outage } from '#base/refusal.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Arrival } from '#deposit/network.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { type EvmBlock, placeOf, readEvmBlock } from './read-block.ts';
import type { BlockSource, OurBlock } from './read-blocks.ts';
import { readReceipt } from './read-receipts.ts';
import { quantityText } from './read-values.ts';

/** In whole tokens, and in whole coins. */
export type AgreementLimits = { readonly tokens: bigint; readonly coins: bigint };

type ConfirmRequest = {
  readonly chain: ChainId;
  readonly others: readonly EvmRpc[];
  readonly limits: AgreementLimits;
  readonly ours: readonly OurBlock[];
  readonly arrivals: ReadonlyMap<bigint, readonly Arrival[]>;
  readonly source: BlockSource;
};

/** @throws Outage when nobody else can be asked, or another endpoint says otherwise. */
export async function confirmLarge(request: ConfirmRequest): Promise<void> {
  const { chain, others, ours, arrivals } = request;
  for (const { block } of ours) {
    const large = (arrivals.get(block.height) ?? []).filter((one) => isLarge(one, request));
    if (large.length === 0 || others.length === 0) continue;
    const reasons: string[] = [];
    let isConfirmed = false;
    for (const other of others) {
      const reason = await disagreement(request, other, block, large);
      if (reason === undefined) isConfirmed = true;
      else reasons.push(`${other.label}: ${reason}`);
      if (isConfirmed) break;
    }
    if (!isConfirmed) {
      const [{ transaction = '' } = {}] = large;
      throw nodeOutage(chain, `no second endpoint confirms ${transaction}: ${reasons.join('; ')}`);
    }
  }
}

/**
 * Everything that comes in one asset in one step counts together, so that many small payments
 * cannot avoid the limit.
 */
function isLarge(arrival: Arrival, { limits, arrivals }: ConfirmRequest): boolean {
  const { assetIssuer, decimals } = getAsset(arrival.assetId);
  const whole = assetIssuer === NATIVE_ISSUER ? limits.coins : limits.tokens;
  let units = 0n;
  for (const list of arrivals.values()) {
    for (const one of list) if (one.assetId === arrival.assetId) units += one.units;
  }
  return units >= whole * 10n ** BigInt(decimals);
}

/** Undefined when the other endpoint shows the same. */
async function disagreement(
  { source }: ConfirmRequest,
  rpc: EvmRpc,
  block: EvmBlock,
  large: readonly Arrival[],
): Promise<string | undefined> {
  const hashes = [...new Set(large.map(({ transaction }) => transaction))];
  const received = hashes.filter((hash) => hash !== block.hash);
  try {
    const [shown, ...receipts] = await askAll(rpc, [
      { method: 'eth_getBlockByNumber', params: [quantityText(block.height), true] },
      ...received.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ]);
    const second = readEvmBlock(shown, block.height);
    if (second.hash !== block.hash) return `block ${block.height} is ${second.hash}`;
    const known = receipts.map((receipt) =>
      readReceipt(receipt, placeOf(block), source, second.senders),
    );
    for (const arrival of large) {
      if (arrival.transaction === block.hash) continue;
      const receipt = known.find(({ transaction }) => transaction === arrival.transaction);
      const isToken = receipt?.movements.some(
        ({ key, to, units }) =>
          key === arrival.creditKey && to === arrival.destination && units >= arrival.units,
      );
      const isCoin = second.transactions.some(
        ({ hash, to, value }) =>
          arrival.creditKey === `${hash}:value` &&
          to === arrival.destination &&
          value >= arrival.units,
      );
      if (receipt?.isSuccessful !== true || !(isToken || isCoin)) {
        return `${arrival.creditKey} is not the same`;
      }
    }
    return undefined;
  } catch (error) {
    const isAnswer =
      error instanceof NodeLie || error instanceof RpcFailure || error instanceof Outage;
    if (isAnswer) return error.message;
    throw error;
  }
}
