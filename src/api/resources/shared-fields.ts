// Fields of requests and answers that several resources have.

import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { isId } from '#base/id.ts';
import { acceptedText, Refusal } from '#base/refusal.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { findNetwork, networkIds } from '#catalog/network.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { isNegative, isZero } from '#money/decimal.ts';
import { faultAt, fields, numeric, omittable, textUpTo } from '#money/exact-schema.ts';
import { refuseTarget, type TargetAdmission } from '#webhook/admit-target.ts';

const LIMIT_INITIAL = 50;
const LIMIT_MAX = 250;
const CURSOR_LENGTH_MAX = 200;
const TIME_LENGTH_MAX = 40;
const ID_LENGTH_MAX = 100;

/** Request of what is asked for by its id: any text, for what is no id names nothing. */
export const named = { id: textUpTo(ID_LENGTH_MAX) };

/** An id that is refused when it cannot be one. */
export const idField = z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9');

/** Request of what is done with a checkout as it stands. */
export const checkoutReference = fields({ checkoutId: idField }).meta({ id: 'CheckoutReference' });

/** An id in an answer. */
export const shownId = z.string().length(12);

/** In an answer: the name of an event. */
export const shownEventType = z.enum(EVENT_TYPES).meta({ id: 'EventType' });

/** Of one that pages and mails are there in: a code of `GET /languages`. */
export const languageField = z
  .enum(LANGUAGES.map(({ languageCode }) => languageCode))
  .meta({ id: 'PageLanguage' });

/** In an answer: any object of JSON. One type for all of them in generated clients. */
export const jsonObject = z.record(z.string(), z.unknown()).meta({ id: 'JsonObject' });

/** In an answer: echoed where it was given, value for value. */
export const metaAnswer = jsonObject.optional();

export const networkField = z
  .string()
  .refine(
    (id) => findNetwork(id) !== undefined,
    `is not a network id of GET /networks; ${acceptedText('', networkIds(), 'GET /networks')}`,
  );

export const amountAboveZero = numeric((value) =>
  isNegative(value) || isZero(value) ? 'must be greater than 0' : undefined,
);

/** A whole number in [min, max], as every number written as a number or as text. */
export function wholeNumber(max: number, min = 1) {
  return numeric((value) =>
    value.scale > 0 || value.coefficient < BigInt(min) || value.coefficient > BigInt(max)
      ? `must be a whole number from ${min} to ${max}`
      : undefined,
  ).meta({ type: 'integer', minimum: min, maximum: max });
}

/** How many rows a page of a list has, from 1 to `max`. `digits` allows no more than `max` has. */
export function limitField(max: number, initial: number) {
  const digits = `^[1-9][0-9]{0,${String(max).length - 1}}$`;
  return z
    .string()
    .refine(
      (value) => new RegExp(digits).test(value) && Number(value) <= max,
      `must be a whole number from 1 to ${max}`,
    )
    .meta({ pattern: digits, description: `1 to ${max}, ${initial} unless given` })
    .transform(Number);
}

/** For how many seconds an answer may be held until there is news. */
export function waitField(max: number) {
  return z
    .string()
    .refine((seconds) => /^\d{1,4}$/.test(seconds), 'must be a whole number of seconds')
    .refine((seconds) => Number(seconds) <= max, `must be at most ${max} seconds`)
    .transform(Number);
}

/** Pages of lists (api-contract.md 4), newest first: `fields({ ...pageQuery, ... })`. */
export const pageQuery = {
  limit: omittable(limitField(LIMIT_MAX, LIMIT_INITIAL)),
  cursor: omittable(
    textUpTo(CURSOR_LENGTH_MAX).meta({ description: '`nextCursor` of the page before' }),
  ),
};

/** Field of the answer of every list. */
export const nextCursor = z.string().nullable();

type Page = {
  readonly limit: number;
  /** The page begins after this row; undefined for the first page. */
  readonly cursor: PagePlace | undefined;
};

/** @throws Refusal invalid `cursor_invalid`. */
export function parsePage(input: {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}): Page {
  const { limit = LIMIT_INITIAL, cursor } = input;
  return { limit, cursor: cursor === undefined ? undefined : decodeCursor(cursor) };
}

/** A time of a query: ISO 8601 with offset, or a day, which begins at midnight UTC. */
export const timeQuery = textUpTo(TIME_LENGTH_MAX)
  .refine((value) => tryParseTime(value) !== undefined, 'must be a time like 2026-01-31T12:00:00Z')
  .meta({ format: 'date-time' })
  .transform(parseTime);

function parseTime(value: string): Temporal.Instant {
  return Temporal.Instant.from(value.length === 10 ? `${value}T00:00Z` : value);
}

/** Only years that every reader of them knows: Temporal and the database know others as well. */
function tryParseTime(value: string): Temporal.Instant | undefined {
  if (!/^[12]\d{3}-/.test(value)) return undefined;
  try {
    return parseTime(value);
  } catch {
    // Said by the schema, with the name of the parameter.
    return undefined;
  }
}

/** What a DELETE names its object by, at the top or inside the object (api-contract.md 5). */
export const deletionFields = { id: omittable(textUpTo(ID_LENGTH_MAX)) };

/** Request of what is done to one thing of its kind. */
export const idReference = fields({ id: idField }).meta({ id: 'IdReference' });

/**
 * The id of `{ id }` or `{ <object>: { id } }`.
 * @throws Refusal `validation_failed` when there is none or two that differ.
 */
export function deletedId(input: {
  readonly [name: string]: string | { readonly id: string | undefined } | undefined;
}): string {
  const given = Object.entries(input).flatMap(([name, value]) => {
    const id = typeof value === 'string' ? value : value?.id;
    return id === undefined ? [] : [{ path: name === 'id' ? ['id'] : [name, 'id'], id }];
  });
  const [first, second] = given;
  if (first === undefined) throw faulty(['id'], 'is required');
  if (second !== undefined && second.id !== first.id) throw faulty(second.path, 'differs from id');
  return first.id;
}

/** The refusal of one field of a request. */
export function faulty(path: readonly string[], message: string): Refusal {
  return new Refusal('invalid', 'validation_failed', faultAt(path, message));
}

/**
 * The check of a request's own `webhook`, to be made outside any transaction first: its answer is
 * kept, so that making it again asks nobody.
 */
export function admitWebhook(
  app: { readonly webhookTargets: TargetAdmission },
  { caller }: { readonly caller: Pick<Caller, 'environment'> },
  { webhook }: { readonly webhook?: string | undefined },
): () => Promise<void> {
  return () => refuseTarget(app, caller.environment, { path: 'webhook', url: webhook });
}

/** The sentences of what is wrong are those of every request. */
export async function inWords<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error;
    const faults = error.details.map((fault) => fault.replace(/^defaultL/, 'defaultPageL'));
    throw new Refusal('invalid', 'validation_failed', faults);
  }
}
