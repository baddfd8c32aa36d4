// Lightning has no blocks. What stands in for them is a chain of our own payments: each settled
// invoice is a block, numbered as we recorded it, whose hash is made of the one before it and of
// the payment. So the cursor is contiguous like any other, written in the transaction that has the
// facts, and of two processes that watch only one can go on from it. Nothing is ever undone: a
// settled payment is final (0 confirmations). A block without a payment comes only where much lies
// behind that nobody can pay any more, so that it need not be read again.
//
// The hash also says from when on unpaid invoices are to be looked for (`<milliseconds>.<digest>`):
// everything handed out before is paid, or can be paid by nobody any more.

import { createHash } from 'node:crypto';
import type { ChainId } from '#catalog/chain.ts';
import type { Block, BlockReference } from '#deposit/network.ts';
import { type InvoiceFact, MILLISATOSHIS } from './lightning-backend.ts';

export type SettledInvoice = InvoiceFact & {
  readonly state: Extract<InvoiceFact['state'], { kind: 'settled' }>;
};

/** Before the first payment: every invoice ever handed out is looked for. */
export function firstBlock(genesisHash: string, now: Temporal.Instant): Block {
  const hash = hashText(Temporal.Instant.fromEpochMilliseconds(0), digestOf(genesisHash));
  return { height: 0n, hash, parentHash: 'none', minedAt: now, arrivals: [] };
}

/** Undefined for a text that is none of ours. */
export function searchedSince({ hash }: BlockReference): Temporal.Instant | undefined {
  const [, milliseconds] = /^(\d{1,15})\.[0-9a-f]{64}$/.exec(hash) ?? [];
  if (milliseconds === undefined) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Number(milliseconds));
}

type BlockFacts = {
  readonly chain: ChainId;
  readonly assetId: string;
  readonly now: Temporal.Instant;
  /** Nothing handed out before it can still be paid. */
  readonly since: Temporal.Instant;
  /** Payment hashes of invoices made here that the database does not know. */
  readonly forgotten?: ReadonlySet<string>;
};

/** Why money that came by an invoice of ours is nobody's. */
const FORGOTTEN = 'invoice given out before a restore';

/**
 * One block for each payment, in the order they were settled. Units are what arrived, rounded down
 * to whole satoshi: the ledger has no smaller unit, and what is credited never exceeds what is
 * there (invoices ask for whole satoshi, so only an overpayment leaves a rest).
 */
export function blocksOf(
  parent: BlockReference,
  settled: readonly SettledInvoice[],
  facts: BlockFacts,
): Block[] {
  let last = parent;
  return settled.toSorted(bySettlement).flatMap((invoice) => {
    const { paymentHash, state } = invoice;
    const units = state.receivedMillisatoshis / MILLISATOSHIS;
    if (units === 0n) return [];
    const digest = digestOf(`${last.hash}/${paymentHash}/${state.receivedMillisatoshis}`);
    // A node whose clock is fast must not date payments into the future.
    const isAhead = Temporal.Instant.compare(state.settledAt, facts.now) > 0;
    const isForgotten = facts.forgotten?.has(paymentHash) === true;
    const block: Block = {
      height: last.height + 1n,
      hash: hashText(facts.since, digest),
      parentHash: last.hash,
      minedAt: isAhead ? facts.now : state.settledAt,
      arrivals: [
        {
          creditKey: paymentHash,
          transaction: paymentHash,
          destination: paymentHash,
          assetId: facts.assetId,
          units,
          spends: [],
          // Invoices of other programs on the same node are none of ours.
          ours: isForgotten,
          remark: isForgotten ? FORGOTTEN : undefined,
        },
      ],
    };
    last = block;
    return [block];
  });
}

/** Moves on from when on unpaid invoices are looked for, and nothing else. */
export function emptyBlock(
  parent: BlockReference,
  { now, since }: Pick<BlockFacts, 'now' | 'since'>,
): Block {
  const hash = hashText(since, digestOf(`${parent.hash}/${since.epochMilliseconds}`));
  const height = parent.height + 1n;
  return { height, hash, parentHash: parent.hash, minedAt: now, arrivals: [] };
}

function bySettlement(one: SettledInvoice, other: SettledInvoice): number {
  const order = Temporal.Instant.compare(one.state.settledAt, other.state.settledAt);
  return order || (one.paymentHash < other.paymentHash ? -1 : 1);
}

function hashText(since: Temporal.Instant, digest: string): string {
  return `${since.epochMilliseconds}.${digest}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
