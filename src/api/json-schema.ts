// Schemas of zod as JSON Schema of the OpenAPI document: what has a name (`meta({ id })`) becomes a
// component that is referred to, so that generated clients have one type for it. What zod cannot
// say is checked all the same: the document then promises less than is checked.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { assert } from '#base/assert.ts';
import { meaningOf } from './descriptions/meaning-of.ts';

export type JsonSchema = { readonly [name: string]: unknown };

/** By name: those that some schema referred to. */
export type NamedSchemas = Map<string, JsonSchema>;

const REFERENCE = '#/components/schemas/';

/** Adds what it refers to to `named`. */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  named: NamedSchemas,
): JsonSchema {
  const { $schema, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  for (const [name, definition] of Object.entries($defs)) {
    const { id, ...tidied } = tidy(definition) as JsonSchema;
    const made = described(name, tidied);
    const known = named.get(name);
    assert(known === undefined || isDeepStrictEqual(known, made), `two schemas are ${name}`);
    named.set(name, made);
  }
  return tidy(rest) as JsonSchema;
}

/** With what each field means. */
function described(owner: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema };
  };
  if (properties === undefined) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const description = meaningOf(owner, name) ?? member.description;
    return [name, { ...member, ...(description !== undefined && { description }) }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/** The same, said in the way that generators of clients read best. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, additionalProperties, propertyNames, minimum, maximum, pattern, ...rest } =
    value as { readonly [name: string]: unknown };
  const others = Object.entries(rest).map(([name, member]) => [name, tidy(member)]);
  return withoutChoice({
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/$defs/', REFERENCE) }),
    ...Object.fromEntries(others),
    // Fields are added within a version: a client that refuses them would break.
    ...(isSaid(additionalProperties) && { additionalProperties: tidy(additionalProperties) }),
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    ...(rest.format === undefined && pattern !== undefined && { pattern: tidy(pattern) }),
    ...(rest.type === 'integer' && { format: 'int64' }),
  });
}

function isSaid(additional: unknown): boolean {
  return additional !== undefined && additional !== false;
}

/** Beyond is what JSON cannot hold exactly, which says nothing. */
function isBound(limit: unknown): boolean {
  return typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}

/** `string or null` as one type of two. */
function withoutChoice(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly JsonSchema[] };
  if (anyOf?.length !== 2) return schema;
  const [one = {}, none] = anyOf;
  const isSimple = typeof one.type === 'string' && one.enum === undefined;
  if (!isSimple || none?.type !== 'null') return schema;
  return { ...one, ...rest, type: [one.type, 'null'] };
}
