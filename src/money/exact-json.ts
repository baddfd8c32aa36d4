// The JSON of requests, strictly RFC 8259, with every number kept as its text. Guarantees: no
// number becomes a float; no object has two values for one key, a key that touches a prototype, or
// a text that PostgreSQL or UTF-8 cannot hold; nesting is bounded, so no input overflows the stack;
// the parser never throws. Why not a library: docs/decisions/0003-exact-json.md.
import { assert } from '#base/assert.ts';
import { hasLoneSurrogate, hasNul } from '#base/text.ts';

declare global {
  interface JSON {
    /** ECMAScript proposal JSON.parse source text access: a text that stringify copies as it is. */
    rawJSON(text: string): object;
  }
}

/**
 * A number as it was written: 1.10 stays 1.10. A class, and not a plain object, so that neither a
 * caller's {"text": "1"} nor a validator of records can take the one for the other.
 */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    assert(isNumberText(text), `not a JSON number: ${text}`);
    this.text = text;
    Object.freeze(this);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): object {
    return JSON.rawJSON(this.text);
  }
}

export type ExactJson =
  | null
  | boolean
  | string
  | ExactNumber
  | ExactJson[]
  | { [key: string]: ExactJson };

export type ExactObject = { readonly [name: string]: ExactJson };

/** An object of parsed JSON, as opposed to a number, a list or null. */
export function isJsonObject(value: unknown): value is ExactObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof ExactNumber);
}

type ExactJsonOutcome =
  | { readonly ok: true; readonly value: ExactJson }
  | { readonly ok: false; readonly message: string };

/** Arrays and objects within each other. */
const DEPTH_MAX = 20;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const NUMBER_SYNTAX = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

/** Objects have no prototype. The message is for the caller: one sentence with the position. */
export function parseExactJson(text: string): ExactJsonOutcome {
  try {
    if (text.startsWith('\ufeff')) throw new Fault('starts with a byte order mark', 0);
    const cursor: Cursor = { text, at: 0, depth: 0 };
    skipWhitespace(cursor);
    if (cursor.at === text.length) return { ok: false, message: 'the JSON text is empty' };
    const value = parseValue(cursor);
    skipWhitespace(cursor);
    if (cursor.at < text.length) throw new Fault('something follows the value', cursor.at);
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, message: `malformed JSON: ${error.message} at character ${error.at + 1}` };
  }
}

/** A JSON object that was stored as text, with its numbers as they were given. */
export function parseStoredObject(text: string): ExactObject {
  const parsed = parseExactJson(text);
  assert(parsed.ok, 'stored JSON is well formed');
  const { value } = parsed;
  assert(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'stored JSON is an object',
  );
  assert(!(value instanceof ExactNumber), 'stored JSON is an object');
  return value;
}

/**
 * JSON text of parsed JSON, or of our own data: texts, booleans, ExactNumbers, integers, and what
 * has a toJSON. A bigint, a fraction (0.1 is not exact) or a non-finite number is a bug and fails.
 */
export function stringifyExact(value: unknown): string {
  assertExact(value, '');
  const text: string | undefined = JSON.stringify(value);
  assert(text !== undefined, 'nothing to write as JSON');
  return text;
}

/** Looked through beforehand: a function that JSON.stringify calls for each part costs far more. */
function assertExact(value: unknown, key: string): void {
  if (typeof value === 'string') return;
  assert(typeof value !== 'bigint', `a bigint is no JSON: ${key}`);
  assert(typeof value !== 'number' || Number.isSafeInteger(value), `not exact: ${key}`);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return;
  if (Array.isArray(value)) {
    for (const part of value) assertExact(part, key);
    return;
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    assertExact(toJSON.call(value, key), key);
    return;
  }
  for (const name of Object.keys(value)) {
    assertExact((value as Readonly<Record<string, unknown>>)[name], name);
  }
}

function isNumberText(text: string): boolean {
  NUMBER_SYNTAX.lastIndex = 0;
  return NUMBER_SYNTAX.test(text) && NUMBER_SYNTAX.lastIndex === text.length;
}

/** Never leaves this file. */
class Fault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Cursor = { readonly text: string; at: number; depth: number };

function parseValue(cursor: Cursor): ExactJson {
  const { text, at } = cursor;
  const first = text[at];
  if (first === '{') return parseNested(cursor, parseObject);
  if (first === '[') return parseNested(cursor, parseArray);
  if (first === '"') return parseString(cursor);
  if (first === undefined) throw new Fault('ends before its value is complete', at);
  for (const [name, value] of LITERALS) {
    if (text.startsWith(name, at)) {
      cursor.at += name.length;
      return value;
    }
  }
  return parseNumber(cursor);
}

function parseNested(cursor: Cursor, parse: (cursor: Cursor) => ExactJson): ExactJson {
  if (cursor.depth === DEPTH_MAX) throw new Fault(`is deeper than ${DEPTH_MAX} levels`, cursor.at);
  cursor.depth += 1;
  cursor.at += 1;
  const value = parse(cursor);
  cursor.depth -= 1;
  return value;
}

function parseArray(cursor: Cursor): ExactJson {
  const items: ExactJson[] = [];
  skipWhitespace(cursor);
  if (take(cursor, ']')) return items;
  for (;;) {
    skipWhitespace(cursor);
    items.push(parseValue(cursor));
    skipWhitespace(cursor);
    if (take(cursor, ']')) return items;
    expect(cursor, ',', "a ',' or ']'");
  }
}

function parseObject(cursor: Cursor): ExactJson {
  const fields: { [key: string]: ExactJson } = Object.create(null);
  skipWhitespace(cursor);
  if (take(cursor, '}')) return fields;
  for (;;) {
    skipWhitespace(cursor);
    const keyAt = cursor.at;
    if (cursor.text[keyAt] !== '"') throw expected(cursor, 'a key in double quotes');
    const key = parseString(cursor);
    if (FORBIDDEN_KEYS.has(key)) throw new Fault(`the key ${quote(key)} is not allowed`, keyAt);
    if (key in fields) throw new Fault(`the key ${quote(key)} is given twice`, keyAt);
    skipWhitespace(cursor);
    expect(cursor, ':', "a ':'");
    skipWhitespace(cursor);
    fields[key] = parseValue(cursor);
    skipWhitespace(cursor);
    if (take(cursor, '}')) return fields;
    expect(cursor, ',', "a ',' or '}'");
  }
}

function parseString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let hasEscape = false;
  let end = start + 1;
  for (; text[end] !== '"'; end += 1) {
    const code = text.charCodeAt(end);
    if (Number.isNaN(code)) throw new Fault('ends inside a string', text.length);
    if (code < 0x20) throw new Fault('has a bare control character in a string', end);
    if (code === 0x5c) {
      hasEscape = true;
      end += 1;
    }
  }
  cursor.at = end + 1;
  const value = hasEscape
    ? decodeEscapes(text.slice(start, end + 1), start)
    : text.slice(start + 1, end);
  if (hasLoneSurrogate(value)) throw new Fault('has half of a surrogate pair in a string', start);
  if (hasNul(value)) throw new Fault('has the character NUL in a string', start);
  return value;
}

/** The runtime knows the escapes; what reaches it is one string token. */
function decodeEscapes(token: string, at: number): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw new Fault('has an unknown escape in a string', at);
  }
}

function parseNumber(cursor: Cursor): ExactNumber {
  NUMBER_SYNTAX.lastIndex = cursor.at;
  const match = NUMBER_SYNTAX.exec(cursor.text);
  if (match === null) throw expected(cursor, 'a value');
  cursor.at += match[0].length;
  // 01, 1.e3, 1e+ and 1.2.3 match in part: what follows a number is a separator or the end.
  const next = cursor.text[cursor.at];
  if (next !== undefined && /[\w.+-]/.test(next)) throw expected(cursor, 'the end of a number');
  return new ExactNumber(match[0]);
}

function skipWhitespace(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const character = text[cursor.at];
    const isSpace =
      character === ' ' || character === '\n' || character === '\r' || character === '\t';
    if (!isSpace) return;
    cursor.at += 1;
  }
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function expect(cursor: Cursor, character: string, what: string): void {
  if (!take(cursor, character)) throw expected(cursor, what);
}

function expected(cursor: Cursor, what: string): Fault {
  const isAtEnd = cursor.at >= cursor.text.length;
  return new Fault(isAtEnd ? `ends where ${what} is expected` : `expected ${what}`, cursor.at);
}

function quote(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}...` : key);
}
