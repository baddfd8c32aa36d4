// Values that a JSON schema of the OpenAPI document allows, and values that are nearly so.
import fc from 'fast-check';
import { listNetworks } from '#catalog/network.ts';

export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/**
 * `@checkout@` stands for the id of a checkout in some earlier answer, `@self@` for one of whatever
 * the path is about: the sender puts it in.
 */
export const ID_MARK = /@(\w+)@/g;

const NETWORKS = [...listNetworks().map(({ id }) => id), 'LITECOIN', 'BITCOIN', 'MOON'];
const ASSETS = [
  'BTC:NATIVE',
  'LTC:NATIVE',
  'XLM:NATIVE',
  'ETH:NATIVE',
  'EUR',
  'USD',
  'BTC',
  'ORIGIN',
];
const AMOUNTS = [
  '1',
  '0.001',
  '10.00',
  '23',
  '0',
  '-1',
  '1e3',
  '999999999999999999',
  '0.1e-30',
  'x',
];

/** Words that mean something, by the name of the field they stand in. */
function wordsFor(name: string): readonly string[] {
  const [, kind] = /^(\w+)Id$/.exec(name) ?? [];
  if (kind !== undefined) return [`@${kind}@`, `@${kind}@`, `@${kind}@`, 'aaaaaaaaaaaa', 'short'];
  if (name === 'id') return ['@self@', '@self@', '@self@', 'aaaaaaaaaaaa', 'short'];
  if (name === 'targetAccount') return ['@beneficiary@', 'Supplier', 'nobody'];
  if (/network|blockchain|method/i.test(name)) return NETWORKS;
  if (/asset|currency/i.test(name)) return ASSETS;
  if (/amount|quantity|percent|units/i.test(name)) return AMOUNTS;
  if (/url|webhook/i.test(name))
    return ['https://shop.example/', 'http://127.0.0.1:9/', 'javascript:1'];
  if (/email/i.test(name)) return ['a@shop.example', 'nobody', 'ä@ö.example'];
  if (/country/i.test(name)) return ['DE', 'US', 'XX'];
  if (/language/i.test(name)) return ['en', 'de', 'auto', 'tlh'];
  if (/^(?:from|to|time.*|date)$/i.test(name))
    return ['2026-01-01T00:00:00Z', '2026-01-01', '0', 'now'];
  if (/limit|blocks|depth|seconds|wait|parts/i.test(name)) return ['1', '2', '0', '-1', '251', 'x'];
  if (/cursor/i.test(name)) return ['MjAyNi0xMS0yMVQxMDowMDowMFogYWJj', 'nonsense'];
  if (/address|account/i.test(name))
    return ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'nowhere'];
  return [];
}

const nasty = fc.constantFrom(
  '',
  '\u0000',
  '\ud800',
  '💶',
  'a'.repeat(300),
  "' or 1=1 --",
  '__proto__',
);

function anyText(name: string): fc.Arbitrary<string> {
  const words = wordsFor(name);
  const free = fc.oneof({ weight: 3, arbitrary: fc.string() }, { weight: 1, arbitrary: nasty });
  if (words.length === 0) return free;
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: free },
  );
}

const anyNumber = fc.oneof(
  fc.integer({ min: -2, max: 5 }),
  fc.constantFrom(1e21, 0.1, -0.5, 1e-9, 999_999_999),
);

export function valueFor(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valueFor(one, name, depth)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return fc.oneof(...types.map((type) => ofType(type, schema, name, depth)));
}

function ofType(type: string, schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return anyText(name);
    case 'number':
      return anyNumber;
    case 'integer':
      return fc.integer({ min: -2, max: 5 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, name, depth + 1), { maxLength: 3 });
    case 'object':
      return schema.properties === undefined
        ? fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
        : objectOf(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Mostly with all that is required, and with few of the others. */
function objectOf(
  { properties = {}, required = [] }: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valueFor(member, name, depth + 1)]),
  );
  const needed = Object.entries(members).filter(([name]) => required.includes(name));
  const whole = fc
    .tuple(
      fc.record(Object.fromEntries(needed)),
      fc.record(members),
      fc.subarray(Object.keys(members)),
    )
    .map(([least, all, chosen]) => {
      const extra = chosen.slice(0, 2).map((name) => [name, all[name]]);
      return { ...Object.fromEntries(extra), ...least };
    });
  const partial = fc.record(members, { requiredKeys: [] });
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: partial });
}
