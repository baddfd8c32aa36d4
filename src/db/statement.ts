// SQL in plain sight: the tagged template `sql` makes a statement whose values travel apart from
// its text, so that no value can ever become SQL. A statement nested in another one is spliced with
// its values renumbered. The name is a hash of the text: every connection prepares a text once.
import { hash } from 'node:crypto';
import { assert } from '#base/assert.ts';

export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
};

/** The texts around the values of every statement `sql` has made, for splicing. */
const chunksOf = new WeakMap<object, readonly string[]>();
const plainTexts = new WeakMap<TemplateStringsArray, { text: string; name: string }>();

/**
 * Values may be: text, bigint, whole numbers, booleans, null, Temporal.Instant, Uint8Array, and
 * arrays of these. Anything else (undefined, fractions, plain objects) is a bug: stringify JSON
 * yourself. Build lists with `= any(${list})` or `unnest`, never with a text that grows: each text
 * is prepared.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  const flat = values.some(isStatement) ? splice(strings, values) : undefined;
  const chunks = flat?.chunks ?? strings;
  const { text, name } = flat === undefined ? plainText(strings) : nameText(chunks);
  const statement: Statement = { text, name, values: (flat?.values ?? values).map(encodeValue) };
  chunksOf.set(statement, chunks);
  return statement;
}

/** A piece of SQL that the program itself wrote, to be spliced: never with a value from outside. */
export function fragment(text: string): Statement {
  const statement: Statement = { ...nameText([text]), values: [] };
  chunksOf.set(statement, [text]);
  return statement;
}

/** A whole script without values, for migrations only: several commands in one message. */
export function rawStatement(text: string): Statement {
  return { text, values: [], name: '' };
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && chunksOf.has(value);
}

function plainText(strings: TemplateStringsArray): { text: string; name: string } {
  let known = plainTexts.get(strings);
  if (known === undefined) {
    known = nameText(strings);
    plainTexts.set(strings, known);
  }
  return known;
}

function nameText(chunks: readonly string[]): { text: string; name: string } {
  let text = chunks[0] ?? '';
  for (let position = 1; position < chunks.length; position += 1) {
    text += `$${position}${chunks[position]}`;
  }
  return { text, name: `q_${hash('sha256', text).slice(0, 24)}` };
}

function splice(
  strings: readonly string[],
  values: readonly unknown[],
): { chunks: string[]; values: unknown[] } {
  const chunks = [strings[0] ?? ''];
  const flat: unknown[] = [];
  const append = (text: string) => {
    chunks[chunks.length - 1] += text;
  };
  values.forEach((value, index) => {
    if (isStatement(value)) {
      const [first = '', ...rest] = chunksOf.get(value) ?? [];
      append(first);
      chunks.push(...rest);
      flat.push(...value.values);
    } else {
      chunks.push('');
      flat.push(value);
    }
    append(strings[index + 1] ?? '');
  });
  return { chunks, values: flat };
}

function encodeValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'number':
      assert(Number.isSafeInteger(value), `a statement takes whole numbers only, not ${value}`);
      return value;
    default:
      return encodeObject(value);
  }
}

function encodeObject(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(encodeValue);
  if (value instanceof Temporal.Instant) return value.toString();
  if (value instanceof Uint8Array) return value;
  const kind = typeof value === 'object' ? 'a plain object' : typeof value;
  assert(false, `a statement does not take ${kind} as a value`);
  return undefined;
}
