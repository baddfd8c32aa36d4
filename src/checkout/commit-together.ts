// Customers who choose at the same time share a transaction: one takes the counter of addresses for
// all of them, where each would wait for the one before it to end.
//
// Guarantees: what is done here is what `commitCheckout` does of each by itself, and only where
// nothing is to be weighed: a first window of a way to pay, at amounts that still hold, without a
// conversion, without a node to ask. Everything else, every refusal too, is answered with
// undefined, and is for a transaction of its own. Nobody waits for a checkout that somebody else
// holds.

import type { Clock } from '#base/clock.ts';
import { newOrderedId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf, ENVIRONMENTS } from '#catalog/chain.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Network } from '#deposit/network.ts';
import { createBatch } from '#runtime/batch.ts';
import { type Checkout, selectCheckouts } from './checkout.ts';
import { type CommitmentRow, listCommitmentRows } from './commitment.ts';
import {
  type CommitRequest,
  type Committed,
  chooseWay,
  type Opening,
  openCommitments,
} from './open-commitment.ts';

type TogetherApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Network>;
};
type Asked = { readonly app: TogetherApp; readonly request: CommitRequest };
type Commit = (asked: Asked) => Promise<Committed | undefined>;

const BATCHES = new WeakMap<Db, Commit>();
/** While one of them writes its end, the other reads its begin. */
const BATCHES_AT_ONCE = 2;
const COMMITS_PER_BATCH = 16;

export async function commitTogether(
  app: TogetherApp,
  request: CommitRequest,
): Promise<Committed | undefined> {
  if (isNodeNamed(app, request)) return undefined;
  const known = BATCHES.get(app.db) ?? openBatch(app.db);
  BATCHES.set(app.db, known);
  return known({ app, request });
}

/** A look at the checkout first would be for nothing. */
function isNodeNamed({ networks }: TogetherApp, { network }: CommitRequest): boolean {
  if (network === undefined) return false;
  const chains = ENVIRONMENTS.map((environment) => chainOf(environment, network));
  return chains.some((chain) => networks.get(chain)?.asksNode === true);
}

function openBatch(db: Db): Commit {
  return createBatch({
    most: COMMITS_PER_BATCH,
    atOnce: BATCHES_AT_ONCE,
    async run(all: readonly Asked[]) {
      const [first] = all;
      // Of several for one checkout the first: the others find what it did.
      const asked = all.filter(
        ({ app, request }, index) =>
          app.keyring === first?.app.keyring &&
          app.clock === first.app.clock &&
          all.findIndex((other) => other.request.checkoutId === request.checkoutId) === index,
      );
      if (first === undefined) return [];
      const made = await db.transact((tx) => commitAll(first.app, tx, asked));
      return all.map((one) => made.get(one));
    },
  });
}

async function commitAll(
  app: TogetherApp,
  tx: Tx,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, Committed>> {
  const ids = asked.map(({ request }) => request.checkoutId);
  const [checkouts, commitments] = await Promise.all([
    // Locked in one order, so that nobody waits for another crosswise.
    selectCheckouts(tx, sql`where id = any(${ids}::text[]) order by id for update skip locked`),
    listCommitmentRows(tx, ids),
  ]);
  const locked = new Map(checkouts.map((checkout) => [checkout.id, checkout]));
  const ofCheckouts = Map.groupBy(commitments, ({ checkoutId }) => checkoutId);
  const now = app.clock.now();
  const openings = asked.flatMap((one) => {
    const { checkoutId } = one.request;
    const opening = openingOf(one, locked.get(checkoutId), ofCheckouts.get(checkoutId) ?? [], now);
    return opening === undefined ? [] : [{ one, opening }];
  });
  if (openings.length === 0) return new Map();
  const made = await openCommitments(
    app,
    tx,
    openings.map(({ opening }) => opening),
  );
  return new Map(
    openings.map(({ one, opening }, index) => [
      one,
      { ...made[index]!, meta: opening.checkout.meta },
    ]),
  );
}

/** Undefined: there is something to be weighed. */
function openingOf(
  { app, request }: Asked,
  locked: Checkout | undefined,
  commitments: readonly CommitmentRow[],
  now: Temporal.Instant,
): Opening | undefined {
  let way: ReturnType<typeof chooseWay>;
  try {
    way = chooseWay(app, locked, request);
  } catch (error) {
    if (error instanceof Refusal || error instanceof Outage) return undefined;
    throw error;
  }
  const { checkout, offer, network } = way;
  const isFirst = commitments.every(
    (made) => made.network !== offer.network || made.assetId !== offer.assetId,
  );
  const isHeld = Temporal.Instant.compare(now, checkout.quotedUntil) <= 0;
  const isConverted = offer.settlementAssetId !== offer.assetId;
  if (!isFirst || !isHeld || isConverted || network.asksNode === true) return undefined;
  return {
    ...way,
    instructionId: newOrderedId(now, app.random),
    committedAt: now,
    pageLanguage: request.pageLanguage,
  };
}
