// Places in lists that are shown newest first by (time, id). A cursor is opaque to clients: it says
// after which row the next page begins, so rows that come in between neither repeat nor hide
// others. It is no secret and proves nothing: a list still asks for the rows of its caller only.
import { Refusal } from '#base/refusal.ts';

export type PagePlace = {
  readonly at: Temporal.Instant;
  readonly id: string;
};

const BEYOND_ALL: PagePlace = { at: Temporal.Instant.from('9999-12-31T00:00:00Z'), id: '' };
const BEFORE_ALL: PagePlace = { at: Temporal.Instant.from('0001-01-01T00:00:00Z'), id: '' };

/**
 * What a list that is shown newest first begins after: `(created_at, id) < (${at}, ${id})`. The
 * first page begins after a place beyond all rows, and not with a condition that may be null:
 * statements are planned once for all values (plan_cache_mode in db.ts), and only a bare comparison
 * lets that plan begin inside an index on (…, created_at, id).
 */
export function placeNewestFirst(place: PagePlace | undefined): PagePlace {
  return place ?? BEYOND_ALL;
}

/** Likewise of one shown oldest first: `(created_at, id) > (${at}, ${id})`. */
export function placeOldestFirst(place: PagePlace | undefined): PagePlace {
  return place ?? BEFORE_ALL;
}

export function encodeCursor({ at, id }: PagePlace): string {
  const bytes = new TextEncoder().encode(`${at} ${id}`);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** @throws Refusal invalid `cursor_invalid`. */
export function decodeCursor(cursor: string): PagePlace {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: 'base64url' });
    const [, at = '', id = ''] =
      /^([12]\d{3}-\S{6,35}Z) ([A-Za-z0-9]{1,40})$/.exec(new TextDecoder().decode(bytes)) ?? [];
    return { at: Temporal.Instant.from(at), id };
  } catch (error) {
    throw new Refusal('invalid', 'cursor_invalid', 'cursor: is not one of ours', { cause: error });
  }
}

/**
 * Of `limit + 1` rows asked for: those to show, and the cursor of the next page when there is one.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => PagePlace,
): { readonly shown: readonly Row[]; readonly nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { shown, nextCursor: hasMore ? encodeCursor(placeOf(last)) : null };
}
