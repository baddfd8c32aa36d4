// How columns arrive, for every query of the service:
// int8 -> bigint; int2, int4, oid -> number; boolean -> boolean; text, uuid ... -> string numeric
// -> bigint when its text is integral, else the text. A `numeric(78,0)` column is therefore always
// bigint; a numeric with a scale is written with its fraction ("1.50") and always text. timestamptz
// -> Temporal.Instant; bytea -> Uint8Array
// json, jsonb -> the TEXT, so that numbers keep every digit; the caller parses it and arrays of all
// of these. Relies on the session settings that db.ts makes (UTC, ISO, hex).
import pg from 'pg';
import { assert } from '#base/assert.ts';

type Parser = (text: string) => unknown;

const instant: Parser = (text) => Temporal.Instant.from(text);
const bytes: Parser = (text) => {
  assert(text.startsWith('\\x'), 'bytea arrives as hex');
  return Uint8Array.fromHex(text.slice(2));
};
const numeric: Parser = (text) => (/^-?\d+$/.test(text) ? BigInt(text) : text);
const asText: Parser = (text) => text;

/** Type oid, oid of its array type, parser of one element. */
const KINDS: readonly [oid: number, arrayOid: number, parse: Parser][] = [
  [20, 1016, BigInt],
  [1700, 1231, numeric],
  [1184, 1185, instant],
  [17, 1001, bytes],
  [114, 199, asText],
  [3802, 3807, asText],
  [25, 1009, asText],
  [1043, 1015, asText],
  [2950, 2951, asText],
];

// An array literal is split by the parser that the driver uses for text[]: it gives null for NULL.
const TEXT_ARRAY_OID: number = 1009;
const splitQuotedArray: (text: string) => (string | null)[] =
  pg.types.getTypeParser(TEXT_ARRAY_OID);

/** The driver reads a literal character by character: only where something in it is quoted. */
function splitArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  if (/^\{"\\\\x[0-9a-f]*"(?:,"\\\\x[0-9a-f]*")*\}$/.test(text)) {
    return text.slice(2, -2).replaceAll('\\\\', '\\').split('","');
  }
  if (!/^\{[^"\\{}]+\}$/.test(text)) return splitQuotedArray(text);
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : element));
}

const parsers = new Map<number, Parser>();
for (const [oid, arrayOid, parse] of KINDS) {
  parsers.set(oid, parse);
  parsers.set(arrayOid, (text) =>
    splitArray(text).map((element) => (element === null ? null : parse(element))),
  );
}

export function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  assert(format !== 'binary', 'results are read as text');
  return parsers.get(oid) ?? pg.types.getTypeParser(oid, 'text');
}
