// Several checkouts at once: those of a merchant, newest first; the data of merchants by checkout;
// and which of all of them changed, whoever changed them.

import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  cutPage,
  encodeCursor,
  type PagePlace,
  placeNewestFirst,
  placeOldestFirst,
} from '#db/page-cursor.ts';
import { type Decimal, decimalToText, parseDecimal, parseWideDecimal } from '#money/decimal.ts';
import { listCustomerIds } from '#people/customer.ts';
import { type CheckoutRecord, type CheckoutState, PAYMENT_WINDOW_MINUTES } from './checkout.ts';
import { type FindCheckoutApp, findCheckout } from './find-checkout.ts';

/** All that are given must hold. */
export type CheckoutFilter = {
  readonly state: CheckoutState | undefined;
  /** Created at or after. */
  readonly from: Temporal.Instant | undefined;
  /** Created before. */
  readonly to: Temporal.Instant | undefined;
  /** By any id that names him. */
  readonly customerId: string | undefined;
  /** Exactly so much, in whichever currency. */
  readonly total?: Decimal | undefined;
  /** Fields at the top of `meta` and the text of their values: a number as it was written. */
  readonly meta: ReadonlyMap<string, string>;
};

/** So many are looked through for one page where no index knows what is asked for. */
export const LOOKED_MOST = 10_000;

type CheckoutPage = {
  readonly checkouts: readonly CheckoutRecord[];
  readonly nextCursor: string | null;
  /** So many were looked through, and others are not yet: the next page goes on with them. */
  readonly looked?: number | undefined;
};

/** Newest first. A page may have fewer than asked for, or none, and be followed by another one. */
export async function listCheckouts(
  app: FindCheckoutApp,
  owner: Owner,
  filter: CheckoutFilter,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<CheckoutPage> {
  const { customerId } = filter;
  // A customer may have several ids.
  const ids = customerId === undefined ? [] : await listCustomerIds(app.db, owner, customerId);
  const { among, order } = selectAmong(owner, { ...filter, ids }, cursor);
  const rest = restOf(filter);
  const [places, [last]] = await Promise.all([
    app.db.query<PagePlace>(
      rest === undefined
        ? sql`select id, at from (${among(limit + 1)}) as found order by ${order}`
        : sql`select id, at from (${among(LOOKED_MOST)}) as looked where ${rest}
            order by ${order} limit ${limit + 1}`,
    ),
    rest === undefined
      ? []
      : app.db.query<PagePlace>(sql`select id, at from (${among(LOOKED_MOST)}) as looked
          order by ${order} offset ${LOOKED_MOST - 1} limit 1`),
  ]);
  const { shown, nextCursor } = cutPage(places, limit, (place) => place);
  // All of a page are looked up together: one statement a table instead of one for a few of them.
  const records = await Promise.all(shown.map(({ id }) => findCheckout(app, owner, id)));
  const checkouts = records.filter((record) => record !== undefined);
  if (nextCursor !== null || last === undefined) return { checkouts, nextCursor };
  return { checkouts, nextCursor: encodeCursor(last), looked: LOOKED_MOST };
}

/** A column that stands before `created_at` and `id` in an index, and what it is to be. */
type Lead = { readonly column: Statement; readonly value: Statement };

/** What one index tells apart: so many of these, newest first. */
type Among = { readonly among: (most: number) => Statement; readonly order: Statement };

const BY_TIME = sql`at desc, id desc`;

function selectAmong(
  owner: Owner,
  filter: CheckoutFilter & { readonly ids: readonly string[] },
  cursor: PagePlace | undefined,
): Among {
  const { state, customerId, ids, total } = filter;
  if (customerId !== undefined) {
    const lead = { column: sql`customer_id`, value: sql`named.by` };
    // Of each id no more is read than is shown.
    const among = (most: number) => sql`
      select found.* from unnest(${ids}::text[]) as named (by)
      cross join lateral (${selectNewest(owner, filter, cursor, most, lead)}) as found
      order by ${BY_TIME} limit ${most}`;
    return { among, order: BY_TIME };
  }
  const lead =
    total !== undefined
      ? { column: sql`total`, value: sql`${decimalToText(total)}::numeric` }
      : state !== undefined
        ? { column: sql`state`, value: sql`${state}::text` }
        : undefined;
  return {
    among: (most) => selectNewest(owner, filter, cursor, most, lead),
    order: lead === undefined ? BY_TIME : sql`${lead.column} desc, ${BY_TIME}`,
  };
}

/**
 * Between two places, and not `state = …`: the one plan for all states would else expect that of a
 * shop of which nearly all are in one state a walk by time alone finds any as soon. How many is a
 * value, so that the plan expects a part of them and reads in order, not all to sort them.
 */
function selectNewest(
  { merchantId, environment }: Owner,
  { from, to }: CheckoutFilter,
  cursor: PagePlace | undefined,
  most: number,
  lead?: Lead,
): Statement {
  const page = placeNewestFirst(cursor);
  // Both say where it begins, and an index begins at one of them: the older one.
  const isOlder = to !== undefined && Temporal.Instant.compare(to, page.at) <= 0;
  const { at, id } = isOlder ? { at: to, id: '' } : page;
  const oldest = from ?? placeOldestFirst(undefined).at;
  if (lead === undefined) {
    return sql`
      select id, created_at as at, state, total, meta from checkout
      where merchant_id = ${merchantId} and environment = ${environment}
        and (created_at, id) < (${at}, ${id}) and created_at >= ${oldest}
      order by created_at desc, id desc limit ${most}`;
  }
  const { column, value } = lead;
  return sql`
    select id, created_at as at, state, total, meta from checkout
    where merchant_id = ${merchantId} and environment = ${environment} and ${column} is not null
      and (${column}, created_at, id) < (${value}, ${at}, ${id})
      and (${column}, created_at) >= (${value}, ${oldest})
    order by ${column} desc, created_at desc, id desc limit ${most}`;
}

/** What that index does not tell; undefined: nothing. */
function restOf({ state, customerId, total, meta }: CheckoutFilter): Statement | undefined {
  const otherState = customerId === undefined && total === undefined ? undefined : state;
  const otherTotal = customerId === undefined ? undefined : total;
  const rest = [
    ...(otherState === undefined ? [] : [sql`state = ${otherState}`]),
    ...(otherTotal === undefined ? [] : [sql`total = ${decimalToText(otherTotal)}::numeric`]),
    ...(meta.size === 0 ? [] : [holdsMeta(meta)]),
  ];
  return rest.length === 0 ? undefined : rest.reduce((all, one) => sql`${all} and ${one}`);
}

/** Whether there ever was one. */
export async function hasCheckouts(reader: Reader, owner: Owner): Promise<boolean> {
  // In their order: the one plan for all merchants would else look through all checkouts.
  const found = await reader.query(
    sql`select 1 from checkout where ${ownedBy(owner)} order by created_at limit 1`,
  );
  return found.length > 0;
}

/** `meta` is compared as the JSON text it came as: no number is rounded, none is too large. */
function holdsMeta(meta: ReadonlyMap<string, string>): Statement {
  return sql`not exists (
    select 1 from unnest(${[...meta.keys()]}::text[], ${[...meta.values()]}::text[])
      as wanted(name, value)
    where (meta::json ->> wanted.name) is distinct from wanted.value)`;
}

/** JSON texts of `meta` by checkout, for answers that name several; absent where none was given. */
export async function listCheckoutMeta(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.query<{ id: string; meta: string }>(sql`
    select id, meta from checkout where id = any(${ids}::text[]) and meta is not null`);
  return new Map(rows.map(({ id, meta }) => [id, meta]));
}

/** What these cost together, by currency of their bills. */
export async function sumTotals(
  reader: Reader,
  ids: readonly string[],
): Promise<readonly { readonly currency: string; readonly total: Decimal }[]> {
  if (ids.length === 0) return [];
  const rows = await reader.query<{ currency: string; total: string }>(sql`
    select billing_currency as currency, sum(total)::text as total from checkout
    where id = any(${ids}::text[]) group by billing_currency order by billing_currency`);
  return rows.map(({ currency, total }) => ({ currency, total: parseDecimal(total) }));
}

/** Completed checkouts of one day that were paid alike, of one merchant. */
type Paid = {
  readonly merchantId: string;
  readonly environment: Environment;
  /** Its beginning in UTC. */
  readonly day: Temporal.Instant;
  readonly network: string;
  readonly assetId: string;
  /** Of the page on which the customer chose, else as the shop said it; empty: not known. */
  readonly language: string;
  readonly currency: string;
  readonly payments: number;
  readonly total: Decimal;
};

/** What these came to, by day; without those that are not completed. */
export async function sumPaid(reader: Reader, ids: readonly string[]): Promise<Paid[]> {
  if (ids.length === 0) return [];
  const rows = await reader.query<Omit<Paid, 'total'> & { readonly total: string }>(sql`
    select merchant_id as "merchantId", environment, date_trunc('day', completed_at, 'UTC') as day,
      coalesce(source_network, '') as network, coalesce(source_asset_id, '') as "assetId",
      coalesce(page_language, nullif(language, 'auto'), '') as language,
      billing_currency as currency, count(*)::int as payments, sum(total)::text as total
    from checkout where id = any(${ids}::text[]) and completed_at is not null
    group by 1, 2, 3, 4, 5, 6, 7`);
  return rows.map((row) => ({ ...row, total: parseWideDecimal(row.total) }));
}

/** What of them waits for a person, each kind oldest first: `what`, `id`, `since`. */
export function selectWaitingCheckouts(owner: Owner, most: number): Statement {
  return sql`
    (select case when flags like '%"late"%' then 'late' else 'underpaid' end as what, id,
      created_at as since from checkout
    where ${ownedBy(owner)} and state = 'UNDERPAID' order by created_at limit ${most})
    union all
    (select 'parked', id, created_at from checkout
    where ${ownedBy(owner)} and parked_reason is not null order by created_at limit ${most})`;
}

/**
 * The condition that two checkouts are paid, and nothing of either was given back or is to be.
 * Columns with the names of their table: what is asked inside has a column `checkout_id` too.
 */
export function bothStand(one: Statement, other: Statement): Statement {
  return sql`not exists (
      select 1 from checkout c where c.id in (${one}, ${other})
        and (c.state <> 'COMPLETED' or c.flags like '%"reversed"%'))
    and ${isNotRefunded(one)} and ${isNotRefunded(other)}`;
}

/** Asked of each row by the index; as `not exists` it may be joined to the whole table. */
function isNotRefunded(checkoutId: Statement): Statement {
  return sql`(
      select r.id from refund r where r.checkout_id = ${checkoutId}
        and r.state not in ('FAILED', 'RETURNED') limit 1) is null`;
}

/** What came of a link. */
type LinkTally = {
  /** Its checkouts that are open or paid: all but the cancelled ones. */
  readonly taken: number;
  readonly paid: number;
  /** What the paid ones cost together. */
  readonly total: Decimal;
};

/** By link; absent where nobody opened it. */
export async function tallyLinks(
  reader: Reader,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, LinkTally>> {
  if (linkIds.length === 0) return new Map();
  const rows = await reader.query<{ id: string; taken: number; paid: number; total: string }>(sql`
    select payment_link_id as id, count(*) filter (where state <> 'CANCELLED')::int as taken,
      count(*) filter (where state = 'COMPLETED')::int as paid,
      coalesce(sum(total) filter (where state = 'COMPLETED'), 0)::text as total
    from checkout where payment_link_id = any(${linkIds}::text[]) group by payment_link_id`);
  return new Map(
    rows.map(({ id, taken, paid, total }) => [id, { taken, paid, total: parseWideDecimal(total) }]),
  );
}

const LAPSED_MOST = 50;

/** Checkouts of a link that hold a place for nobody: never chosen for, or not paid in time. */
export async function listLapsedOfLink(
  reader: Reader,
  linkId: string,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const openedBefore = now.subtract({ minutes: PAYMENT_WINDOW_MINUTES });
  const rows = await reader.query<{ id: string }>(sql`
    select id from checkout where payment_link_id = ${linkId}
      and (state = 'EXPIRED' or (state = 'NEW' and created_at <= ${openedBefore}))
    order by created_at limit ${LAPSED_MOST}`);
  return rows.map(({ id }) => id);
}

type ChangeFollower = {
  /** What changed since the last look that succeeded; 'all' when that cannot be said. */
  look(reader: Reader): Promise<readonly string[] | 'all'>;
  /** Called when nobody wants to know for a while. The next look is a first one again. */
  forget(): void;
};

/**
 * Follows what changes, from look to look. The first look cannot know what went before it, so
 * everything counts as changed. Guarantees: what was committed between two looks is in the answer
 * of the second, whatever the order in which transactions began and ended; each change is told
 * once. Costs what changed, not what is open: one index range.
 */
export function followChanges(): ChangeFollower {
  let since: string | undefined;
  return {
    async look(reader) {
      const isFirst = since === undefined;
      const { snapshot, checkoutIds } = await readCheckoutChanges(reader, since);
      since = snapshot;
      return isFirst || checkoutIds === undefined ? 'all' : checkoutIds;
    },
    forget() {
      since = undefined;
    },
  };
}

type ChangesSeen = {
  /** What to ask with the next time. */
  readonly snapshot: string;
  /** Undefined: more than can be listed, take all as changed. */
  readonly checkoutIds: readonly string[] | undefined;
};

const CHANGES_MOST = 5_000;

/** `since`: the snapshot of the question before; without one nothing is listed. */
async function readCheckoutChanges(
  reader: Reader,
  since: string | undefined,
): Promise<ChangesSeen> {
  // The upper bound: rows restored from another server may carry numbers of its future.
  const [row] = await reader.query<{ snapshot: string; ids: string[] }>(sql`
    select pg_current_snapshot()::text as snapshot, array(
      select id from checkout
      where changed_in >= pg_snapshot_xmin(${since ?? null}::pg_snapshot)
        and changed_in < pg_snapshot_xmax(pg_current_snapshot())
        and not pg_visible_in_snapshot(changed_in, ${since ?? null}::pg_snapshot)
      limit ${CHANGES_MOST + 1}) as ids`);
  const { snapshot = '', ids = [] } = row ?? {};
  return { snapshot, checkoutIds: ids.length > CHANGES_MOST ? undefined : ids };
}
