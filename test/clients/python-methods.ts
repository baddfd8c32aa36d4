// The methods of the Python library, one for each endpoint, for both of its clients; and the page that
// lists them.
import type { ClientMethod } from './client-methods.ts';
import {
  dictOfSchema,
  docOf,
  MADE,
  modelsFile,
  parametersFile,
  pythonType,
  queryType,
  schemaName,
  type TypedDict,
} from './python-types.ts';
import { answerSchema, type DocumentPart, takesNumber } from './typescript-methods.ts';
import { resolved, type Schema } from './typescript-types.ts';

type OperationPart = DocumentPart['paths'][string][string];

/** A method as it is written. */
type Method = {
  readonly route: ClientMethod;
  readonly resource: string;
  readonly short: string;
  readonly summary: string;
  /** Of the argument that stands alone. */
  readonly alone: string | null;
  readonly isWhole: boolean;
  /** Undefined: it takes none. */
  readonly parameters: string | undefined;
  readonly isOptional: boolean;
  readonly answer: Schema;
  /** To be made for it alone. */
  readonly dict: TypedDict | undefined;
  /** What its parameters need of the document. */
  readonly sent: readonly Schema[];
};

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function titled(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Every generated file of the library, by its path. */
export function pythonFiles(
  document: DocumentPart,
  routes: readonly ClientMethod[],
): Readonly<Record<string, string>> {
  const schemas = document.components.schemas ?? {};
  const methods = routes.map((route) => methodOf(document, route));
  const answers = [...methods.map(({ answer }) => answer), { $ref: '#/components/schemas/Event' }];
  const own = [...methods.flatMap(({ dict }) => dict ?? []), ...besides(methods)];
  const sent = methods.flatMap((method) => method.sent);
  return {
    'src/quittance/models.py': modelsFile(answers, schemas),
    'src/quittance/parameters.py': parametersFile(sent, schemas, own),
    'src/quittance/_endpoints.py': endpointsFile(routes),
    'src/quittance/_methods.py': methodsFile(methods, ''),
    'src/quittance/_async_methods.py': methodsFile(methods, 'Async'),
    'REFERENCE.md': referenceFile(methods),
  };
}

function methodOf(document: DocumentPart, route: ClientMethod): Method {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${route.name} is not in the document`);
  const [resource = '', short = ''] = route.name.split('.');
  const alone = route.argument === null ? null : snakeCase(route.argument);
  const answer = answerOf(document, route);
  const isWhole = takesNumber(document, operation, route);
  const named = { route, resource, short, alone, isWhole, answer, summary: operation.summary };
  const own = `${titled(resource)}${titled(short)}Parameters`;
  if (route.method === 'GET') return { ...named, ...queryOf(document, operation, route, own) };
  return { ...named, ...bodyOf(document, operation, route, own) };
}

type Given = Pick<Method, 'parameters' | 'isOptional' | 'dict' | 'sent'>;
const NONE: Given = { parameters: undefined, isOptional: true, dict: undefined, sent: [] };

function givenOf(dict: TypedDict, sent: readonly Schema[]): Given {
  if (dict.fields.length === 0) return NONE;
  const isOptional = !dict.fields.some(({ isRequired }) => isRequired);
  return { parameters: dict.name, isOptional, dict, sent };
}

function queryOf(
  document: DocumentPart,
  operation: OperationPart,
  { argument }: ClientMethod,
  name: string,
): Given {
  const fields = (operation.parameters ?? [])
    .map((one) => document.components.parameters?.[one.$ref?.split('/').at(-1) ?? ''] ?? one)
    .filter((one) => one.in === 'query' && one.name !== argument)
    .map((one) => ({
      name: one.name,
      type: queryType(one.name, one.schema),
      isRequired: one.required === true,
      description: one.description ?? one.schema.description,
    }));
  return givenOf({ name, fields }, []);
}

function bodyOf(
  document: DocumentPart,
  operation: OperationPart,
  { method, argument, wrap }: ClientMethod,
  name: string,
): Given {
  const schemas = document.components.schemas ?? {};
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body === undefined || (method === 'DELETE' && argument !== null)) return NONE;
  const sent = wrap === null ? body : (resolved(body, schemas).properties?.[wrap] ?? {});
  const whole = resolved(sent, schemas);
  const isNamed = argument === null && sent.$ref !== undefined;
  const dict = dictOfSchema(isNamed ? schemaName(sent.$ref) : name, whole, argument);
  const given = givenOf(dict, isNamed ? [sent] : Object.values(whole.properties ?? {}));
  return isNamed ? { ...given, dict: undefined } : given;
}

function answerOf(document: DocumentPart, route: ClientMethod): Schema {
  const { returns, pages } = route;
  const schemas = document.components.schemas ?? {};
  const whole = answerSchema(document, route);
  const inside = (schema: Schema, name: string): Schema =>
    resolved(schema, schemas).properties?.[name] ?? {};
  if (returns !== null) return inside(whole, returns);
  if (pages === null) return whole;
  return pages.split('.').reduce(inside, whole).items ?? {};
}

/** Parameters of methods that stand for no endpoint. */
function besides(methods: readonly Method[]): readonly TypedDict[] {
  const fields = methods
    .filter(({ resource }) => resource === 'reports')
    .flatMap(({ dict }) => dict?.fields ?? [])
    .filter(({ name }) => name !== 'format');
  const byName = new Map(fields.map((field) => [field.name, { ...field, isRequired: false }]));
  const format = { name: 'format', type: 'str', isRequired: true };
  const [network, asset, amount] = [
    { name: 'network', type: 'str', description: 'Chosen for a checkout that was not committed' },
    { name: 'asset', type: 'str' },
    { name: 'amount', type: 'Numeric', description: 'All that is missing unless given' },
  ].map((field) => ({ ...field, isRequired: false }));
  return [
    { name: 'ReportDocumentParameters', fields: [format, ...byName.values()] },
    { name: 'PayAndConfirmParameters', fields: [network!, asset!, amount!] },
  ];
}

function endpointsFile(routes: readonly ClientMethod[]): string {
  const lines = routes.map(({ name, method, path, auth, wrap, returns, pages }) => {
    const values = [method, path, auth, wrap, returns, pages].map((value) =>
      value === null ? 'None' : JSON.stringify(value),
    );
    return `    "${name}": Endpoint(${values.join(', ')}),\n`;
  });
  return [
    MADE,
    'from __future__ import annotations\n',
    'from ._call import Endpoint\n',
    'ENDPOINTS: dict[str, Endpoint] = {',
    `${lines.join('')}}\n`,
  ].join('\n');
}

/** `prefix` is that of the classes of a client: none, or `Async`. */
function methodsFile(methods: readonly Method[], prefix: string): string {
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  const classes = [...byResource].map(([resource, list]) => {
    const code = list.map((method) => methodText(method, prefix)).join('\n');
    return `class ${prefix}${titled(resource)}Methods:
    def __init__(self, caller: ${prefix}Caller) -> None:
        self._caller = caller

${code}`;
  });
  const fields = [...byResource.keys()].map((resource) => [
    `    ${snakeCase(resource)}: ${prefix}${titled(resource)}Methods\n`,
    `        self.${snakeCase(resource)} = ${prefix}${titled(resource)}Methods(caller)\n`,
  ]);
  return [
    MADE,
    'from __future__ import annotations\n',
    'from decimal import Decimal',
    'from typing import Any, List\n',
    'from typing_extensions import Unpack\n',
    'from . import models, parameters as sent',
    `from ._caller import ${prefix}Caller`,
    'from ._endpoints import ENDPOINTS',
    'from ._options import CallOptions',
    `from ._pages import ${prefix}Pages\n\n`,
    `${classes.join('\n\n')}\n`,
    `class ${prefix}Resources:`,
    `${fields.map(([field]) => field).join('')}`,
    `    def __init__(self, caller: ${prefix}Caller) -> None:`,
    fields.map(([, line]) => line).join(''),
  ].join('\n');
}

function methodText(method: Method, prefix: string): string {
  const { route, short, alone, isWhole, parameters, isOptional, summary, answer } = method;
  const type = pythonType(answer, 'answer', 'models.').replace(/\blist\[/g, 'List[');
  const isList = route.pages !== null;
  const handed = isList ? `${prefix}Pages[${type}]` : type;
  const kind = handed.startsWith('dict[') ? 'Any' : type;
  const given = [
    ...(alone === null ? [] : [`${alone}: ${isWhole ? 'int' : 'str'}`]),
    ...(parameters === undefined
      ? []
      : [`parameters: sent.${parameters}${isOptional ? ' | None = None' : ''}`]),
  ];
  const lines = [...given, ...(given.length > 0 ? ['/'] : []), '**options: Unpack[CallOptions]'];
  const merged = [
    ...(parameters === undefined ? [] : [isOptional ? '**(parameters or {})' : '**parameters']),
    ...(alone === null ? [] : [`"${route.argument}": ${alone}`]),
  ].join(', ');
  const isAwaited = prefix !== '' && !isList;
  const call = `${isAwaited ? 'await ' : ''}self._caller.${isList ? 'list' : 'call'}(
            ENDPOINTS["${route.name}"], ${isList ? type : kind}, {${merged}}, options
        )`;
  const doc = docOf(`${summary} (\`\`${route.method} ${route.path}\`\`).`, '        ');
  const body = isList
    ? `        return ${call}\n`
    : `        answer: ${handed} = ${call}\n        return answer\n`;
  return `    ${isAwaited ? 'async ' : ''}def ${snakeCase(short)}(
        self, ${lines.join(', ')}
    ) -> ${handed}:
${doc}${body}`;
}

/** One table for each resource. */
function referenceFile(methods: readonly Method[]): string {
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  const tables = [...byResource].map(([resource, list]) => {
    const rows = list.map((one) => {
      const { route, alone, parameters, isOptional, answer } = one;
      const shown = [
        ...(alone === null ? [] : [alone]),
        ...(parameters === undefined ? [] : [isOptional ? 'parameters=None' : 'parameters']),
        '**options',
      ];
      const call = `client.${snakeCase(resource)}.${snakeCase(one.short)}(${shown.join(', ')})`;
      const type = pythonType(answer, 'answer');
      const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
      const gives = route.pages === null ? code(type) : code(`Pages[${type}]`);
      const taken = parameters === undefined ? '' : code(parameters);
      const what = one.summary.replaceAll('|', '\\|');
      return `| ${code(call)} | ${taken} | ${gives} | ${what} | \`${route.method} ${route.path}\` |`;
    });
    const head = '| Method | Parameters | Gives | What it does | Endpoint |\n|---|---|---|---|---|';
    return `## ${snakeCase(resource)}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return [
    '# Reference\n',
    'Every endpoint of the API as a method, of `Quittance` and of `AsyncQuittance`, where it is awaited and a list is walked with `async for`.',
    'Parameters are mappings, described in `quittance.parameters`; what is given are objects of `quittance.models`. `options`:',
    '`idempotency_key`, `timeout_seconds`, `max_retries`.\n',
    ...tables,
  ].join('\n');
}
