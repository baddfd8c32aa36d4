// A receipt while an observation is applied to it (decide-receipts.ts): what it was, and what it is
// now.

import type { ChainId } from '#catalog/chain.ts';
import type { InstructionMatch } from '#deposit/deposit-instruction.ts';
import type { Arrival, Observation } from '#deposit/network.ts';
import type { BlockIncome, ChainPolicy } from './chain-policy.ts';
import type { KnownReceipt, NewReceipt } from './receipt.ts';

export type ObservedFacts = {
  readonly chain: ChainId;
  readonly now: Temporal.Instant;
  /** Last recorded height before and after this observation. */
  readonly heightBefore: bigint;
  readonly height: bigint;
  readonly observation: Pick<
    Observation,
    'rollbackTo' | 'blocks' | 'unconfirmed' | 'gone' | 'spends' | 'correctsSeen'
  >;
  /** Every receipt the observation can touch, and those deep enough to become final. */
  readonly known: readonly KnownReceipt[];
  readonly instructionOf: (destination: string) => InstructionMatch | undefined;
  /**
   * Given out before the database was restored: the money is ours, but nobody knows for whom it is.
   */
  readonly isLeftOut?: (destination: string) => boolean;
  /** What stands in the blocks around the new ones, without what this observation changes. */
  readonly income: readonly BlockIncome[];
  readonly policy: Pick<ChainPolicy, 'requiredConfirmations' | 'isHeldByBrake'>;
  /**
   * While the brake is on (chain-policy.ts): what stands around known receipts that are not final,
   * where `income` does not say it.
   */
  readonly brake:
    | {
        readonly olderIncome: readonly BlockIncome[];
        /** Let go by somebody, where it stands, for what is wrong now. */
        readonly isReleased: (receipt: Released) => boolean;
      }
    | undefined;
};

type Released = { readonly id: bigint | undefined; readonly blockHash: string | undefined };

export type Missing = { readonly at: Temporal.Instant; readonly height: bigint };

export type ReceiptAlarm = {
  readonly reason: 'changed' | 'twice-in-chain';
  readonly creditKey: string;
  readonly recorded: string;
  readonly observed: string;
};

export type MutableReceipt = { -readonly [Name in keyof NewReceipt]: NewReceipt[Name] };
export type Draft = {
  readonly id: bigint | undefined;
  readonly before: NewReceipt | undefined;
  readonly now: MutableReceipt;
  wasGone: boolean;
  appears: boolean;
  isIncludedNow: boolean;
  missingSince: Missing | undefined;
};

export function draftOf({ id, ...receipt }: KnownReceipt): Draft {
  return {
    id,
    before: receipt,
    now: { ...receipt },
    wasGone: false,
    appears: false,
    isIncludedNow: false,
    missingSince: undefined,
  };
}

/**
 * It left its block, but perhaps only for a moment, because most transactions are mined again
 * (4.8).
 */
export function rollBack(
  receipt: MutableReceipt,
  ancestorHeight: bigint,
  facts: ObservedFacts,
): void {
  if (receipt.conflictHeight !== undefined && receipt.conflictHeight > ancestorHeight) {
    receipt.conflictHeight = undefined;
    receipt.replacedBy = undefined;
  }
  if (receipt.blockHeight === undefined || receipt.blockHeight <= ancestorHeight) return;
  receipt.status = 'SEEN';
  receipt.blockHeight = undefined;
  receipt.blockHash = undefined;
  receipt.minedAt = undefined;
  receipt.heldAt = undefined;
  receipt.finalAt = undefined;
  receipt.goneAt ??= facts.now;
  receipt.goneHeight ??= facts.heightBefore;
}

export function appear(draft: Draft): void {
  draft.wasGone ||= draft.before?.status === 'GONE' && draft.now.status === 'GONE';
  draft.appears = true;
}

/** A receipt for an arrival that is for us; undefined when it is not. */
export function openDraft(
  drafts: Map<string, Draft>,
  arrival: Arrival,
  facts: ObservedFacts,
): Draft | undefined {
  const match = facts.instructionOf(arrival.destination);
  const isOurs = arrival.ours || facts.isLeftOut?.(arrival.destination) === true;
  if (match === undefined && !isOurs) return undefined;
  const draft: Draft = {
    id: undefined,
    before: undefined,
    now: {
      chain: facts.chain,
      creditKey: arrival.creditKey,
      instructionId: match?.instructionId,
      merchantId: match?.merchantId,
      purpose: match?.purpose,
      purposeId: match?.purposeId,
      assetId: arrival.assetId,
      units: arrival.units,
      transaction: arrival.transaction,
      destination: arrival.destination,
      spends: arrival.spends,
      status: 'SEEN',
      generation: 1,
      seenAt: facts.now,
      blockHeight: undefined,
      blockHash: undefined,
      minedAt: undefined,
      confirmationsRequired: undefined,
      heldAt: undefined,
      finalAt: undefined,
      goneAt: undefined,
      goneHeight: undefined,
      replacedBy: undefined,
      conflictHeight: undefined,
      creditedGeneration: undefined,
      reversedGeneration: undefined,
      unaskedSettlementAssetId: undefined,
    },
    wasGone: false,
    appears: true,
    isIncludedNow: false,
    missingSince: undefined,
  };
  drafts.set(arrival.creditKey, draft);
  return draft;
}

/**
 * One credit key is one fact. When it says something else now, neither can be trusted: the new one
 * is not taken over, and the old one, unless it is in a block, no longer stands.
 */
export function isChanged(
  draft: Draft,
  arrival: Arrival,
  facts: ObservedFacts,
  alarms: ReceiptAlarm[],
): boolean {
  const recorded = describe(draft.now);
  const observed = describe(arrival);
  if (recorded === observed) return false;
  alarms.push({ reason: 'changed', creditKey: arrival.creditKey, recorded, observed });
  if (draft.now.status === 'SEEN') leave(draft.now, facts);
  return true;
}

/**
 * What a block says takes the place of what was said while it was unconfirmed, where the adapter
 * allows it and nobody was credited. False when it is for nobody.
 */
export function takeOver(draft: Draft, arrival: Arrival, facts: ObservedFacts): boolean {
  const receipt = draft.now;
  const match = facts.instructionOf(arrival.destination);
  if (match === undefined && !arrival.ours) return false;
  if (receipt.destination !== arrival.destination) receipt.seenAt = facts.now;
  receipt.instructionId = match?.instructionId;
  receipt.merchantId = match?.merchantId;
  receipt.purpose = match?.purpose;
  receipt.purposeId = match?.purposeId;
  receipt.assetId = arrival.assetId;
  receipt.units = arrival.units;
  receipt.destination = arrival.destination;
  receipt.spends = arrival.spends;
  return true;
}

/** Nothing depends on it yet: it was never in a block that counted, and was never credited. */
export function isHint({ now }: Draft): boolean {
  const isUnconfirmed = now.status === 'SEEN' || now.status === 'GONE';
  return isUnconfirmed && now.creditedGeneration === undefined;
}

function describe(fact: Pick<Arrival, 'units' | 'assetId' | 'destination'>): string {
  return `${fact.units} ${fact.assetId} to ${fact.destination}`;
}

export function leave(receipt: MutableReceipt, facts: ObservedFacts): void {
  receipt.status = 'GONE';
  receipt.goneAt ??= facts.now;
  receipt.goneHeight ??= facts.height;
}
