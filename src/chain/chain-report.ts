// What an operator looks at, a line a chain: `quittance doctor` and GET /health tell the same. It
// reads the database and what the adapters remember, and asks no node. What a chain shows at our
// destinations beside what the ledger says is found out elsewhere (reconcile-holdings.ts); the SQL
// of the table that keeps it is here.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, type Row, text, units } from '#db/table.ts';
import { GAP_LOOKED_AT, listSourceGaps, type SourceGap } from '#deposit/address-source.ts';
import type { Network } from '#deposit/network.ts';
import { type Leader, listLeaders } from '#lease/hold-leases.ts';
import { isThisProcess, placeOfProcess } from '#runtime/process-lock.ts';
import { type ChainStatus, isBehind, listChainStatuses } from './chain-status.ts';
import { countHeldReceipts } from './receipt.ts';

export const CHAIN_HOLDING = defineTable('chain_holding', {
  chain: text<ChainId>(),
  assetId: text(),
  heldUnits: units,
  /** Balance of the custody account at that moment. */
  custodyUnits: units,
  /** What blocks show and no entry stands for yet; below zero where more left than came. */
  underWayUnits: units,
  checkedAt: moment,
});
/** What a chain showed at our destinations when it was asked last. */
export type ChainHolding = Row<typeof CHAIN_HOLDING>;

type AddressGap = {
  /** Destinations handed out. */
  readonly issued: bigint;
  /**
   * Those handed out after the last that was paid: a wallet must look so far ahead. Counted to
   * `GAP_LOOKED_AT`.
   */
  readonly unpaidInARow: bigint;
};

type ChainLeader = {
  readonly host: string;
  readonly pid: number;
  readonly isThisProcess: boolean;
  /** How many led before it, and itself. */
  readonly epoch: bigint;
};

/** The lease of whoever watches it. */
export function watchLeaseOf(chain: ChainId): string {
  return `watch ${chain}`;
}

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
  /** The process that watches it for all; undefined while none does. */
  readonly leader: ChainLeader | undefined;
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
  const [statuses, blocks, gaps, holdings, held, leaders] = await Promise.all([
    listChainStatuses(app.db),
    listNewestBlocks(app.db),
    listSourceGaps(app.db, IS_PAID),
    CHAIN_HOLDING.select(app.db, sql`order by chain, asset_id`),
    countHeldReceipts(app.db),
    listLeaders(app.db),
  ]);
  return Array.from(app.networks.values(), (network): ChainReport => {
    const { chain } = network;
    const { description, nodeVersion, lastError, advice = [] } = network.health();
    const status = statuses.find((one) => one.chain === chain);
    const newest = blocks.find((one) => one.chain === chain);
    const source = gapOf(network, gaps);
    return {
      chain,
      description,
      nodeVersion,
      error: lastError ?? status?.fault,
      status,
      isBehind: isBehind(status, now),
      newestBlockSeconds: newest && secondsBetween(newest.minedAt, now),
      heardSecondsAgo: status && secondsBetween(status.heardAt, now),
      leader: leaderOf(chain, leaders),
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

function leaderOf(chain: ChainId, leaders: readonly Leader[]): ChainLeader | undefined {
  const found = leaders.find(({ name }) => name === watchLeaseOf(chain));
  if (found === undefined) return undefined;
  const { holder, epoch } = found;
  return { ...placeOfProcess(holder), isThisProcess: isThisProcess(holder), epoch };
}

function unpaidInARow({ issued, lastPaidIndex }: SourceGap): bigint {
  if (lastPaidIndex !== null) return issued - 1n - lastPaidIndex;
  return issued < GAP_LOOKED_AT ? issued : GAP_LOOKED_AT;
}

function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  const { seconds } = to.since(from).round({ largestUnit: 'second', smallestUnit: 'second' });
  return Math.max(0, seconds);
}

const IS_PAID = sql`exists (
  select from receipt r where r.purpose = d.purpose and r.purpose_id = d.purpose_id
    and r.instruction_id = d.id)`;

/** Only where something was given out is the source asked for: keys are derived for it. */
function gapOf(network: Network, gaps: readonly SourceGap[]): SourceGap | undefined {
  const { chain, addressSourceOwner = chain } = network;
  const ofOwner = gaps.filter((one) => one.chain === addressSourceOwner);
  return ofOwner.find(({ descriptor }) => descriptor === network.addressSource);
}

/** Time of the newest block recorded on each chain, as the block states it. */
function listNewestBlocks(
  reader: Reader,
): Promise<{ readonly chain: ChainId; readonly minedAt: Temporal.Instant }[]> {
  return reader.query(sql`
    select c.chain, b.mined_at as "minedAt" from chain_cursor c
    join chain_block b on b.chain = c.chain and b.height = c.height`);
}

/** In the place of those of its last comparison. */
export function writeHoldings(tx: Tx, chain: ChainId, holdings: readonly ChainHolding[]): void {
  tx.send(sql`delete from chain_holding where chain = ${chain}`);
  if (holdings.length > 0) tx.send(CHAIN_HOLDING.insert(holdings));
}

/** Units that are missing on the chain; not above zero when none are. */
export function missingUnits({ heldUnits, custodyUnits, underWayUnits }: ChainHolding): bigint {
  return custodyUnits + underWayUnits - heldUnits;
}
