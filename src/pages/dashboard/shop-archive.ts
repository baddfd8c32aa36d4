// Everything of a shop as files, one after the other: read page by page while it is written, so
// that a shop of ten years needs no more memory than one of a day. No secret of a key or a person
// is in it, and no link by which somebody could take money.

import { type Act, listActs } from '#audit/act.ts';
import { timestamp } from '#base/instant.ts';
import { listBills } from '#billing/bill.ts';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { listCounterItems } from '#counter/counter-item.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { listEvents } from '#event/event.ts';
import { listWebhookEndpoints } from '#event/webhook-endpoint.ts';
import { getSeller } from '#merchant/seller.ts';
import { decimalToText } from '#money/decimal.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { PageApp } from '#pages/page-app.ts';
import { listPaymentLinks } from '#payment-link/payment-link.ts';
import { beneficiaryView, listBeneficiaries } from '#people/beneficiary.ts';
import { customerView, listCustomers } from '#people/customer.ts';
import { listRefunds, refundView } from '#refund/refund.ts';
import { csvText } from '#report/csv-text.ts';
import { REPORTS, tablePages } from '#report/reports.ts';
import { listRules, ruleView } from '#settlement-rule/settlement-rule.ts';
import { listColleagues } from '#staff/person.ts';
import { listTransfers, transferView } from '#transfer/transfer.ts';
import type { Place } from './shell.ts';

type File = { readonly name: string; readonly text: string };

/** Of one page of a list; a file holds one page. */
const ROWS_AT_ONCE = 500;
const CHECKOUTS_AT_ONCE = 100;
/** The newest; the rest is told at the command line. */
const ACTS_MOST = 10_000;

export async function* shopArchive(
  app: PageApp,
  { merchantId, environment }: Place,
): AsyncGenerator<File> {
  const owner = { merchantId, environment };
  yield { name: 'README.txt', text: README };
  yield { name: 'account.json', text: await accountText(app, owner) };
  yield* inPages('customers', ROWS_AT_ONCE, async (page) => {
    const { customers, nextCursor } = await listCustomers(app, owner, page);
    return { rows: customers.map(customerView), nextCursor };
  });
  yield* inPages('checkouts', CHECKOUTS_AT_ONCE, async (page) => {
    const { checkouts, nextCursor } = await listCheckouts(app, owner, EVERY_CHECKOUT, page);
    return { rows: checkouts.map((record) => checkoutView(app, record)), nextCursor };
  });
  yield* inPages('invoices', ROWS_AT_ONCE, async (page) => {
    const { bills, nextCursor } = await listBills(app.db, owner, page);
    return { rows: bills.map(plain), nextCursor };
  });
  yield* inPages('payment-links', ROWS_AT_ONCE, async (page) => {
    const { links, nextCursor } = await listPaymentLinks(app.db, owner, page);
    return { rows: links.map(plain), nextCursor };
  });
  yield* inPages('refunds', ROWS_AT_ONCE, async (page) => {
    const { shown, nextCursor } = await listRefunds(app, owner, page);
    return { rows: shown.map((one) => ({ ...refundView(app, one), claimUrl: null })), nextCursor };
  });
  yield* inPages('transfers', ROWS_AT_ONCE, async (page) => {
    const { shown, nextCursor } = await listTransfers(app, owner, page);
    return { rows: shown.map(transferView), nextCursor };
  });
  yield* inPages('beneficiaries', ROWS_AT_ONCE, async (page) => {
    const { beneficiaries, nextCursor } = await listBeneficiaries(app, owner, page);
    return { rows: beneficiaries.map(beneficiaryView), nextCursor };
  });
  yield* inPages('settlement-rules', ROWS_AT_ONCE, async (page) => {
    const { shown, nextCursor } = await listRules(app, owner, page);
    return { rows: shown.map(ruleView), nextCursor };
  });
  yield* eventFiles(app, owner);
  yield* tableFiles(app, owner);
  yield { name: 'trail.json', text: arrayText(await acts(app, owner)) };
}

type Owner = Pick<Place, 'merchantId' | 'environment'>;
type Asked = { readonly limit: number; readonly cursor: PagePlace | undefined };
type Read = { readonly rows: readonly unknown[]; readonly nextCursor: string | null };

const EVERY_CHECKOUT = {
  ...{ customerId: undefined, state: undefined, from: undefined, to: undefined },
  meta: new Map<string, string>(),
};

/** `customers/0001.json`, …; none for what there is nothing of. */
async function* inPages(
  name: string,
  limit: number,
  read: (asked: Asked) => Promise<Read>,
): AsyncGenerator<File> {
  let cursor: PagePlace | undefined;
  for (let number = 1; ; number += 1) {
    const { rows, nextCursor } = await read({ limit, cursor });
    if (rows.length > 0) yield { name: fileName(name, number, 'json'), text: arrayText(rows) };
    if (nextCursor === null) return;
    cursor = decodeCursor(nextCursor);
  }
}

function fileName(name: string, number: number, ending: string): string {
  return `${name}/${String(number).padStart(4, '0')}.${ending}`;
}

function arrayText(rows: readonly unknown[]): string {
  return `[\n${rows.map(stringifyExact).join(',\n')}\n]\n`;
}

/** As they were told, word by word. */
async function* eventFiles(app: PageApp, owner: Owner): AsyncGenerator<File> {
  let cursor: PagePlace | undefined;
  const every = { type: undefined, subjectId: undefined, scopes: undefined };
  for (let number = 1; ; number += 1) {
    const asked = { ...owner, ...every, cursor, limit: ROWS_AT_ONCE };
    const { events, nextCursor } = await listEvents(app, asked);
    const text = `[\n${events.map(({ body }) => body).join(',\n')}\n]\n`;
    if (events.length > 0) yield { name: fileName('events', number, 'json'), text };
    if (nextCursor === null) return;
    cursor = decodeCursor(nextCursor);
  }
}

/** The ledger and what is told from it, from the beginning. */
async function* tableFiles(app: PageApp, owner: Owner): AsyncGenerator<File> {
  for (const report of REPORTS) {
    let number = 0;
    for await (const rows of tablePages(app.reads ?? app.db, report, {
      ...owner,
      from: undefined,
      to: undefined,
    })) {
      if (rows.length === 0) continue;
      number += 1;
      const name = fileName(`reports/${report.name}`, number, 'csv');
      yield { name, text: csvText(report.columns, rows) };
    }
  }
}

async function acts(app: PageApp, { merchantId }: Owner) {
  const found = await listActs(app.db, { merchantId }, ACTS_MOST);
  return found.map(({ id, actedAt, details, ...act }: Act) => ({
    ...{ ...act, id: `${id}`, timestamp: timestamp(actedAt) },
    details: JSON.parse(details) as unknown,
  }));
}

async function accountText(app: PageApp, owner: Owner): Promise<string> {
  const { merchantId, environment } = owner;
  const [{ page, name }, people, items, receivers] = await Promise.all([
    getSeller(app.db, merchantId),
    listColleagues(app.db, merchantId),
    listCounterItems(app.db, owner),
    listWebhookEndpoints(app, owner, { cursor: undefined, limit: ROWS_AT_ONCE }),
  ]);
  const webhooks = receivers.endpoints.map(({ url }) => url);
  const whole = { merchantId, environment, name, page, people, webhooks, counterItems: items };
  return `${stringifyExact(plain(whole))}\n`;
}

/** A row as JSON has it: amounts and moments as texts, and nothing of whose it is. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || value instanceof Temporal.Instant) return String(value);
  if (value instanceof Uint8Array) return undefined;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if (isDecimal(value)) return decimalToText(value);
  const kept = Object.entries(value).filter(([name]) => !/token|secret|hash/i.test(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, plain(one)]));
}

function isDecimal(value: object): value is { coefficient: bigint; scale: number } {
  return 'coefficient' in value && 'scale' in value;
}

const README = `Everything of one shop, of test or of live money, as it was when this was asked for.

account.json         the shop, its pages, its people and receivers
customers/           each file an array of up to ${ROWS_AT_ONCE}, newest first; so are the others
checkouts/           with what was charged, how it was paid, and what was given back
invoices/  payment-links/  refunds/  transfers/  beneficiaries/  settlement-rules/
events/              as they were told to receivers, word by word, while they are kept
reports/             the ledger and the tables made from it, as CSV, from the beginning
trail.json           the newest ${ACTS_MOST} acts: who did what

Keys, secrets, passwords and links to claim a refund are not in it.
Pictures and PDF files of receipts and invoices are made anew from this by the service.
`;
