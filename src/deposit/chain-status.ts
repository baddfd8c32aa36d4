// How far a chain has been read. Nothing expires while its chain is behind (C8): the payment may
// stand in a block that we have not read.

import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type ChainStatusRow, findChainStatusRow, listChainStatusRows } from './chain-store.ts';
import type { BlockReference } from './network.ts';

export type ChainStatus = {
  readonly chain: ChainId;
  readonly cursor: BlockReference;
  readonly tipHeight: bigint;
  /** Blocks the node has and we have not. */
  readonly lag: bigint;
  readonly heardAt: Temporal.Instant;
  /** Why finality is held back, if it is. */
  readonly brake: string | undefined;
  /** What stopped the last look, whichever process took it. */
  readonly fault: string | undefined;
  readonly identity: string;
};

/** A chain that was not heard for so long is behind, whatever was read before. */
const SILENCE_SECONDS = 60;

export async function listChainStatuses(reader: Reader): Promise<ChainStatus[]> {
  return (await listChainStatusRows(reader)).map(fromRow);
}

/** Undefined when the chain was never heard. */
export async function findChainStatus(
  reader: Reader,
  chain: ChainId,
): Promise<ChainStatus | undefined> {
  const row = await findChainStatusRow(reader, chain);
  return row === undefined ? undefined : fromRow(row);
}

/** `since`: the chain must have been heard after that time too, for example the end of a lock. */
export function isBehind(
  status: ChainStatus | undefined,
  now: Temporal.Instant,
  since?: Temporal.Instant,
): boolean {
  if (status === undefined || status.lag > 0n) return true;
  if (since !== undefined && Temporal.Instant.compare(status.heardAt, since) < 0) return true;
  const silentSince = now.subtract({ seconds: SILENCE_SECONDS });
  return Temporal.Instant.compare(status.heardAt, silentSince) < 0;
}

export async function isChainBehind(
  reader: Reader,
  chain: ChainId,
  now: Temporal.Instant,
  since?: Temporal.Instant,
): Promise<boolean> {
  return isBehind(await findChainStatus(reader, chain), now, since);
}

function fromRow(row: ChainStatusRow): ChainStatus {
  const lag = row.tipHeight > row.height ? row.tipHeight - row.height : 0n;
  return {
    chain: row.chain,
    cursor: { height: row.height, hash: row.hash },
    tipHeight: row.tipHeight,
    lag,
    heardAt: row.heardAt,
    brake: row.brake ?? undefined,
    fault: row.fault ?? undefined,
    identity: row.identity,
  };
}
