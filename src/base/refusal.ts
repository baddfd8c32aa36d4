// The two failures that are not bugs. A Refusal is the caller's fault and is told to the caller; an
// Outage is somebody else being down and is worth a later attempt.
import { assert } from './assert.ts';

/** Every kind, with the HTTP status that the API and the pages answer (api-contract.md 2). */
export const STATUS_OF_REFUSAL = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  'too-large': 413,
  conflict: 409,
  mismatch: 422,
  'too-many': 429,
  /** The request is right, but nothing here can do it now. Nothing was moved. */
  unavailable: 503,
} as const;
export type RefusalKind = keyof typeof STATUS_OF_REFUSAL;

type RefusalOptions = ErrorOptions & { readonly retryAfterSeconds?: number };

/**
 * The details go to the caller word for word, so they hold no secret and nothing about our insides.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** Stable machine code in snake_case, sent as the header X-Error-Code. */
  readonly code: string;
  /** One sentence per fault, each naming the field it is about where there is one. */
  readonly details: readonly string[];
  readonly retryAfterSeconds?: number;

  constructor(
    kind: RefusalKind,
    code: string,
    details: string | readonly string[],
    { retryAfterSeconds, ...options }: RefusalOptions = {},
  ) {
    const list = typeof details === 'string' ? [details] : [...details];
    assert(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code), `refusal code is not snake_case: ${code}`);
    assert(list.length > 0, `refusal ${code} says nothing`);
    super(list.join('; '), options);
    this.name = 'Refusal';
    this.kind = kind;
    this.code = code;
    this.details = list;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Something we depend on does not answer, or not usefully. `what` names it: 'database', a chain.
 */
export class Outage extends Error {
  readonly what: string;
  /** It is at work on its own recovery: nobody has to look at it. */
  readonly endsByItself: boolean;
  readonly retryAfterSeconds?: number;

  constructor(
    what: string,
    {
      retryAfterSeconds,
      endsByItself = false,
      ...options
    }: RefusalOptions & { readonly endsByItself?: boolean } = {},
  ) {
    const { cause } = options;
    super(cause instanceof Error ? `${what}: ${cause.message}` : `${what} is unavailable`, options);
    this.name = 'Outage';
    this.what = what;
    this.endsByItself = endsByItself;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const SHOWN_MOST = 16;
const NEAREST_MOST = 4;
const GIVEN_MOST = 64;

/**
 * What a refusal of an unknown value says would be accepted: all of it where that is short, else
 * what is nearest to what was given, and where the whole list is. `accepted are: A, B`, or `nearest
 * are: A, B; all are in GET /assets`.
 */
export function acceptedText(given: string, accepted: readonly string[], where: string): string {
  if (accepted.length <= SHOWN_MOST) return `accepted are: ${accepted.join(', ')}`;
  const wanted = given.slice(0, GIVEN_MOST).toUpperCase();
  const near = accepted
    .map((value) => ({ value, apart: distance(wanted, value.slice(0, GIVEN_MOST).toUpperCase()) }))
    .toSorted((one, other) => one.apart - other.apart)
    .slice(0, NEAREST_MOST);
  return `nearest are: ${near.map(({ value }) => value).join(', ')}; all are in ${where}`;
}

/** Letters to add, leave out or replace. A text that merely goes on longer counts little. */
function distance(one: string, other: string): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.startsWith(short)) return 0.5;
  let before = Array.from({ length: long.length + 1 }, (_, index) => index);
  for (let row = 1; row <= short.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= long.length; at += 1) {
      const replaced = (before[at - 1] ?? 0) + (short[row - 1] === long[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (before[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}
