// A sale as lines of net and tax, and what of each line is given back with a share of the sale.
// Pure. Guarantees: in every line and in their sum `net + tax = total`; the whole share gives back
// exactly what was charged, in however many parts.
import type { Charge } from '#charge/charge.ts';
import { add, createDecimal, type Decimal, subtract, ZERO } from '#money/decimal.ts';
import { divideUnits, powerOfTen } from '#money/rounding.ts';

/** One for each tax, one without a name where there is none; the net stands in the first. */
export type SaleLine = {
  readonly name: string | undefined;
  readonly percent: Decimal | undefined;
  readonly net: Decimal;
  readonly taxable: Decimal;
  readonly taxed: Decimal;
};

/** From nothing to all of a sale, exactly. */
export type Share = { readonly part: bigint; readonly whole: bigint };
export const NOTHING: Share = { part: 0n, whole: 1n };

export function saleLines({ netCharged, taxItems, taxableTotal }: Charge): SaleLine[] {
  const [first, ...others] = taxItems.map(({ name, percent, charged }) => {
    return { name, percent, net: ZERO, taxable: taxableTotal, taxed: charged };
  });
  const untaxed = { name: undefined, percent: undefined, taxable: ZERO, taxed: ZERO };
  return [{ ...(first ?? untaxed), net: netCharged }, ...others];
}

/** Below zero where more is given back than before: one share has been, now the other one. */
export function correctedLines(charge: Charge, before: Share, now: Share): SaleLine[] {
  const [was, is] = [givenBack(charge, before), givenBack(charge, now)];
  return saleLines(charge).map((line, index) => {
    const change = (of: 'net' | 'taxable' | 'taxed') =>
      subtract(was[index]?.[of] ?? ZERO, is[index]?.[of] ?? ZERO);
    return { ...line, net: change('net'), taxable: change('taxable'), taxed: change('taxed') };
  });
}

type GivenBack = Pick<SaleLine, 'net' | 'taxable' | 'taxed'>;

/** Each tax is the difference of two running totals, as when it was charged. */
function givenBack(charge: Charge, share: Share): GivenBack[] {
  const { decimals } = charge;
  let exact = charge.netCharged;
  const net = partOf(exact, share, decimals);
  let running = net;
  return saleLines(charge).map(({ taxable, taxed }, index) => {
    exact = add(exact, taxed);
    const before = running;
    running = partOf(exact, share, decimals);
    const isFirst = index === 0;
    return {
      net: isFirst ? net : ZERO,
      taxable: partOf(taxable, share, Math.max(decimals, taxable.scale)),
      taxed: subtract(running, before),
    };
  });
}

/** To the nearest unit, half up, as the total of a charge is. */
function partOf(amount: Decimal, { part, whole }: Share, decimals: number): Decimal {
  const above = amount.coefficient * part * powerOfTen(decimals) * 2n;
  const below = powerOfTen(amount.scale) * whole;
  return createDecimal(divideUnits(above + below, 2n * below, 'down'), decimals);
}
