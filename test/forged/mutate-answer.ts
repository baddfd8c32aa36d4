// What can be wrong with an answer of a node, by chance and repeatable: the same seed gives the same
// fault. Values are JSON as parsed; what is given back shares nothing with what was given.

import { type Random, randomInteger } from '#base/random.ts';
import { pick } from '#test/support/seeded-random.ts';

export const MUTATIONS = [
  /** A field or an element of a list is missing. */
  'omit',
  /** An element of a list is there twice. */
  'duplicate',
  /** Two elements of a list stand in each other's place. */
  'reorder',
  /** A list ends early, a text is cut short. */
  'truncate',
  /** A number is another one, a text has another character. */
  'change',
  /** null, or a value of another type. */
  'replace',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

export type MutatedAnswer = {
  readonly value: unknown;
  /** For the message of a test that fails: `omit result.blocks.0.hash`. */
  readonly what: string;
};

type Path = readonly (string | number)[];
type Place = { readonly path: Path; readonly value: unknown };

/** One mutation somewhere in the value; the value as it was when none of these fits anywhere. */
export function mutateAnswer(
  random: Random,
  value: unknown,
  mutations: readonly Mutation[] = MUTATIONS,
): MutatedAnswer {
  const places = placesOf(value);
  const possible = mutations.flatMap((mutation) => {
    const fitting = places.filter((place) => fits(mutation, place));
    return fitting.length === 0 ? [] : [{ mutation, fitting }];
  });
  if (possible.length === 0) return { value: structuredClone(value), what: 'nothing' };
  const { mutation, fitting } = pick(random, possible);
  const { path } = pick(random, fitting);
  const what = `${mutation} ${path.join('.') || 'all of it'}`;
  return { value: changeAt(value, path, mutation, random), what };
}

/** A body that is cut off, has a byte changed, or is something else altogether. */
export function mutateText(random: Random, text: string): { text: string; what: string } {
  const at = text.length === 0 ? 0 : randomInteger(random, text.length);
  switch (randomInteger(random, 4)) {
    case 0:
      return { text: text.slice(0, at), what: `cut off at ${at}` };
    case 1: {
      const other = String.fromCharCode(33 + randomInteger(random, 90));
      return { text: text.slice(0, at) + other + text.slice(at + 1), what: `${other} at ${at}` };
    }
    case 2:
      return { text: text + text.slice(at), what: `repeated from ${at}` };
    default:
      return { text: '<html><body>502 Bad Gateway</body></html>', what: 'a page of a proxy' };
  }
}

function placesOf(value: unknown, path: Path = []): Place[] {
  const here: Place = { path, value };
  if (typeof value !== 'object' || value === null) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function fits(mutation: Mutation, { path, value }: Place): boolean {
  switch (mutation) {
    case 'omit':
      return path.length > 0;
    case 'duplicate':
      return typeof path.at(-1) === 'number';
    case 'reorder':
      return Array.isArray(value) && value.length > 1;
    case 'truncate':
      return (Array.isArray(value) || typeof value === 'string') && value.length > 0;
    case 'change':
      return ['number', 'boolean', 'bigint'].includes(typeof value) || isText(value);
    case 'replace':
      return true;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0;
}

function changeAt(value: unknown, path: Path, mutation: Mutation, random: Random): unknown {
  const copy: unknown = structuredClone(value);
  if (path.length === 0) return changed(copy, mutation, random);
  let parent = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  const key = path.at(-1) as string | number;
  if (mutation === 'omit') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (mutation === 'duplicate') {
    const list = parent as unknown as unknown[];
    list.splice(Number(key), 0, structuredClone(parent[key]));
  } else parent[key] = changed(parent[key], mutation, random);
  return copy;
}

function changed(value: unknown, mutation: Mutation, random: Random): unknown {
  if (mutation === 'reorder' && Array.isArray(value)) {
    const first = randomInteger(random, value.length);
    const second = (first + 1 + randomInteger(random, value.length - 1)) % value.length;
    [value[first], value[second]] = [value[second], value[first]];
    return value;
  }
  if (mutation === 'truncate' && (Array.isArray(value) || typeof value === 'string')) {
    return value.slice(0, randomInteger(random, value.length));
  }
  if (mutation === 'change') return another(value, random);
  const strangers = [null, '', 'other', -1, 1e30, {}, [], true];
  return pick(
    random,
    strangers.filter((stranger) => stranger !== value),
  );
}

/** Near what it was: a neighbour, ten times as much, or one character that differs. */
function another(value: unknown, random: Random): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'bigint') return pick(random, [value + 1n, value - 1n, value * 10n]);
  if (typeof value === 'number') return pick(random, [value + 1, value - 1, value * 10 + 1]);
  const text = String(value);
  const at = randomInteger(random, text.length);
  const others = [...'0123456789abcdef'].filter((character) => character !== text[at]);
  return text.slice(0, at) + pick(random, others) + text.slice(at + 1);
}
