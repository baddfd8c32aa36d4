// What was drafted for a market and the signer is to sign: asked for, sent, and sent once more
// until it has landed or can land no more. Guarantees: the same bytes are asked for and sent each
// time; what an order is given up for is asked for no more, and its turn is free at once where
// nobody can have it signed. Not guaranteed: that the signer signs. It has prices of its own.
import type { ChainId } from '#catalog/chain.ts';
import { type OwnMoveApp, signOwnMove } from '#sending/send-by-signer.ts';
import { findOrder, lockOrder, markAtExchange } from '#treasury/hedge-order.ts';
import { endDraft, findOpenDraft, noteDraftHeldUp } from './market-draft.ts';

/** One step. @throws Outage when the signer or the node is away; the next step goes on. */
export async function signConversions(app: OwnMoveApp, chain: ChainId): Promise<void> {
  const { db, clock } = app;
  const draft = await findOpenDraft(db, chain);
  if (draft?.attemptId === undefined) return;
  // What no ledger takes any more is freed (free-drafts.ts).
  if (Temporal.Instant.compare(clock.now(), draft.landsUntil) > 0) return;
  const { id, orderId, attemptId } = draft;
  const isGivenUp = (await findOrder(db, orderId))?.state !== 'ORDERED';
  const told = await signOwnMove(app, attemptId, isGivenUp);
  if (told === undefined) return;
  if (told !== 'RELEASED') return noteDraftHeldUp(db, draft, told.heldUp);
  await db.transact(async (tx) => {
    await lockOrder(tx, orderId);
    if ((await findOpenDraft(tx, chain))?.id !== id) return;
    await endDraft(tx, orderId, 'OVER', clock.now());
    markAtExchange(tx, orderId, false);
  });
}
