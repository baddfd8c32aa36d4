// Which share of a sale was given back: as much as what the merchant keeps is less than the sale.
// Pure. What a payer sent beyond the price was no part of the sale, and giving it back is none.
import type { Share } from './sale-lines.ts';

type Way = { readonly network: string; readonly assetId: string };

/** A payment that was credited, and the moments between which it stood. */
export type SalePayment = Way & {
  readonly receiptId: bigint;
  readonly units: bigint;
  /** What the whole sale cost in it; undefined for what came when nobody knew any more. */
  readonly requiredUnits: bigint | undefined;
  readonly creditedAt: Temporal.Instant;
  readonly reversedAt: Temporal.Instant | undefined;
};

/** Money that reached the payer; below zero where that was undone, or it was sent back. */
export type SaleRefund = Way & { readonly at: Temporal.Instant; readonly units: bigint };

/** `refunds`: all until that moment. What happens later changes nothing of it. */
export function givenBackAt(
  at: Temporal.Instant,
  payments: readonly SalePayment[],
  refunds: readonly SaleRefund[],
): Share {
  const known = payments.filter((one) => Temporal.Instant.compare(one.creditedAt, at) <= 0);
  const standing = known.filter(
    ({ reversedAt }) => reversedAt === undefined || Temporal.Instant.compare(reversedAt, at) > 0,
  );
  // One that the chain lost and showed again was paid once.
  const ever = [...new Map(known.map((one) => [one.receiptId, one])).values()];
  const sold = least(sharePaid(ever), ONE);
  // A payment that is lost makes no refund: the sale stays what it was.
  const paid = most(sharePaid(standing), sold);
  const kept = most(NONE, minus(paid, shareRefunded(ever, refunds)));
  const back = minus(sold, least(sold, kept));
  // Of what counted as paid, which may be a little less than was asked for.
  return sold.above === 0n
    ? { part: 0n, whole: 1n }
    : { part: back.above * sold.below, whole: back.below * sold.above };
}

type Fraction = { readonly above: bigint; readonly below: bigint };
const NONE: Fraction = { above: 0n, below: 1n };
const ONE: Fraction = { above: 1n, below: 1n };

function sharePaid(payments: readonly SalePayment[]): Fraction {
  // Grouped by what all of it costs, so that many payments of one price are one fraction.
  const unitsByRequired = new Map<bigint, bigint>();
  for (const { requiredUnits, units } of payments) {
    if (requiredUnits === undefined) continue;
    unitsByRequired.set(requiredUnits, (unitsByRequired.get(requiredUnits) ?? 0n) + units);
  }
  return [...unitsByRequired].reduce((sum, [below, above]) => plus(sum, { above, below }), NONE);
}

/** At the price at which it was paid, of one way of paying the mean of its payments. */
function shareRefunded(payments: readonly SalePayment[], refunds: readonly SaleRefund[]): Fraction {
  const ways = Map.groupBy(refunds, ({ network, assetId }) => `${network} ${assetId}`);
  return [...ways].reduce((sum, [way, gone]) => {
    const own = payments.filter(({ network, assetId }) => `${network} ${assetId}` === way);
    const arrived = own.reduce((units, one) => units + one.units, 0n);
    const paid = sharePaid(own);
    const units = gone.reduce((total, one) => total + one.units, 0n);
    return arrived === 0n
      ? sum
      : plus(sum, { above: units * paid.above, below: arrived * paid.below });
  }, NONE);
}

function plus(one: Fraction, other: Fraction): Fraction {
  const above = one.above * other.below + other.above * one.below;
  return { above, below: one.below * other.below };
}

function minus(one: Fraction, other: Fraction): Fraction {
  return plus(one, { above: -other.above, below: other.below });
}

function isLess(one: Fraction, other: Fraction): boolean {
  return one.above * other.below < other.above * one.below;
}

function least(one: Fraction, other: Fraction): Fraction {
  return isLess(one, other) ? one : other;
}

function most(one: Fraction, other: Fraction): Fraction {
  return isLess(one, other) ? other : one;
}
