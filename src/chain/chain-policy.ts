// How deep a payment must be buried. The values of payments add up per merchant and recent blocks,
// so that one large double spend cannot be split into many small payments of the lowest tier (4.6).
// What is large enough to be held by the brake is judged by the same sums.

import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import type { Reader } from '#db/db.ts';
import type { BrakeCause } from '#deposit/network.ts';
import type { AssetAmount } from '#money/asset-amount.ts';

export type ChainPolicy = {
  /**
   * Confirmations for all of these amounts together; one without a rate counts highest. `asked`:
   * what the merchant asks; what the server asks is the least.
   */
  requiredConfirmations(
    chain: ChainId,
    amounts: readonly AssetAmount[],
    merchantId: string | undefined,
    asked?: ConfirmationTiers,
  ): number;
  /** What merchants ask on this chain, by merchant. Absent: nobody asks for anything. */
  readonly listAsked?: (
    reader: Reader,
    chain: ChainId,
  ) => Promise<ReadonlyMap<string, ConfirmationTiers>>;
  /** Whether the brake holds these amounts together; one without a rate is held. */
  isHeldByBrake(chain: ChainId, amounts: readonly AssetAmount[]): boolean;
  /** Undefined where blocks have no rhythm (Lightning): no brake then. */
  targetBlockSeconds(chain: ChainId): number | undefined;
};

/** The policy with what merchants ask. */
export function policyAsked<Policy extends Pick<ChainPolicy, 'requiredConfirmations'>>(
  policy: Policy,
  asked: ReadonlyMap<string, ConfirmationTiers>,
): Policy {
  if (asked.size === 0) return policy;
  return {
    ...policy,
    requiredConfirmations: (chain, amounts, merchantId) =>
      policy.requiredConfirmations(chain, amounts, merchantId, asked.get(merchantId ?? '')),
  };
}

/** What one merchant received in one block, in one asset. */
export type BlockIncome = AssetAmount & {
  readonly merchantId: string | undefined;
  readonly blockHeight: bigint;
};

/** How many blocks on either side are judged together with a block: six in a row. */
export const WINDOW_BLOCKS = 5n;

/** What one merchant received in a block and in those around it, by asset. */
function sumsAround(
  income: readonly BlockIncome[],
): (merchantId: string | undefined, blockHeight: bigint) => readonly AssetAmount[] {
  const ofMerchant = Map.groupBy(income, ({ merchantId }) => merchantId);
  return (merchantId, blockHeight) => {
    const sums = new Map<string, bigint>();
    for (const { assetId, units, blockHeight: height } of ofMerchant.get(merchantId) ?? []) {
      const distance = height > blockHeight ? height - blockHeight : blockHeight - height;
      if (distance <= WINDOW_BLOCKS) sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
    }
    return [...sums].map(([assetId, units]) => ({ assetId, units }));
  };
}

/**
 * Confirmations required for the payments of one merchant in one block: a function of what the
 * chain holds around it, whatever the order in which it became known.
 */
export function requirementOf(
  policy: Pick<ChainPolicy, 'requiredConfirmations'>,
  chain: ChainId,
  income: readonly BlockIncome[],
): (merchantId: string | undefined, blockHeight: bigint) => number {
  const sums = sumsAround(income);
  const answers = new Map<string, number>();
  return (merchantId, blockHeight) => {
    const key = `${merchantId ?? ''}@${blockHeight}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const amounts = sums(merchantId, blockHeight);
    // It is older than the blocks we looked at, so what was required of it before stands.
    if (amounts.length === 0) return 0;
    const required = policy.requiredConfirmations(chain, amounts, merchantId);
    answers.set(key, required);
    return required;
  };
}

/** Whether the brake holds the payments of one merchant in one block; `income` must hold them. */
export function holdOf(
  policy: Pick<ChainPolicy, 'isHeldByBrake'>,
  chain: ChainId,
  income: readonly BlockIncome[],
): (merchantId: string | undefined, blockHeight: bigint) => boolean {
  const sums = sumsAround(income);
  return (merchantId, blockHeight) => policy.isHeldByBrake(chain, sums(merchantId, blockHeight));
}

// The chain-health brake (B2): an attacker who builds a secret branch takes hash power away from
// the public one, which is seen as slow blocks hours before the reorganisation.

/** Intervals that are averaged, and how many times the target they may take. */
export const BRAKE_INTERVALS = 6;
const SLOW_FACTOR = 3;
/** What the required depth is multiplied with while the brake is on. */
export const BRAKE_FACTOR = 2;

/**
 * Why finality is held back, or nothing. `minedAt`: times of the last blocks, lowest first. Only
 * live chains are braked: a test chain that stands still is nothing unusual. It is worse with each
 * whole multiple of the usual time.
 */
export function findSlowBlocks(
  chain: ChainId,
  minedAt: readonly Temporal.Instant[],
  targetBlockSeconds: number | undefined,
): readonly BrakeCause[] {
  if (environmentOf(chain) !== 'live' || targetBlockSeconds === undefined) return [];
  const last = minedAt.slice(-(BRAKE_INTERVALS + 1));
  const [first, end] = [last[0], last.at(-1)];
  if (last.length <= BRAKE_INTERVALS || first === undefined || end === undefined) return [];
  const took = first.until(end).total('seconds');
  const usualSeconds = targetBlockSeconds * BRAKE_INTERVALS;
  if (took <= SLOW_FACTOR * usualSeconds) return [];
  const usual = `${targetBlockSeconds} s each`;
  const reason = `the last ${BRAKE_INTERVALS} blocks took ${took} s instead of ${usual}`;
  return [{ kind: 'slow-blocks', what: 'blocks', degree: Math.floor(took / usualSeconds), reason }];
}
