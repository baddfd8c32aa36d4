// Pages of lists (api-contract.md 4): `?limit=` and `?cursor=`, newest first, `nextCursor` or null.
import { z } from 'zod';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { optional, text } from '#money/exact-schema.ts';

const limitInitial = 50;
const limitMax = 250;
const cursorLengthMax = 200;

/** Fields of the request of every list: `fields({ ...pageQuery, ... })`. */
export const pageQuery = {
  limit: optional(
    z
      .string()
      .refine(
        (value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= limitMax,
        `must be a whole number from 1 to ${limitMax}`,
      )
      .meta({
        pattern: '^[1-9][0-9]{0,2}$',
        description: `1 to ${limitMax}, ${limitInitial} unless given`,
      })
      .transform(Number),
  ),
  cursor: optional(text(cursorLengthMax).meta({ description: '`nextCursor` of the page before' })),
};

/** Field of the answer of every list. */
export const nextCursor = z.string().nullable();

export type Page = {
  readonly limit: number;
  /** The page begins after this row; undefined for the first page. */
  readonly cursor: PagePlace | undefined;
};

/** @throws Refusal invalid `cursor_invalid`. */
export function parsePage(input: {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}): Page {
  const { limit = limitInitial, cursor } = input;
  return { limit, cursor: cursor === undefined ? undefined : decodeCursor(cursor) };
}
