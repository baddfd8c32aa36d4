// The parts of the OpenAPI document that many operations refer to.
import { LATEST_VERSION } from '#versions/api-version.ts';
import type { ErrorCode } from './error-codes.ts';
import type { JsonSchema } from './json-schema.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  /** Absent: it may be left out. */
  readonly required?: true;
  readonly description?: string;
  /** With `explode`, an object stands for parameters named by its keys. */
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
};

/** What was recorded, where it is shown. */
type Examples = { readonly [name: string]: { readonly value: unknown } };

export type Content = {
  readonly 'application/json': { readonly schema: JsonSchema; readonly examples?: Examples };
  readonly [mediaType: string]: { readonly schema: JsonSchema };
};

export type Reference = { readonly $ref: string };

export function refer(kind: string, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

export function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

export function mapValues<Value, Made>(
  object: { readonly [name: string]: Value },
  make: (value: Value, name: string) => Made,
): { readonly [name: string]: Made } {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, make(value, name)]),
  );
}

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'Every answer that is no success; its stable code stands in the header X-Error-Code.',
  properties: {
    errors: {
      type: 'array',
      description:
        'Sentences for a person: the first begins with the wording of the status, each fault of a ' +
        'request is one more, with its JSON path.',
      items: { type: 'string' },
      minItems: 1,
    },
  },
  required: ['errors'],
};

export const SHARED_PARAMETERS: { readonly [name: string]: Parameter } = {
  IdInPath: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Which one: twelve characters from a to z and 0 to 9.',
    schema: { type: 'string', pattern: '^[a-z0-9]{12}$' },
  },
  Limit: {
    name: 'limit',
    in: 'query',
    description: '1 to 250, 50 unless given',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,2}$' },
  },
  Cursor: {
    name: 'cursor',
    in: 'query',
    description: '`nextCursor` of the page before',
    schema: { type: 'string', maxLength: 200 },
  },
  IdInQuery: {
    name: 'id',
    in: 'query',
    required: true,
    description: 'Its id: 12 characters.',
    schema: { type: 'string', maxLength: 100 },
  },
  From: {
    name: 'from',
    in: 'query',
    description:
      'From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC.',
    schema: { type: 'string', format: 'date-time', maxLength: 40 },
  },
  To: {
    name: 'to',
    in: 'query',
    description: 'Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC.',
    schema: { type: 'string', format: 'date-time', maxLength: 40 },
  },
  Rows: {
    name: 'limit',
    in: 'query',
    description: 'Rows of a page: 1 to 5,000, 1,000 unless given.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,3}$' },
  },
  Format: {
    name: 'format',
    in: 'query',
    description: 'As JSON unless given; `csv` as a table.',
    schema: { type: 'string', enum: ['json', 'csv'] },
  },
  WebhookAuth: {
    name: 'X-Webhook-Auth',
    in: 'header',
    description:
      'Lower-case hex SHA-256 over the API secret directly followed by the raw body; absent when ' +
      'there is no such key.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event: the same at each attempt.',
    schema: { type: 'string', pattern: '^[a-z0-9]{12}$' },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Unix seconds of this attempt.',
    schema: { type: 'string', pattern: '^[0-9]{10}$' },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Standard Webhooks: v1, and base64 HMAC-SHA256 over id.timestamp.body, keyed with the base64 ' +
      'part of the `whsec_…` secret; two of them, with a space between, while the secret rotates.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)?$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same body answers what was answered before.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
  },
  Version: {
    name: 'Quittance-Version',
    in: 'header',
    description:
      'Dated version: that a request is written for, unless given that of its key; that a webhook ' +
      'is told in.',
    schema: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', example: LATEST_VERSION },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an answer that you kept: 304 when it would come again.',
    schema: { type: 'string' },
  },
};

/** Sent with conditional answers, whether or not the caller has them. */
const NOT_MODIFIED = {
  description: 'The caller has the answer whose ETag it named: there is no body',
  headers: {
    'X-Request-Id': refer('headers', 'RequestId'),
    'Quittance-Version': refer('headers', 'Version'),
    ETag: refer('headers', 'ETag'),
  },
};

const header = (description: string, schema: JsonSchema) => ({ description, schema });

export const SHARED_HEADERS: { readonly [name: string]: object } = {
  RequestId: header('Names this request to whoever runs the service.', {
    type: 'string',
    pattern: '^[a-z0-9]{12}$',
  }),
  ErrorCode: header('The stable code of what went wrong: one of x-error-codes.', {
    type: 'string',
  }),
  RetryAfter: header('Seconds after which to ask again.', { type: 'string', pattern: '^[0-9]+$' }),
  ETag: header('Names these very bytes: send it as If-None-Match.', { type: 'string' }),
  Link: header('RFC 8288: `next` unless it is the last page, and `first`, with the same filters.', {
    type: 'string',
  }),
  RateLimitPolicy: header(
    'How many calls a limit allows (`q`) in how many seconds (`w`), as in ' +
      'draft-ietf-httpapi-ratelimit-headers-11.',
    { type: 'string', example: '"address";q=600;w=60, "key";q=300;w=60' },
  ),
  RateLimit: header(
    'How many calls are left (`r`), and in how many seconds it is one more (`t`).',
    {
      type: 'string',
      example: '"address";r=598;t=1, "key";r=299;t=1',
    },
  ),
  Version: header('Dated version that this is answered in.', {
    type: 'string',
    example: LATEST_VERSION,
  }),
  NextCursor: header('`cursor` of the next page, where the answer is a document.', {
    type: 'string',
  }),
  IdempotentReplayed: header('There when an earlier answer is given again.', {
    type: 'string',
    const: 'true',
  }),
};

/**
 * With the codes that are meant. The first of a status is that of operations that name codes of
 * their own; the others are there because many operations share them.
 */
const RESPONSES: readonly (readonly [status: number, name: string, codes: string])[] = [
  [400, 'BadRequest', 'idempotency_key_malformed, json_malformed, validation_failed'],
  [400, 'BadQuery', 'body_not_allowed, validation_failed'],
  [400, 'BadListQuery', 'body_not_allowed, cursor_invalid, validation_failed'],
  [401, 'Unauthenticated', 'authentication_failed'],
  [403, 'Forbidden', 'address_not_allowed, method_not_accepted, scope_missing'],
  [
    403,
    'ForbiddenMoney',
    'address_not_allowed, allow_list_empty, method_not_accepted, scope_missing',
  ],
  [
    403,
    'ForbiddenSandbox',
    'address_not_allowed, method_not_accepted, scope_missing, test_key_required',
  ],
  [404, 'NotFound', 'route_missing'],
  [409, 'Conflict', 'idempotency_key_running'],
  [413, 'TooLarge', 'body_too_large'],
  [422, 'IdempotencyMismatch', 'idempotency_key_reused'],
  [429, 'TooManyRequests', 'rate_limited'],
  [429, 'TooManyOrRepeated', 'rate_limited, signature_repeated'],
  [503, 'ServerFault', 'internal, unavailable'],
];

/** What a receiver of webhooks says. */
const RECEIVED: { readonly [name: string]: { readonly description: string } } = {
  Received: { description: 'Received.' },
  Gone: { description: 'Never send to this receiver again.' },
  Repeated: {
    description:
      'Repeated for about 76 hours. Retry-After of 429 and 503 is honoured, up to an hour.',
  },
};

/** Always with 429 and 503, and with 409 while a request with the same key is running. */
const RETRIED = [409, 429, 503];

export const SHARED_RESPONSES = {
  NotModified: NOT_MODIFIED,
  ...RECEIVED,
  ...Object.fromEntries(
    RESPONSES.map(([status, name, description]) => [
      name,
      {
        description,
        headers: {
          'X-Request-Id': refer('headers', 'RequestId'),
          'Quittance-Version': refer('headers', 'Version'),
          'X-Error-Code': refer('headers', 'ErrorCode'),
          ...(RETRIED.includes(status) && { 'Retry-After': refer('headers', 'RetryAfter') }),
          ...(status === 429 && {
            'RateLimit-Policy': refer('headers', 'RateLimitPolicy'),
            RateLimit: refer('headers', 'RateLimit'),
          }),
        },
        content: { 'application/json': { schema: refer('schemas', 'Error') } },
      },
    ]),
  ),
};

/** As a response says it: what is no fault of the call is told of together. */
export function shownStatus(status: number): string {
  return status >= 500 ? '5XX' : String(status);
}

/** `status`: any of those that are told of together. */
export function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
): Reference & { readonly description?: string } {
  const description = codes.map(({ code }) => code).join(', ');
  const shared = RESPONSES.find(([one, , usual]) => one === status && usual === description);
  if (shared !== undefined) return refer('responses', shared[1]);
  const [, name = ''] = RESPONSES.find(([one]) => one === status) ?? [];
  return { ...refer('responses', name), description };
}

export function securitySchemes(): { readonly [name: string]: object } {
  const scheme = (name: string, description: string) => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    digestKey: scheme('X-Digest-Key', 'The API key.'),
    digestSignature: scheme(
      'X-Digest-Signature',
      'Lower-case hex HMAC-SHA256, keyed with the secret, over path + timestamp + METHOD + body ' +
        '(path without /api/v1 and query; the body of a GET is empty).',
    ),
    digestTimestamp: scheme('X-Digest-Timestamp', 'Unix seconds, ten digits, under 30 s old.'),
    basic: scheme('X-Basic', 'Lower-case hex SHA-256 over KEY:SECRET; never moves money.'),
  };
}
