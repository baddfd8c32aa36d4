// What a decision makes of a checkout: entries for the ledger, flags, events. Pure.

import { assert } from '#base/assert.ts';
import type { Receipt } from '#deposit/receipt.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import type { CheckoutRecord, ReceiptCredit } from './checkout.ts';
import { receiptEntry, releaseEntry, returnedEntry, reversalEntries } from './checkout-entries.ts';
import type { ReceiptGeneration, SettlementDecision, Value } from './settlement-facts.ts';

export type MoneyWrites = {
  readonly entries: readonly Entry[];
  readonly credited: readonly ReceiptCredit[];
  readonly released: readonly ReceiptCredit[];
  readonly reversed: readonly ReceiptCredit[];
  readonly returned: readonly ReceiptCredit[];
};

export function moneyWrites(
  record: CheckoutRecord,
  decision: SettlementDecision,
  now: Temporal.Instant,
): MoneyWrites {
  const owner = {
    checkoutId: record.id,
    merchantId: record.merchantId,
    environment: record.environment,
  };
  const credited = decision.credits.map((credit) => ({
    ...credit,
    evidence: evidenceOf(credit, {
      lockOpenedAt: credit.lockOpenedAt,
      requiredUnits: credit.requiredNowUnits,
      requiredRateIds: credit.requiredRateIds,
    }),
    creditedAt: now,
    acceptedAt: undefined,
    releasedAt: undefined,
    reversedAt: undefined,
    owedAt: undefined,
    returnedAt: undefined,
  }));
  const known = new Map(record.credits.map((credit) => [creditKey(credit), credit]));
  const named = (one: ReceiptGeneration): ReceiptCredit => {
    const credit = known.get(creditKey(one));
    assert(credit !== undefined, 'what is released or reversed was credited');
    return credit;
  };
  const released = decision.releases.map((one) => {
    const credit = { ...named(one), releasedAt: now };
    if (one.value === undefined) return credit;
    const { current: _, ...value } = one.value;
    return { ...credit, ...value, evidence: evidenceOf(one.value, { releasedAt: now }) };
  });
  const reversed = decision.reversals.map(named);
  const returned = decision.returns.map(named);
  return {
    credited,
    released,
    reversed,
    returned,
    entries: [
      ...credited.map((credit) => receiptEntry(owner, credit, now)),
      ...released.map((credit) => releaseEntry(owner, credit, now)),
      ...reversed.flatMap((credit) =>
        reversalEntries(owner, { ...credit, isReleased: credit.releasedAt !== undefined }, now),
      ),
      ...returned.map((credit) => returnedEntry(owner, credit, now)),
    ],
  };
}

function creditKey({ receiptId, generation }: ReceiptGeneration): string {
  return `${receiptId}:${generation}`;
}

/** By which rates it was valued: those of its lock are stored with the lock. */
function evidenceOf(
  { rateBasis, lockedUnits, settlementUnits, current }: Value,
  more: {
    readonly lockOpenedAt?: Temporal.Instant;
    readonly requiredUnits?: bigint | undefined;
    readonly requiredRateIds?: readonly bigint[];
    readonly releasedAt?: Temporal.Instant;
  },
): string {
  const rate = current?.toSettlement;
  return JSON.stringify({
    basis: rateBasis,
    lockedUnits: String(lockedUnits),
    settlementUnits: String(settlementUnits),
    lockOpenedAt: lockedUnits > 0n ? more.lockOpenedAt?.toString() : undefined,
    current: rate && {
      rateIds: current.rateIds.map(String),
      numerator: String(rate.numerator),
      denominator: String(rate.denominator),
    },
    required:
      more.requiredUnits === undefined
        ? undefined
        : { units: String(more.requiredUnits), rateIds: more.requiredRateIds?.map(String) },
    releasedAt: more.releasedAt?.toString(),
  });
}

export function creditsAfter(
  before: readonly ReceiptCredit[],
  written: MoneyWrites,
  now: Temporal.Instant,
): ReceiptCredit[] {
  const released = new Map(written.released.map((credit) => [creditKey(credit), credit]));
  const reversed = new Set(written.reversed);
  const returned = new Set(written.returned);
  const after = before.map((known) => {
    const credit = released.get(creditKey(known)) ?? known;
    return {
      ...credit,
      reversedAt: reversed.has(known) ? now : credit.reversedAt,
      owedAt: reversed.has(known) && credit.account === 'refunded' ? now : credit.owedAt,
      returnedAt: returned.has(known) ? now : credit.returnedAt,
    };
  });
  return [...after, ...written.credited];
}

/** So that an event shows the receipts as everybody sees them afterwards. */
export function receiptsAfter(before: readonly Receipt[], written: MoneyWrites): Receipt[] {
  const credited = new Set(written.credited.map(creditKey));
  const reversed = new Set(written.reversed.map(creditKey));
  return before.map((receipt) => {
    const key = creditKey({ receiptId: receipt.id, generation: receipt.generation });
    return {
      ...receipt,
      creditedGeneration: credited.has(key) ? receipt.generation : receipt.creditedGeneration,
      reversedGeneration: reversed.has(key) ? receipt.generation : receipt.reversedGeneration,
    };
  });
}
