// Answers given to many requests: their JSON text is made once. A value that is shared is frozen in
// meaning: whoever made it never changes it.

import { stringifyExact } from '#money/exact-json.ts';

const texts = new WeakMap<object, string>();
const shared = new WeakSet<object>();

/** Marks a value that will be answered again as the same object. */
export function shareAnswer<Value extends object>(value: Value): Value {
  shared.add(value);
  return value;
}

export function textOfAnswer(value: unknown): string {
  if (typeof value !== 'object' || value === null || !shared.has(value)) {
    return stringifyExact(value);
  }
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = stringifyExact(value);
  texts.set(value, text);
  return text;
}
