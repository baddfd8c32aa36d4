// Compares what a chain shows at our destinations with the custody account of the ledger. Less than
// the ledger says is told aloud: somebody moved it, or it is missing. Moves nothing.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Db } from '#db/db.ts';
import { custodyBalance } from '#ledger/balance.ts';
import { listGapRows, replaceHoldings } from './chain-holding-store.ts';
import type { ChainHolding } from './chain-report.ts';
import type { Network } from './network.ts';

export type ReconcileHoldingsApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/**
 * Undefined when the network cannot tell what it holds.
 * @throws Outage when the node cannot be asked.
 */
export async function reconcileHoldings(
  { db, clock, log }: ReconcileHoldingsApp,
  network: Network,
): Promise<readonly ChainHolding[] | undefined> {
  const { chain, addressSource, addressSourceOwner = chain } = network;
  if (network.holdings === undefined) return undefined;
  const sources = await listGapRows(db);
  const source = sources.find(
    (one) => one.chain === addressSourceOwner && one.descriptor === addressSource,
  );
  // The ledger is read first, so that money that arrives in between is held and not yet booked, and
  // never the reverse.
  const custody = new Map<string, bigint>();
  for (const assetId of network.heldAssets?.() ?? network.receivableAssets()) {
    custody.set(assetId, await custodyBalance(db, chain, assetId));
  }
  const held = await network.holdings(source?.issued ?? 0n);
  const checkedAt = clock.now();
  const holdings = Array.from(custody, ([assetId, custodyUnits]) => ({
    chain,
    assetId,
    heldUnits: held.get(assetId) ?? 0n,
    custodyUnits,
    checkedAt,
  }));
  await db.transact(async (tx) => replaceHoldings(tx, chain, holdings));
  for (const { assetId, heldUnits, custodyUnits } of holdings.filter(isShort)) {
    log.error('the chain shows less than the ledger holds in custody', {
      chain,
      assetId,
      heldUnits,
      custodyUnits,
    });
  }
  return holdings;
}

export function isShort({ heldUnits, custodyUnits }: ChainHolding): boolean {
  return heldUnits < custodyUnits;
}
