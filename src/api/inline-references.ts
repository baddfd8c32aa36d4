// The OpenAPI document without references: each stands as what it refers to, for whoever shows or
// checks one operation. What stands beside a reference goes before what it refers to.
import type { ErrorCode } from './error-codes.ts';
import { type JsonSchema, OF_THIS_TYPE } from './json-schema.ts';
import type { ApiDocument, Operation } from './openapi-document.ts';
import type { Content, Parameter } from './openapi-parts.ts';
import type { OpenApiWebhook } from './openapi-webhooks.ts';

export type WholeOperation = Omit<Operation, 'parameters' | 'responses' | 'security'> & {
  readonly security: ApiDocument['security'];
  readonly parameters: readonly Parameter[];
  readonly responses: {
    readonly [status: string]: {
      readonly description: string;
      readonly headers: { readonly [name: string]: { readonly schema: JsonSchema } };
      readonly content: Content;
    };
  };
};

type WholeDocument = {
  readonly servers: ApiDocument['servers'];
  readonly paths: { readonly [path: string]: { readonly [method: string]: WholeOperation } };
  readonly webhooks: { readonly [type: string]: OpenApiWebhook };
  readonly 'x-error-codes': readonly ErrorCode[];
};

type Tree = { readonly [name: string]: unknown };

/** No schema of the document holds itself. */
export function inlineReferences(document: ApiDocument): WholeDocument {
  const { servers, paths, webhooks, security } = document;
  const known = new Map<string, unknown>();
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, [OF_THIS_TYPE]: narrowed, ...beside } = value as Tree;
    const rest = { ...beside, ...(narrowed as Tree | undefined) };
    const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, inlined(one)]));
    return typeof $ref === 'string' ? merged(target($ref) as Tree, own) : own;
  };
  const target = ($ref: string): unknown => {
    const made = known.get($ref) ?? inlined(valueAt(document, $ref));
    known.set($ref, made);
    return made;
  };
  return {
    servers,
    paths: withSecurity(
      inlined(paths) as WholeDocument['paths'],
      security,
    ) as WholeDocument['paths'],
    webhooks: inlined(webhooks) as WholeDocument['webhooks'],
    'x-error-codes': document['x-error-codes'],
  };
}

function withSecurity(
  paths: WholeDocument['paths'],
  security: ApiDocument['security'],
): { readonly [path: string]: { readonly [method: string]: unknown } } {
  // Inlined as it was: an operation says only what differs.
  const ofPath = (operations: { readonly [method: string]: Partial<WholeOperation> }) =>
    Object.fromEntries(
      Object.entries(operations).map(([method, one]) => [
        method,
        { ...one, security: one.security ?? security },
      ]),
    );
  return Object.fromEntries(Object.entries(paths).map(([path, one]) => [path, ofPath(one)]));
}

function valueAt(document: ApiDocument, $ref: string): unknown {
  const [, ...steps] = $ref.split('/');
  return steps.reduce<unknown>((value, step) => (value as Tree)[step], document);
}

/** Of properties that both name, what is said of each is put together, however deep. */
function merged(referred: Tree, own: Tree): Tree {
  const names = [referred, own].flatMap(({ required }) =>
    Array.isArray(required) ? required : [],
  );
  const both = {
    ...{ ...referred, ...own },
    ...(names.length > 0 && { required: [...new Set(names)] }),
  };
  const [others, properties] = [referred.properties, own.properties] as [Tree?, Tree?];
  if (others === undefined || properties === undefined) return both;
  const members = Object.entries(properties).map(([name, one]) => [
    name,
    merged((others[name] ?? {}) as Tree, one as Tree),
  ]);
  return { ...both, properties: { ...others, ...Object.fromEntries(members) } };
}
