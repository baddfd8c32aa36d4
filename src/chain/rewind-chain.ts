// Goes back on a chain on purpose, and reads it again from there: after a reorganisation deeper
// than what is kept, or when something lies below where a chain was first heard. Guarantees:
// nothing is credited twice and nothing is taken back that still stands, since facts are
// recomputed from the same blocks; repeating it changes nothing.

import { AssertionFailure } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { BlockReference, Watcher } from '#deposit/network.ts';
import { deleteBlocksTo, findChainStatus, readPosition } from './chain-status.ts';
import { type RecordObservationApp, recordObservation } from './record-observation.ts';

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
