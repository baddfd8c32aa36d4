// The postings of each business act on a checkout. Debit positive, credit negative; docs/money.md
// has the chart of accounts. Every function here is pure and returns balanced entries.

import type { Environment } from '#catalog/chain.ts';
import { type Credit, evidenceText } from '#checkout/credit.ts';
import { type Entry, type EntryPosting, reverseEntries } from '#ledger/ledger-entry.ts';

type CheckoutOwner = {
  readonly checkoutId: string;
  readonly merchantId: string;
  readonly environment: Environment;
};

/** Cause keys: what makes crediting, releasing or reversing a receipt twice impossible (L7). */
function receiptCause(receiptId: bigint, generation: number): string {
  return `receipt:${receiptId}:${generation}`;
}
function releaseCause(receiptId: bigint, generation: number): string {
  return `release:${receiptId}:${generation}`;
}

/** A final receipt: custody grows, and the money is the merchant's, pending, or nobody's yet. */
export function receiptEntry(
  owner: CheckoutOwner,
  credit: Credit,
  occurredAt: Temporal.Instant,
): Entry {
  const arrived: EntryPosting = {
    account: { code: `custody:${credit.network}` },
    assetId: credit.assetId,
    units: credit.units,
  };
  return {
    causeKey: receiptCause(credit.receiptId, credit.generation),
    kind: `checkout-receipt-${credit.account}`,
    environment: owner.environment,
    merchantId: owner.merchantId,
    subjectId: owner.checkoutId,
    evidence: evidenceText(credit),
    occurredAt,
    postings: [arrived, ...placed(owner, credit)],
  };
}

function placed(owner: CheckoutOwner, credit: Credit): EntryPosting[] {
  switch (credit.account) {
    case 'available':
      return earned(owner, credit);
    case 'pending':
    case 'refunded':
      return [held(owner, credit, credit.paysDebt ? 'merchant:owed' : 'merchant:pending', -1n)];
    case 'suspense':
      return [
        {
          account: { code: `suspense:${credit.network}` },
          assetId: credit.assetId,
          units: -credit.units,
        },
      ];
  }
}

function held(
  { merchantId }: CheckoutOwner,
  { assetId, units }: Credit,
  code: 'merchant:pending' | 'merchant:owed',
  sign: 1n | -1n,
): EntryPosting {
  return { account: { merchantId, code }, assetId, units: sign * units };
}

/** Pending money becomes available when its checkout completes. */
export function releaseEntry(
  owner: CheckoutOwner,
  credit: Credit,
  occurredAt: Temporal.Instant,
): Entry {
  return {
    causeKey: releaseCause(credit.receiptId, credit.generation),
    kind: 'checkout-release',
    environment: owner.environment,
    merchantId: owner.merchantId,
    subjectId: owner.checkoutId,
    evidence: evidenceText(credit),
    occurredAt,
    postings: [
      {
        account: { merchantId: owner.merchantId, code: 'merchant:pending' },
        assetId: credit.assetId,
        units: credit.units,
      },
      ...earned(owner, credit),
    ],
  };
}

/**
 * What the merchant earns by `units` of the payment asset. A conversion is two legs over the
 * exchange accounts, each balanced in its own asset (L8); the part of an unconverted amount that
 * rounding left over goes to the rounding account.
 */
function earned(owner: CheckoutOwner, credit: Credit): EntryPosting[] {
  const isOrigin = credit.settlementAssetId === credit.assetId;
  const exchange = { code: 'exchange' as const };
  const postings: EntryPosting[] = [];
  if (isOrigin) {
    const rest = credit.units - credit.settlementUnits;
    postings.push({ account: { code: 'rounding' }, assetId: credit.assetId, units: -rest });
  } else {
    postings.push(
      { account: exchange, assetId: credit.assetId, units: -credit.units },
      { account: exchange, assetId: credit.settlementAssetId, units: credit.settlementUnits },
    );
  }
  postings.push(
    {
      account: { merchantId: owner.merchantId, code: 'merchant:available' },
      assetId: credit.settlementAssetId,
      units: -credit.netUnits,
    },
    { account: { code: 'fees' }, assetId: credit.settlementAssetId, units: -credit.feeUnits },
  );
  return postings.filter((posting) => posting.units !== 0n);
}

/**
 * Takes back what a receipt was credited after the chain lost it (section 4.8). What was earned: an
 * exact negation of its entry and of its release, each naming the entry it reverses; the merchant
 * may fall below zero. What was pending is taken from where it is now: from the pending account, or
 * when it was refunded meanwhile from the merchant, who owes it.
 */
export function reversalEntries(
  owner: CheckoutOwner,
  credit: Credit,
  occurredAt: Temporal.Instant,
): Entry[] {
  const received = receiptEntry(owner, credit, occurredAt);
  const isReleased = credit.releasedAt !== undefined;
  const originals = isReleased ? [releaseEntry(owner, credit, occurredAt), received] : [received];
  const reversals = reverseEntries(originals, {
    kind: 'checkout-reversal',
    cause: 'reorganisation',
    occurredAt,
  });
  const isHeld = credit.account === 'pending' || credit.account === 'refunded';
  if (!isHeld || isReleased) return reversals;
  const code = credit.account === 'refunded' ? 'merchant:owed' : 'merchant:pending';
  return reversals.map((entry) => ({
    ...entry,
    postings: [
      {
        account: { code: `custody:${credit.network}` },
        assetId: credit.assetId,
        units: -credit.units,
      },
      held(owner, credit, code, 1n),
    ],
  }));
}

/** A failed refund gave back what the merchant owes: it is not pending, it pays that debt. */
export function returnedEntry(
  owner: CheckoutOwner,
  credit: Credit,
  occurredAt: Temporal.Instant,
): Entry {
  return {
    causeKey: `returned:${credit.receiptId}:${credit.generation}`,
    kind: 'checkout-debt-returned',
    environment: owner.environment,
    merchantId: owner.merchantId,
    subjectId: owner.checkoutId,
    occurredAt,
    postings: [
      held(owner, credit, 'merchant:pending', 1n),
      held(owner, credit, 'merchant:owed', -1n),
    ],
  };
}
