// Examples of what is sent: what was recorded, or else made-up values of the shapes that the
// document of the API describes.

import { LATEST_VERSION } from '#versions/api-version.ts';
import type { ApiReference, ReferenceContent, ShownSchema } from './api-reference.ts';

const DEPTH_MOST = 6;

/** By the name of the field, where the schema alone would say "text". */
const EXAMPLES: readonly (readonly [name: RegExp, example: string])[] = [
  [/^apiVersion$/, LATEST_VERSION],
  [/^id$|Id$/, 'k3v9x0q2m7ab'],
  [/assetId|Asset$/, 'LTC:NATIVE'],
  [/network$|blockchain$/i, 'LITECOIN'],
  [/assetCode$|currency/i, 'EUR'],
  [/amount|total|fee|balance|available|pending|owed/i, '10.00'],
  [/url|webhook|link/i, 'https://shop.example/hook'],
  [/time|timestamp|created|at$/i, '2026-01-31T12:00:00.000Z'],
  [/email/i, 'buyer@shop.example'],
  [/address/i, 'ltc1q…'],
  [/tx$|transaction/i, '9f2c…'],
  [/description|label|name/i, 'A good book'],
];

/** What was recorded of it, or else a value of its shape. */
export function exampleIn({ 'application/json': { schema, examples = {} } }: ReferenceContent) {
  const [recorded] = Object.values(examples);
  return recorded === undefined ? exampleOf(schema) : recorded.value;
}

/** A value of the shape that a schema describes: what is required, and nothing that may be null. */
function exampleOf(schema: ShownSchema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first, name, depth);
  const type = typeof schema.type === 'string' ? schema.type : (schema.type ?? ['any'])[0];
  switch (type) {
    case 'string':
      return exampleText(schema, name);
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

/** By its name, or else any that the pattern lets be. */
function exampleText({ pattern }: ShownSchema, name: string): string {
  const byName = EXAMPLES.filter(([one]) => one.test(name)).map(([, example]) => example);
  const candidates = [...byName, 'text', '1', ...EXAMPLES.map(([, example]) => example)];
  const isRight = (text: string) => pattern === undefined || new RegExp(pattern, 'u').test(text);
  return candidates.find(isRight) ?? 'text';
}

function objectOf({ properties = {}, required = [] }: ShownSchema, depth: number): object {
  const shown = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    shown.map(([name, member]) => [name, exampleOf(member, name, depth + 1)]),
  );
}

type EventExample = {
  readonly summary: string;
  readonly body: { readonly data: object };
};

/** When an event is told, and a body that it may have; undefined where there is no such event. */
export function exampleEvent({ webhooks }: ApiReference, type: string): EventExample | undefined {
  const told = webhooks[type]?.post;
  if (told === undefined) return undefined;
  const body = exampleIn(told.requestBody.content);
  return { summary: told.summary, body: body as EventExample['body'] };
}
