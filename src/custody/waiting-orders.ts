// What waits to be sent on a chain, as the watcher of that chain would see it leave.
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type Executors, isByHand } from '#transfer/executor.ts';
import { listByHand } from '#transfer/send-by-hand.ts';
import { isTransferSealed, type TransferSealKeys } from '#transfer/transfer.ts';
import type { Order } from './decide-parts.ts';

export type WaitingOrdersApp = {
  readonly executors: Executors;
  readonly keyring: TransferSealKeys;
};

/** Oldest first; those whose row is as it was written: nothing else says where money was to go. */
export async function waitingOrders(
  { executors, keyring }: WaitingOrdersApp,
  reader: Reader,
  chain: ChainId,
): Promise<Order[]> {
  const executor = executors.get(chain);
  if (executor === undefined || !isByHand(executor)) return [];
  const waiting = await listByHand(reader, environmentOf(chain), networkOf(chain));
  const orders: Order[] = [];
  for (const transfer of waiting) {
    const { id: transferId, account, assetId, targetUnits: units, transaction } = transfer;
    if (account === undefined || !(await isTransferSealed(reader, keyring, transfer))) continue;
    const destination = executor.destinationOf(account, transferId);
    orders.push({ transferId, destination, assetId, units, transaction });
  }
  return orders;
}
