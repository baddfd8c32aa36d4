import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import { readPayload } from '#charge/checkout-request.ts';
import { type Reader, sql } from '#db/db.ts';
import { cutPage, placeOldestFirst } from '#db/page-cursor.ts';
import { add, decimalToText, ZERO } from '#money/decimal.ts';
import { BEGINNING, columns, END, isLater, type Report, type ReportRequest } from './report.ts';

/**
 * A row for each tax of a checkout, one without a name for a checkout without taxes, in the billing
 * currency. In every row `netTotal + taxAmount = total`, and over the rows of a checkout each of
 * the three sums to that of the checkout: its net stands in the first row, the others have 0
 * (docs/money.md). `taxableAmount` is exact. The limit of a page counts checkouts.
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
  const { charge } = readPayload(payload);
  assert(charge !== undefined, 'the charge of a checkout was checked when it was created');
  const taxes = charge.taxItems.length === 0 ? [undefined] : charge.taxItems;
  return taxes.map((tax, index) => {
    const net = index === 0 ? charge.netCharged : ZERO;
    const taxed = tax?.charged ?? ZERO;
    return {
      time: timestamp(completedAt),
      checkoutId: id,
      customerId,
      billingCurrency: charge.billingCurrency,
      total: decimalToText(add(net, taxed)),
      netTotal: decimalToText(net),
      taxName: tax?.name ?? null,
      percent: tax === undefined ? null : decimalToText(tax.percent),
      taxableAmount: decimalToText(tax === undefined ? ZERO : charge.taxableTotal),
      taxAmount: decimalToText(taxed),
      meta,
    };
  });
}

type CompletedRow = {
  readonly id: string;
  readonly completedAt: Temporal.Instant;
  readonly customerId: string | null;
  /** JSON text of the request. */
  readonly payload: string;
  /** JSON text. */
  readonly meta: string | null;
};

function listCompleted(reader: Reader, request: ReportRequest): Promise<CompletedRow[]> {
  const { merchantId, environment, from = BEGINNING, to = END, cursor } = request;
  const after = placeOldestFirst(cursor);
  const { at, id } = isLater(after.at, from) ? after : { at: from, id: '' };
  return reader.query<CompletedRow>(sql`
    select id, completed_at as "completedAt", customer_id as "customerId", payload, meta
    from checkout
    where merchant_id = ${merchantId} and environment = ${environment}
      and (completed_at, id) > (${at}, ${id}) and completed_at < ${to}
    order by completed_at, id limit ${request.limit + 1}`);
}
