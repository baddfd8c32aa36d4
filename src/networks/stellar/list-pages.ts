// Listings of Horizon, page by page and oldest first, by cursors of our own: the links in its
// answers are never followed. Guarantees: ids rise from record to record, so nothing is out of
// order and nothing comes twice.
import { type Fields, requireText, requireThat } from '#networks/answer-fields.ts';
import { type Horizon, outage, type Query, TooLarge } from './horizon.ts';
import { cursorAfterLedger, requireRecords } from './horizon-fields.ts';

/** The most that Horizon gives in one answer. */
export const PAGE_SIZE = 200;
const RECORDS_MOST = 100_000;

export type Listing<Item> = {
  readonly horizon: Horizon;
  readonly what: string;
  readonly path: string;
  readonly query?: Query;
  /** Records of later ledgers only. */
  readonly after: bigint;
  /** Where the listing may end; undefined: at its own end. */
  readonly upTo: bigint | undefined;
  readonly read: (record: Fields) => Item;
};

/**
 * Everything above `after` and up to `upTo`. An account that never was has nothing.
 * @throws Outage when there is more than can be read at once.
 */
export async function listAll<Item extends { readonly ledger: bigint }>(
  listing: Listing<Item>,
): Promise<Item[]> {
  const { horizon, path, after, upTo, read } = listing;
  const items: Item[] = [];
  let cursor = cursorAfterLedger(after);
  let last = placeOf(cursor);
  let most = PAGE_SIZE;
  while (items.length < RECORDS_MOST) {
    const query = { ...listing.query, order: 'asc', cursor };
    const { json, limit } = await getPage(horizon, path, query, most);
    if (json === undefined) return items;
    most = limit;
    const records = requireRecords(json, limit);
    for (const record of records) {
      cursor = requireText(record, 'paging_token');
      const place = placeOf(cursor);
      requireThat(isAfter(place, last), 'a listing is out of order');
      last = place;
      const item = read(record);
      if (upTo !== undefined && item.ledger > upTo) return items;
      items.push(item);
    }
    if (records.length < limit) return items;
  }
  throw outage(listing.what, `Horizon lists more than ${RECORDS_MOST} records at once`);
}

/** Whoever pays decides how long a record is: of a page that is too long half is asked for. */
async function getPage(horizon: Horizon, path: string, query: Query, most: number) {
  for (let limit = most; ; limit = Math.floor(limit / 2)) {
    try {
      return { ...(await horizon.get(path, { ...query, limit })), limit };
    } catch (error) {
      if (!(error instanceof TooLarge) || limit === 1) throw error;
    }
  }
}

type Place = readonly [id: bigint, order: bigint];

function placeOf(token: string): Place {
  const [, id, order = '0'] = /^(\d{1,19})(?:-(\d{1,10}))?$/.exec(token) ?? [];
  requireThat(id !== undefined, 'a record has no place');
  return [BigInt(id), BigInt(order)];
}

function isAfter([id, order]: Place, [lastId, lastOrder]: Place): boolean {
  return id > lastId || (id === lastId && order > lastOrder);
}
