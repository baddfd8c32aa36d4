import { QuittanceError } from './errors.ts';

/** One page of a list. */
export type Page<Item> = {
  readonly items: readonly Item[];
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/** A page and the request that it answered, as the transport hands it on. */
export type FetchedPage<Item> = Page<Item> & { readonly requestId: string | null };

/** A list, asked for page by page while it is walked: `for await (const one of list)`. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #fetch: (cursor: string | undefined) => Promise<FetchedPage<Item>>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<FetchedPage<Item>>) {
    this.#fetch = fetchPage;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Whole pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor, requestId } = await this.#fetch(cursor);
      yield { items, nextCursor };
      if (nextCursor === null) return;
      if (seen.has(nextCursor)) throw repeatedCursor(requestId);
      seen.add(nextCursor);
      cursor = nextCursor;
    }
  }

  /** The first page alone. */
  async first(): Promise<Page<Item>> {
    const { items, nextCursor } = await this.#fetch(undefined);
    return { items, nextCursor };
  }

  /** All entries, `limit` of them at most. */
  async all(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const all: Item[] = [];
    if (limit <= 0) return all;
    for await (const item of this) {
      all.push(item);
      if (all.length >= limit) break;
    }
    return all;
  }
}

/** Following it would never end. */
function repeatedCursor(requestId: string | null): QuittanceError {
  const facts = { status: 200, code: 'cursor_repeated', requestId };
  return new QuittanceError('the service gave the same cursor twice', facts);
}
