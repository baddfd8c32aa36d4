// One planned move of our own money as a transaction: put before whoever signs, sent, and followed
// to its end. Guarantees: what is asked is stored before it is asked, what was signed is stored
// before it is sent; a nonce that may be signed is used by nothing else; a move ends when the
// network has it final, or proves that it can land no more.

import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { listSpenders } from '#chain/departure.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftedPayment, DraftPayment, ReturnedDraft, Sender } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { orderedPayment, readAskedOrder, writeAskedOrder } from './asked-order.ts';
import { listAskedSpends, listLiveOf, listRivals } from './attempt.ts';
import type { SigningPort } from './signing-port.ts';
import type { TurnApp } from './signing-turn.ts';
import {
  endMove,
  listMoveSpends,
  markAsked,
  markRefused,
  type SweepMove,
  storeSignedMove,
} from './sweep-move.ts';

export type SignMoveApp = TurnApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender' | 'carriesFrom'>>;
  /** Of the chain. */
  readonly signer: Pick<SigningPort, 'sign'>;
};

/** What is in no block after this gets a higher fee, where its address has coins for that. */
export const BUMP_AFTER = { minutes: 10 };
/** Rules of the signer change with a restart, and approvals take a person. */
const ASK_AGAIN_AFTER = { seconds: 30 };

/** Nothing that may be signed can use the same nonce. */
export async function listTaken(
  { db }: Pick<SignMoveApp, 'db'>,
  chain: ChainId,
): Promise<ReadonlySet<string>> {
  const live = await listLiveOf(db, chain);
  return new Set([
    ...live.flatMap(({ spends }) => spends),
    ...(await listAskedSpends(db, chain)),
    ...(await listMoveSpends(db, chain)),
  ]);
}

/** Stores what the signer is asked, and asks it. */
export async function askFor(
  app: SignMoveApp,
  move: SweepMove,
  replaces: string | undefined,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const { chain, source, units } = move;
  const network = app.networks.get(chain);
  if (network?.draft === undefined) return `no transaction is put together for ${chain}`;
  const wish = { unspent: [], taken, feeRate: undefined, from: source, replaces };
  const drafted = await network.draft({ ...wish, payments: [paymentOf(move)] });
  if (drafted.format !== 'transaction') return `nothing is swept on ${chain}`;
  const { terms, spends } = drafted;
  const isTaken = replaces === undefined && spends.some((turn) => taken.has(turn));
  if (isTaken) return 'another payment has its nonce: it goes when that has landed';
  const question = writeAskedOrder(await orderOf(app, move, drafted));
  const asked = { terms, spends, units, question };
  await app.db.transact(async (tx) => {
    const rivals = await listRivals(tx, { id: 0n, chain, transferIds: [], spends });
    if (rivals.length > 0) throw new Refusal('conflict', 'sweep_refused', 'its nonce is taken');
    const isMarked = await markAsked(tx, move, asked);
    if (!isMarked) throw new Refusal('conflict', 'sweep_refused', 'it was asked for meanwhile');
  });
  return ask(app, { ...move, ...asked }, question);
}

export function ask(
  app: SignMoveApp,
  move: SweepMove,
  question: string,
): Promise<string | undefined> {
  return askWith(app, move, question, { payments: [paymentOf(move)] });
}

/** `made`: what it was drafted of. */
export async function askWith(
  app: SignMoveApp,
  move: SweepMove,
  question: string,
  made: Pick<ReturnedDraft, 'payments' | 'carries'>,
): Promise<string | undefined> {
  const { db, clock } = app;
  const outcome = await app.signer.sign(readAskedOrder(question));
  switch (outcome.outcome) {
    case 'SIGNED': {
      const sender = requireSender(app, move);
      const returned = Buffer.from(outcome.signedTransaction);
      const terms = move.terms ?? '';
      const signed = await sender.readSigned({ ...made, terms, returned });
      await storeSignedMove(db, move.id, signed, clock.now());
      await sender.broadcast(signed);
      return undefined;
    }
    case 'AWAY':
      throw new Outage(`the signer: ${outcome.reason}`);
    case 'NOT_NOW':
      await markRefused(db, move.id, clock.now());
      return outcome.reason;
  }
}

/** Sent once more until it is final, or can land no more. */
export async function follow(app: SignMoveApp, move: SweepMove): Promise<string | undefined> {
  const { db, clock } = app;
  const { id, chain, terms = '', transactions, signedTransaction = '', signedAt } = move;
  // Before what left is looked at: then all of it up to this height is there.
  const cursor = await findChainStatus(db, chain);
  for (const transaction of transactions) {
    const seen = await listSpenders(db, { chain, transaction, spends: [] });
    const landed = seen.find((one) => one.transaction === transaction);
    if (landed === undefined) continue;
    const hasMoved = landed.parts.length > 0;
    const end = hasMoved
      ? ({ state: 'MOVED', heldUp: undefined } as const)
      : ({ state: 'GONE', heldUp: `${transaction} failed, and cost its fee` } as const);
    if (landed.isFinal) await endMove(db, id, end, clock.now());
    return undefined;
  }
  const sender = requireSender(app, move);
  if (cursor !== undefined && (await sender.isOver?.(terms, cursor.height)) === true) {
    const heldUp = 'another transaction has used its nonce';
    await endMove(db, id, { state: 'GONE', heldUp }, clock.now());
    return undefined;
  }
  const transaction = transactions.at(-1) ?? '';
  await sender.broadcast({ signedTransaction, transaction });
  const isLate = signedAt !== undefined && isPast(app, signedAt, BUMP_AFTER);
  if (!isLate || isRefused(app, move)) return isLate ? move.heldUp : undefined;
  const isAllCoins = move.kind === 'SWEEP' && getAsset(move.assetId).assetIssuer === NATIVE_ISSUER;
  // They leave none for a higher fee.
  if (isAllCoins) return 'waits for the chain to take a lower fee';
  return askFor(app, move, terms, new Set());
}

function paymentOf({ id, receiver: address, assetId, units }: SweepMove): DraftPayment {
  return { transferId: id, account: { address }, assetId, units };
}

async function orderOf(
  { db }: SignMoveApp,
  move: SweepMove,
  drafted: DraftedPayment,
): Promise<SignOrder> {
  const { id, chain } = move;
  const { from: source, sequence, feeUnits, text: unsigned } = drafted;
  const index = await findSourceIndex(db, chain, source);
  const [environment, network] = [environmentOf(chain), networkOf(chain)];
  const payments = [await orderedPayment(db, chain, paymentOf(move))];
  const facts = { source, sequence, index, isSweep: move.kind === 'SWEEP' };
  return { id, environment, network, kind: 'PAY', payments, feeUnits, facts, unsigned };
}

export function requireSender({ networks }: SignMoveApp, { chain }: SweepMove): Sender {
  const sender = networks.get(chain)?.sender;
  if (sender !== undefined) return sender;
  throw new Refusal('unavailable', 'network_missing', `${chain} takes no signed transactions now`);
}

/** It was not signed a moment ago. */
export function isRefused(app: SignMoveApp, { refusedAt }: Pick<SweepMove, 'refusedAt'>): boolean {
  return refusedAt !== undefined && !isPast(app, refusedAt, ASK_AGAIN_AFTER);
}

export function isPast(
  { clock }: SignMoveApp,
  since: Temporal.Instant,
  after: Temporal.DurationLike,
): boolean {
  return Temporal.Instant.compare(clock.now(), since.add(after)) >= 0;
}
