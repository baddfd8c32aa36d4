import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { type Charge, readCharge, type TaxItem } from '#checkout/charge.ts';
import { chargeTotal, roundTotal } from '#checkout/charge-total.ts';
import { cutPage } from '#db/page-cursor.ts';
import { add, type Decimal, decimalToText, multiply, subtract, ZERO } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { isFields } from '#money/exact-schema.ts';
import { columns, type Report } from './report.ts';
import { type CompletedRow, listCompleted } from './report-store.ts';

/**
 * A row for each tax of a checkout, one without a name for a checkout without taxes, in the billing
 * currency. In every row `netTotal + taxAmount = total`, and over the rows of a checkout each of
 * the three sums to that of the checkout: its net stands in the first row, the others have 0. Each
 * amount is the difference of two running totals, each rounded as the total of a charge is
 * (docs/money.md), so that the last one is what the customer was charged. `taxableAmount` is exact.
 * The limit of a page counts checkouts.
 */
export const taxesReport: Report = {
  name: 'taxes',
  summary:
    'Net, taxes and total of the checkouts completed in the period, in their billing currencies',
  columns: columns(
    ...['time', 'checkoutId', 'customerId', 'billingCurrency', 'total*', 'netTotal*'],
    ...['taxName', 'percent*', 'taxableAmount*', 'taxAmount*'],
    'meta',
  ),
  async read(reader, request) {
    const found = await listCompleted(reader, request);
    const { shown, nextCursor } = cutPage(found, request.limit, ({ completedAt, id }) => ({
      at: completedAt,
      id,
    }));
    return { rows: shown.flatMap(taxRows), nextCursor };
  },
};

function taxRows({ id, completedAt, customerId, payload, meta }: CompletedRow) {
  const charge = chargeOf(payload);
  return splitTotal(charge).map(({ tax, taxable, net, taxed }) => ({
    time: timestamp(completedAt),
    checkoutId: id,
    customerId,
    billingCurrency: charge.billingCurrency,
    total: decimalToText(add(net, taxed)),
    netTotal: decimalToText(net),
    taxName: tax?.name ?? null,
    percent: tax === undefined ? null : decimalToText(tax.percent),
    taxableAmount: decimalToText(taxable),
    taxAmount: decimalToText(taxed),
    meta,
  }));
}

type TaxPart = {
  readonly tax: TaxItem | undefined;
  readonly taxable: Decimal;
  readonly net: Decimal;
  readonly taxed: Decimal;
};

function splitTotal(charge: Charge): TaxPart[] {
  const { netTotal, shippingTotal, decimals } = chargeTotal(charge);
  const taxableShipping = charge.shippingCostItems
    .filter(({ taxable }) => taxable)
    .reduce((sum, { netAmount }) => add(sum, netAmount), ZERO);
  // service.md: taxableSum = net - sum(shipping costs) + sum(taxable shipping costs).
  const taxable = add(subtract(netTotal, shippingTotal), taxableShipping);
  const net = roundTotal(netTotal, decimals);
  if (charge.taxItems.length === 0) return [{ tax: undefined, taxable: ZERO, net, taxed: ZERO }];
  let running = netTotal;
  return charge.taxItems.map((tax, index) => {
    const before = roundTotal(running, decimals);
    running = add(running, multiply(taxable, tax.percent));
    const taxed = subtract(roundTotal(running, decimals), before);
    return { tax, taxable, net: index === 0 ? net : ZERO, taxed };
  });
}

function chargeOf(payload: string): Charge {
  const parsed = parseExactJson(payload);
  const value = parsed.ok && isFields(parsed.value) ? parsed.value.charge : undefined;
  const charge = readCharge(value, []);
  assert(charge !== undefined, 'the charge of a checkout was checked when it was created');
  return charge;
}
