// Customers as files: all of them as they are stored, or one with everything that he bought, paid
// and got back, as he may ask for it. A file is written while it is read, however long it is.

import { type Context, Hono } from 'hono';
import { timestamp } from '#base/instant.ts';
import { shownAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decimalToText } from '#money/decimal.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendStream } from '#pages/send-page.ts';
import {
  CUSTOMER_FIELDS,
  type Customer,
  customerView,
  findCustomer,
  listCustomers,
} from '#people/customer.ts';
import { csvHead, csvRows } from '#report/csv-text.ts';
import { columns } from '#report/report.ts';
import { type ShopVisit, withShop } from './guard.ts';

const ALL = '/shop/:merchantId/:environment/customer-files';
const CUSTOMERS_AT_ONCE = 1_000;
const CHECKOUTS_AT_ONCE = 100;
const CSV = 'text/csv; charset=utf-8; header=present';
const JSON_TYPE = 'application/json; charset=utf-8';

const CUSTOMER_COLUMNS = columns('id', ...CUSTOMER_FIELDS, 'meta', 'timestamp');
const HISTORY_COLUMNS = columns(
  ...['time', 'what', 'checkoutId', 'state', 'amount*', 'unit'],
  ...['network', 'transaction', 'address', 'meta'],
);

export function customerFilesRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(ALL, (context) =>
    withShop(app, context, 'report', (visit) =>
      isJson(context)
        ? sendStream(allAsJson(app, visit), JSON_TYPE, 'customers.json')
        : sendStream(allAsCsv(app, visit), CSV, 'customers.csv'),
    ),
  );
  routes.get(`${ALL}/:id`, (context) =>
    withShop(app, context, 'report', async (visit) => {
      const { place, language } = visit;
      const customer = await findCustomer(app, place, context.req.param('id') ?? '');
      if (customer === undefined) return sendPage(app, missingPage(pageLanguage(language.code)));
      const file = `customer-${customer.id}`;
      return isJson(context)
        ? sendStream(oneAsJson(app, visit, customer), JSON_TYPE, `${file}.json`)
        : sendStream(oneAsCsv(app, visit, customer), CSV, `${file}.csv`);
    }),
  );
  return routes;
}

function isJson(context: Context): boolean {
  return context.req.query('format') === 'json';
}

/** Everything that names this customer. */
export function ofCustomer(customerId: string): CheckoutFilter {
  return { customerId, state: undefined, from: undefined, to: undefined, meta: new Map() };
}

async function* readCustomers(
  app: PageApp,
  { place }: ShopVisit,
): AsyncGenerator<readonly Customer[]> {
  let cursor: PagePlace | undefined;
  do {
    const page = await listCustomers(app, place, { limit: CUSTOMERS_AT_ONCE, cursor });
    yield page.customers;
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

async function* allAsCsv(app: PageApp, visit: ShopVisit): AsyncGenerator<string> {
  yield csvHead(CUSTOMER_COLUMNS);
  for await (const customers of readCustomers(app, visit)) {
    const rows = customers.map(({ createdAt, ...customer }) => ({
      ...customer,
      timestamp: timestamp(createdAt),
    }));
    yield csvRows(CUSTOMER_COLUMNS, rows);
  }
}

async function* allAsJson(app: PageApp, visit: ShopVisit): AsyncGenerator<string> {
  yield '{"customers":[';
  let between = '';
  for await (const customers of readCustomers(app, visit)) {
    for (const customer of customers) {
      yield `${between}\n${stringifyExact(customerView(customer))}`;
      between = ',';
    }
  }
  yield '\n]}\n';
}

/** Newest first: each checkout with what was paid and given back for it. */
async function* readHistory(
  app: PageApp,
  { place }: ShopVisit,
  { id }: Customer,
): AsyncGenerator<readonly HistoryRow[]> {
  let cursor: PagePlace | undefined;
  do {
    const page = { limit: CHECKOUTS_AT_ONCE, cursor };
    const { checkouts, nextCursor } = await listCheckouts(app, place, ofCustomer(id), page);
    yield checkouts.flatMap(historyRows);
    cursor = nextCursor === null ? undefined : decodeCursor(nextCursor);
  } while (cursor !== undefined);
}

type HistoryRow = ReturnType<typeof historyRows>[number];

function historyRows(record: CheckoutRecord) {
  const { id, createdAt, state, total, billingCurrency, meta, receipts, refunds } = record;
  const amountOf = (network: string, assetId: string, units: bigint) => {
    const { assetCode, decimals } = shownAsset(network, assetId);
    return { amount: amountToText(units, decimals), unit: assetCode, network };
  };
  const nothing = { checkoutId: id, transaction: null, address: null, meta: null };
  return [
    {
      ...{ ...nothing, time: timestamp(createdAt), what: 'checkout', state: `${state}` },
      ...{ amount: decimalToText(total), unit: billingCurrency, network: null },
      meta: meta ?? null,
    },
    ...receipts.map(({ chain, assetId, units, seenAt, status, transaction }) => ({
      ...{ ...nothing, time: timestamp(seenAt), what: 'payment', state: `${status}`, transaction },
      ...amountOf(networkOf(chain), assetId, units),
    })),
    ...refunds.map((refund) => ({
      ...{ ...nothing, time: timestamp(refund.createdAt), what: 'refund', state: refund.state },
      ...amountOf(refund.network, refund.assetId, refund.units),
      address: refund.address ?? null,
    })),
  ];
}

async function* oneAsCsv(
  app: PageApp,
  visit: ShopVisit,
  customer: Customer,
): AsyncGenerator<string> {
  yield csvHead(HISTORY_COLUMNS);
  for await (const rows of readHistory(app, visit, customer)) yield csvRows(HISTORY_COLUMNS, rows);
}

async function* oneAsJson(
  app: PageApp,
  visit: ShopVisit,
  customer: Customer,
): AsyncGenerator<string> {
  yield `{"customer":${stringifyExact(customerView(customer))},"history":[`;
  let between = '';
  for await (const rows of readHistory(app, visit, customer)) {
    for (const row of rows) {
      yield `${between}\n${JSON.stringify(row)}`;
      between = ',';
    }
  }
  yield '\n]}\n';
}
