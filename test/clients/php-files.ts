// The generated files of the PHP library: a class for each resource, whose methods are the endpoints,
// and one for each named schema, whose fields are properties.

import { LATEST_VERSION } from '#versions/api-version.ts';
import {
  answerSchema,
  classNameOf,
  type DocumentPart,
  type Signature,
} from './typescript-methods.ts';
import { resolved, type Schema, type Schemas } from './typescript-types.ts';

export type MadeFile = { readonly path: string; readonly text: string };

const HEAD = `<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);
`;
/** Names that mean something else in PHP. */
const RENAMED: Readonly<Record<string, string>> = { Event: 'WebhookEvent', Error: 'ErrorBody' };
const WIDE = 100;

/** Paths inside clients/php/src. */
export function phpFiles(
  document: DocumentPart,
  signatures: readonly Signature[],
): readonly MadeFile[] {
  const schemas = document.components.schemas ?? {};
  const byResource = Map.groupBy(signatures, ({ name }) => name.split('.')[0] ?? '');
  return [
    ...[...byResource].map(([resource, list]) => ({
      path: `Resource/${classNameOf(resource)}.php`,
      text: resourceText(document, resource, list),
    })),
    ...Object.entries(schemas)
      .filter(([, schema]) => schema.properties !== undefined)
      .map(([name, schema]) => ({
        path: `Model/${className(name)}.php`,
        text: modelText(className(name), schema, schemas),
      })),
    { path: 'Quittance.php', text: clientText([...byResource.keys()]) },
  ];
}

function className(name: string): string {
  return RENAMED[name] ?? name;
}

/** The class of a schema that has one, through references and null. */
function classOf(schema: Schema, schemas: Schemas): string | undefined {
  const parts = schema.anyOf ?? schema.oneOf ?? [];
  const found = schema.$ref ?? parts.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (found === undefined || resolved({ $ref: found }, schemas).properties === undefined) {
    return undefined;
  }
  return className(found.split('/').at(-1) ?? '');
}

type Shape = { readonly name: string; readonly isList: boolean };

function shapeOf(schema: Schema, schemas: Schemas): Shape | undefined {
  const parts = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])];
  const items = parts.map((one) => resolved(one, schemas).items).find((one) => one !== undefined);
  const name = classOf(items ?? schema, schemas);
  return name === undefined ? undefined : { name, isList: items !== undefined };
}

function phpType(schema: Schema, schemas: Schemas): string {
  const shape = shapeOf(schema, schemas);
  const types = typesOf(schema, schemas);
  if (shape === undefined) return types.join('|');
  const rest = types.includes('null') ? '|null' : '';
  return `${shape.isList ? `list<${shape.name}>` : shape.name}${rest}`;
}

function typesOf(schema: Schema, schemas: Schemas): readonly string[] {
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) {
    return [...new Set(parts.flatMap((one) => typesOf(one, schemas)))];
  }
  const { type, const: fixed } = resolved(schema, schemas);
  if (type === undefined) return [fixed === undefined ? 'mixed' : typeof fixed];
  const names = (Array.isArray(type) ? type : [type]) as readonly string[];
  return names.map((name) => NAMES[name] ?? 'mixed');
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'int|float|string',
  boolean: 'bool',
  array: 'list<mixed>',
  object: 'Record',
  null: 'null',
};

function modelText(name: string, schema: Schema, schemas: Schemas): string {
  const fields = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required);
  const properties = fields.map(([field, one]) => {
    const type = phpType(one, schemas);
    const shown = required.has(field) || type.includes('null') ? type : `${type}|null`;
    const about = (one.description ?? '').replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
    return ` * @property-read ${shown} $${field}${about === '' ? '' : ` ${about}`}`;
  });
  const classes = fields.flatMap(([field, one]) => {
    const shape = shapeOf(one, schemas);
    if (shape === undefined) return [];
    const value = shape.isList ? `[${shape.name}::class]` : `${shape.name}::class`;
    return [`        '${field}' => ${value},`];
  });
  const about = (schema.description ?? '').replaceAll('*/', '* /');
  const body =
    classes.length === 0 ? '' : `    protected const FIELDS = [\n${classes.join('\n')}\n    ];\n`;
  return `${HEAD}
namespace Quittance\\Model;

use Quittance\\Record;

/**
${about === '' ? '' : ` * ${about}\n *\n`}${properties.join('\n')}
 */
final class ${name} extends Record
{
${body}}
`;
}

type Returned = {
  /** Of the declaration. */
  readonly type: string;
  readonly doc: string;
  readonly shape: Shape | undefined;
};

function returnedBy(document: DocumentPart, { route }: Signature): Returned {
  const schemas = document.components.schemas ?? {};
  const whole = answerSchema(document, route);
  const inside = (schema: Schema, name: string) =>
    resolved(schema, schemas).properties?.[name] ?? {};
  const path = route.returns === null ? (route.pages?.split('.') ?? []) : [route.returns];
  const schema = path.reduce(inside, whole);
  const shape = shapeOf(schema, schemas);
  if (route.pages !== null) {
    return {
      type: '\\Quittance\\Pages',
      doc: `\\Quittance\\Pages<${shape?.name ?? 'Record'}>`,
      shape,
    };
  }
  const [only = 'mixed', ...others] = typesOf(schema, schemas);
  if (shape !== undefined) {
    const doc = shape.isList ? `list<${shape.name}>` : shape.name;
    return { type: shape.isList ? 'array' : shape.name, doc, shape };
  }
  const plain: Readonly<Record<string, string>> = { int: 'int', string: 'string', bool: 'bool' };
  const type = only.startsWith('list') ? 'array' : (plain[only] ?? 'Record');
  return {
    type: others.length > 0 ? 'mixed' : type,
    doc: others.length > 0 ? 'mixed' : only,
    shape,
  };
}

function resourceText(
  document: DocumentPart,
  resource: string,
  signatures: readonly Signature[],
): string {
  const made = signatures.map((one) => ({ signature: one, returned: returnedBy(document, one) }));
  const used = new Set(made.flatMap(({ returned }) => returned.shape?.name ?? []));
  const uses = [
    'Quittance\\Caller',
    'Quittance\\Endpoint',
    ...[...used].map((name) => `Quittance\\Model\\${name}`),
    'Quittance\\Record',
  ].sort();
  const endpoints = made.map(({ signature, returned }) => endpointLine(signature, returned));
  return `${HEAD}
namespace Quittance\\Resource;

${uses.map((name) => `use ${name};`).join('\n')}

class ${classNameOf(resource)}
{
    protected const ENDPOINTS = [
${endpoints.join('\n')}
    ];

    public function __construct(protected readonly Caller $caller)
    {
    }
${made.map(({ signature, returned }) => methodText(signature, returned)).join('')}}
`;
}

function endpointLine({ name, route }: Signature, { shape }: Returned): string {
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
  const type =
    shape === undefined
      ? 'null'
      : shape.isList && route.pages === null
        ? `[${shape.name}::class]`
        : `${shape.name}::class`;
  const given = [route.method, route.path, route.auth, route.wrap, route.returns, route.pages];
  return `        '${name.split('.')[1]}' => [${[...given.map(text), type].join(', ')}],`;
}

function methodText(signature: Signature, { type, doc }: Returned): string {
  const { name, argument, isWhole, parameters, isOptional, summary, route } = signature;
  const short = name.split('.')[1] ?? '';
  const given = [
    ...(argument === null ? [] : [`${isWhole ? 'int|string' : 'string'} $${argument}`]),
    ...(parameters === undefined
      ? []
      : [`array $parameters${isOptional || argument !== null ? ' = []' : ''}`]),
    'array $options = []',
  ];
  const alone = argument === null ? '' : `'${argument}' => $${argument}`;
  const sent =
    parameters === undefined
      ? `[${alone}]`
      : argument === null
        ? '$parameters'
        : `[...$parameters, ${alone}]`;
  const act = route.pages === null ? 'call' : 'list';
  const notes = [
    ...(parameters === undefined ? [] : ['     * @param array<string, mixed> $parameters']),
    '     * @param array{idempotencyKey?: string, timeoutSeconds?: float, maxRetries?: int} $options',
    `     * @return ${doc}`,
  ];
  const declared = `    public function ${short}(${given.join(', ')}): ${type}`;
  const head =
    declared.length <= WIDE
      ? `${declared}\n    {`
      : `    public function ${short}(\n${given.map((one) => `        ${one},\n`).join('')}    ): ${type} {`;
  return `
    /**
     * ${summary} (\`${route.method} ${route.path}\`).
     *
${notes.join('\n')}
     */
${head}
        $endpoint = new Endpoint(...self::ENDPOINTS['${short}']);
        return $this->caller->${act}($endpoint, ${sent}, $options);
    }
`;
}

/** Resources that have more than their endpoints. */
const OWN: Readonly<Record<string, string>> = {
  checkout: 'CheckoutResource',
  reports: 'ReportsResource',
  sandbox: 'SandboxResource',
};

function clientText(resources: readonly string[]): string {
  const typeOf = (name: string) => OWN[name] ?? `Resource\\${classNameOf(name)}`;
  const fields = resources.map((name) => `    public readonly ${typeOf(name)} $${name};`);
  const made = resources.map((name) => {
    const given = name === 'sandbox' ? '$caller, $this->checkout' : '$caller';
    return `        $this->${name} = new ${typeOf(name)}(${given});`;
  });
  return `${HEAD}
namespace Quittance;

use Quittance\\Http\\CurlTransport;
use Quittance\\Http\\Transport;

/** The API of one account, in the environment of the key: test or live. */
final class Quittance
{
    public const VERSION = '0.1.0';
    /** Of the API, that this was generated for. */
    public const API_VERSION = '${LATEST_VERSION}';

${fields.join('\n')}
    /** Needs no client: \`Webhooks::verify\` as well. */
    public readonly Webhooks $webhooks;

    /**
     * @param string $key the API key: 12 characters
     * @param string $secret its secret: 29 characters; it never leaves this process
     * @param string $baseUrl where the service is: \`https://pay.example\`
     * @param float $timeoutSeconds for one attempt
     * @param int $maxRetries attempts after the first
     * @param string|null $originUrl sent as \`X-Origin-URL\`: the shop that asks, for display
     * @param Transport|null $transport curl unless given
     * @param Clock|null $clock for tests
     * @param \\Closure(): float|null $random from 0 to below 1; for tests
     * @param string $apiVersion dated version of the API that each call names
     * @throws \\InvalidArgumentException when key, secret or baseUrl is empty
     */
    public function __construct(
        string $key,
        #[\\SensitiveParameter] string $secret,
        string $baseUrl,
        float $timeoutSeconds = 30,
        int $maxRetries = 2,
        ?string $originUrl = null,
        ?Transport $transport = null,
        ?Clock $clock = null,
        ?\\Closure $random = null,
        string $apiVersion = self::API_VERSION,
    ) {
        $caller = new Caller(
            $key,
            $secret,
            $baseUrl,
            $timeoutSeconds,
            $maxRetries,
            $originUrl,
            $apiVersion,
            $transport ?? new CurlTransport(),
            $clock ?? new SystemClock(),
            $random ?? static fn (): float => mt_rand() / (mt_getrandmax() + 1),
        );
${made.join('\n')}
        $this->webhooks = new Webhooks();
    }
}
`;
}

/** One table for each resource. */
export function phpReference(document: DocumentPart, signatures: readonly Signature[]): string {
  const byResource = Map.groupBy(signatures, ({ name }) => name.split('.')[0] ?? '');
  const tables = [...byResource].map(([resource, list]) => {
    const rows = list.map((one) => {
      const { argument, parameters, isOptional, summary, route } = one;
      const shown = [
        ...(argument === null ? [] : [`$${argument}`]),
        ...(parameters === undefined ? [] : [isOptional ? '$parameters = []' : '$parameters']),
        '$options = []',
      ];
      const call = `$quittance->${one.name.replace('.', '->')}(${shown.join(', ')})`;
      const gives = returnedBy(document, one).doc.replaceAll('|', '\\|');
      return `| \`${call}\` | \`${gives}\` | ${summary.replaceAll('|', '\\|')} | \`${route.method} ${route.path}\` |`;
    });
    return [
      `## ${resource}\n`,
      '| Method | Gives | What it does | Endpoint |',
      '|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [
    '# Reference\n',
    'Every endpoint of the API as a method. The classes that are given stand in `src/Model`, each field with what it means. `$parameters` is an',
    'array with the names of the API. `$options`: `idempotencyKey`, `timeoutSeconds`, `maxRetries`.\n',
    ...tables,
  ].join('\n');
}
