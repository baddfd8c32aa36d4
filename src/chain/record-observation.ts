// Writes what a network reported: blocks, receipts and cursor in ONE transaction (R8), in two round
// trips whatever the size of the block, three while the brake of the chain is on.
//
// Guarantees: facts are recorded once, however often they are reported and however many processes
// watch the same chain (the cursor row is locked and compared: who comes second writes nothing);
// who does not lead any more writes nothing either, and holds nobody up when it is frozen here;
// repeating an observation changes nothing; whoever waits for these receipts is told in the same
// transaction (`onAffected`); matching costs what the blocks hold, not what is watched.
// Not guaranteed: that the node told the truth. Parent hashes are checked here, identity too.
//
// Lock order: cursor, then what the receipts pay for (`onAffected`), then receipts. A settlement
// locks its checkout and then its receipts.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import type { AffectedPurpose, SiblingMatch } from '#deposit/deposit-instruction.ts';
import { askInParts, joinParts, type Matches, matchDestinations } from '#deposit/match-arrivals.ts';
import type {
  Arrival,
  BlockReference,
  BrakeCause,
  Observation,
  Position,
} from '#deposit/network.ts';
import type { Lead } from '#lease/hold-leases.ts';
import {
  BRAKE_INTERVALS,
  type ChainPolicy,
  findSlowBlocks,
  policyAsked,
  requirementOf,
  WINDOW_BLOCKS,
} from './chain-policy.ts';
import {
  type CursorChange,
  deleteBlocksAbove,
  insertBlocks,
  insertCursor,
  listMinedAt,
  lockCursor,
  updateCursor,
} from './chain-status.ts';
import { decideDepartures, type NewDeparture, type OwnOutput } from './decide-departures.ts';
import { affectedPurposes, decideReceipts, type ReceiptDecision } from './decide-receipts.ts';
import { brakeSentence } from './decide-release.ts';
import type { KnownReceipt } from './receipt.ts';
import type { ObservedFacts } from './receipt-draft.ts';
import { findReleased } from './released-payment.ts';
import { insertRemarks, linkMisdirected } from './strangers.ts';
import { listOwnParts, undoDepartures, writeDepartures } from './write-departures.ts';
import {
  listIncome,
  listIncomeAround,
  listTouched,
  type RecordedIncome,
  raiseRequirements,
  writeReceipts,
} from './write-receipts.ts';

export type RecordObservationApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: ChainPolicy;
  /** The time in which this process watches the chain, where one at a time does. */
  readonly lead?: Lead | undefined;
  /** Queues, in the same transaction, that these are to be decided again; they come sorted. */
  readonly onAffected: (
    tx: Tx,
    affected: readonly AffectedPurpose[],
    now: Temporal.Instant,
  ) => void;
};

type RecordOutcome =
  /** Another process moved the cursor meanwhile, or leads now, and nothing was written. */
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'recorded';
      readonly cursor: BlockReference;
      readonly changedReceipts: number;
      readonly affected: readonly AffectedPurpose[];
    };

/** With fewer another connection would cost more than it saves. */
const FEW_ARRIVALS = 500;
/** The server ends the transaction of a leader that is frozen in the middle of it. */
const FROZEN_AFTER = '2s';

/** @throws AssertionFailure when the observation does not fit on the position it was made from. */
export async function recordObservation(
  app: RecordObservationApp,
  chain: ChainId,
  observation: Observation,
  before: Position,
): Promise<RecordOutcome> {
  const cursor = cursorAfter(chain, observation, before.cursor);
  const now = app.clock.now();
  const { arrivals, moved } = movedIn(observation);
  const chains = { chain, siblings: observation.siblings ?? [] };
  // Many are looked for beside the transaction, while it looks for the receipts: who was given an
  // address never changes, and who was given one later was not paid in what is observed already.
  const areMany = moved.length > FEW_ARRIVALS;
  const asked = areMany ? await askInParts(app.db, chains, moved) : undefined;
  return app.db.transact(async (tx) => {
    const matches = asked === undefined ? matchDestinations(tx, chains, moved) : joinParts(asked);
    const observed = { observation, arrivals, matches };
    const facts = await readFacts(app, tx, chain, observed, before.cursor, cursor);
    if (!facts.isLed) return { kind: 'stale' };
    const change: CursorChange = {
      chain,
      ...cursor,
      tipHeight: observation.tip.height,
      heardAt: now,
      ...storedBrake(facts.causes),
      identity: observation.identity,
    };
    if (before.cursor === undefined) {
      if (facts.locked !== undefined || !(await insertCursor(tx, change))) return { kind: 'stale' };
    } else {
      const { locked } = facts;
      if (locked?.height !== before.cursor.height || locked.hash !== before.cursor.hash) {
        return { kind: 'stale' };
      }
      assert(locked.identity === observation.identity, `${chain}: the node is of another chain`);
      updateCursor(tx, change);
    }
    const decision = decideReceipts({
      chain,
      now,
      heightBefore: before.cursor?.height ?? cursor.height,
      height: cursor.height,
      observation,
      known: facts.known,
      instructionOf: (destination) => facts.instructions.get(destination),
      isLeftOut: (destination) => facts.leftOut.has(destination),
      income: facts.income,
      policy: facts.policy,
      brake: facts.brake,
    });
    const misdirected = misdirectedIn(decision, facts.onSiblings);
    const affected = withMisdirected(
      affectedPurposes(decision.changes, facts.known, cursor.height),
      misdirected,
    );
    if (affected.length > 0) app.onAffected(tx, affected, now);
    if (observation.rollbackTo !== undefined) {
      deleteBlocksAbove(tx, chain, observation.rollbackTo.height);
    }
    insertBlocks(tx, chain, observation.blocks, now);
    writeReceipts(tx, decision.changes, now);
    insertRemarks(tx, chain, arrivals);
    const keys = misdirected.map(({ creditKey }) => creditKey);
    linkMisdirected(tx, chain, observation.siblings ?? [], keys);
    raiseOlder(facts.policy, tx, chain, facts.income, decision);
    await recordDepartures(app, tx, chain, observation, facts);
    note(app.log, chain, observation, facts.known, decision);
    return { kind: 'recorded', cursor, changedReceipts: decision.changes.length, affected };
  });
}

function endWhereFrozen(tx: Tx): void {
  tx.send(sql`select set_config('idle_in_transaction_session_timeout', ${FROZEN_AFTER}, true)`);
}

function storedBrake(causes: readonly BrakeCause[]): Pick<CursorChange, 'brake' | 'brakeCauses'> {
  return { brake: brakeSentence(causes), brakeCauses: causes.length === 0 ? undefined : causes };
}

/** Where the chain stands when all of it is recorded; asserts that the parts join. */
function cursorAfter(
  chain: ChainId,
  { rollbackTo, blocks, tip }: Observation,
  cursor: BlockReference | undefined,
): BlockReference {
  if (rollbackTo !== undefined) {
    assert(
      cursor !== undefined && rollbackTo.height < cursor.height,
      `${chain}: a rollback goes below the cursor`,
    );
  }
  let last = rollbackTo ?? cursor;
  for (const block of blocks) {
    assert(
      last === undefined || (block.height === last.height + 1n && block.parentHash === last.hash),
      `${chain}: block ${block.height} ${block.hash} does not follow ${last?.height} ${last?.hash}`,
    );
    last = block;
  }
  return { height: (last ?? tip).height, hash: (last ?? tip).hash };
}

type Observed = {
  readonly observation: Observation;
  readonly arrivals: readonly Arrival[];
  readonly matches: Promise<Matches>;
};

type RecordedFacts = {
  readonly locked: Awaited<ReturnType<typeof lockCursor>>;
  /** Asked under the lock: whoever led after that writes after this. */
  readonly isLed: boolean;
  readonly instructions: Matches['instructions'];
  readonly leftOut: Matches['leftOut'];
  readonly known: readonly KnownReceipt[];
  readonly income: readonly RecordedIncome[];
  readonly onSiblings: readonly SiblingMatch[];
  /** What transactions of ours sent to ourselves. */
  readonly ownParts: ReadonlyMap<string, OwnOutput>;
  /** With what merchants ask beyond it. */
  readonly policy: ChainPolicy;
  /** For what the brake is on. */
  readonly causes: readonly BrakeCause[];
  /** Older income: of blocks that are not in `income`. */
  readonly brake: ObservedFacts['brake'];
};

const NOBODY: ReadonlyMap<string, ConfirmationTiers> = new Map();

/**
 * One round trip, two while the brake is on; the reads are those after the lock, since each
 * statement looks afresh.
 */
async function readFacts(
  app: RecordObservationApp,
  tx: Tx,
  chain: ChainId,
  { observation, arrivals, matches }: Observed,
  before: BlockReference | undefined,
  cursor: BlockReference,
): Promise<RecordedFacts> {
  const { blocks, rollbackTo, gone, spends } = observation;
  if (app.lead !== undefined) endWhereFrozen(tx);
  // The outputs of a transaction share one list.
  const lists = [...arrivals, ...spends].map((one) => one.spends);
  const spent = [...new Set([...new Set(lists)].flat())];
  const base = rollbackTo?.height ?? before?.height ?? cursor.height;
  const [locked, isLed, minedAt, matched, known, income, ownParts, asked] = await Promise.all([
    lockCursor(tx, chain),
    app.lead?.isHeldIn(tx) ?? true,
    listMinedAt(tx, chain, base, BRAKE_INTERVALS + 1),
    matches,
    listTouched(tx, chain, {
      // Looked up with the outputs they spend, which may be ours.
      creditKeys: [...arrivals.map(({ creditKey }) => creditKey), ...spent],
      rollbackHeight: rollbackTo?.height,
      transactions: gone,
      outpoints: spends.flatMap((spend) => spend.spends),
      height: cursor.height,
    }),
    blocks.length === 0 ? [] : listIncome(tx, chain, { from: base - WINDOW_BLOCKS, to: base }),
    listOwnParts(tx, chain, spent),
    // Without a block nothing new is required.
    blocks.length === 0 ? NOBODY : (app.policy.listAsked?.(tx, chain) ?? NOBODY),
  ]);
  const { instructions, onSiblings, leftOut } = matched;
  const times = [...minedAt, ...blocks.map((block) => block.minedAt)];
  const slow = findSlowBlocks(chain, times, app.policy.targetBlockSeconds(chain));
  const causes = [...(observation.brake ?? []), ...slow];
  const policy = policyAsked(app.policy, asked);
  const facts = {
    locked,
    isLed,
    instructions,
    leftOut,
    onSiblings,
    known,
    income,
    ownParts,
    policy,
    causes,
  };
  if (causes.length === 0) return { ...facts, brake: undefined };
  const heights = known.flatMap(({ status, blockHeight }) =>
    status === 'INCLUDED' && blockHeight !== undefined ? [blockHeight] : [],
  );
  const to = blocks.length === 0 ? base : base - WINDOW_BLOCKS - 1n;
  const [olderIncome, isReleased] = await Promise.all([
    listIncomeAround(tx, chain, { heights: [...new Set(heights)], to }),
    findReleased(tx, known, causes),
  ]);
  return { ...facts, brake: { olderIncome, isReleased } };
}

type Misdirected = { readonly creditKey: string; readonly match: SiblingMatch };

/** What nobody asked for here and somebody was given the address of on a sibling chain. */
function misdirectedIn(
  { changes }: ReceiptDecision,
  onSiblings: readonly SiblingMatch[],
): readonly Misdirected[] {
  if (onSiblings.length === 0) return [];
  return changes.flatMap(({ receipt: { instructionId, destination, creditKey } }) =>
    instructionId === undefined
      ? onSiblings
          .filter((match) => match.destination === destination)
          .map((match) => ({ creditKey, match }))
      : [],
  );
}

/** What came, and the same with what the blocks say has left. */
function movedIn({ blocks, unconfirmed }: Observation) {
  const arrivals = [...blocks.flatMap((block) => block.arrivals), ...unconfirmed];
  const told = blocks.flatMap(({ departures = [] }) => departures.flatMap(({ parts }) => parts));
  return { arrivals, moved: told.length === 0 ? arrivals : [...arrivals, ...told] };
}

/** What leaves us, whatever it is for. */
async function recordDepartures(
  { clock, log, policy }: RecordObservationApp,
  tx: Tx,
  chain: ChainId,
  observation: Observation,
  { known, ownParts, instructions, onSiblings, leftOut }: RecordedFacts,
): Promise<void> {
  const { rollbackTo, change } = observation;
  if (rollbackTo !== undefined) {
    const transactions = await undoDepartures(tx, chain, rollbackTo.height);
    if (transactions.length > 0)
      log.warn('blocks with booked departures were undone', { chain, transactions });
  }
  const departures = decideDepartures({
    observation,
    ownOutputs: new Map([...ownParts, ...known.map((one) => [one.creditKey, one] as const)]),
    isOwn: (destination) =>
      instructions.has(destination) ||
      leftOut.has(destination) ||
      onSiblings.some((match) => match.destination === destination) ||
      change?.has(destination) === true,
  });
  const requiredOf = ({ parts }: NewDeparture) =>
    policy.requiredConfirmations(chain, parts, undefined);
  writeDepartures(tx, chain, departures, { seenAt: clock.now(), requiredOf });
}

/** Each once, in one order: that is the order in which they are locked. */
function withMisdirected(
  affected: readonly AffectedPurpose[],
  misdirected: readonly Misdirected[],
): readonly AffectedPurpose[] {
  if (misdirected.length === 0) return affected;
  const byKey = new Map(affected.map((one) => [`${one.purpose}/${one.purposeId}`, one]));
  for (const { match } of misdirected) {
    const { purpose, purposeId } = match;
    byKey.set(`${purpose}/${purposeId}`, { purpose, purposeId });
  }
  return [...byKey.keys()].sort().map((key) => byKey.get(key)!);
}

/** Payments that came in beside earlier ones which are not final yet make those need more depth. */
function raiseOlder(
  policy: ChainPolicy,
  tx: Tx,
  chain: ChainId,
  recorded: readonly RecordedIncome[],
  { income }: ReceiptDecision,
): void {
  if (income.length === recorded.length) return;
  const requirement = requirementOf(policy, chain, income);
  const raised = recorded.flatMap(({ merchantId, blockHeight, lowestRequired }) => {
    if (lowestRequired === undefined) return [];
    const required = requirement(merchantId, blockHeight);
    return required > lowestRequired ? [{ merchantId, blockHeight, required }] : [];
  });
  raiseRequirements(tx, chain, raised);
}

function note(
  log: Log,
  chain: ChainId,
  { rollbackTo }: Observation,
  known: readonly KnownReceipt[],
  { alarms, ownMoves }: ReceiptDecision,
): void {
  if (ownMoves.length > 0) log.info('our own money was moved: no income', { chain, ownMoves });
  for (const alarm of alarms)
    log.error('a credit key means something else now', { chain, ...alarm });
  if (rollbackTo === undefined) return;
  const undone = known.filter(({ blockHeight }) => (blockHeight ?? 0n) > rollbackTo.height);
  const credited = undone.filter(({ creditedGeneration }) => creditedGeneration !== undefined);
  const fields = { chain, ancestor: rollbackTo.height, undone: undone.length };
  if (credited.length === 0) log.info('blocks were undone', fields);
  else
    log.warn('blocks with credited payments were undone', { ...fields, credited: credited.length });
}
