// Loaded before every test file. To Node's deep comparison two Temporal values are objects without
// content, so that any two are equal and a wrong time is never noticed: here they are compared as
// their text.
import assert from 'node:assert';

type Compare = (actual: unknown, expected: unknown, message?: string | Error) => void;
type Asserts = Record<string, Compare>;

const COMPARISONS = ['deepEqual', 'deepStrictEqual', 'notDeepEqual', 'notDeepStrictEqual'];

for (const one of [assert, assert.strict] as unknown as Asserts[]) {
  for (const name of COMPARISONS) {
    const compare = one[name] as Compare;
    one[name] = (actual, expected, ...message) =>
      compare(withTimesAsText(actual), withTimesAsText(expected), ...message);
  }
}

/** The value itself, when there is no time in it. */
function withTimesAsText(value: unknown, path: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null || path.includes(value)) return value;
  const tag = Object.prototype.toString.call(value);
  if (tag.startsWith('[object Temporal.')) return { [tag]: String(value) };
  const inside = (one: unknown) => withTimesAsText(one, [...path, value]);
  if (Array.isArray(value)) return changed(value, value.map(inside));
  if (value instanceof Map) {
    return new Map([...value].map(([key, held]) => [inside(key), inside(held)] as const));
  }
  if (value instanceof Set) return new Set([...value].map(inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const held = Object.values(value) as unknown[];
  const shown = held.map(inside);
  if (changed(held, shown) === held) return value;
  const copy = Object.create(prototype as object | null) as Record<string, unknown>;
  Object.keys(value).forEach((key, index) => {
    copy[key] = shown[index];
  });
  return copy;
}

function changed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return before.every((one, index) => one === after[index]) ? before : after;
}
