// Schemas of zod as JSON Schema of the OpenAPI document: what has a name (`meta({ id })`) becomes a
// component that is referred to, so that generated clients have one type for it. What zod cannot
// say is checked all the same: the document then promises less than is checked.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { assert } from '#base/assert.ts';
import { isDeprecated } from '#versions/deprecations.ts';
import { meaningOf } from './descriptions/meaning-of.ts';

export type JsonSchema = { readonly [name: string]: unknown };

type ObjectSchema = JsonSchema & {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
};

/** By name: those that some schema referred to. */
export type NamedSchemas = Map<string, JsonSchema>;

/**
 * Beside a reference: what narrows the component there. Generators of clients take properties
 * beside a reference for another type of the same thing.
 */
export const OF_THIS_TYPE = 'x-of-this-type';

const REFERENCE = '#/components/schemas/';

/** Of an id. */
const ID_LENGTH = 12;

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
    named.set(name, known === undefined ? made : joined(known, made));
  }
  return tidy(rest) as JsonSchema;
}

/**
 * One type for what is sent and what is answered, or listed and shown whole: always there is what
 * both always have, and a bound that only one of them has is not told.
 */
function joined(one: ObjectSchema, other: ObjectSchema): ObjectSchema {
  if (isDeepStrictEqual(one, other)) return one;
  const { properties, required = [], ...rest } = one;
  assert(properties !== undefined && other.properties !== undefined, 'two schemas have one name');
  const both = Object.entries(properties).map(([name, member]) => {
    const like = other.properties?.[name];
    return [name, like === undefined ? member : joinedMember(member, like)];
  });
  return {
    ...rest,
    properties: { ...other.properties, ...Object.fromEntries(both) },
    required: required.filter((name) => other.required?.includes(name)),
  };
}

function joinedMember(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [choice, plain] = [one, other].toSorted((_, second) => (second.anyOf ? 1 : -1));
  if (choice && plain && isOrNull(choice, plain)) return choice;
  const types = [...new Set([one.type, other.type].flat())];
  const alike = Object.entries(one).filter(
    ([name, said]) => name === 'description' || isDeepStrictEqual(said, other[name]),
  );
  return {
    ...Object.fromEntries(alike),
    ...(one.items !== undefined &&
      other.items !== undefined && {
        items: joinedMember(one.items as JsonSchema, other.items as JsonSchema),
      }),
    ...(one.type !== undefined && { type: types.length === 1 ? types[0] : types }),
  };
}

/** Whether it is the same, or null. */
function isOrNull({ anyOf }: JsonSchema, { description: _, ...plain }: JsonSchema): boolean {
  const [only, none, ...more] = (anyOf ?? []) as readonly JsonSchema[];
  return isDeepStrictEqual(only, plain) && none?.type === 'null' && more.length === 0;
}

/** With what each field means. */
function described(owner: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema };
  };
  if (properties === undefined) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const description = meaningOf(owner, name, member.description);
    const said = {
      ...(description !== undefined && { description }),
      ...(isDeprecated(owner, name) && { deprecated: true }),
    };
    return [name, { ...member, ...said }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/** The same, said in the way that generators of clients read best. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const {
    $ref,
    const: always,
    additionalProperties,
    propertyNames,
    minimum,
    maximum,
    pattern,
    minLength,
    maxLength,
    ...rest
  } = value as { readonly [name: string]: unknown };
  const others = Object.entries(rest).map(([name, member]) => [name, tidy(member)]);
  return withoutChoice({
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/$defs/', REFERENCE) }),
    ...Object.fromEntries(others),
    // Of a boolean that is always true or false, generators for Java make a type of texts.
    ...(always !== undefined && typeof always !== 'boolean' && { const: always }),
    // Fields are added within a version: a client that refuses them would break.
    ...(isSaid(additionalProperties) && { additionalProperties: tidy(additionalProperties) }),
    ...lengths({ minLength, maxLength }),
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
    ...(hasPattern(rest) && pattern !== undefined && { pattern: tidy(pattern) }),
    ...(rest.type === 'integer' && { format: 'int64' }),
  });
}

/** Both bounds, where they are given: but not those of ids, whose shape is said in words. */
function lengths({ minLength, maxLength }: JsonSchema): JsonSchema {
  if (minLength === ID_LENGTH && maxLength === ID_LENGTH) return {};
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
}

/** What has a format says more by that, and the digits of a whole number say nothing. */
function hasPattern({ format, type }: JsonSchema): boolean {
  return format === undefined && type !== 'integer';
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
