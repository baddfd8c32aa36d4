// A table is declared once: columns, row type, how a value arrives and how it is written, select
// and insert follow from it. A column has the name of its property in snake case. Whether the
// declarations agree with the migrations is tested over all of them (src/declared-tables.test.ts).
import { assert } from '#base/assert.ts';
import type { Reader } from './db.ts';
import { fragment, type Statement, sql } from './statement.ts';

/** `insert`: written once and never read this way. `select`: the database or an update fills it. */
type Use = 'both' | 'insert' | 'select';

/** How one column is read from what the driver gives, and written into a JSON record set. */
export type Column<Value, Used extends Use = 'both'> = {
  /** As PostgreSQL names it. */
  readonly type: string;
  readonly use: Used;
  readonly isNullable: boolean;
  /** JSON text: beside the records of an insert, within which it would be quoted twice. */
  readonly isJsonText?: boolean;
  /** Undefined: the driver gives the value itself. */
  readonly read: ((raw: never) => Value) | undefined;
  /** Undefined: JSON holds the value itself. */
  readonly write: ((value: Value) => unknown) | undefined;
};

/** Says nothing of the value, which is so inferred from each column alone. */
type AnyColumn = {
  readonly type: string;
  readonly use: Use;
  readonly isNullable: boolean;
  readonly isJsonText?: boolean;
};
type Columns = Readonly<Record<string, AnyColumn>>;
type Codec = {
  readonly read: ((raw: unknown) => unknown) | undefined;
  readonly write: ((value: unknown) => unknown) | undefined;
};
type Names<C extends Columns, Not extends Use> = {
  [Name in keyof C]: C[Name]['use'] extends Not ? never : Name;
}[keyof C];
type ValueOf<C> = C extends Column<infer Value, Use> ? Value : never;

/** What a row holds when it is read. */
export type Row<T> =
  T extends Table<infer C> ? { readonly [Name in Names<C, 'insert'>]: ValueOf<C[Name]> } : never;
/** What a new row is made of. */
export type NewRow<T> =
  T extends Table<infer C> ? { readonly [Name in Names<C, 'select'>]: ValueOf<C[Name]> } : never;

type Table<C extends Columns> = {
  readonly name: string;
  readonly definition: C;
  /** `id, merchant_id as "merchantId", …`: what `parse` reads. */
  readonly columns: Statement;
  /** The same of a table that a join names `alias`. */
  columnsOf(alias: string): Statement;
  /** Their names alone, as in `update … set (…) = (select …)`. */
  namesOf(properties: readonly (keyof C & string)[]): Statement;
  /** The same table as far as these columns: for what reads few of many. */
  only<Name extends keyof C & string>(...properties: readonly Name[]): Table<Pick<C, Name>>;
  /**
   * `update … set ${…} where …`: of the named columns those that are given, the others stay as they
   * are. One text, whatever is given.
   */
  changed<Name extends keyof C & string>(
    properties: readonly Name[],
    given: { readonly [One in Name]?: ValueOf<C[One]> | undefined },
  ): Statement;
  /** `on conflict (…) do update set ${…}`: these columns as the row that was given has them. */
  excluded(properties: readonly (keyof C & string)[]): Statement;
  /** A row selected by `columns`; further fields of it stay as they are. */
  parse<Given extends object>(row: Given): Given & Row<Table<C>>;
  /** `rest` begins behind the name of the table: `where …`. */
  select(reader: Reader, rest: Statement): Promise<Row<Table<C>>[]>;
  /** The only row, or none. */
  find(reader: Reader, rest: Statement): Promise<Row<Table<C>> | undefined>;
  /** `update … from ${…}`: `given`, what new rows say; each has more fields, of these types. */
  recordset(rows: readonly NewRow<Table<C>>[], more: Readonly<Record<string, string>>): Statement;
  /** `(…) = (select …)`, behind `update … set`: everything that a new row says. */
  replace(row: NewRow<Table<C>>): Statement;
  /** One statement for all rows; `rest`: `on conflict …`, `returning …`. */
  insert(rows: readonly NewRow<Table<C>>[], rest?: Statement): Statement;
};

/** Their names, in the order in which they were declared. */
export function propertiesOf<C extends Columns>(columns: C): readonly (keyof C & string)[] {
  return Object.keys(columns);
}

export function defineTable<const C extends Columns>(name: string, definition: C): Table<C> {
  const all = Object.entries(definition as unknown as Readonly<Record<string, AnyColumn & Codec>>);
  const selected = all.filter(([, { use }]) => use !== 'insert');
  const inserted = all.flatMap(([property, { use, type, write, isJsonText = false }]) =>
    use === 'select' ? [] : [{ property, column: columnName(property), type, write, isJsonText }],
  );
  const readers = selected.flatMap(([property, { read }]) =>
    read === undefined ? [] : [{ property, read }],
  );
  const listOf = (prefix: string) =>
    fragment(
      selected
        .map(([property]) => `${prefix}${columnName(property)}${aliasOf(property)}`)
        .join(', '),
    );
  const names = inserted.map(({ column }) => column).join(', ');
  const into = fragment(`insert into ${name} (${names}) `);
  const selectGiven = fragment(`select ${names} from `);
  const given = givenBy(inserted);
  const tableName = fragment(name);
  const columns = listOf('');
  const parse = (row: Record<string, unknown>): Record<string, unknown> => {
    for (const { property, read } of readers) row[property] = read(row[property]);
    return row;
  };
  const select = async (reader: Reader, rest: Statement) => {
    const rows = await reader.query<Record<string, unknown>>(
      sql`select ${columns} from ${tableName} ${rest}`,
    );
    return rows.map(parse) as Row<Table<C>>[];
  };
  const namesOf = (properties: readonly string[]) =>
    fragment(properties.map(columnName).join(', '));
  return {
    name,
    definition,
    columns,
    namesOf,
    only: (...properties) => defineTable(name, pick(definition, properties)),
    changed: (properties, given) => {
      const values = given as Readonly<Record<string, unknown>>;
      const these = all.flatMap(([property, { write }]) =>
        values[property] === undefined ? [] : [{ property, column: columnName(property), write }],
      );
      const record = JSON.stringify(recordOf(these, values));
      return sql`(${namesOf(properties)}) = (
        select ${namesOf(properties)} from json_populate_record(${tableName}, ${record}::json))`;
    },
    excluded: (properties) =>
      fragment(
        properties
          .map(columnName)
          .map((one) => `${one} = excluded.${one}`)
          .join(', '),
      ),
    columnsOf: (alias) => listOf(`${alias}.`),
    parse: <Given extends object>(row: Given) =>
      parse(row as Record<string, unknown>) as Given & Row<Table<C>>,
    select,
    find: async (reader, rest) => (await select(reader, rest))[0],
    recordset: (rows, more) => recordsetOf(inserted, rows, more),
    replace: (row) => sql`(${fragment(names)}) = (${selectGiven}${given([row])})`,
    insert: (rows, rest = NOTHING) => sql`${into}${selectGiven}${given(rows)}${rest}`,
  };
}

const NOTHING = sql``;

function pick<C extends Columns, Name extends keyof C>(
  definition: C,
  properties: readonly Name[],
): Pick<C, Name> {
  return Object.fromEntries(properties.map((one) => [one, definition[one]])) as Pick<C, Name>;
}

/** A column as it is written. */
type Written = {
  readonly property: string;
  readonly column: string;
  readonly write: Codec['write'];
};
type Typed = Written & { readonly type: string };

/** In no text of JSON, which has no control characters. */
const BETWEEN = '\u001f';
const NULL = '\u001e';

/** Rows as a set: short values in one text of JSON, and each column of JSON texts in one text. */
function givenBy(
  columns: readonly (Typed & { readonly isJsonText: boolean })[],
): (rows: readonly object[]) => Statement {
  const short = columns.filter(({ isJsonText }) => !isJsonText);
  const long = columns.filter(({ isJsonText }) => isJsonText);
  const types = typesOf(short).join(', ');
  const named = short.map((one) => ({ ...one, name: `"${one.column}":` }));
  const recordsOf = (rows: readonly object[]) =>
    `[${rows.map((row) => recordText(named, row)).join(',')}]`;
  if (long.length === 0) {
    const asGiven = fragment(`::json) as given (${types}) `);
    return (rows) => sql`json_to_recordset(${recordsOf(rows)}${asGiven}`;
  }
  const asShort = fragment(`::json) as (${types})`);
  const asGiven = fragment(`) as given (${[...short, ...long].map(({ column }) => column)}) `);
  return (rows) => {
    const texts = long.map(({ property, write }) => {
      const joined = joinTexts(rows, property, write);
      return sql`, string_to_table(${joined}::text, ${BETWEEN}::text, ${NULL}::text)`;
    });
    const lists = texts.reduce((before, one) => sql`${before}${one}`, NOTHING);
    return sql`rows from (json_to_recordset(${recordsOf(rows)}${asShort}${lists}${asGiven}`;
  };
}

/** JSON of a record, by its columns: an object of each row would be made for nothing else. */
function recordText(
  columns: readonly (Written & { readonly name: string })[],
  row: object,
): string {
  const given = row as Readonly<Record<string, unknown>>;
  let text = '';
  for (const { property, name, write } of columns) {
    const held = given[property];
    const value = write === undefined ? held : write(held);
    // What a record does not have is NULL.
    if (value === undefined || value === null) continue;
    text += `${text === '' ? '' : ','}${name}${JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** Joined and looked through once: these texts are the longest of a row. */
function joinTexts(rows: readonly object[], property: string, write: Codec['write']): string {
  let joined = '';
  let nulls = 0;
  rows.forEach((row, index) => {
    const value = (row as Readonly<Record<string, unknown>>)[property];
    const text = write === undefined ? value : write(value);
    if (index > 0) joined += BETWEEN;
    if (text === null) {
      joined += NULL;
      nulls += 1;
      return;
    }
    if (typeof text !== 'string' || text === '') assert(false, `${property} is a text of JSON`);
    joined += text;
  });
  const between = Math.max(rows.length - 1, 0);
  const isPlain = count(joined, BETWEEN) === between && count(joined, NULL) === nulls;
  if (!isPlain) assert(false, `${property} has no control characters`);
  return joined;
}

function count(text: string, character: string): number {
  let times = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    times += 1;
  return times;
}

function typesOf(columns: readonly Typed[]): readonly string[] {
  return columns.map(({ column, type }) => `${column} ${type}`);
}

/** `more`: types of further fields of a row, by their names in it, which JSON holds as they are. */
function recordsetOf(
  inserted: readonly Typed[],
  rows: readonly object[],
  more: Readonly<Record<string, string>>,
): Statement {
  const further = Object.entries(more).map(([property, type]) => {
    return { property, column: columnName(property), type, write: undefined };
  });
  const columns = [...inserted, ...further];
  const records = rows.map((row) => recordOf(columns, row));
  const as = fragment(`::json) as given (${typesOf(columns).join(', ')})`);
  return sql`json_to_recordset(${JSON.stringify(records)}${as}`;
}

function recordOf(columns: readonly Written[], row: object): Record<string, unknown> {
  const given = row as Readonly<Record<string, unknown>>;
  const record: Record<string, unknown> = {};
  for (const { property, column, write } of columns) {
    const value = given[property];
    record[column] = write === undefined ? value : write(value);
  }
  return record;
}

export function columnName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function aliasOf(property: string): string {
  return columnName(property) === property ? '' : ` as "${property}"`;
}

function column<Value>(
  type: string,
  read?: (raw: never) => Value,
  write?: (value: Value) => unknown,
): Column<Value> {
  return { type, use: 'both', isNullable: false, read, write };
}

/** One of a few texts, where the type says which. */
export const text = <Value extends string = string>() => column<Value>('text');
export const texts = <Value extends string = string>() => column<readonly Value[]>('text[]');
export const integer = column<number>('integer');
export const flag = column<boolean>('boolean');
/** `bigint` in PostgreSQL. */
export const bigInteger = column<bigint>('bigint', undefined, String);
/** An amount in units: `numeric(78,0)`, which always arrives as a bigint. */
export const units = column<bigint>('numeric(78,0)', undefined, String);
export const unitsList = column<readonly bigint[]>('numeric(78,0)[]', undefined, (list) =>
  list.map(String),
);
/** A number with a fraction: a bigint where it has none, else its text. */
export const fractional = column<bigint | string>('numeric', undefined, String);
export const moment = column<Temporal.Instant>('timestamptz', undefined, String);
export const bytes = column<Uint8Array>('bytea', undefined, (value) => `\\x${value.toHex()}`);

/** A value that stands in the column as something else. */
export function coded<Stored, Value>(
  stored: Column<Stored>,
  codec: { readonly decode: (stored: Stored) => Value; readonly encode: (value: Value) => Stored },
): Column<Value> {
  const { read, write } = stored;
  const known = read as ((raw: unknown) => Stored) | undefined;
  return {
    ...stored,
    read: (raw: unknown) => codec.decode(known === undefined ? (raw as Stored) : known(raw)),
    write: (value) => {
      const encoded = codec.encode(value);
      return write === undefined ? encoded : write(encoded);
    },
  };
}

/** A text of JSON as we made it: never empty, and no line breaks or tabs between its parts. */
export const jsonText = (): Column<string> => ({ ...text(), isJsonText: true });

/** JSON text whose type its only writer gives. */
export function json<Value>(): Column<Value> {
  return coded(text(), {
    decode: (stored) => JSON.parse(stored) as Value,
    encode: (value) => JSON.stringify(value),
  });
}

/** NULL is `undefined`. */
export function optional<Value, Used extends Use>(
  one: Column<Value, Used>,
): Column<Value | undefined, Used> {
  const read = one.read as ((raw: unknown) => Value) | undefined;
  const { write } = one;
  return {
    ...one,
    isNullable: true,
    read: (raw: unknown) => {
      if (raw === null) return undefined;
      return read === undefined ? (raw as Value) : read(raw);
    },
    write: (value) => {
      if (value === undefined) return null;
      return write === undefined ? value : write(value);
    },
  };
}

/** NULL is `null`: where the wire says null for what is not there. */
export function nullable<Value>(one: Column<Value>): Column<Value | null> {
  const { read: known, write } = optional(one);
  const read = known as (raw: unknown) => Value | undefined;
  return {
    ...one,
    isNullable: true,
    read: (raw: unknown) => read(raw) ?? null,
    write: (value) => write?.(value ?? undefined),
  };
}

/** Written once, and never selected with the others. */
export function insertOnly<Value>(one: Column<Value>): Column<Value, 'insert'> {
  return { ...one, use: 'insert' };
}

/** The database has a default for it, or an update writes it. */
export function selectOnly<Value>(one: Column<Value>): Column<Value, 'select'> {
  return { ...one, use: 'select' };
}
