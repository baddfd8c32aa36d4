// What whoever runs the installation does with a chain.
//
// `rewindChain` goes back on it and reads it again from there: after a reorganisation deeper than
// what is kept, or when something lies below where it was first heard. Nothing is credited twice
// and nothing is taken back that still stands, since facts are recomputed from the same blocks;
// repeating it changes nothing.
//
// `releaseHeld` lets go what its brake holds (decide-release.ts): the very payments that were
// shown, where they stand, for the causes that were shown. The cursor is held meanwhile. Whoever
// observes comes before, and then the release is refused if anything is another, or after it, and
// then what is worse holds them again.

import { createHash } from 'node:crypto';
import { AssertionFailure, assert } from '#base/assert.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Reader, Tx } from '#db/db.ts';
import type { BlockReference, BrakeCause, Watcher } from '#deposit/network.ts';
import {
  type ChainStatus,
  deleteBlocksTo,
  findChainStatus,
  isBehind,
  lockCursor,
  readPosition,
} from './chain-status.ts';
import { type ReleaseRefusal, refuseRelease } from './decide-release.ts';
import { listHeldReceipts, type Receipt } from './receipt.ts';
import { type RecordObservationApp, recordObservation } from './record-observation.ts';
import { findReleased, insertReleased } from './released-payment.ts';

type Rewound = {
  readonly from: BlockReference;
  readonly to: BlockReference;
  /** Payments in the blocks that are read again. */
  readonly payments: number;
};

/** A running server moves the cursor meanwhile. */
const ATTEMPTS = 10;

/** @throws Refusal when there is nothing to go back to; Outage when the node cannot be asked. */
export async function rewindChain(
  app: RecordObservationApp,
  network: Pick<Watcher, 'chain' | 'checkIdentity' | 'blockReferenceAt' | 'forgetAbove'>,
  height: bigint,
): Promise<Rewound> {
  const { chain } = network;
  if (network.blockReferenceAt === undefined) {
    throw refuse(
      `${chain}: what was read there is final by itself, there is nothing to go back over. Where ` +
        '`npx quittance doctor` names another history, its address leads to another network',
    );
  }
  await network.checkIdentity();
  const to = await network.blockReferenceAt(height);
  if (to === undefined) throw refuse(`--to: the node has no block ${height}`);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const [status, position] = await Promise.all([
      findChainStatus(app.db, chain),
      readPosition(app.db, chain),
    ]);
    const { cursor } = position;
    if (status === undefined || cursor === undefined) {
      throw refuse(`${chain} has not been read yet: start the server with role watch`);
    }
    if (height >= cursor.height) {
      throw refuse(`--to: must be below ${cursor.height}, which was read last`);
    }
    await network.forgetAbove?.(height);
    const kept = position.recent.find((block) => block.height === height);
    const outcome = await recordObservation(
      app,
      chain,
      {
        identity: status.identity,
        tip: { height: status.tipHeight, hash: cursor.hash },
        rollbackTo: to,
        blocks: [],
        unconfirmed: [],
        gone: [],
        spends: [],
        complete: false,
      },
      position,
    );
    if (outcome.kind === 'stale') continue;
    if (kept !== undefined && kept.hash !== to.hash) {
      await app.db.single(async (tx) => deleteBlocksTo(tx, chain, height));
    }
    return { from: cursor, to, payments: outcome.changedReceipts };
  }
  throw new AssertionFailure(`${chain}: the cursor moves faster than it can be set back`);
}

function refuse(sentence: string): Refusal {
  return new Refusal('invalid', 'chain_not_rewound', [sentence]);
}

export type HeldByBrake = {
  readonly chain: ChainId;
  readonly status: ChainStatus | undefined;
  readonly causes: readonly BrakeCause[];
  /** The longest held first, as many as are let go at once. */
  readonly payments: readonly Receipt[];
  /** Changes with what is let go and with what it is held for. */
  readonly code: string;
  /** Why nothing may be let go; undefined: it may. */
  readonly refusal: ReleaseRefusal | undefined;
};

const RELEASED_AT_ONCE = 200;

/** What a release would let go, as it is shown to whoever decides. */
export async function findHeldByBrake(
  reader: Reader,
  chain: ChainId,
  now: Temporal.Instant,
): Promise<HeldByBrake> {
  const [status, held] = await Promise.all([
    findChainStatus(reader, chain),
    listHeldReceipts(reader, chain, RELEASED_AT_ONCE),
  ]);
  const causes = status?.brakeCauses ?? [];
  // They go on when the chain is looked at next.
  const isReleased = await findReleased(reader, held, causes);
  const payments = held.filter((receipt) => !isReleased(receipt));
  const facts = { status, isBehind: isBehind(status, now), held: payments.length };
  // Slow blocks are told with their seconds: as bad as before they are the same.
  const said = causes.map(({ kind, what, degree }) => [kind, what, degree]);
  const named = payments.map(({ id, blockHash }) => [`${id}`, blockHash]);
  const code = createHash('sha256')
    .update(JSON.stringify([chain, said, named]))
    .digest('hex');
  return {
    chain,
    status,
    causes,
    payments,
    code: code.slice(0, CODE_LENGTH),
    refusal: refuseRelease(facts),
  };
}

const CODE_LENGTH = 16;

/**
 * `code`: of what whoever decides was shown.
 * @throws Refusal conflict `brake_changed` when it is another by now; those of decide-release.ts
 */
export async function releaseHeld(
  { random }: { readonly random: Random },
  tx: Tx,
  { chain, code, now }: { chain: ChainId; code: string; now: Temporal.Instant },
): Promise<HeldByBrake & { readonly releaseId: string }> {
  await lockCursor(tx, chain);
  const found = await findHeldByBrake(tx, chain, now);
  const { causes, payments, refusal } = found;
  if (refusal !== undefined) throw new Refusal('conflict', refusal.code, refusal.sentences);
  if (found.code !== code) {
    throw new Refusal('conflict', 'brake_changed', [
      'what is held, or what it is held for, has changed since it was shown: look again',
    ]);
  }
  const releaseId = newId(random);
  const standing = payments.map(({ id, blockHash }) => {
    assert(blockHash !== undefined, 'what is held stands in a block');
    return { id, blockHash };
  });
  insertReleased(tx, { releaseId, chain, causes, releasedAt: now }, standing);
  return { ...found, releaseId };
}
