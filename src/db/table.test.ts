// A declared table against real PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { type Db, sql } from './db.ts';
import { rawStatement } from './statement.ts';
import {
  bigInteger,
  bytes,
  coded,
  defineTable,
  flag,
  insertOnly,
  integer,
  json,
  jsonText,
  moment,
  type NewRow,
  nullable,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
  units,
} from './table.ts';

const PARCEL = defineTable('parcel', {
  id: text(),
  assetId: text<'A' | 'B'>(),
  paidUnits: units,
  rowNumber: bigInteger,
  depth: integer,
  isHeld: flag,
  sentAt: moment,
  bodyHash: bytes,
  apiKey: optional(text()),
  note: nullable(text()),
  lines: json<readonly { readonly name: string }[]>(),
  seenAt: optional(moment),
  marks: texts(),
  weight: coded(units, { decode: (stored) => Number(stored), encode: BigInt }),
  body: jsonText(),
  secret: insertOnly(text()),
  shape: optional(jsonText()),
  version: selectOnly(integer),
});

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await db.single((tx) =>
    tx.query(
      rawStatement(`create table parcel (id text primary key, asset_id text not null,
        paid_units numeric(78,0) not null, row_number bigint not null, depth integer not null,
        is_held boolean not null, sent_at timestamptz not null, body_hash bytea not null,
        api_key text, note text, lines text not null, seen_at timestamptz,
        marks text[] not null,
        weight numeric(78,0) not null, secret text not null,
        body text not null, shape text, version integer not null default 1)`),
    ),
  );
});
after(() => database.close());

const moments = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000));
const anyText = fc.string({ unit: 'grapheme' }).filter((given) => !given.includes('\0'));

const anyRow: fc.Arbitrary<Omit<NewRow<typeof PARCEL>, 'id'>> = fc.record({
  assetId: fc.constantFrom('A', 'B'),
  paidUnits: fc.bigInt({ min: 0n, max: 10n ** 77n }),
  rowNumber: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  depth: fc.integer(),
  isHeld: fc.boolean(),
  sentAt: moments,
  bodyHash: fc.uint8Array(),
  apiKey: fc.option(anyText, { nil: undefined }),
  note: fc.option(anyText),
  lines: fc.array(fc.record({ name: anyText }, { noNullPrototype: true })),
  seenAt: fc.option(moments, { nil: undefined }),
  marks: fc.array(anyText),
  weight: fc.nat(),
  secret: anyText,
  body: fc.json(),
  shape: fc.option(fc.json(), { nil: undefined }),
});

test('what was written is read again, value for value, however many rows there are', async () => {
  let next = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 5 }), async (given) => {
      const rows = given.map((row) => ({ ...row, id: `p${++next}` }));
      const ids = rows.map(({ id }) => id);
      await db.single((tx) => tx.query(PARCEL.insert(rows)));
      const read = await PARCEL.select(db, sql`where id = any(${ids}::text[]) order by row_number`);
      const expected = rows.map(({ secret, ...row }) => ({ ...row, version: 1 }));
      const byId = (rows: readonly { readonly id: string }[]) =>
        new Map(rows.map((row) => [row.id, row]));
      assert.deepEqual(byId(read), byId(expected));
    }),
    { numRuns: 60 },
  );
});

test('a row of a join is read under the alias of its table, with what else was selected', async () => {
  const [row] = fc.sample(anyRow, 1);
  await db.single((tx) => tx.query(PARCEL.insert([{ ...row!, id: 'joined' }])));
  const [joined] = await db.query<{ readonly other: string }>(sql`
    select ${PARCEL.columnsOf('p')}, 'beside' as other
    from parcel p join (select 1 as id) o on true where p.id = 'joined'`);
  const { other, ...parcel } = PARCEL.parse(joined!);
  assert.equal(other, 'beside');
  assert.deepEqual(parcel, await PARCEL.find(db, sql`where id = 'joined'`));
});

test('nothing is found where there is none, and what conflicts is told by `returning`', async () => {
  assert.equal(await PARCEL.find(db, sql`where id = 'none'`), undefined);
  const [row] = fc.sample(anyRow, 1);
  const insert = PARCEL.insert(
    [{ ...row!, id: 'twice' }],
    sql`on conflict do nothing returning id`,
  );
  assert.equal((await db.single((tx) => tx.query(insert))).length, 1);
  assert.equal((await db.single((tx) => tx.query(insert))).length, 0);
});

test('what is given is changed, and what is not given stays as it is', async () => {
  const [before, after] = fc.sample(anyRow, 2);
  await db.single((tx) => tx.query(PARCEL.insert([{ ...before!, id: 'changed' }])));
  const names = ['paidUnits', 'bodyHash', 'apiKey', 'note', 'lines', 'weight', 'marks'] as const;
  const change = async (given: Partial<Row<typeof PARCEL>>) => {
    const where = sql`where id = 'changed' returning ${PARCEL.columns}`;
    const [row] = await db.single((tx) =>
      tx.query<object>(sql`update parcel set ${PARCEL.changed(names, given)} ${where}`),
    );
    return PARCEL.parse(row!);
  };
  const unchanged = await change({});
  assert.deepEqual(unchanged, await PARCEL.find(db, sql`where id = 'changed'`));
  const { paidUnits, bodyHash, note } = after!;
  const given = { paidUnits, bodyHash, note, marks: ['a', '{"b"}'] };
  assert.deepEqual(await change(given), { ...unchanged, ...given });
  assert.equal((await change({ note: null })).note, null);
});

test('a row that is there is replaced as far as it is said', async () => {
  const [before, after] = fc.sample(anyRow, 2);
  const put = (row: Omit<NewRow<typeof PARCEL>, 'id'>) => {
    const update = sql`on conflict (id) do update set ${PARCEL.excluded(['depth', 'bodyHash'])}`;
    return db.single((tx) => tx.query(PARCEL.insert([{ ...row, id: 'put' }], update)));
  };
  await put(before!);
  const first = await PARCEL.find(db, sql`where id = 'put'`);
  await put(after!);
  const { depth, bodyHash } = after!;
  assert.deepEqual(await PARCEL.find(db, sql`where id = 'put'`), { ...first!, depth, bodyHash });
});

test('an update writes everything that a new row says, and nothing where it says nothing', async () => {
  const [before, after] = fc.sample(anyRow, 2);
  await db.single((tx) => tx.query(PARCEL.insert([{ ...before!, id: 'replaced' }])));
  const row = { ...after!, id: 'replaced', note: null, seenAt: undefined };
  await db.single((tx) =>
    tx.query(sql`update parcel set ${PARCEL.replace(row)} where id = 'replaced'`),
  );
  const { secret, ...said } = row;
  assert.deepEqual(await PARCEL.find(db, sql`where id = 'replaced'`), { ...said, version: 1 });
});

test('a few columns of a table are read alone', async () => {
  const [row] = fc.sample(anyRow, 1);
  await db.single((tx) => tx.query(PARCEL.insert([{ ...row!, id: 'few' }])));
  const { depth, lines } = row!;
  const few = PARCEL.only('id', 'depth', 'lines');
  assert.deepEqual(await few.find(db, sql`where id = 'few'`), { id: 'few', depth, lines });
});

test('the types say what is read and what is written', () => {
  type Read = Row<typeof PARCEL>;
  const read = ({ assetId, apiKey, version }: Read) => [assetId, apiKey, version];
  // @ts-expect-error: it is written once and never read this way.
  const secret = (row: Read) => row.secret;
  // @ts-expect-error: the database gives it.
  const version = (row: NewRow<typeof PARCEL>) => row.version;
  assert.equal([read, secret, version].length, 3);
});
