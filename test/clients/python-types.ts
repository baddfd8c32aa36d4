// Types of Python for the schemas of the OpenAPI document: classes of pydantic for what is answered,
// typed dictionaries for what is sent.
import assert from 'node:assert/strict';
import { type Schema, type Schemas, withNumbers } from './typescript-types.ts';

/** Which side a type is for: `answer` is read, `sent` is written. */
type Side = 'answer' | 'sent';

export const MADE =
  '# Made from the OpenAPI document by test/clients; what is changed here is lost.';
const KEYWORDS = new Set(['from', 'in', 'is', 'class', 'global', 'import', 'pass', 'return']);
/** Of pydantic's own: a field of this name would hide it. */
const TAKEN = new Set(['copy', 'dict', 'json', 'schema', 'validate', 'construct', 'parse_obj']);

export function schemaName(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

/** `prefix` is that of names of other types: `models.`. */
export function pythonType(schema: Schema, side: Side, prefix = ''): string {
  const inner = (one: Schema) => pythonType(one, side, prefix);
  if (schema.$ref !== undefined) return `${prefix}${schemaName(schema.$ref)}`;
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.enum !== undefined) return literals(schema.enum);
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return unionOf(parts.map(inner));
  const { type: types } = withNumbers(schema);
  if (!Array.isArray(types)) return simpleType(schema, side, inner);
  const names = types.filter((one) => one !== 'null');
  const rest = types.includes('null') ? ['None'] : [];
  if (names.includes('string') && names.length > 1) {
    return unionOf([side === 'sent' ? 'Numeric' : 'str | int | float | Decimal', ...rest]);
  }
  return unionOf([...names.map((type) => inner({ ...schema, type })), ...rest]);
}

function simpleType(schema: Schema, side: Side, inner: (one: Schema) => string): string {
  const { type, items = {}, properties, additionalProperties: more } = schema;
  if (type === 'string') return 'str';
  if (type === 'integer') return 'int';
  if (type === 'number') return side === 'sent' ? 'Numeric' : 'int | float | Decimal';
  if (type === 'boolean') return 'bool';
  if (type === 'null') return 'None';
  if (type === 'array') return `${side === 'sent' ? 'Sequence' : 'list'}[${inner(items)}]`;
  assert.equal(properties, undefined, 'an object with fields has no name in the document');
  if (type !== 'object') return 'Any';
  const value = typeof more === 'object' ? inner(more) : 'Any';
  return `${side === 'sent' ? 'Mapping' : 'dict'}[str, ${value}]`;
}

function literals(values: readonly unknown[]): string {
  const python = (value: unknown) => (value === true ? 'True' : JSON.stringify(value));
  return `Literal[${values.map(python).join(', ')}]`;
}

function unionOf(types: readonly string[]): string {
  const each = types.flatMap((type) => type.split(' | '));
  const isNone = each.includes('None');
  return [...new Set(each.filter((type) => type !== 'None')), ...(isNone ? ['None'] : [])].join(
    ' | ',
  );
}

/** Of these schemas and all that they need, each after what it needs. */
function needed(roots: readonly Schema[], schemas: Schemas): readonly string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, value] of Object.entries(part)) {
      if (name !== '$ref') {
        visit(value);
        continue;
      }
      const referred = schemaName(String(value));
      const schema = schemas[referred];
      if (schema === undefined || found.includes(referred)) continue;
      const { discriminator: _, ...rest } = schema as Schema & { readonly discriminator?: unknown };
      visit(rest);
      if (!found.includes(referred)) found.push(referred);
    }
  };
  visit(roots);
  return found;
}

export function modelsFile(roots: readonly Schema[], schemas: Schemas): string {
  const code = needed(roots, schemas).map((name) => modelOf(name, schemas[name] ?? {}));
  return [
    MADE,
    '"""What the service answers. Attributes have the names of the API."""\n',
    'from __future__ import annotations\n',
    'from decimal import Decimal',
    'from typing import Any, Literal, TypeAlias\n',
    'from ._model import Model\n\n',
    code.join('\n\n'),
  ].join('\n');
}

function modelOf(name: string, schema: Schema): string {
  const { properties, required = [] } = schema;
  const doc = docOf(schema.description, '');
  if (properties === undefined) {
    return `${name}: TypeAlias = ${broken(pythonType(schema, 'answer'))}\n${doc}`;
  }
  const fields = Object.entries(properties).map(([field, one]) => {
    assert.ok(!KEYWORDS.has(field) && !TAKEN.has(field), `${name}.${field} is no name in Python`);
    const type = pythonType(one, 'answer');
    const isAlways = required.includes(field);
    const written = isAlways ? type : `${unionOf([type, 'None'])} = None`;
    return `    ${field}: ${written}\n${docOf(one.description, '    ')}`;
  });
  const always = fields.filter((field) => !field.includes(' = None\n'));
  const perhaps = fields.filter((field) => field.includes(' = None\n'));
  return `class ${name}(Model):\n${docOf(schema.description, '    ')}${[...always, ...perhaps].join('')}`;
}

/** A long list of texts has a line for each of them. */
function broken(type: string): string {
  return type.length > 80 && type.startsWith('Literal') ? type.replaceAll(', ', ',\n    ') : type;
}

/** A typed dictionary: its name, and what may stand in it. */
export type TypedDict = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly description?: string | undefined;
  }[];
};

export function dictOfSchema(name: string, schema: Schema, omitted: string | null): TypedDict {
  const { properties = {}, required = [], description } = schema;
  const fields = Object.entries(properties)
    .filter(([field]) => field !== omitted)
    .map(([field, one]) => ({
      name: field,
      type: pythonType(one, 'sent'),
      isRequired: required.includes(field),
      description: one.description,
    }));
  return { name, description, fields };
}

export function parametersFile(
  roots: readonly Schema[],
  schemas: Schemas,
  own: readonly TypedDict[],
): string {
  const shared = needed(roots, schemas).map((name) => {
    const schema = schemas[name] ?? {};
    if (schema.properties !== undefined) return dictText(dictOfSchema(name, schema, null));
    return `${name}: TypeAlias = ${broken(pythonType(schema, 'sent'))}\n`;
  });
  return [
    MADE,
    '"""What is sent: mappings with the names of the API."""\n',
    'from __future__ import annotations\n',
    'from collections.abc import Mapping, Sequence',
    'from datetime import datetime',
    'from decimal import Decimal',
    'from typing import Any, Literal, TypeAlias\n',
    'from typing_extensions import NotRequired, TypedDict\n',
    'Numeric: TypeAlias = str | int | Decimal',
    '"""An amount is a text as "12.50", an int or a Decimal. A float is refused."""\n\n',
    [...shared, ...own.map(dictText)].join('\n\n'),
  ].join('\n');
}

function dictText({ name, description, fields }: TypedDict): string {
  const typeOf = ({ type, isRequired }: TypedDict['fields'][number]) =>
    isRequired ? type : `NotRequired[${type}]`;
  if (fields.some((field) => KEYWORDS.has(field.name))) {
    const lines = fields.map((field) => `        "${field.name}": "${escaped(typeOf(field))}",\n`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n${docOf(description, '')}`;
  }
  const lines = fields.map(
    (field) => `    ${field.name}: ${typeOf(field)}\n${docOf(field.description, '    ')}`,
  );
  return `class ${name}(TypedDict):\n${docOf(description, '    ')}${lines.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('"', "'");
}

export function docOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `${indent}"""${safe}${safe.endsWith('"') ? ' ' : ''}"""\n`;
}

export function queryType(name: string, schema: Schema): string {
  if (name === 'wait' || name === 'limit') return 'Numeric';
  if (schema.type === 'object') return 'Mapping[str, Numeric]';
  if (schema.format === 'date-time') return 'str | datetime';
  if (schema.enum === undefined && /\d|\[0-9/.test(schema.pattern ?? '')) return 'Numeric';
  return pythonType(schema, 'sent');
}
