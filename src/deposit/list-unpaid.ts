import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { listUnpaidRows } from './instruction-store.ts';

export type UnpaidDestination = {
  readonly destination: string;
  readonly createdAt: Temporal.Instant;
};

/**
 * What was handed out since then and has received nothing, oldest first. For chains where a
 * destination is paid once and is its own credit key (Lightning). A Lightning address is none: its
 * invoices are.
 */
export function listUnpaid(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<readonly UnpaidDestination[]> {
  return listUnpaidRows(reader, chain, since);
}
