import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { type Charge, readCharge } from '#checkout/charge.ts';
import { chargeTotal } from '#checkout/charge-total.ts';
import { cutPage } from '#db/page-cursor.ts';
import { add, decimalToText, multiply, subtract, ZERO } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { isFields } from '#money/exact-schema.ts';
import { columns, type Report } from './report.ts';
import { type CompletedRow, listCompleted } from './report-store.ts';

/**
 * A row for each tax of a checkout, in the billing currency, exact: only the total of a charge is
 * rounded (docs/money.md). The limit of a page counts checkouts; one without taxes has no row.
 */
export const taxesReport: Report = {
  name: 'taxes',
  summary: 'Taxes of the checkouts completed in the period, in their billing currencies',
  columns: columns(
    ...['time', 'checkoutId', 'customerId', 'billingCurrency', 'total*', 'netTotal*'],
    ...['taxName', 'percent*', 'taxableAmount*', 'taxAmount*'],
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

function taxRows({ id, completedAt, customerId, payload }: CompletedRow) {
  const charge = chargeOf(payload);
  const { total, netTotal, shippingTotal } = chargeTotal(charge);
  const taxableShipping = charge.shippingCostItems
    .filter(({ taxable }) => taxable)
    .reduce((sum, { netAmount }) => add(sum, netAmount), ZERO);
  // service.md: taxableSum = net - sum(shipping costs) + sum(taxable shipping costs).
  const taxable = add(subtract(netTotal, shippingTotal), taxableShipping);
  return charge.taxItems.map(({ name, percent }) => ({
    time: timestamp(completedAt),
    checkoutId: id,
    customerId,
    billingCurrency: charge.billingCurrency,
    total: decimalToText(total),
    netTotal: decimalToText(netTotal),
    taxName: name,
    percent: decimalToText(percent),
    taxableAmount: decimalToText(taxable),
    taxAmount: decimalToText(multiply(taxable, percent)),
  }));
}

function chargeOf(payload: string): Charge {
  const parsed = parseExactJson(payload);
  const value = parsed.ok && isFields(parsed.value) ? parsed.value.charge : undefined;
  const charge = readCharge(value, []);
  assert(charge !== undefined, 'the charge of a checkout was checked when it was created');
  return charge;
}
