// Types of TypeScript for the schemas of the OpenAPI document.

export type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

export type Schemas = Readonly<Record<string, Schema>>;

/** Names that mean something else in TypeScript. */
const RENAMED: Readonly<Record<string, string>> = { Event: 'WebhookEvent', Error: 'ErrorBody' };

export function typesFile(schemas: Schemas): string {
  const named = Object.entries(schemas)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const doc = docOf(schema.description, '');
      return `${doc}export type ${RENAMED[name] ?? name} = ${typeOf(schema, '')};\n`;
    });
  return [
    '// Made from the OpenAPI document by test/clients; what is changed here is lost.\n',
    "/** A text as '12.50', or a whole number: a float that is not whole is refused. */",
    'export type Numeric = string | bigint | number;\n',
    ...named,
  ].join('\n');
}

export function nameOf(reference: string): string {
  const name = reference.split('/').at(-1) ?? '';
  return RENAMED[name] ?? name;
}

/** Follows references. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(schemas[name] ?? {}, schemas);
}

/** Amounts of requests are texts in the document; the service takes numbers too. */
export function withNumbers(schema: Schema): Schema {
  const { type, pattern } = schema;
  if (pattern !== '^-?[0-9]') return schema;
  return { ...schema, type: ['string', 'number', ...(Array.isArray(type) ? ['null'] : [])] };
}

export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  const { anyOf, oneOf, allOf } = schema;
  const parts = anyOf ?? oneOf;
  if (parts !== undefined) return unionOf(parts.map((one) => typeOf(one, indent)));
  if (allOf !== undefined) return allOf.map((one) => typeOf(one, indent)).join(' & ');
  const { type } = withNumbers(schema);
  if (Array.isArray(type)) {
    const names = type.filter((one) => one !== 'null');
    const rest = type.includes('null') ? ['null'] : [];
    if (names.includes('string') && names.length > 1) return unionOf(['Numeric', ...rest]);
    return unionOf([...names.map((one) => typeOf({ ...schema, type: one }, indent)), ...rest]);
  }
  if (type === 'integer') return 'number';
  if (type === 'array') return arrayOf(schema.items ?? {}, indent);
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, indent);
  return typeof type === 'string' ? type : 'unknown';
}

function arrayOf(items: Schema, indent: string): string {
  const type = typeOf(items, indent);
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}

function objectOf(schema: Schema, indent: string): string {
  const { properties, required = [], additionalProperties: more } = schema;
  const inside = `${indent}  `;
  const others = typeof more === 'object' ? typeOf(more, inside) : more ? 'unknown' : undefined;
  if (properties === undefined) return `Record<string, ${others ?? 'unknown'}>`;
  const fields = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?';
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`;
    const doc = docOf(one.description, inside);
    return `${doc}${inside}${key}${mark}: ${typeOf(one, inside)};\n`;
  });
  // Whatever else is there: its type has to fit the named ones too.
  const open = others === undefined ? '' : `${inside}[name: string]: unknown;\n`;
  return `{\n${fields.join('')}${open}${indent}}`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

export function docOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  return `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}
