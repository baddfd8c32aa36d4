// Places in lists that are shown newest first by (time, id). A cursor is opaque to clients: it says
// after which row the next page begins, so rows that come in between neither repeat nor hide
// others. It is no secret and proves nothing: a list still asks for the rows of its caller only.
import { Refusal } from '#base/refusal.ts';

export type PagePlace = {
  readonly at: Temporal.Instant;
  readonly id: string;
};

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
