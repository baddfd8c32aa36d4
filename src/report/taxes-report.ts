import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import type { Charge } from '#charge/charge.ts';
import { readPayload } from '#charge/checkout-request.ts';
import { type Reader, sql } from '#db/db.ts';
import { cutPage, type PagePlace, placeOldestFirst } from '#db/page-cursor.ts';
import { add, decimalToText, parseWideDecimal, ZERO } from '#money/decimal.ts';
import { listRefunded, type Refunded } from './list-refunded.ts';
import { BEGINNING, columns, END, isLater, type Report, type ReportRequest } from './report.ts';
import { correctedLines, type SaleLine, type Sold, saleLines } from './sale-lines.ts';

/**
 * A row for each tax of a checkout, one without a name for a checkout without taxes, in the billing
 * currency; behind them one for the tip, which is untaxed, where the payer gave one. In every row
 * `netTotal + taxAmount = total`, and over the rows of a checkout each of the three sums to that of
 * the checkout: its net stands in the first row, the others have 0 (docs/money.md). `taxableAmount`
 * is exact. When a refund has reached the payer the same rows stand there once more, below zero,
 * for what was given back; above it where that was undone. The past is never written anew. The
 * limit of a page counts checkouts and refunds.
 */
export const taxesReport: Report = {
  name: 'taxes',
  summary:
    'Net, taxes and total of the checkouts completed in the period, in their billing currencies, and less (below zero) what of any was refunded in it',
  columns: columns(
    ...['time', 'checkoutId', 'customerId', 'billingCurrency', 'total*', 'netTotal*'],
    ...['taxName', 'percent*', 'taxableAmount*', 'taxAmount*'],
    ...['meta', 'tip*'],
  ),
  async read(reader, request) {
    const completed = await listCompleted(reader, request);
    // What is refunded after the last of them is of a later page.
    const last = completed.length > request.limit ? completed.at(-1) : undefined;
    const refunded = await listRefunded(
      reader,
      { ...request, limit: request.limit + 1, to: last?.completedAt ?? request.to },
      refundPlace(request),
    );
    const acts = [
      ...completed.map((sale) => ({ at: sale.completedAt, id: sale.id, rows: saleRows(sale) })),
      ...refunded.map((one) => ({ at: one.at, id: `E${one.entry}`, rows: refundRows(one) })),
    ].toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
    const { shown, nextCursor } = cutPage(acts, request.limit, ({ at, id }) => ({ at, id }));
    return { rows: shown.flatMap(({ rows }) => rows), nextCursor };
  },
};

function saleRows({ completedAt, ...sale }: CompletedRow) {
  const sold = soldOf(sale);
  return saleLines(sold).map((line) => taxRow(completedAt, sale, sold.charge, line));
}

/** None for what gave back only what had been paid beyond the price. */
function refundRows(refund: Refunded) {
  const { before, now } = refund;
  if (before.part * now.whole === now.part * before.whole) return [];
  const sold = soldOf(refund);
  const sale = { ...refund, id: refund.checkoutId };
  return correctedLines(sold, before, now).map((line) =>
    taxRow(refund.at, sale, sold.charge, line),
  );
}

function soldOf({ payload, tip }: Pick<CompletedRow, 'payload' | 'tip'>): Sold {
  const { charge } = readPayload(payload);
  assert(charge !== undefined, 'the charge of a checkout was checked when it was created');
  return { charge, tip: parseWideDecimal(tip) };
}

type Sale = Pick<CompletedRow, 'id' | 'customerId' | 'meta'>;

function taxRow(at: Temporal.Instant, sale: Sale, { billingCurrency }: Charge, line: SaleLine) {
  const { name, percent, net, taxable, taxed, isTip } = line;
  return {
    time: timestamp(at),
    checkoutId: sale.id,
    customerId: sale.customerId,
    billingCurrency,
    total: decimalToText(add(net, taxed)),
    netTotal: decimalToText(net),
    taxName: name ?? null,
    percent: percent === undefined ? null : decimalToText(percent),
    taxableAmount: decimalToText(taxable),
    taxAmount: decimalToText(taxed),
    meta: sale.meta,
    tip: decimalToText(isTip ? net : ZERO),
  };
}

type CompletedRow = {
  readonly id: string;
  readonly completedAt: Temporal.Instant;
  readonly customerId: string | null;
  /** JSON text of the request. */
  readonly payload: string;
  /** Trailing zeros as the column has them. */
  readonly tip: string;
  /** JSON text. */
  readonly meta: string | null;
};

function listCompleted(reader: Reader, request: ReportRequest): Promise<CompletedRow[]> {
  const { merchantId, environment, from = BEGINNING, to = END } = request;
  const after = salePlace(request);
  const { at, id } = isLater(after.at, from) ? after : { at: from, id: '' };
  return reader.query<CompletedRow>(sql`
    select id, completed_at as "completedAt", customer_id as "customerId", payload, meta,
      tip::text as tip
    from checkout
    where merchant_id = ${merchantId} and environment = ${environment}
      and (completed_at, id) > (${at}, ${id}) and completed_at < ${to}
    order by completed_at, id limit ${request.limit + 1}`);
}

// Of one moment sales stand before refunds. A place after a refund is `E<entry>`, which no id of a
// checkout is: those have small letters.
const ENTRY = /^E(\d{1,18})$/;
const AFTER_ALL_IDS = 'z'.repeat(13);

function salePlace({ cursor }: Pick<ReportRequest, 'cursor'>): PagePlace {
  const { at, id } = placeOldestFirst(cursor);
  return { at, id: ENTRY.test(id) ? AFTER_ALL_IDS : id };
}

function refundPlace({ cursor }: Pick<ReportRequest, 'cursor'>) {
  const { at, id } = placeOldestFirst(cursor);
  return { at, entry: BigInt(ENTRY.exec(id)?.[1] ?? 0) };
}
