// Schemas over exact JSON: zod says what a value must look like (and becomes the OpenAPI document),
// this file adds what zod cannot know: numbers that keep their text, lengths in code points, faults
// in our words with their JSON path, and unknown names that are probably misspelled.
//
// Guarantees: `checkShape` reports every fault of shape at once, never the first only.
import { z } from 'zod';
import { codePointLength } from '#base/text.ts';
import { type Decimal, tryParseDecimal } from './decimal.ts';
import { ExactNumber, isJsonObject, stringifyExact } from './exact-json.ts';

export type Path = readonly PropertyKey[];

/** An object with these fields; others are let through unread (api-contract.md 5). */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  // An exact number is an object to zod: shown to it as a number it gets the right fault.
  return z.preprocess(
    (value) => (value instanceof ExactNumber ? Number.NaN : value),
    z.object(shape),
  );
}

/** Text of at most `max` Unicode code points. */
export function textUpTo(max: number) {
  return z
    .string()
    .refine((value) => codePointLength(value) <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max });
}

/**
 * A JSON number or its text ("0.0825"), exact; `rule` says what else is wrong with it, in words
 * that follow the path. Digits: at most 18 before and 18 after the point.
 */
export function numeric(rule: (value: Decimal) => string | undefined = () => undefined) {
  return z
    .any()
    .transform((value: unknown, context): Decimal => {
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      if (value === undefined || value === null) return refuse('is required');
      const source = value instanceof ExactNumber ? value.text : value;
      if (typeof source !== 'string') return refuse('must be a number');
      const decimal = tryParseDecimal(source);
      if (decimal === undefined) {
        return refuse('must be a number with at most 18 digits before and 18 after the point');
      }
      const fault = rule(decimal);
      return fault === undefined ? decimal : refuse(fault);
    })
    .meta({ type: 'string', pattern: '^-?[0-9]' });
}

const URL_MAX = 2048;

/** http and https only. */
export const webUrl = textUpTo(URL_MAX).superRefine((address, context) => {
  const fault = urlFault(address);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** http and https only; credentials in an address end up in logs. Whitespace would be dropped. */
function urlFault(address: string): string | undefined {
  const parsed = /[\s\\\p{Cc}]/u.test(address) ? null : URL.parse(address);
  if (parsed === null) return 'must be an absolute URL';
  if (!/^https?:\/\//i.test(address)) return 'must be an http or https URL';
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain credentials';
  return undefined;
}

const META_BYTES_MAX = 16 * 1024;

/** The merchant's own data. To echo it exactly keep the text of the value as it came. */
export const metaObject = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => Buffer.byteLength(stringifyExact(value)) <= META_BYTES_MAX,
    `must have at most ${META_BYTES_MAX} bytes`,
  )
  .meta({ id: 'JsonObject' });

/**
 * What need not be given. `null` and absent are the same thing to existing clients, and PHP sends
 * an empty list for an object and an empty text for one that is not set (api-contract.md 5).
 */
export function omittable<Schema extends z.ZodType>(schema: Schema) {
  const isList = plainSchema(schema) instanceof z.ZodArray;
  const isSaid = (value: unknown) => isGiven(value) || (isList && value !== '');
  const whole = z.preprocess(
    (value) => (isSaid(value) ? value : undefined),
    schema.nullish().transform((value) => value ?? undefined),
  );
  // What these layers come to, without a payload and a call for each of them: most fields of most
  // requests are absent. A schema made of this one with a check has its layers again.
  const read: typeof whole._zod.run = (payload, context) => {
    const { value } = payload;
    if (value !== null && value !== undefined && isSaid(value)) {
      return schema._zod.run(payload, context) as ReturnType<typeof read>;
    }
    payload.value = undefined;
    return payload as ReturnType<typeof read>;
  };
  whole._zod.parse = read;
  whole._zod.run = read;
  return whole;
}

/** Whether a value of a request says anything: `null`, an empty text and an empty list do not. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

/**
 * The value in the schema's form, or undefined after adding one sentence a fault to `faults`.
 * `path` is where the value stands in the request.
 */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  faults: string[],
  path: Path = [],
): z.output<Schema> | undefined {
  const found: string[] = [];
  const result = schema.safeParse(value, { error: issueInWords });
  for (const issue of result.error?.issues ?? []) {
    found.push(faultAt([...path, ...issue.path], issue.message));
  }
  if (hasUnknownNames(schema, value)) collectNearMisses(schema, value, path, found);
  faults.push(...found);
  return found.length === 0 ? result.data : undefined;
}

/** `charge.lineItems[2].netAmount: is required`. */
export function faultAt(path: Path, message: string): string {
  return `${path.length === 0 ? 'the request body' : pathText(path)}: ${message}`;
}

function pathText(path: Path): string {
  let shown = '';
  for (const step of path) {
    if (typeof step === 'number') shown += `[${step}]`;
    else if (!/^\w+$/.test(String(step))) shown += `[${JSON.stringify(step)}]`;
    else shown += shown === '' ? String(step) : `.${String(step)}`;
  }
  return shown;
}

const EXPECTED: Record<string, string> = {
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

function issueInWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const isAbsent = issue.input === undefined || issue.input === null;
      return isAbsent ? 'is required' : (EXPECTED[issue.expected] ?? 'has the wrong type');
    }
    case 'too_big':
      return `must have at most ${issue.maximum} entries`;
    case 'too_small':
      return `must have at least ${issue.minimum} entries`;
    case 'invalid_value':
      return issue.input === undefined || issue.input === null
        ? 'is required'
        : `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message ?? 'is not valid';
  }
}

/** Most requests have none, and then no path is needed. */
function hasUnknownNames(schema: z.core.$ZodType, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { element, shape } = partsOf(schema);
  if (Array.isArray(value)) {
    return element !== undefined && value.some((entry) => hasUnknownNames(element, entry));
  }
  if (shape === undefined || value instanceof ExactNumber) return false;
  for (const name of Object.keys(value)) {
    const field = shape.get(name);
    if (field === undefined) return true;
    if (hasUnknownNames(field, (value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

type Parts = {
  /** Of a list. */
  readonly element: z.core.$ZodType | undefined;
  /** Of an object. */
  readonly shape: ReadonlyMap<string, z.core.$ZodType> | undefined;
};

const partsOfSchemas = new WeakMap<z.core.$ZodType, Parts>();

function partsOf(schema: z.core.$ZodType): Parts {
  const known = partsOfSchemas.get(schema);
  if (known !== undefined) return known;
  const plain = plainSchema(schema);
  const parts = {
    element: plain instanceof z.ZodArray ? plain.element : undefined,
    shape: plain instanceof z.ZodObject ? new Map(Object.entries(plain.shape)) : undefined,
  };
  partsOfSchemas.set(schema, parts);
  return parts;
}

function collectNearMisses(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  faults: string[],
): void {
  const plain = plainSchema(schema);
  if (plain instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((entry, index) => {
      collectNearMisses(plain.element, entry, [...path, index], faults);
    });
  }
  if (!(plain instanceof z.ZodObject) || !isJsonObject(value)) return;
  const { shape } = plain;
  for (const [name, entry] of Object.entries(value)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) {
      if (typeof entry === 'object') collectNearMisses(field, entry, [...path, name], faults);
      continue;
    }
    const meant = Object.keys(shape).find((candidate) => isNearMiss(name, candidate));
    if (meant !== undefined)
      faults.push(faultAt([...path, name], `is unknown, ${meant} is probably meant`));
  }
}

/** Schemas are made once, requests come all the time. */
const plainSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

function plainSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const known = plainSchemas.get(schema);
  if (known !== undefined) return known;
  const plain = unwrap(schema);
  plainSchemas.set(schema, plain);
  return plain;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema._zod.def.innerType);
  }
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema._zod.def;
    return unwrap(before instanceof z.ZodTransform ? after : before);
  }
  return schema;
}

const UNKNOWN_NAME_MAX = 40;

/** The same letters in another case or with other separators, or one typing slip away. */
function isNearMiss(name: string, known: string): boolean {
  if (name.length > UNKNOWN_NAME_MAX) return false;
  const [one, other] = [name, known].map((word) => word.replaceAll(/[_-]/g, '').toLowerCase());
  if (one === undefined || other === undefined) return false;
  return one === other || (known.length >= 5 && isOneSlipAway(one, other));
}

/** One letter added, left out or replaced, or two neighbours swapped. */
function isOneSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isSwapped && short.slice(at + 2) === long.slice(at + 2);
}
