// Compares what a chain shows at our destinations with the custody account of the ledger. It moves
// nothing. Less than there should be is told aloud: somebody moved it, or it is missing.
//
// Guarantees: both sides are of the same block. What blocks up to that one show and the ledger has
// no entry of yet is counted (payments that are not final, what left and is not deep enough, fees),
// and so is what the ledger has and a reorganisation took out of them. So neither a restart nor
// money under way makes an alarm, and none of it hides what is missing. Nothing is said while the
// chain has not been read that far. Not guaranteed: that money which lay there before the first
// start, or which nobody is credited, does not stand in for what is missing.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type ChainHolding, missingUnits, writeHoldings } from '#chain/chain-report.ts';
import { findBlockHash, findChainStatus, isBehind } from '#chain/chain-status.ts';
import { listUnderWay } from '#chain/departure.ts';
import { sumUncredited } from '#chain/receipt.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { findNextIndex } from '#deposit/address-source.ts';
import type { BlockReference, Holdings, Network } from '#deposit/network.ts';
import { custodyBalance } from '#ledger/account.ts';
import type { Executors } from '#transfer/executor.ts';
import { listTransfersByIds, type TransferSealKeys } from '#transfer/transfer.ts';
import { decideLeaving } from './decide-leaving.ts';
import { carriedBy } from './decide-parts.ts';
import { collectToOf } from './settle-departures.ts';
import { waitingOrders } from './waiting-orders.ts';

type ReconcileHoldingsApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly executors: Executors;
  readonly networks: ReadonlyMap<ChainId, Pick<Network, 'sweeper'>>;
  readonly keyring: TransferSealKeys;
};

type Patience = {
  /** How long it is waited for that the chain is read as far as its node shows it. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
};

const POLL_MS = 1_000;

/**
 * Undefined when the network cannot tell what it holds, or was not read so far in time.
 * @throws Outage when the node cannot be asked.
 */
export async function reconcileHoldings(
  app: ReconcileHoldingsApp,
  network: Network,
  patience: Patience,
): Promise<readonly ChainHolding[] | undefined> {
  const { chain } = network;
  if (network.holdings === undefined) return undefined;
  const cursor = await waitFor(app, patience, () => findCursor(app, chain));
  if (cursor === undefined) return undefined;
  const holdings = await count(app, network, { patience, cursor });
  if (holdings === undefined) {
    const said = 'what the chain holds is not compared yet: its blocks have not been read';
    app.log.info(said, { chain, height: cursor.height });
    return undefined;
  }
  await app.db.transact(async (tx) => writeHoldings(tx, chain, holdings));
  for (const { checkedAt, ...holding } of holdings) {
    if (missingUnits({ ...holding, checkedAt }) <= 0n) continue;
    app.log.error('the chain shows less than the ledger holds in custody', holding);
  }
  return holdings;
}

const COUNTED_MOST = 5;

/**
 * What is missing is counted again while an address is given out meanwhile: what is paid to it may
 * be in the last block and not among what the node was asked for. Undefined as above.
 */
async function count(
  app: ReconcileHoldingsApp,
  network: Network,
  { patience, cursor }: { readonly patience: Patience; readonly cursor: BlockReference },
): Promise<ChainHolding[] | undefined> {
  const { addressSourceOwner: owner = network.chain, addressSource: descriptor } = network;
  const findIssued = async () => (await findNextIndex(app.db, { owner, descriptor })) ?? 0n;
  let issued = await findIssued();
  for (let counted = 1; counted <= COUNTED_MOST; counted += 1) {
    const shown = await network.holdings?.(issued, cursor);
    const holdings = shown && (await waitFor(app, patience, () => compare(app, network, shown)));
    const isWhole = holdings?.every((holding) => missingUnits(holding) <= 0n) ?? true;
    const now = isWhole ? issued : await findIssued();
    if (now === issued) return holdings;
    issued = now;
  }
  return undefined;
}

/** Undefined when it does not come in time. */
async function waitFor<T>(
  { clock }: Pick<ReconcileHoldingsApp, 'clock'>,
  { waitMs, signal }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const until = clock.monotonicMs() + waitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || clock.monotonicMs() >= until) return found;
    await clock.sleep(POLL_MS, signal);
  }
}

/** The last block recorded, where the node has none above it. */
async function findCursor(
  { db, clock }: Pick<ReconcileHoldingsApp, 'db' | 'clock'>,
  chain: ChainId,
): Promise<BlockReference | undefined> {
  const status = await findChainStatus(db, chain);
  return isBehind(status, clock.now()) ? undefined : status;
}

/** Undefined while the last block that the node counted is not recorded. */
function compare(
  app: ReconcileHoldingsApp,
  network: Network,
  { upTo, units }: Holdings,
): Promise<ChainHolding[] | undefined> {
  const { chain } = network;
  return app.db.transact(async (tx) => {
    // All of it as it was at one moment: nothing may be booked between two of these reads.
    tx.send(sql`set transaction isolation level repeatable read, read only`);
    const status = await findChainStatus(tx, chain);
    if (status === undefined || status.height < upTo.height) return undefined;
    const recorded = await findBlockHash(tx, chain, upTo.height);
    const isOther = recorded !== undefined && upTo.hash !== undefined && recorded !== upTo.hash;
    if (isOther) return undefined;
    const underWay = await sumUnderWay(app, tx, chain, upTo.height);
    const offered = network.heldAssets?.() ?? network.receivableAssets();
    const assetIds = new Set([...offered, ...units.keys(), ...underWay.keys()]);
    const checkedAt = app.clock.now();
    const holdings: ChainHolding[] = [];
    for (const assetId of assetIds) {
      holdings.push({
        chain,
        assetId,
        heldUnits: units.get(assetId) ?? 0n,
        custodyUnits: await custodyBalance(tx, chain, assetId),
        underWayUnits: underWay.get(assetId) ?? 0n,
        checkedAt,
      });
    }
    return holdings;
  });
}

/** By asset: what came and is not booked, less what left and is not. */
async function sumUnderWay(
  app: ReconcileHoldingsApp,
  reader: Reader,
  chain: ChainId,
  height: bigint,
): Promise<ReadonlyMap<string, bigint>> {
  const [uncredited, departures, orders] = await Promise.all([
    sumUncredited(reader, chain, height),
    listUnderWay(reader, chain, height),
    waitingOrders(app, reader, chain),
  ]);
  const carried = await listTransfersByIds(reader, departures.flatMap(carriedBy));
  const completed = carried.filter(({ state }) => state === 'COMPLETED');
  const paidFees = new Map(
    completed.map(({ id, feeTakenUnits = 0n, feeBeyondUnits }) => [
      id,
      feeTakenUnits + feeBeyondUnits,
    ]),
  );
  const collectTo = collectToOf(app, chain);
  const leaving = decideLeaving({ height, departures, orders, collectTo, paidFees });
  const sums = new Map(uncredited.map(({ assetId, units }) => [assetId, units]));
  for (const [assetId, units] of leaving) sums.set(assetId, (sums.get(assetId) ?? 0n) - units);
  return sums;
}
