// Listings of Horizon, page by page and oldest first, by cursors of our own: the links in its
// answers are never followed. Guarantees: ids rise from record to record, so nothing is out of
// order and nothing comes twice. However long a listing is, it is read in parts of whole ledgers:
// payers decide how much there is, and it must neither fill the memory nor stop the network.
import { type Fields, requireText, requireThat } from '#networks/answer-fields.ts';
import { AnswerTooLong, type Query } from '#networks/http-client.ts';
import type { Horizon } from './horizon.ts';
import { cursorAfterLedger, requireRecords } from './horizon-fields.ts';

/** The most that Horizon gives in one answer. */
export const PAGE_SIZE = 200;
/** A part is so long, and what is left of its last ledger. */
const PART_RECORDS = 20_000;
/** More than a ledger has room for, many times over. */
const LEDGER_RECORDS_MOST = 100_000;

type Listing<Item> = {
  readonly horizon: Horizon;
  readonly path: string;
  readonly query?: Query;
  /** Records of later ledgers only. */
  readonly after: bigint;
  /** Where the listing may end; undefined: at its own end. */
  readonly upTo: bigint | undefined;
  readonly read: (record: Fields) => Item;
  /** `PART_RECORDS` unless given. */
  readonly partRecords?: number | undefined;
};

type ListedPart<Item> = {
  readonly items: readonly Item[];
  /** Everything up to this ledger is in this part or an earlier one; undefined: all there is. */
  readonly readTo: bigint | undefined;
};

/**
 * The first part of what is above `after` and up to `upTo`: all of it, where it is short. An
 * account that never was has nothing.
 */
export async function listPart<Item extends { readonly ledger: bigint }>(
  listing: Listing<Item>,
): Promise<ListedPart<Item>> {
  for await (const part of listParts(listing)) return part;
  return { items: [], readTo: undefined };
}

/** The same in parts, each of whole ledgers. */
export async function* listParts<Item extends { readonly ledger: bigint }>(
  listing: Listing<Item>,
): AsyncGenerator<ListedPart<Item>> {
  const { horizon, path, after, upTo, read, partRecords = PART_RECORDS } = listing;
  let items: Item[] = [];
  let cursor = cursorAfterLedger(after);
  let last = placeOf(cursor);
  let most = PAGE_SIZE;
  for (let isMore = true; isMore; ) {
    const query = { ...listing.query, order: 'asc', cursor };
    const { json, limit } = await getPage(horizon, path, query, most);
    if (json === undefined) break;
    most = limit;
    const records = requireRecords(json, limit);
    isMore = records.length === limit;
    for (const record of records) {
      cursor = requireText(record, 'paging_token');
      const place = placeOf(cursor);
      requireThat(isAfter(place, last), 'a listing is out of order');
      last = place;
      const item = read(record);
      if (upTo !== undefined && item.ledger > upTo) {
        isMore = false;
        break;
      }
      const ledger = items.at(-1)?.ledger;
      if (items.length >= partRecords && ledger !== undefined && item.ledger > ledger) {
        yield { items, readTo: ledger };
        items = [];
      }
      items.push(item);
      requireThat(items.length <= partRecords + LEDGER_RECORDS_MOST, 'a ledger has no end');
    }
  }
  yield { items, readTo: undefined };
}

/** Payers decide how long a record is, so a page that is too long is asked for again by halves. */
async function getPage(horizon: Horizon, path: string, query: Query, most: number) {
  for (let limit = most; ; limit = Math.floor(limit / 2)) {
    try {
      return { ...(await horizon.get(path, { ...query, limit })), limit };
    } catch (error) {
      if (!(error instanceof AnswerTooLong) || limit === 1) throw error;
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
