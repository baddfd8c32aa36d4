import type { ShownSchema } from './api-reference.ts';

const DEPTH_MOST = 6;

/** By the name of the field, where the schema alone would say "text". */
const EXAMPLES: readonly (readonly [name: RegExp, example: string])[] = [
  [/^id$|Id$/, 'k3v9x0q2m7ab'],
  [/assetId|Asset$/, 'LTC:NATIVE'],
  [/network$|blockchain$/i, 'LITECOIN'],
  [/assetCode$|currency/i, 'EUR'],
  [/amount|total|fee|balance|available|pending|owed/i, '10.00'],
  [/url|webhook|link/i, 'https://shop.example/hook'],
  [/time|timestamp|at$/i, '2026-01-31T12:00:00.000Z'],
  [/email/i, 'buyer@shop.example'],
  [/address/i, 'ltc1q…'],
  [/tx$|transaction/i, '9f2c…'],
  [/description|label|name/i, 'A good book'],
];

/** A value of the shape that a schema describes: what is required, and nothing that may be null. */
export function exampleOf(schema: ShownSchema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first, name, depth);
  const type = typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any'])[0];
  switch (type) {
    case 'string':
      return EXAMPLES.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return depth >= DEPTH_MOST ? [] : [exampleOf(schema.items ?? {}, name, depth + 1)];
    case 'object':
      return depth >= DEPTH_MOST ? {} : objectOf(schema, depth);
    default:
      return {};
  }
}

function objectOf({ properties = {}, required = [] }: ShownSchema, depth: number): object {
  const shown = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    shown.map(([name, member]) => [name, exampleOf(member, name, depth + 1)]),
  );
}
