// What a decision tells of a checkout: flags, and events for the merchant. Pure.

import { timestamp } from '#base/instant.ts';
import { getAsset, shownAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import type { Receipt } from '#chain/receipt.ts';
import '#checkout/checkout.ts';
import type {
  CheckoutFlags,
  CheckoutRecord,
  CheckoutState,
  MisdirectedMoney,
} from '#checkout/checkout.ts';
import { type Credit, creditsAfter } from '#checkout/credit.ts';
import type { EventType } from '#event/event.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { HeldSuspense } from '#settle/suspense-act.ts';
import type { SettlementDecision } from './settlement-facts.ts';

type Told = { readonly flags: CheckoutFlags; readonly events: readonly EventType[] };

export type Misdirected = {
  /** What came to its address on another chain than asked. */
  readonly strays: readonly Receipt[];
  /** What lies, or lay, in suspense of all that is not as asked. */
  readonly suspense: readonly HeldSuspense[];
};

export function toldBy(
  record: CheckoutRecord,
  decision: SettlementDecision,
  misdirected: Misdirected,
): Told {
  const credits = creditsAfter(record.credits, decision);
  const taken = takenBackOf(credits);
  const settled = decidedOn(misdirected.suspense);
  const flags = flagsAfter(record, decision, {
    held: credits.filter(
      ({ account, receiptId }) => account === 'suspense' && !settled.has(receiptId),
    ),
    credited: decision.credited,
    taken,
    strays: misdirected.strays.filter(({ id }) => !settled.has(id)),
  });
  const isRestored = taken?.restoring.some((credit) => decision.credited.includes(credit)) === true;
  const knownTxs = record.flags.misdirected?.map(({ tx }) => tx) ?? [];
  const found = {
    isReversed: decision.reversed.length > 0,
    isRestored,
    isPaidAgain: (flags.multiple?.count ?? 0) > (record.flags.multiple?.count ?? 0),
    isMisdirected: flags.misdirected?.some(({ tx }) => !knownTxs.includes(tx)) === true,
  };
  return { flags, events: eventsOf(record, decision, found) };
}

/** Receipts that a person found an owner or an end for. */
function decidedOn(suspense: readonly HeldSuspense[]): ReadonlySet<bigint> {
  const decided = suspense.filter(({ suspense: { state } }) =>
    ['ASSIGNED', 'RETURNED', 'WRITTEN_OFF'].includes(state),
  );
  return new Set(decided.map(({ suspense: { receiptId } }) => receiptId));
}

type FlagFacts = {
  /** It lies in suspense. */
  readonly held: readonly Credit[];
  readonly credited: readonly Credit[];
  readonly taken: TakenBack | undefined;
  readonly strays: readonly Receipt[];
};

function flagsAfter(
  record: CheckoutRecord,
  decision: SettlementDecision,
  { held, credited, taken, strays }: FlagFacts,
): CheckoutFlags {
  const flags: { -readonly [Name in keyof CheckoutFlags]: CheckoutFlags[Name] } = {
    ...record.flags,
  };
  if (decision.lateAt !== undefined && flags.late === undefined) {
    flags.late = { at: timestamp(decision.lateAt) };
  }
  if (decision.overpaid !== undefined) {
    const { assetId, units } = decision.overpaid;
    flags.overpaid = sumOf(assetId, units);
  } else {
    delete flags.overpaid;
  }
  // Money that takes the place of money that was taken back is not a second payment.
  const inPlace = credited.filter((credit) => taken?.restoring.includes(credit)).length;
  const extra = decision.extraReceipts - inPlace;
  if (extra > 0) flags.multiple = { count: (flags.multiple?.count ?? 0) + extra };
  if (record.acceptedUnderpaidAt !== undefined && decision.state === 'COMPLETED') {
    flags.acceptedUnderpaid = { at: timestamp(record.acceptedUnderpaidAt) };
  }
  noteTakenBack(flags, taken);
  const stray = strays.at(-1);
  if (stray === undefined) delete flags.wrongNetwork;
  else flags.wrongNetwork = wrongNetworkFlag(stray);
  const misdirected = [...wrongAssets(record, held), ...strays.map(strayMoney)];
  if (misdirected.length === 0) delete flags.misdirected;
  else flags.misdirected = misdirected;
  return flags;
}

type Writable = { -readonly [Name in keyof CheckoutFlags]: CheckoutFlags[Name] };

function noteTakenBack(flags: Writable, taken: TakenBack | undefined): void {
  // Changes the flags in place. The same facts make the same text.
  if (taken === undefined || taken.missingUnits === 0n) delete flags.reversed;
  else {
    const sum = sumOf(taken.assetId, taken.missingUnits);
    flags.reversed = { ...sum, at: timestamp(taken.reversedAt) };
  }
  if (taken?.restoredAt === undefined) delete flags.restored;
  else {
    const sum = sumOf(taken.assetId, taken.restoredUnits);
    flags.restored = { ...sum, at: timestamp(taken.restoredAt) };
  }
}

function sumOf(assetId: string, units: bigint): { amount: string; assetCode: string } {
  const { decimals, assetCode } = getAsset(assetId);
  return { amount: amountToText(units, decimals), assetCode };
}

/** In the order of its receipts, however many decisions it took: another order is no news. */
function wrongAssets({ receipts }: CheckoutRecord, held: readonly Credit[]): MisdirectedMoney[] {
  const standing = held.filter(({ reversedAt }) => reversedAt === undefined);
  const ids = new Set(standing.map(({ receiptId }) => receiptId));
  return receipts
    .filter(({ id }) => ids.has(id))
    .map((receipt) => ({ reason: 'WRONG_ASSET' as const, ...moneyOf(receipt) }));
}

function strayMoney(receipt: Receipt): MisdirectedMoney {
  return { reason: 'WRONG_NETWORK', ...moneyOf(receipt) };
}

function wrongNetworkFlag(receipt: Receipt): NonNullable<CheckoutFlags['wrongNetwork']> {
  return moneyOf(receipt);
}

function moneyOf({ chain, assetId, units, transaction }: Receipt) {
  const network = networkOf(chain);
  const { assetCode, decimals } = shownAsset(network, assetId);
  return { network, amount: amountToText(units, decimals), assetCode, tx: transaction };
}

const EVENT_OF_STATE: Partial<Record<CheckoutState, EventType>> = {
  PENDING: 'CHECKOUT_PENDING',
  UNDERPAID: 'CHECKOUT_UNDERPAID',
  COMPLETED: 'CHECKOUT_COMPLETED',
  EXPIRED: 'CHECKOUT_EXPIRED',
  CANCELLED: 'CHECKOUT_CANCELLED',
};

function eventsOf(
  record: CheckoutRecord,
  decision: SettlementDecision,
  found: {
    readonly isReversed: boolean;
    readonly isRestored: boolean;
    readonly isMisdirected: boolean;
    readonly isPaidAgain: boolean;
  },
): EventType[] {
  const events: EventType[] = [];
  if (found.isReversed) events.push('CHECKOUT_REVERSED');
  if (found.isRestored) events.push('CHECKOUT_RESTORED');
  if (found.isMisdirected) events.push('CHECKOUT_MISDIRECTED');
  if (found.isPaidAgain) events.push('CHECKOUT_PAID_AGAIN');
  if (decision.state !== record.state) {
    const isAccepted = decision.state === 'COMPLETED' && record.acceptedUnderpaidAt !== undefined;
    if (isAccepted) events.push('UNDERPAID_ACCEPTED');
    const type = EVENT_OF_STATE[decision.state];
    if (type !== undefined) events.push(type);
    // No event of its own where the new state already tells it.
    else if (record.state === 'PENDING') events.push('CHECKOUT_PENDING_WITHDRAWN');
  }
  return events;
}

// What of the money of a checkout the chain took back, and what came in its place: the same payment
// in another block, or another one. A pure function of its credits.

type TakenBack = {
  readonly assetId: string;
  /** Credited, taken back, and not replaced by anything since. */
  readonly missingUnits: bigint;
  readonly reversedAt: Temporal.Instant;
  /** What came in its place since then. */
  readonly restoredUnits: bigint;
  readonly restoredAt: Temporal.Instant | undefined;
  /** Credits that took the place of what was missing. */
  readonly restoring: readonly Credit[];
};

/** Of the asset that was taken back last; undefined when nothing ever was. */
function takenBackOf(credits: readonly Credit[]): TakenBack | undefined {
  const last = credits
    .filter(({ account, reversedAt }) => account !== 'suspense' && reversedAt !== undefined)
    .sort((a, b) => Temporal.Instant.compare(a.reversedAt!, b.reversedAt!))
    .at(-1);
  if (last === undefined) return undefined;
  const { assetId } = last;
  let missingUnits = 0n;
  let restoredUnits = 0n;
  let restoredAt: Temporal.Instant | undefined;
  const restoring: Credit[] = [];
  for (const { credit, at, isReversal } of stepsOf(credits, assetId)) {
    if (isReversal) {
      missingUnits += credit.units;
      restoredUnits = 0n;
      restoredAt = undefined;
    } else if (missingUnits > 0n) {
      const back = credit.units < missingUnits ? credit.units : missingUnits;
      missingUnits -= back;
      restoredUnits += back;
      restoredAt = at;
      restoring.push(credit);
    }
  }
  const reversedAt = last.reversedAt!;
  return { assetId, missingUnits, reversedAt, restoredUnits, restoredAt, restoring };
}

type Step = {
  readonly credit: Credit;
  readonly at: Temporal.Instant;
  readonly isReversal: boolean;
};

function stepsOf(credits: readonly Credit[], assetId: string): Step[] {
  return credits
    .filter((credit) => credit.assetId === assetId && credit.account !== 'suspense')
    .flatMap((credit): Step[] => {
      const credited = { credit, at: credit.creditedAt, isReversal: false };
      const at = credit.reversedAt;
      return at === undefined ? [credited] : [credited, { credit, at, isReversal: true }];
    })
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at) || rankOf(a) - rankOf(b));
}

/** Of one moment: nothing is taken back before it came; what is taken back goes before others. */
function rankOf({ credit, at, isReversal }: Step): number {
  if (isReversal) return 1;
  return credit.reversedAt?.equals(at) === true ? 0 : 2;
}
