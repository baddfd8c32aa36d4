import { text } from '#money/exact-schema.ts';

const lengthMax = 40;

/** A time of a query: ISO 8601 with offset, or a day, which begins at midnight UTC. */
export const timeQuery = text(lengthMax)
  .refine((value) => tryParse(value) !== undefined, 'must be a time like 2026-01-31T12:00:00Z')
  .meta({ format: 'date-time' })
  .transform((value) => parse(value));

function parse(value: string): Temporal.Instant {
  return Temporal.Instant.from(value.length === 10 ? `${value}T00:00Z` : value);
}

/** Only years that every reader of them knows: Temporal and the database know others as well. */
function tryParse(value: string): Temporal.Instant | undefined {
  if (!/^[12]\d{3}-/.test(value)) return undefined;
  try {
    return parse(value);
  } catch {
    // Said by the schema, with the name of the parameter.
    return undefined;
  }
}
