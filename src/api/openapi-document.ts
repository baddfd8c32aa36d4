// The OpenAPI 3.1 document, made from the route table: the schemas in it are those that validate,
// so it cannot promise what the server does not do.
import { BASE_PATH, type Endpoint, type PrefixedQuery } from './endpoint.ts';
import { type ErrorCode, listErrorCodes } from './error-codes.ts';
import {
  type JsonSchema,
  jsonSchemaOf,
  type OpenApiWebhook,
  openApiWebhooks,
} from './event-schemas.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required: boolean;
  readonly description?: string;
  /** With `explode`, an object stands for parameters named by its keys. */
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
};

type ObjectSchema = JsonSchema & {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

type Content = {
  readonly 'application/json': { readonly schema: JsonSchema };
  readonly [mediaType: string]: { readonly schema: JsonSchema };
};

type ApiResponse = {
  readonly description: string;
  readonly headers: { readonly [name: string]: { readonly schema: JsonSchema } };
  readonly content: Content;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: ApiResponse };
  readonly 'x-replay-class': Endpoint['auth'];
  readonly 'x-scope': Endpoint['scope'];
};

export type ApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly webhooks: { readonly [type: string]: OpenApiWebhook };
  readonly components: JsonSchema;
  readonly 'x-error-codes': readonly ErrorCode[];
};

const DIGEST_SCHEMES = ['digestKey', 'digestSignature', 'digestTimestamp'];

/** Statuses without a request that has an operation: of paths, methods and framing. */
const OUTSIDE_OPERATIONS = [405, 408, 431];

type Made = { readonly publicUrl: string; readonly document: ApiDocument };

const MADE = new WeakMap<readonly Endpoint[], Made>();

/** Made once: routes do not change while the process runs. */
export function openApiDocument(routes: readonly Endpoint[], publicUrl: string): ApiDocument {
  const known = MADE.get(routes);
  if (known?.publicUrl === publicUrl) return known.document;
  const document = makeDocument(routes, publicUrl);
  MADE.set(routes, { publicUrl, document });
  return document;
}

function makeDocument(routes: readonly Endpoint[], publicUrl: string): ApiDocument {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const paths = Object.fromEntries(
    [...byPath].map(([path, endpoints]) => [
      path,
      Object.fromEntries(endpoints.map((one) => [one.method.toLowerCase(), operationOf(one)])),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: '1',
      description:
        'Every success is 200. Every error is { "errors": [text, ...] } with a stable code in the ' +
        'header X-Error-Code. Unknown fields of a request are ignored; null and absent mean the ' +
        'same; amounts are texts.',
    },
    servers: [{ url: `${publicUrl}${BASE_PATH}` }],
    paths,
    webhooks: openApiWebhooks(),
    components: { securitySchemes: securitySchemes() },
    'x-error-codes': listErrorCodes(),
  };
}

function operationOf(endpoint: Endpoint): Operation {
  const { method, path, auth, scope, summary, digestOnly } = endpoint;
  const [, group = ''] = path.split('/');
  const isRead = method === 'GET';
  const request = requestSchema(endpoint);
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+(.)/gi, (_, first: string) => first.toUpperCase())}`,
    summary,
    tags: [group.replace('.json', '')],
    security:
      auth === 'public'
        ? []
        : [
            Object.fromEntries(DIGEST_SCHEMES.map((name) => [name, []])),
            ...(digestOnly ? [] : [{ basic: [] }]),
          ],
    parameters: [
      ...(path.includes('{id}') ? [idInPath] : []),
      ...(isRead && request !== undefined ? queryParameters(request) : []),
      ...(endpoint.prefixed ?? []).map(prefixedParameter),
      ...(method === 'POST' ? [idempotencyKey] : []),
    ],
    ...(isRead || request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    responses: responsesOf(endpoint),
    'x-replay-class': auth,
    'x-scope': scope,
  };
}

const idInPath: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[a-z0-9]{12}$' },
};

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same body answers what was answered before.',
  schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
};

/** Without what stands in the path. */
function requestSchema({ path, request }: Endpoint): JsonSchema | undefined {
  if (request === undefined) return undefined;
  const schema: ObjectSchema = jsonSchemaOf(request, 'input');
  if (!path.includes('{id}')) return schema;
  const { id, ...properties } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => name !== 'id');
  return { ...schema, properties, required };
}

function queryParameters(request: JsonSchema): Parameter[] {
  const { properties = {}, required = [] }: ObjectSchema = request;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema,
  }));
}

/** `meta.order=7`: any number of parameters that begin with one name. */
function prefixedParameter({ name, description }: PrefixedQuery): Parameter {
  return {
    name,
    in: 'query',
    required: false,
    description,
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern: `^${name}\\.` },
      additionalProperties: { type: 'string' },
    },
  };
}

function responsesOf(endpoint: Endpoint): Operation['responses'] {
  const { method, auth, documents = [] } = endpoint;
  const replayed = { 'Idempotent-Replayed': { schema: { type: 'string', const: 'true' } } };
  const nextCursor = { 'X-Next-Cursor': { schema: { type: 'string' } } };
  const success: ApiResponse = {
    description: 'Success',
    headers: {
      ...commonHeaders,
      ...(method === 'POST' ? replayed : {}),
      ...(documents.length > 0 ? nextCursor : {}),
    },
    content: {
      'application/json': { schema: jsonSchemaOf(endpoint.response, 'output') },
      ...Object.fromEntries(documents.map((type) => [type, { schema: { type: 'string' } }])),
    },
  };
  const codes = listErrorCodes().filter(({ status }) => mayAnswer(endpoint, status));
  const failures = Map.groupBy(codes, ({ status }) => status);
  return {
    200: success,
    ...Object.fromEntries(
      [...failures].map(([status, listed]) => [
        String(status),
        errorResponse(
          listed.map(({ code }) => code),
          status,
          auth,
        ),
      ]),
    ),
  };
}

function mayAnswer({ method, auth }: Endpoint, status: number): boolean {
  if (OUTSIDE_OPERATIONS.includes(status)) return false;
  if (auth === 'public') return [400, 413, 429, 500, 503].includes(status);
  return status !== 422 || method === 'POST';
}

const commonHeaders = { 'X-Request-Id': { schema: { type: 'string', pattern: '^[a-z0-9]{12}$' } } };

function errorResponse(codes: readonly string[], status: number, auth: string): ApiResponse {
  const retry = { 'Retry-After': { schema: { type: 'string', pattern: '^[0-9]+$' } } };
  const ours = codes.filter(
    (code) => auth === 'money' || !/^(?:signature_used|allow_list)/.test(code),
  );
  return {
    description: ours.join(', '),
    headers: {
      ...commonHeaders,
      'X-Error-Code': { schema: { type: 'string', enum: ours } },
      // Always with 429 and 503, and with 409 while a request with the same key is running.
      ...([409, 429, 503].includes(status) ? retry : {}),
    },
    content: { 'application/json': { schema: errorsSchema } },
  };
}

const errorsSchema: JsonSchema = {
  type: 'object',
  properties: { errors: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  required: ['errors'],
  additionalProperties: false,
};

function securitySchemes(): JsonSchema {
  const header = (name: string, description: string) => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    digestKey: header('X-Digest-Key', 'The API key.'),
    digestSignature: header(
      'X-Digest-Signature',
      'Lower-case hex HMAC-SHA256, keyed with the secret, over path + timestamp + METHOD + body ' +
        '(path without /api/v1 and query; the body of a GET is empty).',
    ),
    digestTimestamp: header('X-Digest-Timestamp', 'Unix seconds, ten digits, under 30 s old.'),
    basic: header('X-Basic', 'Lower-case hex SHA-256 over KEY:SECRET; never moves money.'),
  };
}
