// Checkouts as a table: all that a view of the list shows, written while they are read, so that a
// year of business needs no more memory than a day.

import { Hono } from 'hono';
import { timestamp } from '#base/instant.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { decimalToText } from '#money/decimal.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendStream } from '#pages/send-page.ts';
import { csvHead, csvRows } from '#report/csv-text.ts';
import { columns, type ReportRow } from '#report/report.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { filterOf, readAsked } from './search-checkouts.ts';

const AT_ONCE = 100;
const COLUMNS = columns(
  ...['timestamp', 'checkoutId', 'state', 'total*', 'billingCurrency'],
  ...['completed', 'customerId', 'meta'],
  ...['tip*', 'termsAccepted', 'answers'],
);

export function checkoutFilesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/checkout-files', (context) =>
    withShop(app, context, 'report', (visit) => {
      const rows = readRows(app, visit, filterOf(readAsked(new URL(context.req.url).searchParams)));
      return sendStream(rows, 'text/csv; charset=utf-8; header=present', 'checkouts.csv');
    }),
  );
  return routes;
}

async function* readRows(
  app: PageApp,
  { place }: ShopVisit,
  filter: CheckoutFilter,
): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  let cursor: PagePlace | undefined;
  do {
    const page = await listCheckouts(app, ownerOf(place), filter, { cursor, limit: AT_ONCE });
    yield csvRows(COLUMNS, page.checkouts.map(rowOf));
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

function rowOf(record: CheckoutRecord): ReportRow {
  const { id, state, total, billingCurrency, createdAt, completedAt } = record;
  return {
    timestamp: timestamp(createdAt),
    checkoutId: id,
    state,
    total: decimalToText(total),
    billingCurrency,
    completed: completedAt === undefined ? null : timestamp(completedAt),
    customerId: record.customerId ?? null,
    meta: record.meta ?? null,
    tip: decimalToText(record.tip),
    termsAccepted: record.termsAcceptedAt === undefined ? null : timestamp(record.termsAcceptedAt),
    answers: record.answers === undefined ? null : JSON.stringify(record.answers),
  };
}
