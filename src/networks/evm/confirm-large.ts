// Above a limit one endpoint is not enough (A19): another one must show the
// same block and the same receipt, or nothing of the step is taken. The same is asked, whatever the
// sum, of what left an address whose balance says otherwise. With a single endpoint there is
// nobody to ask: it is trusted alone, and should be one's own node; what it says against its own
// balances it has to say twice.

import { Outage } from '#base/refusal.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Arrival } from '#deposit/network.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { type EvmBlock, placeOf, readEvmBlock } from './read-block.ts';
import type { BlockSource, OurBlock, OwnFee } from './read-blocks.ts';
import { type EvmReceipt, readReceipt } from './read-receipts.ts';
import { quantityText } from './read-values.ts';
import { executedBy } from './safe-execution.ts';

/** In whole tokens, and in whole coins. */
export type AgreementLimits = { readonly tokens: bigint; readonly coins: bigint };

type ConfirmRequest = {
  readonly chain: ChainId;
  readonly others: readonly EvmRpc[];
  readonly limits: AgreementLimits;
  readonly ours: readonly OurBlock[];
  readonly isOurs: (address: string) => boolean;
  readonly arrivals: ReadonlyMap<bigint, readonly Arrival[]>;
  /** Addresses whose balance contradicts what they are said to have sent. */
  readonly doubtful: ReadonlySet<string>;
  readonly source: BlockSource;
};

/** Something that came, or that left; `from` is whoever of us sent it. */
type Claim = Pick<Arrival, 'creditKey' | 'transaction' | 'destination' | 'assetId' | 'units'> & {
  readonly from?: string;
};

type Doubted = { readonly claims: readonly Claim[]; readonly fees: readonly OwnFee[] };

/** @throws Outage when nobody else can be asked, or another endpoint says otherwise. */
export async function confirmLarge(request: ConfirmRequest): Promise<void> {
  const { chain, others, ours, doubtful, source } = request;
  const claimed = new Map(ours.map((one) => [one, claimsOf(request, one)]));
  const largeAssets = largeIn(request, [...claimed.values()].flat());
  for (const [{ block, fees }, all] of claimed) {
    const isDoubtful = (address: string | undefined) => doubtful.has(address ?? '');
    const large = all.filter(({ assetId }) => largeAssets.has(assetId));
    const doubted = {
      claims: all.filter((one) => large.includes(one) || isDoubtful(one.from)),
      fees: fees.filter(({ address }) => isDoubtful(address)),
    };
    const isContradicted = doubted.fees.length + doubted.claims.length > large.length;
    const asked = others.length === 0 && isContradicted ? [source.rpc] : others;
    if (doubted.claims.length + doubted.fees.length === 0 || asked.length === 0) continue;
    const reasons: string[] = [];
    let isConfirmed = false;
    for (const other of asked) {
      const reason = await disagreement(request, other, block, doubted);
      if (reason === undefined) isConfirmed = true;
      else reasons.push(`${other.label}: ${reason}`);
      if (isConfirmed) break;
    }
    if (!isConfirmed) {
      const [{ transaction = '' } = {}] = [...doubted.claims, ...doubted.fees];
      throw nodeOutage(chain, `no second endpoint confirms ${transaction}: ${reasons.join('; ')}`);
    }
  }
}

function claimsOf({ arrivals, isOurs }: ConfirmRequest, { block, movements }: OurBlock): Claim[] {
  const left = movements.flatMap(({ key, to, ...movement }) =>
    isOurs(movement.from) ? [{ ...movement, creditKey: key, destination: to }] : [],
  );
  return [...(arrivals.get(block.height) ?? []), ...left];
}

/**
 * Everything that comes and goes in one asset in one step counts together, so that many small
 * payments cannot avoid the limit.
 */
function largeIn({ limits }: ConfirmRequest, claims: readonly Claim[]): ReadonlySet<string> {
  const large = new Set<string>();
  for (const [assetId, moved] of Map.groupBy(claims, (claim) => claim.assetId)) {
    const { assetIssuer, decimals } = getAsset(assetId);
    const whole = assetIssuer === NATIVE_ISSUER ? limits.coins : limits.tokens;
    const sumUnits = moved.reduce((sum, { units }) => sum + units, 0n);
    if (sumUnits >= whole * 10n ** BigInt(decimals)) large.add(assetId);
  }
  return large;
}

/** Undefined when the other endpoint shows the same. */
async function disagreement(
  { source }: ConfirmRequest,
  rpc: EvmRpc,
  block: EvmBlock,
  { claims, fees }: Doubted,
): Promise<string | undefined> {
  const hashes = [...new Set([...claims, ...fees].map(({ transaction }) => transaction))];
  const moving = hashes.filter((hash) => hash !== block.hash);
  try {
    const [shown, ...receipts] = await askAll(rpc, [
      { method: 'eth_getBlockByNumber', params: [quantityText(block.height), true] },
      ...moving.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ]);
    const second = readEvmBlock(shown, block.height, source.safe);
    if (second.hash !== block.hash) return `block ${block.height} is ${second.hash}`;
    const known = new Map(
      receipts
        .map((receipt) => readReceipt(receipt, placeOf(block), source, second.senders))
        .map((receipt) => [receipt.transaction, receipt]),
    );
    for (const claim of claims) {
      if (claim.transaction === block.hash) continue;
      if (isShown(claim, second, known.get(claim.transaction), source.coinAssetId)) continue;
      return `${claim.creditKey} is not the same`;
    }
    for (const { transaction: hash, units } of fees) {
      const [one, other] = [block, second].map((shownBlock) =>
        shownBlock.transactions.find((sent) => sent.hash === hash),
      );
      const isSame = one?.to === other?.to && one?.value === other?.value;
      if (isSame && known.get(hash)?.feeUnits() === units) continue;
      return `what ${hash} sent and cost is not the same`;
    }
    return undefined;
  } catch (error) {
    const isAnswer =
      error instanceof NodeLie || error instanceof RpcFailure || error instanceof Outage;
    if (isAnswer) return error.message;
    throw error;
  }
}

/** What came may have been cut down to the balance; what left is the whole. */
function isShown(
  claim: Claim,
  block: EvmBlock,
  receipt: EvmReceipt | undefined,
  coinAssetId: string,
): boolean {
  if (receipt?.isSuccessful !== true) return false;
  const { creditKey, destination, from, units } = claim;
  const isSame = (moved: { to: string | undefined; from: string }, movedUnits: bigint) =>
    moved.to === destination &&
    (from === undefined ? movedUnits >= units : moved.from === from && movedUnits === units);
  const sent = block.transactions.find(({ hash }) => hash === receipt.transaction);
  const executed = sent && executedBy(sent, receipt.executions, coinAssetId);
  const isMoved = [...receipt.movements, ...(executed?.movements ?? [])].some(
    (moved) => moved.key === creditKey && isSame(moved, moved.units),
  );
  const isCoin =
    sent !== undefined && creditKey === `${sent.hash}:value` && isSame(sent, sent.value);
  return isMoved || isCoin;
}
