import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { type ExactJson, parseExactJson } from '#money/exact-json.ts';
import type { Customer } from './customer.ts';

/** `customer` of the wire: every field, null where there is nothing; `meta` as it was given. */
export function customerView({ createdAt, meta, ...fields }: Customer) {
  return {
    ...fields,
    meta: meta === null ? null : exactValue(meta),
    timestamp: timestamp(createdAt),
  };
}

function exactValue(text: string): ExactJson {
  const parsed = parseExactJson(text);
  assert(parsed.ok, 'stored JSON is well formed');
  return parsed.value;
}
