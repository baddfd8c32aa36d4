// The methods of the TypeScript library, one for each endpoint, and the page that lists them.
import type { ClientMethod } from './client-methods.ts';
import { docOf, nameOf, resolved, type Schema, type Schemas, typeOf } from './typescript-types.ts';

type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Answer = { readonly $ref?: string; readonly content?: Content };
type OperationPart = {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
};

/** The part of the OpenAPI document that is read. */
export type DocumentPart = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationPart>>>>;
  readonly components: {
    readonly schemas?: Schemas;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
};

/** A method as it is written. */
export type Signature = {
  readonly name: string;
  readonly summary: string;
  readonly argument: string | null;
  /** The argument is a whole number, and no text. */
  readonly isWhole: boolean;
  /** Undefined: it takes none. */
  readonly parameters: string | undefined;
  readonly isOptional: boolean;
  readonly answer: string;
  readonly route: ClientMethod;
};

export function signaturesOf(
  document: DocumentPart,
  methods: readonly ClientMethod[],
): readonly Signature[] {
  return methods.map((route) => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${route.name} is not in the document`);
    const { parameters, isOptional } = parametersOf(document, operation, route);
    return {
      ...{ name: route.name, summary: operation.summary, argument: route.argument },
      isWhole: takesNumber(document, operation, route),
      ...{ parameters, isOptional, answer: answerOf(document, route), route },
    };
  });
}

/** Whether what stands alone in front is a whole number. */
export function takesNumber(
  { components: { schemas = {} } }: DocumentPart,
  { requestBody }: OperationPart,
  { argument }: ClientMethod,
): boolean {
  const sent = requestBody?.content['application/json']?.schema ?? {};
  const { type } = resolved(sent, schemas).properties?.[argument ?? ''] ?? {};
  return [type].flat().includes('integer');
}

type ParametersType = { readonly parameters: string | undefined; readonly isOptional: boolean };
const NONE: ParametersType = { parameters: undefined, isOptional: true };

function parametersOf(
  document: DocumentPart,
  operation: OperationPart,
  { method, argument, wrap }: ClientMethod,
): ParametersType {
  if (method === 'GET') return queryOf(document, operation, argument);
  const schemas = document.components.schemas ?? {};
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body === undefined || (method === 'DELETE' && argument !== null)) return NONE;
  const sent = wrap === null ? body : (resolved(body, schemas).properties?.[wrap] ?? {});
  const { properties = {}, required = [] } = resolved(sent, schemas);
  const names = Object.keys(properties).filter((name) => name !== argument);
  if (names.length === 0) return NONE;
  const whole = sent.$ref === undefined ? typeOf(sent, '  ') : nameOf(sent.$ref);
  return {
    parameters: argument === null ? whole : `Omit<${whole}, '${argument}'>`,
    isOptional: !required.some((name) => name !== argument),
  };
}

function queryOf(
  document: DocumentPart,
  operation: OperationPart,
  argument: string | null,
): ParametersType {
  const listed = (operation.parameters ?? [])
    .map((one) => document.components.parameters?.[one.$ref?.split('/').at(-1) ?? ''] ?? one)
    .filter((one) => one.in === 'query' && one.name !== argument);
  if (listed.length === 0) return NONE;
  const fields = listed.map(({ name, required, description, schema }) => {
    const doc = docOf(description ?? schema.description, '    ');
    return `${doc}    ${name}${required === true ? '' : '?'}: ${queryType(name, schema)};\n`;
  });
  return {
    parameters: `{\n${fields.join('')}  }`,
    isOptional: !listed.some(({ required }) => required === true),
  };
}

function queryType(name: string, schema: Schema): string {
  if (name === 'wait') return 'Numeric';
  if (schema.type === 'object') return 'Record<string, string | bigint | number>';
  if (schema.format === 'date-time') return 'string | Date';
  if (schema.enum === undefined && /\d|\[0-9/.test(schema.pattern ?? '')) return 'Numeric';
  return typeOf(schema, '    ');
}

/** Of what an endpoint answers when it succeeds. */
export function answerSchema({ paths, components }: DocumentPart, route: ClientMethod): Schema {
  const { 200: said } = paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {};
  const answer = components.responses?.[said?.$ref?.split('/').at(-1) ?? ''] ?? said;
  const schema = answer?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`${route.name} has no answer in the document`);
  return schema;
}

function answerOf(document: DocumentPart, route: ClientMethod): string {
  const { returns, pages } = route;
  const schemas = document.components.schemas ?? {};
  const whole = answerSchema(document, route);
  const inside = (schema: Schema, name: string) =>
    resolved(schema, schemas).properties?.[name] ?? {};
  if (returns !== null) return typeOf(inside(whole, returns), '  ');
  if (pages === null) return typeOf(whole, '  ');
  const list = pages.split('.').reduce(inside, whole);
  return `Pages<${typeOf(list.items ?? {}, '  ')}>`;
}

export function methodsFile(signatures: readonly Signature[]): string {
  const byResource = Map.groupBy(signatures, ({ name }) => name.split('.')[0] ?? '');
  const classes = [...byResource].map(([resource, list]) => classOf(resource, list));
  const code = classes.join('\n');
  const entries = signatures.map(({ name, route }) => {
    const { method, path, auth, wrap, returns, pages } = route;
    return `  '${name}': ${JSON.stringify({ method, path, auth, wrap, returns, pages })},\n`;
  });
  return [
    '// Made from the OpenAPI document by test/clients; what is changed here is lost.',
    "import type { Caller, Endpoint } from '../call.ts';",
    "import type { CallOptions } from '../options.ts';",
    "import type { Pages } from '../pages.ts';",
    `import type {\n${typesIn(code)}} from './types.ts';\n`,
    'export const ENDPOINTS = {',
    `${entries.join('')}} as const satisfies Readonly<Record<string, Endpoint>>;\n`,
    code,
  ].join('\n');
}

/** What the classes name of the file of types. */
function typesIn(code: string): string {
  const own = new Set(['Promise', 'Pages', 'CallOptions', 'Caller', 'Record', 'Omit', 'Date']);
  const types = code.replace(/\/\*\*.*?\*\//g, '').replace(/'[^']*'/g, '');
  const names = [...types.matchAll(/\b[A-Z][a-zA-Z]+\b(?!Methods)/g)].map(([name]) => name);
  const taken = [...new Set(names)].filter((name) => !own.has(name) && !name.endsWith('Methods'));
  return taken
    .filter((name) => name !== 'ENDPOINTS')
    .sort()
    .map((name) => `  ${name},\n`)
    .join('');
}

export function classNameOf(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Methods`;
}

function classOf(resource: string, signatures: readonly Signature[]): string {
  return `export class ${classNameOf(resource)} {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
${signatures.map(methodOf).join('')}}
`;
}

function methodOf(signature: Signature): string {
  const { name, argument, isWhole, parameters, isOptional, answer, summary, route } = signature;
  const short = name.split('.')[1] ?? '';
  const given = [
    ...(argument === null ? [] : [`${argument}: ${isWhole ? 'number' : 'string'}`]),
    ...(parameters === undefined ? [] : [`parameters: ${parameters}${isOptional ? ' = {}' : ''}`]),
    'options?: CallOptions',
  ];
  const merged = [
    ...(parameters === undefined ? [] : ['...parameters']),
    ...(argument === null ? [] : [argument]),
  ].join(', ');
  const sent = merged === '' ? '{}' : merged === '...parameters' ? 'parameters' : `{ ${merged} }`;
  const isList = route.pages !== null;
  const doc = docOf(`${summary} (\`${route.method} ${route.path}\`).`, '  ');
  return `
${doc}  ${short}(${given.join(', ')}): ${isList ? answer : `Promise<${answer}>`} {
    return this.caller.${isList ? 'list' : 'call'}(ENDPOINTS['${name}'], ${sent}, options);
  }
`;
}

/** One table for each resource. */
export function referenceFile(signatures: readonly Signature[]): string {
  const byResource = Map.groupBy(signatures, ({ name }) => name.split('.')[0] ?? '');
  const tables = [...byResource].map(([resource, list]) => {
    const rows = list.map((one) => {
      const { argument, parameters, isOptional, answer, summary, route } = one;
      const shown = [
        ...(argument === null ? [] : [argument]),
        ...(parameters === undefined ? [] : [isOptional ? 'parameters?' : 'parameters']),
        'options?',
      ];
      const call = `client.${one.name}(${shown.join(', ')})`;
      const type = (text: string) => `\`${text.replace(/\s+/g, ' ').replaceAll('|', '\\|')}\``;
      const taken = parameters === undefined ? '' : type(fieldsOf(parameters));
      const what = summary.replaceAll('|', '\\|');
      return `| \`${call}\` | ${taken} | ${type(answer)} | ${what} | \`${route.method} ${route.path}\` |`;
    });
    return [
      `## ${resource}\n`,
      '| Method | Parameters | Gives | What it does | Endpoint |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [
    '# Reference\n',
    'Every endpoint of the API as a method. Types are exported by the package under the names that stand here; their fields are described',
    'where your editor shows them. A method gives a promise, or a list (`Pages`) to be walked with `for await`. `options`:',
    '`idempotencyKey`, `timeoutSeconds`, `maxRetries`, `signal`.\n',
    ...tables,
  ].join('\n');
}

/** Of an object that has no name: without what is said of each field. */
function fieldsOf(type: string): string {
  return type.replace(/\/\*\*.*?\*\/\s*/g, '');
}
