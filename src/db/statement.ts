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

type Named = { readonly text: string; readonly name: string };

/** Texts of templates that hold nothing but values, by the template. */
const plainTexts = new WeakMap<readonly string[], Named>();

/** Most are spliced into others and never sent: text and name are made when they are asked for. */
class Chunked implements Statement {
  /** The texts around the values. */
  readonly chunks: readonly string[];
  readonly values: readonly unknown[];
  #named: Named | undefined;

  constructor(chunks: readonly string[], values: readonly unknown[]) {
    this.chunks = chunks;
    this.values = values;
  }

  get text(): string {
    return this.#known().text;
  }

  get name(): string {
    return this.#known().name;
  }

  #known(): Named {
    this.#named ??= plainTexts.get(this.chunks) ?? nameText(this.chunks);
    return this.#named;
  }
}

/**
 * Values may be: text, bigint, whole numbers, booleans, null, Temporal.Instant, Uint8Array, and
 * arrays of these. Anything else (undefined, fractions, plain objects) is a bug: stringify JSON
 * yourself. Build lists with `= any(${list})` or `unnest`, never with a text that grows: each text
 * is prepared.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  if (values.some((value) => value instanceof Chunked)) return splice(strings, values);
  if (!plainTexts.has(strings)) plainTexts.set(strings, nameText(strings));
  return new Chunked(strings, values.map(encodeValue));
}

/** A piece of SQL that the program itself wrote, to be spliced: never with a value from outside. */
export function fragment(text: string): Statement {
  return new Chunked([text], []);
}

/** A whole script without values, for migrations only: several commands in one message. */
export function rawStatement(text: string): Statement {
  return { text, values: [], name: '' };
}

function nameText(chunks: readonly string[]): Named {
  let text = chunks[0] ?? '';
  for (let position = 1; position < chunks.length; position += 1) {
    text += `$${position}${chunks[position]}`;
  }
  return { text, name: nameOf(text) };
}

/** Texts do not grow with what they carry, so there are no more of them than the program writes. */
const names = new Map<string, string>();
const NAMES_MOST = 10_000;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `q_${hash('sha256', text).slice(0, 24)}`;
  if (names.size >= NAMES_MOST) names.clear();
  names.set(text, name);
  return name;
}

function splice(strings: readonly string[], values: readonly unknown[]): Chunked {
  const chunks = [strings[0] ?? ''];
  const flat: unknown[] = [];
  const append = (text: string) => {
    chunks[chunks.length - 1] += text;
  };
  values.forEach((value, index) => {
    if (value instanceof Chunked) {
      const [first = '', ...rest] = value.chunks;
      append(first);
      chunks.push(...rest);
      flat.push(...value.values);
    } else {
      chunks.push('');
      flat.push(encodeValue(value));
    }
    append(strings[index + 1] ?? '');
  });
  return new Chunked(chunks, flat);
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
