// Checkouts by whatever somebody has of one: its reference, an amount, the address that was to be
// paid to, a transaction, a customer, or a field of the shop's own data as `order=42`.

import { environmentOf } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import { CHECKOUT_STATES, type CheckoutRecord } from '#checkout/checkout.ts';
import { findCheckout, listCheckoutsPaidAt } from '#checkout/find-checkout.ts';
import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { visibleText } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { searchCustomers } from '#people/customer.ts';
import type { ShopVisit } from './guard.ts';
import { ownerOf } from './money-words.ts';
import { readAmount } from './read-amount.ts';
import { readDay, startOf } from './report-period.ts';

/** As the address of a page says it, so that a view can be kept as a bookmark. */
export type AskedCheckouts = Readonly<Record<'find' | 'state' | 'from' | 'to', string>>;

/** `said`: of the address, or of a form. */
export function readAsked(said: URLSearchParams): AskedCheckouts {
  const read = (name: string) => visibleText(said.get(name) ?? '').trim();
  const [find, state] = [read('find').slice(0, WANTED_MOST), read('state')];
  const [from, to] = [read('from').slice(0, DAY_MOST), read('to').slice(0, DAY_MOST)];
  return { find, state: state.slice(0, STATE_MOST), from, to };
}

const DAY_MOST = 10;
const STATE_MOST = 20;

/** What is asked for, as an address says it; empty: nothing. */
export function askedQuery(asked: AskedCheckouts): string {
  return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
}

/** Days are those of UTC, the last one included; what is none asks for nothing. */
export function filterOf({ state, from, to }: AskedCheckouts): CheckoutFilter {
  const [first, last] = [readDay(from), readDay(to)];
  return {
    state: CHECKOUT_STATES.find((one) => one === state),
    from: first && startOf(first),
    to: last && startOf(last.add({ days: 1 })),
    customerId: undefined,
    meta: new Map(),
  };
}

export const WANTED_MOST = 200;

/** Of these names the checkouts are listed: whoever has a common one says more of it. */
const CUSTOMERS_MOST = 5;
/** Of what one address or transaction belongs to. */
const THINGS_MOST = 25;

/**
 * Newest first. `filter`: what must hold besides. What one address, transaction or reference names
 * is all on the first page; of the rest there are pages, as of `listCheckouts`.
 */
export async function searchCheckouts(
  app: PageApp,
  { place, language }: ShopVisit,
  {
    wanted,
    filter,
    cursor,
    most,
  }: {
    readonly wanted: string;
    readonly filter: CheckoutFilter;
    readonly cursor: PagePlace | undefined;
    readonly most: number;
  },
): ReturnType<typeof listCheckouts> {
  const owner = ownerOf(place);
  const [named, customers] = await Promise.all([
    cursor === undefined ? listNamed(app, owner, wanted) : [],
    searchCustomers(app, owner, { begins: wanted, most: CUSTOMERS_MOST }),
  ]);
  const total = readAmount(wanted, language.code);
  const [, name, value] = /^([^=]{1,100})=(.+)$/su.exec(wanted) ?? [];
  const wishes: CheckoutFilter[] = [
    ...customers.map(({ id }) => ({ ...filter, customerId: id })),
    ...(total === undefined ? [] : [{ ...filter, total }]),
    ...(name === undefined || value === undefined
      ? []
      : [{ ...filter, meta: new Map([[name.trim(), value.trim()]]) }]),
  ];
  const page = { cursor, limit: most };
  const listed = await Promise.all(wishes.map((wish) => listCheckouts(app, owner, wish, page)));
  const kept = named.filter((record) => holds(record, filter));
  return joinPages([{ checkouts: kept, nextCursor: null }, ...listed]);
}

type Page = Awaited<ReturnType<typeof listCheckouts>>;

/** Down to where the first of them ends: what lies behind that comes with the next page. */
function joinPages(pages: readonly Page[]): Page {
  const ends = pages
    .flatMap((page) => (page.nextCursor === null ? [] : [{ ...page, cursor: page.nextCursor }]))
    .map((page) => ({ ...page, at: decodeCursor(page.cursor).at }))
    .toSorted((one, other) => Temporal.Instant.compare(other.at, one.at));
  const [end] = ends;
  const isShown = ({ createdAt }: CheckoutRecord) =>
    end === undefined || Temporal.Instant.compare(createdAt, end.at) >= 0;
  const [kept, ...listed] = pages;
  const all = [
    ...(kept?.checkouts ?? []),
    ...listed.flatMap((page) => page.checkouts.filter(isShown)),
  ];
  const checkouts = [...new Map(all.map((record) => [record.id, record])).values()].toSorted(
    (one, other) => Temporal.Instant.compare(other.createdAt, one.createdAt),
  );
  return { checkouts, nextCursor: end?.cursor ?? null, looked: end?.looked };
}

/** Those that a reference, an address or a transaction names. */
async function listNamed(
  app: PageApp,
  owner: Owner,
  wanted: string,
): Promise<readonly CheckoutRecord[]> {
  const ways = [...new Set([wanted, wanted.toLowerCase(), wanted.toUpperCase()])];
  const [receipts, askedFor] = await Promise.all([
    listReceiptsByTransaction(app.db, ways),
    listCheckoutsPaidAt(app.db, owner, ways),
  ]);
  const paid = receipts.filter(
    ({ chain, merchantId, purpose }) =>
      purpose === 'checkout' &&
      merchantId === owner.merchantId &&
      environmentOf(chain) === owner.environment,
  );
  const ids = new Set([wanted, ...askedFor, ...paid.map(({ purposeId }) => purposeId ?? '')]);
  const found = [...ids].slice(0, THINGS_MOST).map((id) => findCheckout(app, owner, id));
  return (await Promise.all(found)).filter((record) => record !== undefined);
}

function holds({ state, createdAt }: CheckoutRecord, filter: CheckoutFilter): boolean {
  const { from, to } = filter;
  return (
    (filter.state === undefined || filter.state === state) &&
    (from === undefined || Temporal.Instant.compare(createdAt, from) >= 0) &&
    (to === undefined || Temporal.Instant.compare(createdAt, to) < 0)
  );
}
