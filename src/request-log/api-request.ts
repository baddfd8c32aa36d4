// Requests of the API as they are kept, and the SQL of their two tables. Guarantees: they are found
// for seven days at the most, and gone from the disk a day later; of another shop, or of the other
// environment, nothing is found. The table has a partition for each day, nine of them in turn.

import type { Clock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, encodeCursor, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import { bigInteger, defineTable, integer, moment, optional, type Row, text } from '#db/table.ts';

const KEPT_HOURS = 7 * 24;
const FORGET_BATCH = 1_000;
/** So many are looked through for one page; the next page goes on after them. */
const LOOKED_MOST = 10_000;

export const API_REQUEST = defineTable('api_request', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  apiKey: text(),
  scope: text(),
  method: text(),
  path: text(),
  query: optional(text()),
  status: integer,
  errorCode: optional(text()),
  durationMs: integer,
  address: text(),
  /** Undefined: whoever asked did not prove the key. */
  requestHeaders: optional(text()),
  requestBody: optional(text()),
  requestBytes: integer,
  answerHeaders: optional(text()),
  answerBody: optional(text()),
  answerBytes: integer,
  at: moment,
});
export type ApiRequest = Row<typeof API_REQUEST>;

/** What a list shows of one. */
const LISTED_COLUMNS = [
  'id',
  'apiKey',
  'method',
  'path',
  'status',
  'errorCode',
  'durationMs',
  'at',
] as const;
const LISTED = API_REQUEST.only(...LISTED_COLUMNS);
export type ListedRequest = Row<typeof LISTED>;

export const API_REQUEST_MISSED = defineTable('api_request_missed', {
  merchantId: text(),
  environment: text<Environment>(),
  hour: moment,
  requests: bigInteger,
});
export type MissedCount = Row<typeof API_REQUEST_MISSED>;

/** What is known already stays as it is. */
export function insertRequests(tx: Tx, requests: readonly ApiRequest[]): void {
  if (requests.length > 0) tx.send(API_REQUEST.insert(requests, sql`on conflict do nothing`));
}

/** In order of owner and hour, so that two processes do not wait for each other. */
export function addMissed(tx: Tx, counts: readonly MissedCount[]): void {
  if (counts.length === 0) return;
  const orderOf = ({ merchantId, environment, hour }: MissedCount) =>
    `${merchantId} ${environment} ${hour}`;
  const ordered = counts.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  tx.send(
    API_REQUEST_MISSED.insert(
      ordered,
      sql`on conflict (merchant_id, environment, hour)
        do update set requests = api_request_missed.requests + excluded.requests`,
    ),
  );
}

type RequestFilter = {
  /** From the one to the other, both included. */
  readonly status?: readonly [least: number, most: number] | undefined;
  /** How the path begins. */
  readonly path?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Requests to endpoints that ask for one of these are not shown. */
  readonly hiddenScopes: readonly string[];
};

/** Newest first. A page may have fewer than asked for, and be followed by another one. */
export async function listRequests(
  { db, clock }: { readonly db: Reader; readonly clock: Pick<Clock, 'now'> },
  owner: Owner,
  request: RequestFilter & { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{
  readonly shown: readonly ListedRequest[];
  readonly nextCursor: string | null;
  /** So many were looked through, and others are not yet: the next page goes on with them. */
  readonly looked?: number;
}> {
  const { status, path, apiKey, hiddenScopes, cursor, limit } = request;
  const { at, id } = placeNewestFirst(cursor);
  const since = clock.now().subtract({ hours: KEPT_HOURS });
  // As a difference: one plan is made for all shops, and by the index of time alone, which a plain
  // comparison would seem to make short, it would walk through the requests of all of them.
  const looked = sql`
    ${ownedBy(owner)} and at - ${since}::timestamptz >= interval '0'
      and (at, id) < (${at}, ${id}) order by at desc, id desc`;
  const [least, most] = status ?? [0, 999];
  const ofPath = path === undefined ? sql`` : sql`and starts_with(path, ${path})`;
  const ofKey = apiKey === undefined ? sql`` : sql`and api_key = ${apiKey}`;
  // Not by id once more: each of them would be looked for in every day.
  const [rows, [last]] = await Promise.all([
    db.query<object>(
      sql`select ${LISTED.columns} from (
          select ${API_REQUEST.namesOf([...LISTED_COLUMNS, 'scope'])} from api_request
          where ${looked} limit ${LOOKED_MOST}) looked
        where status between ${least} and ${most} and scope <> all(${hiddenScopes}::text[])
          ${ofPath} ${ofKey}
        order by at desc, id desc limit ${limit + 1}`,
    ),
    db.query<PagePlace>(
      sql`select at, id from api_request where ${looked} offset ${LOOKED_MOST - 1} limit 1`,
    ),
  ]);
  const page = cutPage(rows.map(LISTED.parse), limit, (row: ListedRequest) => row);
  if (page.nextCursor !== null || last === undefined) return page;
  return { ...page, nextCursor: encodeCursor(last), looked: LOOKED_MOST };
}

/** Undefined also for somebody else's, and for what is hidden. */
export function findRequest(
  { db, clock }: { readonly db: Reader; readonly clock: Pick<Clock, 'now'> },
  owner: Owner,
  { id, hiddenScopes }: { readonly id: string } & Pick<RequestFilter, 'hiddenScopes'>,
): Promise<ApiRequest | undefined> {
  const since = clock.now().subtract({ hours: KEPT_HOURS });
  return API_REQUEST.find(
    db,
    sql`where id = ${id} and ${ownedBy(owner)} and at >= ${since}
      and scope <> all(${hiddenScopes}::text[])`,
  );
}

/** How many of the last seven days are not in the log. */
export async function countMissed(
  { db, clock }: { readonly db: Reader; readonly clock: Pick<Clock, 'now'> },
  owner: Owner,
): Promise<bigint> {
  const since = clock.now().subtract({ hours: KEPT_HOURS });
  const [row] = await db.query<{ count: bigint }>(sql`
    select coalesce(sum(requests), 0)::bigint as count from api_request_missed
    where ${ownedBy(owner)} and hour >= ${since}`);
  return row?.count ?? 0n;
}

/**
 * Empties each day of which all is older than seven days. What is left of such days goes by rows:
 * where somebody reads for long, where another day has the place already, and on a worker of Citus
 * (`postgres/name-on-worker.ts`). The space of these rows comes back when their place is empty.
 */
export async function forgetRequests({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
}): Promise<{ readonly emptiedDays: number; readonly deleted: number; readonly hasMore: boolean }> {
  const before = clock.now().subtract({ hours: KEPT_HOURS });
  const day = before.round({ smallestUnit: 'hour', roundingIncrement: 24, roundingMode: 'floor' });
  // The lock of an emptied day is let go before anything else is asked for.
  const [done] = await db.transact((tx) => {
    tx.send(sql`delete from api_request_missed where hour < ${before}`);
    return tx.query<{ emptied: number }>(sql`select empty_request_days(${before}) as emptied`);
  });
  const gone = await db.single((tx) =>
    tx.query(sql`
      delete from api_request where id in (
        select id from api_request where at < ${day}
        order by at nulls first limit ${FORGET_BATCH} for update skip locked)
      returning id`),
  );
  return {
    emptiedDays: done?.emptied ?? 0,
    deleted: gone.length,
    hasMore: gone.length === FORGET_BATCH,
  };
}
