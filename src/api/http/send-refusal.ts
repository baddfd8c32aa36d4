// The one place where failures become HTTP: Refusal by its kind, Outage 503, everything else is our
// bug, 500. Guarantees: every failure has the shape { "errors": [..] } with a generic first wording
// (service.md, Errors; api-contract.md 2), and of a bug or an outage nothing but the request id
// leaves.

import type { Log } from '#base/log.ts';
import { Outage, Refusal, type RefusalKind, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { stringifyExact } from '#money/exact-json.ts';

/** A response before it meets the HTTP library. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const WORDING: Record<RefusalKind, string> = {
  invalid: 'Invalid request.',
  unauthenticated: 'Authentication failed.',
  forbidden: 'Access denied.',
  missing: 'Not found.',
  method: 'Method not allowed.',
  'too-large': 'Request too large.',
  conflict: 'Conflict.',
  mismatch: 'Idempotency key reused.',
  'too-many': 'Too many requests.',
  unavailable: 'Service unavailable.',
};

const OUTAGE_RETRY_SECONDS = 5;
/** Something is not connected in this installation: an operator has to act first. */
const MISSING_RETRY_SECONDS = 300;

/** Nothing under /api/ is ever cached, framed or sniffed. */
const COMMON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The answer to a request that succeeded: always 200 (api-contract.md 1). `body` is JSON text.
 */
export function successAnswer(
  body: string,
  requestId: string,
  extra: Readonly<Record<string, string>> = {},
): Answer {
  const headers = { ...COMMON_HEADERS, 'x-request-id': requestId, ...extra };
  return { status: 200, headers, body };
}

/**
 * The caller has what `successAnswer` would be: neither a body nor what describes one (RFC 9110,
 * section 15.4.5).
 */
export function notModifiedAnswer(
  requestId: string,
  extra: Readonly<Record<string, string>>,
): Answer {
  const { 'content-type': _, ...common } = COMMON_HEADERS;
  return { status: 304, headers: { ...common, 'x-request-id': requestId, ...extra }, body: '' };
}

/** `extra` headers are those only the place of failure knows, as `allow`. */
export function refusalAnswer(
  error: unknown,
  requestId: string,
  log: Log,
  extra: Readonly<Record<string, string>> = {},
): Answer {
  if (error instanceof Refusal) {
    const wording = WORDING[error.kind];
    const [first = '', ...others] = error.details;
    const isUnavailable = error.kind === 'unavailable';
    const retry = error.retryAfterSeconds ?? (isUnavailable ? MISSING_RETRY_SECONDS : undefined);
    return errorAnswer(
      STATUS_OF_REFUSAL[error.kind],
      error.code,
      [`${wording} ${first}`.trimEnd(), ...others],
      {
        'x-request-id': requestId,
        ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
        ...extra,
      },
    );
  }
  if (error instanceof Outage) {
    log.warn('answered 503', { requestId, what: error.what, error });
    const text = 'Service unavailable. Something this request depends on is down: try again later.';
    return errorAnswer(503, 'unavailable', [text], {
      'x-request-id': requestId,
      'retry-after': String(error.retryAfterSeconds ?? OUTAGE_RETRY_SECONDS),
      ...extra,
    });
  }
  log.error('answered 500', { requestId, error });
  const text = `Internal error. The failure was recorded under request id ${requestId}.`;
  return errorAnswer(500, 'internal', [text], { 'x-request-id': requestId, ...extra });
}

/** For failures below the level of requests, where there is no Refusal to map. */
export function errorAnswer(
  status: number,
  code: string,
  errors: readonly string[],
  headers: Readonly<Record<string, string>>,
): Answer {
  return {
    status,
    headers: { ...COMMON_HEADERS, 'x-error-code': code, ...headers },
    body: JSON.stringify({ errors }),
  };
}

// What an endpoint answers becomes the text of a body here: a document stays as it is, everything
// else becomes JSON, once for a value that is answered many times.

/** An answer that is no JSON: a document to be saved as a file. */
export class DocumentAnswer {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the page that it is; null on the last one. */
  readonly nextCursor: string | null;

  /** `fileName` and headers are our own words: nothing in them comes from a caller. */
  constructor(document: {
    readonly text: string;
    readonly contentType: string;
    readonly fileName: string;
    readonly nextCursor: string | null;
  }) {
    this.text = document.text;
    this.nextCursor = document.nextCursor;
    this.headers = {
      ...(document.nextCursor === null ? {} : { 'x-next-cursor': document.nextCursor }),
      'content-type': document.contentType,
      'content-disposition': `attachment; filename="${document.fileName}"`,
    };
  }
}

const SHARED = new WeakSet<object>();
const TEXTS = new WeakMap<object, string>();

/**
 * Marks a value that will be answered again as the same object: its text is made once. Whoever made
 * it never changes it.
 */
export function shareAnswer<Value extends object>(value: Value): Value {
  SHARED.add(value);
  return value;
}

export function textOfAnswer(value: object): string {
  if (value instanceof DocumentAnswer) return value.text;
  if (!SHARED.has(value)) return stringifyExact(value);
  const known = TEXTS.get(value);
  if (known !== undefined) return known;
  const text = stringifyExact(value);
  TEXTS.set(value, text);
  return text;
}
