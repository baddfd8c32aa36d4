import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { randomInteger } from '#base/random.ts';
import { ConstraintViolation, type Db, type Statement, sql, type Tx } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { accountsOf, type Entry, reverseEntries } from './ledger-entry.ts';
import { ensureAccounts, findTopEntry, listEntriesAfter, postEntries } from './post-entry.ts';
import {
  addDigests,
  FIRST_PREVIOUS_HASH,
  findSealHead,
  hashSeal,
  sealEntries,
} from './seal-entries.ts';
import { verifyLedger } from './verify-ledger.ts';

const occurredAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
const clock = manualClock(occurredAt);
const merchantIds = ['merchant0001', 'merchant0002'] as const;
const assetIds = ['LTC:NATIVE', 'EUR:FIAT', 'XLM:NATIVE'] as const;
let database: TestDatabase;
let db: Db;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await db.single((tx) =>
    tx.query(sql`insert into merchant (id, name, sealed_data_key, created_at)
      select id, 'Shop', '', ${occurredAt} from unnest(${merchantIds}::text[]) id`),
  );
});
after(() => database.close());

/** Receipts, payouts, conversions and reversals by turns; returns how many were accepted. */
async function postRandomEntries(seed: number, count: number): Promise<number> {
  const random = seededRandom(seed);
  const posted: Entry[] = [];
  let reversed = 0;
  for (let index = 0; index < count; index += 1) {
    const choice = randomInteger(random, 10);
    const entry = randomEntry(seed, index, choice);
    const target = choice === 9 ? posted[reversed] : undefined;
    const reversals = target && reverseEntries([target], reversalOf(seed, index));
    if (target !== undefined) reversed += 1;
    const entries = reversals ?? [entry];
    await ensureAccounts(db, accountsOf(entries));
    try {
      await db.transact(async (tx) => postEntries(tx, entries));
      if (reversals === undefined) posted.push(entry);
    } catch (error) {
      assert.ok(error instanceof ConstraintViolation, String(error));
      assert.equal(error.constraint, 'ledger_account_not_overdrawn');
    }
  }
  return posted.length + reversed;

  function randomEntry(seed: number, index: number, choice: number): Entry {
    const merchantId = merchantIds[randomInteger(random, 2)]!;
    const assetId = assetIds[randomInteger(random, 3)]!;
    const units =
      BigInt(1 + randomInteger(random, 1_000_000)) * 10n ** BigInt(randomInteger(random, 30));
    const isOut = choice >= 6;
    const merchant = { merchantId, code: 'merchant:available' } as const;
    const postings: Entry['postings'] = [
      { account: { code: 'custody:LITECOIN' }, assetId, units: isOut ? -units : units },
      { account: merchant, assetId, units: isOut ? units : -units },
    ];
    const other = assetIds[randomInteger(random, 3)]!;
    const conversion: Entry['postings'] = [
      { account: { code: 'exchange' }, assetId: other, units: 7n },
      { account: { code: 'exchange' }, assetId: other, units: -3n },
      { account: { code: 'rounding' }, assetId: other, units: -4n },
    ];
    return {
      causeKey: `${seed}/${index}`,
      kind: 'random',
      environment: 'test',
      merchantId,
      occurredAt,
      postings: choice < 3 ? [...postings, ...conversion] : postings,
    };
  }
}

function reversalOf(seed: number, index: number): Parameters<typeof reverseEntries>[1] {
  return { kind: 'reversal', cause: `reversal ${seed}/${index}`, occurredAt };
}

async function tamper(statement: Statement): Promise<void> {
  await db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(statement);
  });
}

test('an empty ledger is right', async () => {
  const { ok, entries, head } = await verifyLedger(db);
  assert.deepEqual({ ok, entries, head }, { ok: true, entries: 0n, head: undefined });
});

test('whatever is posted, in whatever order, the ledger stays right', async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const accepted = await postRandomEntries(seed, 60);
    assert.ok(accepted > 20);
    await sealEntries({ db, clock }, { limit: 25 });
    const verification = await verifyLedger(db);
    assert.deepEqual(verification.faults, []);
    assert.equal(verification.ok, true);
    assert.equal(verification.seals, BigInt(seed));
  }
});

test('sealing goes on until nothing is left, and the head is the end of the chain', async () => {
  let total = 0;
  for (;;) {
    const { sealed, head } = await sealEntries({ db, clock }, { limit: 100 });
    assert.deepEqual(head, await findSealHead(db));
    if (sealed === 0) break;
    total += sealed;
  }
  assert.ok(total > 0);
  const { entries, seals, head } = await verifyLedger(db);
  const [row] = await db.query<{ sealed: bigint }>(sql`
    select sum(entry_count) as sealed from ledger_seal`);
  assert.equal(row?.sealed, entries);
  assert.equal(head?.number, seals);
});

test('an entry that commits late, below one already visible, is sealed in its order', async () => {
  const entry = (causeKey: string): Entry => ({
    causeKey,
    kind: 'late',
    environment: 'test',
    occurredAt,
    postings: [
      { account: { code: `suspense:${causeKey}` }, assetId: 'LTC:NATIVE', units: 1n },
      { account: { code: `custody:${causeKey}` }, assetId: 'LTC:NATIVE', units: -1n },
    ],
  });
  await ensureAccounts(db, accountsOf([entry('slow'), entry('fast')]));
  const isPosted = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = db.transact(async (tx) => {
    postEntries(tx, [entry('slow')]);
    await tx.query(sql`select 1`);
    isPosted.resolve();
    await mayCommit.promise;
  });
  await isPosted.promise;
  await db.transact(async (tx) => postEntries(tx, [entry('fast')]));
  const early = await sealEntries(
    { db, clock: { ...systemClock, sleep: async () => {} } },
    { limit: 9 },
  );
  assert.equal(early.sealed, 0);
  const sealing = sealEntries({ db, clock: systemClock }, { limit: 9 });
  mayCommit.resolve();
  await slow;
  assert.equal((await sealing).sealed, 2);
  assert.deepEqual((await verifyLedger(db)).faults, []);
});

test('sealed by many at once, every entry is sealed once', async () => {
  await postRandomEntries(99, 40);
  const calls = Array.from({ length: 8 }, () =>
    sealEntries({ db, clock: systemClock }, { limit: 10 }),
  );
  await Promise.all(calls);
  while ((await sealEntries({ db, clock: systemClock }, { limit: 10 })).sealed > 0);
  assert.deepEqual((await verifyLedger(db)).faults, []);
});

test('entries posted beside every statement of the proof are no fault, nor is one that commits late', async () => {
  const isPosted = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const late: Entry = {
    ...{ causeKey: 'late', kind: 'late', environment: 'test', occurredAt },
    postings: [
      { account: { code: 'suspense:late' }, assetId: 'LTC:NATIVE', units: 1n },
      { account: { code: 'custody:late' }, assetId: 'LTC:NATIVE', units: -1n },
    ],
  };
  await ensureAccounts(db, accountsOf([late]));
  const slow = db.transact(async (tx) => {
    postEntries(tx, [late]);
    await tx.query(sql`select 1`);
    isPosted.resolve();
    await mayCommit.promise;
  });
  await isPosted.promise;
  let statements = 0;
  const busy: Db = {
    ...db,
    async query<Row>(statement: Statement) {
      statements += 1;
      await postRandomEntries(1_000 + statements, 2);
      if (statements === 10) {
        mayCommit.resolve();
        await slow;
      }
      return db.query<Row>(statement);
    },
  };
  assert.deepEqual((await verifyLedger(busy)).faults, []);
  assert.ok(statements > 10);
});

test('seals of before, of entries alone, are followed by seals of events too', async () => {
  let faults: readonly string[] | undefined;
  await db
    .transact(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(sql`delete from ledger_seal`);
      const within = dbWithin(tx);
      await sealAsBefore(tx);
      const digests = [3n, 4n, 9n].map((number) => ({
        ...{ number, eventId: `event${number}`, toldAt: occurredAt },
        digest: new Uint8Array(32).fill(Number(number)),
      }));
      await addDigests(within, digests);
      await sealEntries({ db: within, clock }, { limit: 2 });
      // A process of the version before is still there.
      await sealAsBefore(tx);
      while ((await sealEntries({ db: within, clock }, { limit: 2 })).sealed > 0);
      const { faults: found, eventsSince } = await verifyLedger(within);
      assert.deepEqual(eventsSince, occurredAt);
      faults = found;
      throw new Error('undone');
    })
    .catch((error: unknown) => assert.match(String(error), /undone/));
  assert.deepEqual(faults, []);
});

/** The next 20 entries, as before events were sealed. */
async function sealAsBefore(tx: Tx): Promise<void> {
  const head = await findSealHead(tx);
  const range = { after: head?.lastEntry ?? 0n, upTo: await findTopEntry(tx) };
  const rows = await listEntriesAfter(tx, { ...range, limit: 20 });
  const number = (head?.number ?? 0n) + 1n;
  const previousHash = head === undefined ? FIRST_PREVIOUS_HASH : Uint8Array.fromHex(head.hash);
  const hash = hashSeal({ number, previousHash, eventsHash: undefined }, rows);
  await tx.query(sql`
    insert into ledger_seal (number, last_entry, entry_count, previous_hash, hash, sealed_at)
    values (${number}, ${rows.at(-1)?.id ?? 0n}, ${rows.length}, ${previousHash}, ${hash},
      ${occurredAt})`);
}

test('a cause key used twice is found, with the index of cause keys and without it', async () => {
  let found: readonly string[][] = [];
  await db
    .transact(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(sql`alter table ledger_entry drop constraint ledger_entry_cause_key_key`);
      await tx.query(sql`update ledger_entry set cause_key =
        (select cause_key from ledger_entry order by id limit 1)
        where id in (select id from ledger_entry order by id offset 3 limit 2)`);
      const faultsNow = async () =>
        (await verifyLedger(dbWithin(tx))).faults.filter((fault) => fault.startsWith('L7'));
      const without = await faultsNow();
      await tx.query(sql`create index twice on ledger_entry (cause_key)`);
      await tx.query(sql`update pg_index set indisunique = true
        where indexrelid = 'twice'::regclass`);
      found = [without, await faultsNow()];
      throw new Error('undone');
    })
    .catch((error: unknown) => assert.match(String(error), /undone/));
  const twice = 'L7: 3 entries have the cause key 1/0';
  const [without, withIndex] = found;
  assert.deepEqual(without?.slice(1), [twice]);
  assert.match(without?.[0] ?? '', /^L7: the unique index of cause keys is missing/);
  assert.deepEqual(withIndex, [twice]);
});

const someEntry = sql`(select id from ledger_entry order by id offset 5 limit 1)`;
const someAccount = sql`(select id from ledger_account where merchant_id is null order by id limit 1)`;
const somePart = sql`(select min(part) from ledger_balance_part where account_id = ${someAccount})`;
const line = sql`ledger_posting where entry_id = ${someEntry} and position = 1`;

/** What is done behind the back of the ledger, what undoes it, and what must be said. */
const tamperings: readonly {
  name: string;
  act: Statement;
  undo: Statement;
  says: readonly RegExp[];
}[] = [
  {
    name: 'a changed amount',
    act: sql`update ledger_posting set units = units + 1 where entry_id = ${someEntry} and position = 1`,
    undo: sql`update ledger_posting set units = units - 1 where entry_id = ${someEntry} and position = 1`,
    says: [
      /^L1: entry \d+ is out of balance by 1 units/,
      /^L4: /,
      /^L11: .* was changed after seal/,
    ],
  },
  {
    name: 'a changed balance',
    act: sql`update ledger_balance_part set units = units - 1
      where account_id = ${someAccount} and part = ${somePart}`,
    undo: sql`update ledger_balance_part set units = units + 1
      where account_id = ${someAccount} and part = ${somePart}`,
    says: [/^L4: account \d+ \(test .*\) has a balance of/, /^L5: all test accounts/],
  },
  {
    name: 'a changed reason',
    act: sql`update ledger_entry set kind = kind || '!' where id = ${someEntry}`,
    undo: sql`update ledger_entry set kind = rtrim(kind, '!') where id = ${someEntry}`,
    says: [/^L11: an entry up to \d+ was changed after seal 1 was made$/],
  },
  {
    name: 'a line moved to another account of the same asset, balances adjusted',
    act: sql`with line as (select account_id, asset_id, units from ${line}),
      other as (select id from ledger_account where asset_id = (select asset_id from line)
        and merchant_id is null and id <> (select account_id from line) order by id limit 1),
      moved as (insert into ledger_balance_part as known (account_id, part, units)
        select other.id, 0, line.units from other, line
        union all select line.account_id, 0, -line.units from line
        on conflict (account_id, part) do update set units = known.units + excluded.units)
      update ledger_posting set account_id = (select id from other)
      where entry_id = ${someEntry} and position = 1`,
    undo: sql`select 1`,
    says: [/^L11: an entry up to/],
  },
];

test('tampering with triggers and foreign keys switched off is found and named', async () => {
  for (const { name, act, undo, says } of tamperings) {
    await tamper(act);
    const { ok, faults } = await verifyLedger(db);
    assert.equal(ok, false, name);
    for (const pattern of says) {
      assert.ok(
        faults.some((fault) => pattern.test(fault)),
        `${name}: ${pattern} in ${faults.join('\n')}`,
      );
    }
    assert.equal(faults.length, says.length, `${name}: ${faults.join('\n')}`);
    await tamper(undo);
  }
});

test('a removed entry, a removed seal and an overdraft without a reversal are found', async () => {
  const removed = await db.query<{ id: bigint }>(someEntry);
  const id = removed[0]?.id ?? 0n;
  await tamper(sql`delete from ledger_entry where id = ${id}`);
  const { faults } = await verifyLedger(db);
  assert.ok(
    faults.includes(`L3: entry ${id} is missing but 2 postings of it exist`) ||
      faults.includes(`L3: entry ${id} is missing but 5 postings of it exist`),
    faults.join('\n'),
  );
  assert.ok(faults.some((fault) => /^L11: seal 1 covers 25 entries, 24 are there$/.test(fault)));
  await tamper(sql`delete from ledger_seal where number = 2`);
  await tamper(sql`update ledger_balance_part set units = 1e50
    where account_id = (select min(id) from ledger_account where merchant_id is not null)`);
  const later = await verifyLedger(db);
  for (const pattern of [
    /^L11: the chain has a gap before seal 3$/,
    /^L11: seal 3 does not follow from the seal before it$/,
    /^L6: account .* is overdrawn by \d+ units, reversals took \d+$/,
  ]) {
    assert.ok(
      later.faults.some((fault) => pattern.test(fault)),
      later.faults.join('\n'),
    );
  }
});

test('however much is wrong, the list of faults is bounded and says how many more', async () => {
  await tamper(sql`update ledger_posting set units = units + 1 where units > 0`);
  const { ok, faults } = await verifyLedger(db);
  assert.equal(ok, false);
  assert.equal(faults.length, 101);
  assert.match(faults.at(-1) ?? '', /^and \d+ more faults$/);
});
