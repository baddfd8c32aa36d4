import { text } from '#money/exact-schema.ts';

const lengthMax = 40;

/** A time of a query: ISO 8601 with offset. */
export const timeQuery = text(lengthMax)
  .refine((value) => tryParse(value) !== undefined, 'must be a time like 2026-01-31T12:00:00Z')
  .meta({ format: 'date-time' })
  .transform((value) => Temporal.Instant.from(value));

function tryParse(value: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(value);
  } catch {
    // Said by the schema, with the name of the parameter.
    return undefined;
  }
}
