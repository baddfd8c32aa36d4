// What an operator looks at, a line a chain: `quittance doctor` and GET /health tell the same.
// Reads the database and what the adapters remember; asks no node.

import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type AddressGap, GAP_LOOKED_AT } from './address-gap.ts';
import {
  type GapRow,
  listGapRows,
  listHoldingRows,
  listNewestBlocks,
} from './chain-holding-store.ts';
import { type ChainStatus, isBehind, listChainStatuses } from './chain-status.ts';
import type { Network } from './network.ts';
import { countHeldReceipts } from './receipt.ts';

/** What a chain showed at our destinations when it was asked last. */
export type ChainHolding = {
  readonly chain: ChainId;
  readonly assetId: string;
  readonly heldUnits: bigint;
  /** Balance of the custody account at that moment. */
  readonly custodyUnits: bigint;
  readonly checkedAt: Temporal.Instant;
};

export type ChainReport = {
  readonly chain: ChainId;
  readonly description: string;
  readonly nodeVersion: string | undefined;
  /** What the node said last when something was wrong. */
  readonly error: string | undefined;
  /** Undefined while the chain was never read. */
  readonly status: ChainStatus | undefined;
  readonly isBehind: boolean;
  /** Age of the newest block that was read, by the time it states; undefined without blocks. */
  readonly newestBlockSeconds: number | undefined;
  readonly heardSecondsAgo: number | undefined;
  /** Undefined where destinations are not derived from an index. */
  readonly gap: AddressGap | undefined;
  readonly holdings: readonly ChainHolding[];
  /** Payments held by the brake. */
  readonly heldPayments: bigint;
  /** What the operator should change. */
  readonly advice: readonly string[];
};

export async function listChainReports(
  app: { readonly db: Reader; readonly networks: ReadonlyMap<ChainId, Network> },
  now: Temporal.Instant,
): Promise<ChainReport[]> {
  const [statuses, blocks, gaps, holdings, held] = await Promise.all([
    listChainStatuses(app.db),
    listNewestBlocks(app.db),
    listGapRows(app.db),
    listHoldingRows(app.db),
    countHeldReceipts(app.db),
  ]);
  return Array.from(app.networks.values(), (network): ChainReport => {
    const { chain } = network;
    const { description, nodeVersion, lastError, advice = [] } = network.health();
    const status = statuses.find((one) => one.chain === chain);
    const newest = blocks.find((one) => one.chain === chain);
    const source = gaps.find(
      (one) =>
        one.chain === (network.addressSourceOwner ?? chain) &&
        one.descriptor === network.addressSource,
    );
    return {
      chain,
      description,
      nodeVersion,
      error: lastError ?? status?.fault,
      status,
      isBehind: isBehind(status, now),
      newestBlockSeconds: newest && secondsBetween(newest.minedAt, now),
      heardSecondsAgo: status && secondsBetween(status.heardAt, now),
      gap: source && {
        issued: source.issued,
        unpaidInARow: unpaidInARow(source),
      },
      holdings: holdings.filter((one) => one.chain === chain),
      heldPayments: held.find((one) => one.chain === chain)?.count ?? 0n,
      advice,
    };
  });
}

function unpaidInARow({ issued, lastPaidIndex }: GapRow): bigint {
  if (lastPaidIndex !== null) return issued - 1n - lastPaidIndex;
  return issued < GAP_LOOKED_AT ? issued : GAP_LOOKED_AT;
}

function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  const { seconds } = to.since(from).round({ largestUnit: 'second', smallestUnit: 'second' });
  return Math.max(0, seconds);
}
