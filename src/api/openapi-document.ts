// The OpenAPI 3.1 document, made from the route table: the schemas in it are those that validate,
// so it cannot promise what the server does not do.
import { isDeepStrictEqual } from 'node:util';
import { assert } from '#base/assert.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { meaningOf } from './descriptions/meaning-of.ts';
import { BASE_PATH, type Endpoint, type PrefixedQuery } from './endpoint.ts';
import { errorsOf, hasPages } from './endpoint-errors.ts';
import { type ErrorCode, listErrorCodes } from './error-codes.ts';
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from './json-schema.ts';
import {
  type Content,
  ERROR_SCHEMA,
  errorResponse,
  mapValues,
  type Parameter,
  type Reference,
  refer,
  SHARED_HEADERS,
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  securitySchemes,
  shownStatus,
} from './openapi-parts.ts';
import { TAGS, tagOf } from './openapi-tags.ts';
import { anyEventSchema, type OpenApiWebhook, openApiWebhooks } from './openapi-webhooks.ts';

type ObjectSchema = JsonSchema & {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

export type ApiAnswer = {
  readonly description: string;
  readonly headers: { readonly [name: string]: Reference };
  readonly content: Content;
};

type ApiResponse = (Reference & { readonly description?: string }) | ApiAnswer;

type Paths = { readonly [path: string]: { readonly [method: string]: Operation } };

type Security = { readonly [scheme: string]: readonly string[] };

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  /** What it takes to call it. */
  readonly description: string;
  readonly tags: readonly string[];
  /** Where it is not that of the document. */
  readonly security?: readonly Security[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: ApiResponse };
  /** How often a signature is taken; absent of reads. */
  readonly 'x-replay-class'?: Endpoint['auth'];
  readonly 'x-scope': Endpoint['scope'];
  /** Of the recorded example: its method and target. */
  readonly 'x-recorded-request'?: string;
};

export type ApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly externalDocs: { readonly url: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Paths;
  readonly webhooks: { readonly [type: string]: OpenApiWebhook };
  readonly security: readonly Security[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly [kind: string]: { readonly [name: string]: unknown } };
  readonly 'x-error-codes': readonly ErrorCode[];
};

/** All three together. */
const DIGEST = { digestKey: [], digestSignature: [], digestTimestamp: [] };

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
  const named: NamedSchemas = new Map();
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const whole = Object.fromEntries(
    [...byPath].map(([path, endpoints]) => [
      path,
      Object.fromEntries(
        endpoints.map((one) => [one.method.toLowerCase(), operationOf(one, named)]),
      ),
    ]),
  );
  const webhooks = openApiWebhooks(named);
  const { paths, answers } = shareAnswers(whole);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quittance',
      version: LATEST_VERSION,
      contact: { name: 'Whoever runs this installation', url: publicUrl },
      description:
        'Every success is 200. Every error is { "errors": [text, ...] } with a stable code in the ' +
        'header X-Error-Code; the description of each status lists those that the operation can ' +
        'give. Every answer has X-Request-Id, and RateLimit-Policy and RateLimit where calls are ' +
        'limited. The version of this document is the newest dated one, that of every call that ' +
        'names no other in Quittance-Version and whose key has no other; Deprecation says that ' +
        'a call uses a name of the older layout or an older version. Unknown fields of a request are ignored; fields are added to answers within ' +
        'a version, and clients ignore those that they do not know; null and absent mean the ' +
        'same; amounts are texts, and requests may give them as numbers too; times are texts of ISO ' +
        '8601, in UTC.',
    },
    servers: [{ url: `${publicUrl}${BASE_PATH}` }],
    externalDocs: {
      url: `${publicUrl}/docs/openapi.json`,
      description: 'This document, with a recorded example of each operation and event',
    },
    security: [DIGEST, { basic: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      schemas: {
        ...Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))),
        Event: anyEventSchema(),
        Error: ERROR_SCHEMA,
      },
      parameters: SHARED_PARAMETERS,
      headers: SHARED_HEADERS,
      responses: { ...SHARED_RESPONSES, ...answers },
      securitySchemes: securitySchemes(),
    },
    'x-error-codes': listErrorCodes(),
  };
}

/** What several operations answer is told once, under the name of what it holds. */
function shareAnswers(paths: Paths) {
  const answers: Record<string, ApiAnswer> = {};
  const all = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ responses }) => responses[200]),
  );
  const share = (operation: Operation): Operation => {
    const { responses } = operation;
    const answer = responses[200];
    if (answer === undefined || '$ref' in answer) return operation;
    const name = answer.content['application/json'].schema.$ref?.toString().split('/').at(-1);
    const isShared = all.filter((one) => isDeepStrictEqual(one, answer)).length > 1;
    if (!isShared || name === undefined) return operation;
    assert(isDeepStrictEqual(answers[name] ?? answer, answer), `two answers are named ${name}`);
    answers[name] = answer;
    return { ...operation, responses: { ...responses, 200: refer('responses', name) } };
  };
  return { paths: mapValues(paths, (operations) => mapValues(operations, share)), answers };
}

function operationOf(endpoint: Endpoint, named: NamedSchemas): Operation {
  const { method, path, operationId, auth, scope, summary, digestOnly } = endpoint;
  const isRead = method === 'GET';
  const request = requestSchema(endpoint, named);
  const codes = errorsOf(endpoint);
  return {
    operationId,
    summary,
    description: credentialsOf(endpoint),
    tags: [tagOf(path)],
    ...(auth === 'public' && { security: [] }),
    ...(digestOnly && { security: [DIGEST] }),
    parameters: [
      ...(path.includes('{id}') ? [refer('parameters', 'IdInPath')] : []),
      ...(isRead && request !== undefined ? queryParameters(ownerOf(path), request) : []),
      ...(endpoint.prefixed ?? []).map(prefixedParameter),
      ...(method === 'POST' ? [refer('parameters', 'IdempotencyKey')] : []),
      ...(endpoint.isConditional ? [refer('parameters', 'IfNoneMatch')] : []),
      refer('parameters', 'Version'),
    ],
    ...(isRead || request === undefined || hasNoFields(request)
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    responses: responsesOf(endpoint, codes, named),
    ...(isRead ? {} : { 'x-replay-class': auth }),
    'x-scope': scope,
  };
}

function credentialsOf({ auth, scope, digestOnly }: Endpoint): string {
  if (auth === 'public') return 'Without credentials.';
  const key = scope === 'any' ? 'Any key' : `A key with the scope \`${scope}\``;
  return digestOnly ? `${key}, by digest alone.` : `${key}.`;
}

/** Without what stands in the path. */
function requestSchema(
  { path, request: checked, documented: request = checked }: Endpoint,
  named: NamedSchemas,
): JsonSchema | undefined {
  if (request === undefined) return undefined;
  const schema: ObjectSchema = jsonSchemaOf(request, 'input', named);
  if (!path.includes('{id}')) return schema;
  const { id, ...properties } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => name !== 'id');
  return { ...schema, properties, required };
}

function hasNoFields({ $ref, properties = {} }: ObjectSchema): boolean {
  return $ref === undefined && Object.keys(properties).length === 0;
}

/** Parameters of all reports mean the same. */
function ownerOf(path: string): string {
  return `GET ${path.replace(/^(\/reports)\/.*/, '$1')}`;
}

function queryParameters(owner: string, request: JsonSchema): (Parameter | Reference)[] {
  const { properties = {}, required = [] }: ObjectSchema = request;
  return Object.entries(properties).map(([name, { description: said, ...schema }]) => {
    const description = meaningOf(owner, name, said);
    const parameter = {
      name,
      in: 'query' as const,
      ...(required.includes(name) && { required: true as const }),
      ...(typeof description === 'string' ? { description } : {}),
      schema: notNull(schema),
    };
    return sharedParameter(parameter) ?? parameter;
  });
}

function sharedParameter(parameter: Parameter): Reference | undefined {
  const [name] =
    Object.entries(SHARED_PARAMETERS).find(([, one]) => isDeepStrictEqual(one, parameter)) ?? [];
  return name === undefined ? undefined : refer('parameters', name);
}

/** A parameter that is not given is not there: it is never null. */
function notNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.at(-1) === 'null') return { ...rest, type: type[0] };
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...others] = anyOf.filter((one: JsonSchema) => one.type !== 'null');
  return others.length === 0 ? { ...rest, ...only } : { ...rest, anyOf: [only, ...others] };
}

/** `meta.order=7`: any number of parameters that begin with one name. */
function prefixedParameter({ name, description }: PrefixedQuery): Parameter {
  return {
    name,
    in: 'query',
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

function responsesOf(
  { method, response, documents = [], isConditional = false }: Endpoint,
  codes: readonly ErrorCode[],
  named: NamedSchemas,
): Operation['responses'] {
  const success: ApiResponse = {
    description: 'Success',
    headers: {
      'Quittance-Version': refer('headers', 'Version'),
      ...(method === 'POST' && { 'Idempotent-Replayed': refer('headers', 'IdempotentReplayed') }),
      ...(isConditional && { ETag: refer('headers', 'ETag') }),
      ...(hasPages(response) && { Link: refer('headers', 'Link') }),
      ...(documents.length > 0 && { 'X-Next-Cursor': refer('headers', 'NextCursor') }),
    },
    content: {
      'application/json': { schema: jsonSchemaOf(response, 'output', named) },
      ...Object.fromEntries(documents.map((type) => [type, { schema: { type: 'string' } }])),
    },
  };
  const failures = Map.groupBy(codes, ({ status }) => shownStatus(status));
  return {
    200: success,
    ...(isConditional && { 304: refer('responses', 'NotModified') }),
    ...Object.fromEntries(
      [...failures].map(([status, listed]) => [
        status,
        errorResponse(Math.max(...listed.map((one) => one.status)), listed),
      ]),
    ),
  };
}
