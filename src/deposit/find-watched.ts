// Which destinations were ever handed out: for adapters that must ask a node about each of ours,
// and cannot about each of a block. The price is that of looking up what the block holds.

import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import {
  findDestinationRows,
  findOwnerRows,
  type InspectedRow,
  type InspectionPage,
  listInspectedRows,
} from './instruction-store.ts';
import { listLeftOut } from './left-out-store.ts';
import { listPaidRows } from './receipt-store.ts';

export type WatchedDestination = { readonly chain: ChainId; readonly destination: string };

/** Those of the given destinations that were, or may have been, handed out on one of the chains. */
export async function findWatched(
  reader: Reader,
  chains: readonly ChainId[],
  destinations: readonly string[],
): Promise<WatchedDestination[]> {
  if (destinations.length === 0) return [];
  const [given, leftOut] = await Promise.all([
    findDestinationRows(reader, chains, destinations),
    listLeftOut(reader, chains),
  ]);
  if (leftOut.length === 0) return given;
  const wanted = new Set(destinations);
  return [...given, ...leftOut.filter(({ destination }) => wanted.has(destination))];
}

/** Of these destinations, the ones handed out to a merchant, or for one thing of his. */
export async function findOwned(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
  owner: { readonly merchantId: string; readonly purposeId?: string | undefined },
): Promise<ReadonlySet<string>> {
  const rows = await findOwnerRows(reader, chain, destinations);
  const owned = rows.filter(
    ({ merchantId, purposeId }) =>
      merchantId === owner.merchantId &&
      (owner.purposeId === undefined || owner.purposeId === purposeId),
  );
  return new Set(owned.map(({ destination }) => destination));
}

/** The newest of a source, which are being paid, some of all in turns, some in order. */
export function listInspected(reader: Reader, page: InspectionPage): Promise<InspectedRow[]> {
  return listInspectedRows(reader, page);
}

/** Where final money arrived on a chain, and in what, each once, suspense included. */
export function listPaid(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<{ readonly destination: string; readonly assetId: string }[]> {
  return listPaidRows(reader, chain, most);
}
