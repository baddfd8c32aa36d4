// How far a chain has been read, and the SQL of the table that says it. Nothing expires while its
// chain is behind (C8): the payment may stand in a block that we have not read.

import { createBatch } from '#base/batch.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';

export const CHAIN_CURSOR = defineTable('chain_cursor', {
  chain: text<ChainId>(),
  /** Of the last block that was recorded. */
  height: bigInteger,
  hash: text(),
  tipHeight: bigInteger,
  heardAt: moment,
  /** Why finality is held back, if it is. */
  brake: optional(text()),
  /** What stopped the last look, whichever process took it. */
  fault: selectOnly(optional(text())),
  identity: text(),
});
type Cursor = Row<typeof CHAIN_CURSOR>;
export type CursorChange = Omit<Cursor, 'fault'>;

export type ChainStatus = Cursor & {
  /** Blocks the node has and we have not. */
  readonly lag: bigint;
};

/** Until the transaction ends nobody else records anything of this chain. */
export function lockCursor(tx: Tx, chain: ChainId): Promise<Cursor | undefined> {
  return CHAIN_CURSOR.find(tx, sql`where chain = ${chain} for update`);
}

/** False when another was first. */
export async function insertCursor(tx: Tx, change: CursorChange): Promise<boolean> {
  const rest = sql`on conflict (chain) do nothing returning chain`;
  return (await tx.query(CHAIN_CURSOR.insert([change], rest))).length === 1;
}

export function updateCursor(tx: Tx, change: CursorChange): void {
  tx.send(sql`
    update chain_cursor set height = ${change.height}, hash = ${change.hash},
      tip_height = ${change.tipHeight}, heard_at = ${change.heardAt},
      brake = ${change.brake ?? null}, fault = null
    where chain = ${change.chain}`);
}

/** Why the watch stands still; what is recorded next takes it away again. */
export async function writeChainFault(db: Db, chain: ChainId, fault: string): Promise<void> {
  await db.single(async (tx) =>
    tx.send(sql`
      update chain_cursor set fault = ${fault}
      where chain = ${chain} and fault is distinct from ${fault}`),
  );
}

/** A chain that was not heard for so long is behind, whatever was read before. */
const SILENCE_SECONDS = 60;

export async function listChainStatuses(reader: Reader): Promise<ChainStatus[]> {
  return (await CHAIN_CURSOR.select(reader, sql`order by chain`)).map(statusOf);
}

/** Undefined when the chain was never heard. */
export async function findChainStatus(
  reader: Reader,
  chain: ChainId,
): Promise<ChainStatus | undefined> {
  const cursor = await CHAIN_CURSOR.find(reader, sql`where chain = ${chain}`);
  return cursor && statusOf(cursor);
}

function statusOf(cursor: Cursor): ChainStatus {
  const { tipHeight, height } = cursor;
  return { ...cursor, lag: tipHeight > height ? tipHeight - height : 0n };
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

type Look = () => Promise<readonly ChainStatus[]>;

const looks = new WeakMap<Db, Look>();
const READERS_MOST = 1_000;

/**
 * The statuses of all chains for many readers at once, never older than the call: who asks while a
 * look is under way waits for the next one, which serves all of them.
 */
export function sharedChainStatuses(db: Db): Promise<readonly ChainStatus[]> {
  const look = looks.get(db) ?? openLook(db);
  looks.set(db, look);
  return look();
}

function openLook(db: Db): Look {
  const batch = createBatch<undefined, readonly ChainStatus[]>({
    most: READERS_MOST,
    atOnce: 1,
    async run(readers) {
      const statuses = await listChainStatuses(db);
      return readers.map(() => statuses);
    },
  });
  return () => batch(undefined);
}
