// A sale as lines of net and tax, and what of each line is given back with a share of the sale.
// Pure. Guarantees: in every line and in their sum `net + tax = total`; the whole share gives back
// exactly what was charged, in however many parts.
import type { Charge } from '#charge/charge.ts';
import { add, createDecimal, type Decimal, isZero, subtract, ZERO } from '#money/decimal.ts';
import { divideUnits, powerOfTen } from '#money/rounding.ts';

/**
 * One for each tax, one without a name where there is none; the net stands in the first. A tip is a
 * line of its own behind them, which no tax is of.
 */
export type SaleLine = {
  readonly name: string | undefined;
  readonly percent: Decimal | undefined;
  readonly net: Decimal;
  readonly taxable: Decimal;
  readonly taxed: Decimal;
  readonly isTip: boolean;
};

/** `tip`: what the payer added to the total of the charge. */
export type Sold = { readonly charge: Charge; readonly tip: Decimal };

/** From nothing to all of a sale, exactly. */
export type Share = { readonly part: bigint; readonly whole: bigint };
export const NOTHING: Share = { part: 0n, whole: 1n };

export function saleLines({ charge, tip }: Sold): SaleLine[] {
  const { netCharged, taxItems, taxableTotal } = charge;
  const [first, ...others] = taxItems.map(({ name, percent, charged }) => {
    return { name, percent, net: ZERO, taxable: taxableTotal, taxed: charged, isTip: false };
  });
  const untaxed = { name: undefined, percent: undefined, taxable: ZERO, taxed: ZERO, isTip: false };
  const tipLine = { ...untaxed, net: tip, isTip: true };
  const all = [{ ...(first ?? untaxed), net: netCharged }, ...others];
  return isZero(tip) ? all : [...all, tipLine];
}

/** Below zero where more is given back than before: one share has been, now the other one. */
export function correctedLines(sold: Sold, before: Share, now: Share): SaleLine[] {
  const [was, is] = [givenBack(sold, before), givenBack(sold, now)];
  return saleLines(sold).map((line, index) => {
    const change = (of: 'net' | 'taxable' | 'taxed') =>
      subtract(was[index]?.[of] ?? ZERO, is[index]?.[of] ?? ZERO);
    return { ...line, net: change('net'), taxable: change('taxable'), taxed: change('taxed') };
  });
}

type GivenBack = Pick<SaleLine, 'net' | 'taxable' | 'taxed'>;

/** Each tax, and the tip, is the difference of two running totals, as when it was charged. */
function givenBack(sold: Sold, share: Share): GivenBack[] {
  const { decimals, netCharged } = sold.charge;
  let exact = netCharged;
  const net = partOf(exact, share, decimals);
  let running = net;
  return saleLines(sold).map(({ taxable, taxed, net: lineNet, isTip }, index) => {
    exact = add(exact, isTip ? lineNet : taxed);
    const before = running;
    running = partOf(exact, share, decimals);
    const isFirst = index === 0;
    const added = subtract(running, before);
    if (isTip) return { net: added, taxable: ZERO, taxed: ZERO };
    return {
      net: isFirst ? net : ZERO,
      taxable: partOf(taxable, share, Math.max(decimals, taxable.scale)),
      taxed: added,
    };
  });
}

/** To the nearest unit, half up, as the total of a charge is. */
function partOf(amount: Decimal, { part, whole }: Share, decimals: number): Decimal {
  const above = amount.coefficient * part * powerOfTen(decimals) * 2n;
  const below = powerOfTen(amount.scale) * whole;
  return createDecimal(divideUnits(above + below, 2n * below, 'down'), decimals);
}
