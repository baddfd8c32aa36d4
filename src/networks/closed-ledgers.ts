// What networks have in common whose ledgers are final as soon as they are closed, and on which
// everybody pays to one account (Stellar, XRP Ledger).

import type { Arrival, Block } from '#deposit/network.ts';
import { nodeOutage } from './node-outage.ts';

/** Nothing is shown before it is in a closed ledger. */
export const NOTHING_UNCONFIRMED = { unconfirmed: [], gone: [], spends: [] } as const;

/** Ledgers close every few seconds. Older than this, the newest one is not the newest. */
const STALE_SECONDS = 120;

/**
 * Otherwise payments made since then would look unpaid, and their checkouts would expire.
 * @throws Outage when the newest ledger is old.
 */
export function requireRecent(
  { what, whom }: { readonly what: string; readonly whom: string },
  { height, minedAt }: Pick<Block, 'height' | 'minedAt'>,
  now: Temporal.Instant,
): void {
  const seconds = Math.round(now.since(minedAt).total('seconds'));
  if (seconds <= STALE_SECONDS) return;
  throw nodeOutage(what, `${whom} stands still: its newest ledger ${height} is ${seconds} s old`);
}

/** Money that was paid to the account; `number` is the memo or tag that names a customer. */
export function accountArrival(
  account: string,
  number: bigint | string | undefined,
  paid: Pick<Arrival, 'creditKey' | 'transaction' | 'assetId' | 'units' | 'remark' | 'transferId'>,
): Arrival {
  const destination = number === undefined ? account : `${account}:${number}`;
  // What names no customer goes to suspense.
  const { creditKey, transaction, assetId, units, remark, transferId } = paid;
  const arrival = { creditKey, transaction, destination, assetId, units, spends: [], ours: true };
  return remark === undefined ? arrival : { ...arrival, remark, transferId };
}
