// What the document says is always there, may be absent or may be null is what the code checks and
// what was recorded. The code is asked by trying: whether a field takes nothing at all, or null; the
// document is made in another way (json-schema.ts), so that a fault of either is seen here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { BASE_PATH, type Endpoint } from '#api/endpoint.ts';
import { EVENT_GROUPS } from '#api/event-schemas.ts';
import { RECORDED_FILE, type RecordedExamples } from '#api/examples/recorded-examples.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import type { Golden } from '#test/support/golden-answers.ts';

type Shape = { readonly [name: string]: z.ZodType };
type Tree = { readonly [name: string]: unknown };
type Component = {
  readonly properties?: { readonly [name: string]: Tree };
  readonly required?: readonly string[];
};

/** Optional in the code, and in each recorded answer nevertheless: why it is no rule. */
const BY_CHANCE: { readonly [field: string]: string } = {
  'BeneficiaryAccount.address': 'banks and Lightning have none',
  'Deposit.meta': 'its address had some',
  'MisdirectedPayment.reason': 'in the other flag of the same type',
  'ReturnLinks.cancelUrl': 'the request that is repeated had one',
  'ReturnLinks.returnUrl': 'the request that is repeated had one',
  'SettlementSchedule.day': 'no daily one was recorded',
};

/** In an answer that repeats a request, whatever else that had is repeated too. */
const REPEATED = 'CheckoutPayload';

const document = openApiDocument(ROUTES, 'http://pay.example');
const components = document.components.schemas as { readonly [name: string]: Component };

const kindOf = ({ def }: z.ZodType) => (def as { readonly type: string }).type;

/** What stands in it directly: of an object its fields, of whatever wraps another that one. */
function partsOf(schema: z.ZodType): readonly z.ZodType[] {
  const {
    shape,
    element,
    valueType,
    innerType,
    options,
    in: first,
    out,
    left,
    right,
  } = schema.def as unknown as Record<string, z.ZodType> & {
    readonly shape?: Shape;
    readonly options?: readonly z.ZodType[];
  };
  const parts = [element, valueType, innerType, first, out, left, right, ...(options ?? [])];
  return [...Object.values(shape ?? {}), ...parts.filter((one) => one !== undefined)];
}

/** The fields of an object, also of one that is read by way of something else (`fields`). */
function shapeOf(schema: z.ZodType): Shape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape as Shape;
  return schema instanceof z.ZodPipe ? shapeOf(schema.out as z.ZodType) : undefined;
}

/** Every object with a name in what is asked and answered, by its name. */
function namedShapes(): Map<string, Set<Shape>> {
  const found = new Map<string, Set<Shape>>();
  const seen = new Set<z.ZodType>();
  const look = (schema: z.ZodType) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const [name, shape] = [z.globalRegistry.get(schema)?.id, shapeOf(schema)];
    if (name !== undefined && shape !== undefined) {
      found.set(name, (found.get(name) ?? new Set()).add(shape));
    }
    for (const part of partsOf(schema)) look(part);
  };
  for (const { request, documented = request, response } of ROUTES) {
    for (const one of [documented, response]) if (one !== undefined) look(one);
  }
  for (const { schema } of EVENT_GROUPS) look(schema);
  return found;
}

const mayBeAbsent = (schema: z.ZodType | undefined) =>
  schema === undefined || schema.safeParse(undefined).success;
const mayBeNull = (schema: z.ZodType | undefined) => schema?.safeParse(null).success === true;

function saysNull({ type, anyOf, $ref, const: always, enum: listed }: Tree): boolean {
  if (Array.isArray(anyOf)) return anyOf.some(saysNull);
  if (type === undefined) return $ref === undefined && always === undefined && listed === undefined;
  return [type].flat().includes('null');
}

test('what the document requires, and where it allows null, is what the code checks', () => {
  const shapes = namedShapes();
  assert.ok(shapes.size > 120, `${shapes.size} objects have a name`);
  const said: string[] = [];
  const checked: string[] = [];
  for (const [name, found] of shapes) {
    const { properties = {}, required = [] } = components[name] ?? {};
    const fields = new Set([...found].flatMap((shape) => Object.keys(shape)));
    for (const [field, told] of Object.entries(properties)) {
      const mark = saysNull(told) ? ' or null' : '';
      said.push(`${name}.${field}${required.includes(field) ? '' : '?'}${mark}`);
    }
    for (const field of fields) {
      const schemas = [...found].map((shape) => shape[field]);
      const mark = schemas.some(mayBeNull) ? ' or null' : '';
      checked.push(`${name}.${field}${schemas.some(mayBeAbsent) ? '?' : ''}${mark}`);
    }
  }
  assert.deepEqual(said.sort(), checked.sort());
});

test('a parameter of a query is required where the code refuses a call without it', () => {
  const { paths } = inlineReferences(document);
  const asked = ROUTES.filter(({ method }) => method === 'GET');
  let count = 0;
  for (const { path, operationId, request, documented = request } of asked) {
    const { parameters = [] } = paths[path]?.get ?? {};
    for (const [name, schema] of Object.entries((documented && shapeOf(documented)) ?? {})) {
      const told = parameters.find((one) => one.in === 'query' && one.name === name);
      assert.ok(told !== undefined, `${operationId} ${name}`);
      assert.equal(told.required === true, !mayBeAbsent(schema), `${operationId} ${name}`);
      count += 1;
    }
  }
  assert.ok(count > 50, `${count} parameters`);
});

/** Of each object that was answered: how often, and how often with each field that it may lack. */
type Counts = Map<string, { all: number; readonly optional: Map<string, number> }>;

type Found = { readonly counts: Counts; readonly faults: Set<string> };

function look(found: Found, schema: z.ZodType, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const shape = shapeOf(schema);
  const name = z.globalRegistry.get(schema)?.id;
  if (shape !== undefined && name !== undefined) {
    note(found, name, shape, value as Tree);
    return;
  }
  const isMany = ['array', 'record'].includes(kindOf(schema));
  for (const part of partsOf(schema)) {
    for (const one of isMany ? Object.values(value) : [value]) look(found, part, one);
  }
}

function note({ counts, faults }: Found, name: string, shape: Shape, value: Tree): void {
  const { properties = {}, required = [] } = components[name] ?? {};
  const known = counts.get(name) ?? { all: 0, optional: new Map<string, number>() };
  known.all += 1;
  counts.set(name, known);
  for (const field of required) {
    if (!(field in value)) faults.add(`${name}.${field} is required and absent`);
  }
  for (const [field, one] of Object.entries(value)) {
    const [told, schema] = [properties[field], shape[field]];
    const isKnown = told !== undefined && schema !== undefined;
    if (!isKnown && name !== REPEATED) faults.add(`${name}.${field} is not documented`);
    if (!isKnown) continue;
    if (one === null && !saysNull(told)) faults.add(`${name}.${field} is null`);
    if (mayBeAbsent(schema)) known.optional.set(field, (known.optional.get(field) ?? 0) + 1);
    look({ counts, faults }, schema, one);
  }
}

function routeOf(request: string): Endpoint | undefined {
  const [method, target = ''] = request.split(' ');
  const path = target.split('?')[0]?.replace(BASE_PATH, '') ?? '';
  const template = path.replace(/\/[a-z0-9]{12}(?=\/)/, '/{id}');
  return ROUTES.find((one) => one.method === method && [path, template].includes(one.path));
}

test('what is required is in every recorded answer, and what is in each of them is required', () => {
  const answers = ['api-answers', 'api-account-answers'].flatMap(
    (name) =>
      JSON.parse(
        readFileSync(join(import.meta.dirname, `${name}.golden.json`), 'utf8'),
      ) as Golden[],
  );
  const { events } = JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedExamples;
  const found: Found = { counts: new Map(), faults: new Set() };
  for (const { request, status, answer } of answers) {
    const route = routeOf(request);
    if (status === 200 && route !== undefined) look(found, route.response, answer);
  }
  for (const [type, body] of Object.entries(events)) {
    const group = EVENT_GROUPS.find(({ types }) => types.some((one) => one === type));
    if (group !== undefined) look(found, group.schema, body);
  }
  assert.deepEqual([...found.faults], []);
  assert.ok(found.counts.size > 80, `${found.counts.size} objects were answered`);
  const always = [...found.counts].flatMap(([name, { all, optional }]) =>
    [...optional].filter(([, times]) => times === all).map(([field]) => `${name}.${field}`),
  );
  assert.deepEqual(always.sort(), Object.keys(BY_CHANCE).sort());
});
