// What an observation makes of the receipts: a pure function. The same facts, told once or many
// times, in one step or in several, give the same receipts (R8).
//
// Guarantees: a receipt is FINAL only in a recorded block of the branch we follow, as deep as
// required and not held by the brake (decide-finality.ts); an arrival whose amount, asset or
// destination is not what its credit key had before is never taken over (it is an alarm, and the
// receipt on record no longer stands), except that a block may correct what was merely seen where
// the adapter says so; what spends an output that paid one of our instructions was sent by whoever
// holds our keys, and is no income. Not decided here:
// what a receipt is worth, and generation and seenAt of what appears again, which rest on what the
// ledger did meanwhile and are computed where they are written (write-receipts.ts).

import { assert } from '#base/assert.ts';
import type { DepositPurpose } from '#deposit/deposit-instruction.ts';
import type { Arrival, Block, Spend } from '#deposit/network.ts';
import { type BlockIncome, holdOf, requirementOf } from './chain-policy.ts';
import { decideFinality } from './decide-finality.ts';
import {
  confirmationsOf,
  hasLiveCredit,
  isReversalDue,
  type KnownReceipt,
  type NewReceipt,
} from './receipt.ts';
import {
  appear,
  type Draft,
  draftOf,
  isChanged,
  isHint,
  leave,
  type Missing,
  type MutableReceipt,
  type ObservedFacts,
  openDraft,
  type ReceiptAlarm,
  rollBack,
  takeOver,
} from './receipt-draft.ts';

export type ReceiptChange = {
  /** Undefined when it is new. */
  readonly id: bigint | undefined;
  readonly receipt: NewReceipt;
  /** It was GONE, and is here again. */
  readonly wasGone: boolean;
  /** It appeared in the mempool or in a block since the last observation. */
  readonly appears: boolean;
  /**
   * It was undone and stands unconfirmed, which is no loss while it is not credited. Missing since
   * then, should a settlement have credited it meanwhile.
   */
  readonly missingSince: Missing | undefined;
};

export type ReceiptDecision = {
  readonly changes: readonly ReceiptChange[];
  readonly alarms: readonly ReceiptAlarm[];
  /** Credit keys of money that was ours before: consolidation, change, a payment to ourselves. */
  readonly ownMoves: readonly string[];
  /** What stands in recent blocks, with what came in now. */
  readonly income: readonly BlockIncome[];
};

export function decideReceipts(facts: ObservedFacts): ReceiptDecision {
  const { observation } = facts;
  const alarms: ReceiptAlarm[] = [];
  const ownMoves = new Set<string>();
  const drafts = new Map(facts.known.map((known) => [known.creditKey, draftOf(known)]));
  if (observation.rollbackTo !== undefined) {
    for (const draft of drafts.values()) rollBack(draft.now, observation.rollbackTo.height, facts);
  }
  for (const block of observation.blocks) {
    for (const arrival of block.arrivals) {
      if (isOwnMove(drafts, arrival, facts)) ownMoves.add(arrival.creditKey);
      else include(drafts, arrival, block, facts, alarms);
    }
  }
  const standing = new Set<string>();
  for (const arrival of observation.unconfirmed) {
    if (isOwnMove(drafts, arrival, facts)) ownMoves.add(arrival.creditKey);
    else if (see(drafts, arrival, facts, alarms)) standing.add(arrival.creditKey);
  }
  const gone = new Set(observation.gone);
  const spenders = spendersOf(drafts, observation.spends);
  for (const draft of drafts.values()) {
    if (draft.now.status !== 'SEEN' && draft.now.status !== 'GONE') continue;
    const isStanding = standing.has(draft.now.creditKey);
    if (!isStanding && gone.has(draft.now.transaction)) leave(draft.now, facts);
    noteConflict(draft.now, spenders, isStanding, facts);
  }
  return { ...conclude(drafts, alarms, facts), ownMoves: [...ownMoves] };
}

/**
 * True when only the holder of our keys can have sent it. A receipt that was recorded before its
 * parent was known does not stand any longer.
 */
function isOwnMove(
  drafts: ReadonlyMap<string, Draft>,
  { creditKey, destination, spends }: Arrival,
  facts: ObservedFacts,
): boolean {
  if (spends.length === 0 || facts.instructionOf(destination) === undefined) return false;
  const isOurs = spends.some((spent) => drafts.get(spent)?.now.instructionId !== undefined);
  const draft = drafts.get(creditKey);
  if (isOurs && draft?.now.status === 'SEEN') leave(draft.now, facts);
  return isOurs;
}

function include(
  drafts: Map<string, Draft>,
  arrival: Arrival,
  block: Block,
  facts: ObservedFacts,
  alarms: ReceiptAlarm[],
): void {
  const draft = drafts.get(arrival.creditKey) ?? openDraft(drafts, arrival, facts);
  if (draft === undefined) return;
  const receipt = draft.now;
  const wasHint = isHint(draft);
  if (isChanged(draft, arrival, facts, alarms)) {
    const mayCorrect = facts.observation.correctsSeen === true && wasHint;
    if (!mayCorrect || !takeOver(draft, arrival, facts)) return;
  }
  if (receipt.blockHeight !== undefined) {
    if (receipt.blockHeight !== block.height || receipt.blockHash !== block.hash) {
      alarms.push({
        reason: 'twice-in-chain',
        creditKey: arrival.creditKey,
        recorded: `${receipt.blockHeight} ${receipt.blockHash}`,
        observed: `${block.height} ${block.hash}`,
      });
    }
    return;
  }
  appear(draft);
  draft.isIncludedNow = true;
  receipt.status = 'INCLUDED';
  receipt.blockHeight = block.height;
  receipt.blockHash = block.hash;
  receipt.minedAt = block.minedAt;
  const { leastConfirmations } = arrival;
  if (leastConfirmations !== undefined) {
    const { confirmationsRequired = 0 } = receipt;
    receipt.confirmationsRequired = Math.max(leastConfirmations, confirmationsRequired);
  }
  receipt.goneAt = undefined;
  receipt.goneHeight = undefined;
  receipt.replacedBy = undefined;
  receipt.conflictHeight = undefined;
}

/** True when the arrival stands unconfirmed in the mempool. */
function see(
  drafts: Map<string, Draft>,
  arrival: Arrival,
  facts: ObservedFacts,
  alarms: ReceiptAlarm[],
): boolean {
  const draft = drafts.get(arrival.creditKey) ?? openDraft(drafts, arrival, facts);
  if (draft === undefined) return false;
  const receipt = draft.now;
  if (receipt.status === 'INCLUDED' || receipt.status === 'FINAL') return false;
  if (isChanged(draft, arrival, facts, alarms)) return false;
  if (receipt.status === 'GONE' || draft.before === undefined) appear(draft);
  receipt.status = 'SEEN';
  receipt.replacedBy = undefined;
  receipt.conflictHeight = undefined;
  // What was credited is still missing from the chain: the count towards its reversal goes on.
  if (!hasLiveCredit(receipt)) {
    const { goneAt: at, goneHeight: height } = receipt;
    if (at !== undefined && height !== undefined) draft.missingSince = { at, height };
    receipt.goneAt = undefined;
    receipt.goneHeight = undefined;
  }
  return true;
}

/** By outpoint: who else spends what our unconfirmed receipts spend. */
function spendersOf(
  drafts: ReadonlyMap<string, Draft>,
  spends: readonly Spend[],
): ReadonlyMap<string, readonly Spend[]> {
  const wanted = new Map<string, Spend[]>();
  for (const { now } of drafts.values()) {
    if (now.status !== 'SEEN' && now.status !== 'GONE') continue;
    for (const outpoint of now.spends) wanted.set(outpoint, []);
  }
  if (wanted.size === 0) return wanted;
  for (const spend of spends) {
    for (const outpoint of spend.spends) wanted.get(outpoint)?.push(spend);
  }
  return wanted;
}

function noteConflict(
  receipt: MutableReceipt,
  spenders: ReadonlyMap<string, readonly Spend[]>,
  isStanding: boolean,
  facts: ObservedFacts,
): void {
  const rivals = receipt.spends
    .flatMap((outpoint) => spenders.get(outpoint) ?? [])
    .filter(({ transaction }) => transaction !== receipt.transaction);
  const mined = rivals.find(({ height }) => height !== undefined);
  const rival = mined ?? rivals[0];
  if (rival === undefined || (mined === undefined && isStanding)) return;
  // A conflicting transaction in the mempool says nothing new about a receipt that was mined.
  if (mined === undefined && receipt.conflictHeight !== undefined) return;
  leave(receipt, facts);
  receipt.replacedBy = rival.transaction;
  receipt.conflictHeight = mined?.height;
}

function conclude(
  drafts: ReadonlyMap<string, Draft>,
  alarms: readonly ReceiptAlarm[],
  facts: ObservedFacts,
): Omit<ReceiptDecision, 'ownMoves'> {
  const included = [...drafts.values()].filter((draft) => draft.isIncludedNow);
  const income = [...facts.income, ...included.map(({ now }) => incomeOf(now))];
  const requirement = requirementOf(facts.policy, facts.chain, income);
  const { brake } = facts;
  const isLarge = holdOf(facts.policy, facts.chain, [...(brake?.olderIncome ?? []), ...income]);
  const changes: ReceiptChange[] = [];
  for (const { id, before, now, wasGone, appears, missingSince } of drafts.values()) {
    if (now.status === 'INCLUDED') {
      const { merchantId, blockHeight } = incomeOf(now);
      const required = requirement(merchantId, blockHeight);
      // It may only rise: a changed setting cannot make something final early.
      now.confirmationsRequired = Math.max(required, now.confirmationsRequired ?? 0);
      const finality = decideFinality({
        confirmations: confirmationsOf(now, facts.height),
        required: now.confirmationsRequired,
        isBraked: brake !== undefined,
        isLarge: brake !== undefined && isLarge(merchantId, blockHeight),
        isReleased: brake?.isReleased({ id, blockHash: now.blockHash }) === true,
      });
      now.heldAt = finality === 'held' ? (now.heldAt ?? facts.now) : undefined;
      if (finality === 'final') {
        now.status = 'FINAL';
        now.finalAt = facts.now;
      }
    }
    if (before === undefined || !isSame(before, now)) {
      changes.push({ id, receipt: now, wasGone, appears, missingSince });
    }
  }
  return { changes, alarms, income };
}

function incomeOf({ merchantId, assetId, units, blockHeight }: NewReceipt): BlockIncome {
  assert(blockHeight !== undefined, 'income is what stands in a block');
  return { merchantId, assetId, units, blockHeight };
}

const CHANGING = [
  'status',
  'blockHeight',
  'blockHash',
  'confirmationsRequired',
  'heldAt',
  'goneHeight',
  'replacedBy',
  'conflictHeight',
] as const;

function isSame(before: NewReceipt, now: NewReceipt): boolean {
  return CHANGING.every((name) => before[name] === now[name]);
}

/** Purposes whose receipts changed or whose credit is to be taken back, each once, in one order. */
export function affectedPurposes(
  changes: readonly ReceiptChange[],
  known: readonly KnownReceipt[],
  height: bigint,
): { readonly purpose: DepositPurpose; readonly purposeId: string }[] {
  const changed = new Map(changes.map(({ receipt }) => [receipt.creditKey, receipt]));
  const due = known.filter((receipt) =>
    isReversalDue(changed.get(receipt.creditKey) ?? receipt, height),
  );
  // Whoever the money was for before has to learn that it is not any more.
  const moved = known.filter(
    ({ creditKey, purposeId }) =>
      changed.has(creditKey) && changed.get(creditKey)?.purposeId !== purposeId,
  );
  const affected = new Map<string, { purpose: DepositPurpose; purposeId: string }>();
  const all = [...changes.map(({ receipt }) => receipt), ...due, ...moved];
  for (const { purpose, purposeId } of all) {
    if (purpose === undefined || purposeId === undefined) continue;
    affected.set(`${purpose}/${purposeId}`, { purpose, purposeId });
  }
  return [...affected.keys()].sort().map((key) => affected.get(key)!);
}
