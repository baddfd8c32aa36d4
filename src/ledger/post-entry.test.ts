import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ConstraintViolation, type Db, type Statement, sql } from '#db/db.ts';
import { listEntriesOfSubject } from '#test/support/ledger-entries.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { balancesOf, custodyBalance } from './account.ts';
import { accountsOf, type Entry, reverseEntries } from './ledger-entry.ts';
import { ensureAccounts, postEntries } from './post-entry.ts';
import { sealEntries } from './seal-entries.ts';
import { verifyLedger } from './verify-ledger.ts';

const occurredAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
const assetId = 'LTC:NATIVE';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;
let merchants = 0;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

async function newMerchant(): Promise<string> {
  merchants += 1;
  const id = `merchant${`${merchants}`.padStart(4, '0')}`;
  await run(sql`insert into merchant (id, name, sealed_data_key, created_at)
                values (${id}, 'Shop', ${new Uint8Array(1)}, ${occurredAt})`);
  return id;
}

/** Money arrives: custody is debited, the merchant and the fees are credited. */
function receiptEntry(
  merchantId: string,
  causeKey: string,
  units = 100n,
  more: Partial<Entry> = {},
): Entry {
  const fee = units / 100n;
  return {
    causeKey,
    kind: 'receipt',
    environment: 'test',
    merchantId,
    subjectId: causeKey,
    occurredAt,
    postings: [
      { account: { code: 'custody:LITECOIN' }, assetId, units },
      { account: { merchantId, code: 'merchant:available' }, assetId, units: fee - units },
      { account: { code: 'fees' }, assetId, units: -fee },
    ],
    ...more,
  };
}

/** The merchant's money leaves. */
function payoutEntry(merchantId: string, causeKey: string, units: bigint): Entry {
  const postings: Entry['postings'] = [
    { account: { merchantId, code: 'merchant:available' }, assetId, units },
    { account: { code: 'custody:LITECOIN' }, assetId, units: -units },
  ];
  return { causeKey, kind: 'payout', environment: 'test', merchantId, occurredAt, postings };
}

async function post(...entries: Entry[]): Promise<void> {
  await ensureAccounts(db, accountsOf(entries));
  await db.transact(async (tx) => postEntries(tx, entries));
}

async function available(merchantId: string): Promise<bigint | undefined> {
  const balances = await balancesOf(db, { merchantId, environment: 'test' });
  return balances.find(({ code }) => code === 'merchant:available')?.units;
}

function run(statement: Statement): Promise<unknown[]> {
  return db.single((tx) => tx.query(statement));
}

function refuses(act: Promise<unknown>, constraint: string): Promise<void> {
  return assert.rejects(act, (error) => {
    assert.equal((error as ConstraintViolation).constraint, constraint, String(error));
    return true;
  });
}

test('money that arrives is in custody, the merchant has the rest of the fee', async () => {
  const merchantId = await newMerchant();
  const before = await custodyBalance(db, 'test:LITECOIN', assetId);
  await post(receiptEntry(merchantId, 'arrive', 10_000n));
  assert.equal(await available(merchantId), 9_900n);
  assert.equal(await custodyBalance(db, 'test:LITECOIN', assetId), before + 10_000n);
  assert.equal(await custodyBalance(db, 'live:LITECOIN', assetId), 0n);
  const [entry] = await listEntriesOfSubject(db, 'arrive');
  const { id: _, ...posted } = entry!;
  assert.deepEqual(
    JSON.parse(JSON.stringify(posted, bigintText)),
    JSON.parse(JSON.stringify(receiptEntry(merchantId, 'arrive', 10_000n), bigintText)),
  );
});

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

test('evidence, quotes and every character survive', async () => {
  const merchantId = await newMerchant();
  const evidence = '{"a":"\\"{},\\\\ü🙂\\n","n":1.10}';
  await post(receiptEntry(merchantId, `odd ,{}"'\\key`, 100n, { subjectId: 'odd', evidence }));
  const [entry] = await listEntriesOfSubject(db, 'odd');
  assert.equal(entry?.evidence, evidence);
  assert.equal(entry?.causeKey, `odd ,{}"'\\key`);
});

test('the same cause cannot post twice and the second attempt changes nothing', async () => {
  const merchantId = await newMerchant();
  await post(receiptEntry(merchantId, 'once', 200n));
  await refuses(post(receiptEntry(merchantId, 'once', 200n)), 'ledger_entry_cause_key_key');
  assert.equal(await available(merchantId), 198n);
});

test('an account that was not made first is refused', async () => {
  const entry = receiptEntry(await newMerchant(), 'no account');
  const lost = db.transact(async (tx) => postEntries(tx, [entry]));
  await refuses(lost, 'ledger_posting_account_id_not_null');
});

test('a correction of an entry that does not exist is refused', async () => {
  const merchantId = await newMerchant();
  const correction = receiptEntry(merchantId, 'corrects', 100n, { correctsCauseKey: 'nothing' });
  await refuses(post(correction), 'ledger_entry_corrects_entry_fkey');
});

test('the database itself refuses an entry that does not balance or has less than two lines', async () => {
  const merchantId = await newMerchant();
  await post(receiptEntry(merchantId, 'model', 300n));
  const insertEntry = sql`insert into ledger_entry (cause_key, kind, environment, occurred_at)
    values ('raw', 'raw', 'test', ${occurredAt}) returning id`;
  await refuses(run(insertEntry), 'ledger_entry_balances');
  const raw = (units: readonly bigint[]) =>
    run(sql`with entry as (${insertEntry})
      insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
      select entry.id, line.position, account.id, account.asset_id, 'test', '', line.units
      from entry, (select id, asset_id from ledger_account where code = 'fees' limit 1) account,
        unnest(${units}::numeric[]) with ordinality as line (units, position)`);
  await refuses(raw([1n]), 'ledger_entry_balances');
  await refuses(raw([1n, -2n]), 'ledger_entry_balances');
  await refuses(raw([1n, -1n, 0n]), 'ledger_posting_units_check');
  await refuses(raw([2n ** 255n, -(2n ** 255n)]), 'ledger_posting_units_check');
  await raw([1n, -1n]);
});

test('a posting in another asset than its account is refused', async () => {
  await refuses(
    run(sql`insert into ledger_posting
        (entry_id, position, account_id, asset_id, environment, owner, units)
      select (select max(id) from ledger_entry), 99, id, 'BTC:NATIVE', 'test', '', 1
      from ledger_account where code = 'fees' limit 1`),
    'ledger_posting_account_fkey',
  );
});

test('a closed entry takes no more lines, even if they balance', async () => {
  await post(receiptEntry(await newMerchant(), 'closed'));
  await refuses(
    run(sql`insert into ledger_posting
        (entry_id, position, account_id, asset_id, environment, owner, units)
      select entry.id, line.position, account.id, account.asset_id, 'test', '', line.units
      from (select id from ledger_entry where cause_key = 'closed') entry,
        (select id, asset_id from ledger_account where code = 'fees' limit 1) account,
        (values (8, 5), (9, -5)) as line (position, units)`),
    'ledger_entry_closed',
  );
});

/** One line of an entry of `entry`, as it would be written by hand. */
function handWritten(line: {
  readonly entry: { readonly environment: string; readonly merchantId: string | null };
  readonly account: { readonly merchantId: string; readonly code: string };
  readonly claims: { readonly environment: string; readonly owner: string };
}): Promise<unknown> {
  const { entry, account, claims } = line;
  return run(sql`with entry as (
      insert into ledger_entry (cause_key, kind, environment, merchant_id, occurred_at)
      values ('by hand', 'raw', ${entry.environment}, ${entry.merchantId}, ${occurredAt})
      returning id)
    insert into ledger_posting
      (entry_id, position, account_id, asset_id, environment, owner, units)
    select entry.id, line.position, a.id, a.asset_id, ${claims.environment}, ${claims.owner},
      line.units
    from entry, (values (1, 5), (2, -5)) as line (position, units), ledger_account a
    where a.environment = 'test' and a.owner = ${account.merchantId} and a.code = ${account.code}
      and a.asset_id = ${assetId}`);
}

test('an entry moves money of its own merchant and environment, and of the house, only', async () => {
  const [mine, other] = [await newMerchant(), await newMerchant()];
  await post(receiptEntry(mine, 'mine'), receiptEntry(other, 'other'));
  const ofOther = { merchantId: other, code: 'merchant:available' };
  const ofHouse = { merchantId: '', code: 'fees' };
  const inTest = { environment: 'test', merchantId: mine };
  const cases: [
    entry: typeof inTest,
    typeof ofOther,
    environment: string,
    owner: string,
    string,
  ][] = [
    [inTest, ofOther, 'test', other, 'ledger_posting_merchant_fkey'],
    [inTest, ofOther, 'test', '', 'ledger_posting_account_fkey'],
    [inTest, ofOther, 'test', mine, 'ledger_posting_account_fkey'],
    [{ ...inTest, environment: 'live' }, ofHouse, 'test', '', 'ledger_posting_environment_fkey'],
    [{ ...inTest, environment: 'live' }, ofHouse, 'live', '', 'ledger_posting_account_fkey'],
  ];
  for (const [entry, account, environment, owner, constraint] of cases) {
    await refuses(handWritten({ entry, account, claims: { environment, owner } }), constraint);
  }
  const claims = { environment: 'test', owner: '' };
  await handWritten({ entry: inTest, account: ofHouse, claims });
});

const changes: readonly (readonly [string, Statement])[] = [
  ['ledger_entry', sql`update ledger_entry set kind = 'x'`],
  ['ledger_entry', sql`delete from ledger_entry`],
  ['ledger_posting', sql`update ledger_posting set units = units + 1`],
  ['ledger_posting', sql`delete from ledger_posting`],
  ['ledger_seal', sql`update ledger_seal set entry_count = 1`],
  ['ledger_seal', sql`delete from ledger_seal`],
  ['ledger_account', sql`update ledger_account set asset_id = 'BTC:NATIVE'`],
  ['ledger_account', sql`delete from ledger_account`],
  ['ledger_posting', sql`truncate ledger_posting`],
  ['ledger_seal', sql`truncate ledger_seal`],
];
test('what is posted or sealed is never changed, deleted or truncated', async () => {
  await post(receiptEntry(await newMerchant(), 'immutable'));
  await sealEntries({ db, clock: manualClock(occurredAt) }, { limit: 1000 });
  for (const [table, statement] of changes) {
    await refuses(run(statement), `${table}_append_only`);
  }
  await refuses(
    run(sql`truncate ledger_entry, ledger_posting, ledger_seal, ledger_account,
      ledger_balance_part, ledger_day`),
    'ledger_entry_append_only',
  );
});

test('a balance changes by postings and by nothing else', async () => {
  await post(receiptEntry(await newMerchant(), 'balance'));
  for (const statement of [
    sql`update ledger_balance_part set units = units - 1`,
    sql`delete from ledger_balance_part`,
    sql`truncate ledger_balance_part`,
    sql`insert into ledger_balance_part (account_id, part, units)
      select max(id), 31, -1000 from ledger_account`,
  ]) {
    await refuses(run(statement), 'ledger_balance_part_append_only');
  }
});

test('a merchant cannot spend more than there is', async () => {
  const merchantId = await newMerchant();
  await post(receiptEntry(merchantId, 'overdraw', 100n));
  await refuses(post(payoutEntry(merchantId, 'too much', 100n)), 'ledger_account_not_overdrawn');
  assert.equal(await available(merchantId), 99n);
  await post(payoutEntry(merchantId, 'all of it', 99n));
  assert.equal(await available(merchantId), 0n);
});

test('a correction that is no reversal cannot overdraw either', async () => {
  const merchantId = await newMerchant();
  await post(receiptEntry(merchantId, 'to correct', 100n));
  const correction = {
    ...payoutEntry(merchantId, 'correction', 100n),
    correctsCauseKey: 'to correct',
  };
  await refuses(post(correction), 'ledger_account_not_overdrawn');
});

test('a reversal takes an account below zero, where only money that arrives is accepted', async () => {
  const merchantId = await newMerchant();
  const receipt = receiptEntry(merchantId, 'to reverse', 100n);
  const reversals = reverseEntries([receipt], { kind: 'reversal', cause: 'reorg', occurredAt });
  await post(receipt);
  await post(payoutEntry(merchantId, 'spent', 60n));
  await post(...reversals);
  assert.equal(await available(merchantId), -60n);
  assert.equal((await verifyLedger(db)).ok, true);

  await refuses(post(payoutEntry(merchantId, 'more', 1n)), 'ledger_account_not_overdrawn');
  // Not even beside a reversal in the same act.
  const second = receiptEntry(merchantId, 'second', 100n);
  await post(second, payoutEntry(merchantId, 'first of the second', 39n));
  assert.equal(await available(merchantId), 0n);
  const undo = reverseEntries([second], { kind: 'reversal', cause: 'reorg', occurredAt });
  await refuses(
    post(...undo, payoutEntry(merchantId, 'beside', 1n)),
    'ledger_account_not_overdrawn',
  );
  await post(...undo);
  assert.equal(await available(merchantId), -99n);

  await post(receiptEntry(merchantId, 'back', 200n));
  assert.equal(await available(merchantId), 99n);
  await refuses(post(payoutEntry(merchantId, 'again', 100n)), 'ledger_account_not_overdrawn');
});

test('what came in 64 parts is spent by as many at once, and never more of it', async () => {
  const merchantId = await newMerchant();
  const arrived = Array.from({ length: 64 }, (_, i) => receiptEntry(merchantId, `part ${i}`, 100n));
  await ensureAccounts(db, accountsOf(arrived));
  await Promise.all(arrived.map((entry) => db.transact(async (tx) => postEntries(tx, [entry]))));
  const parts = await db.query(sql`select 1 from ledger_balance_part part
    join ledger_account a on a.id = part.account_id where a.owner = ${merchantId}`);
  assert.ok(parts.length > 16, `${parts.length} parts`);

  // 64 receipts of 99 are 48 payouts of 132.
  assert.equal(await spendAtOnce(merchantId, 'first', 132n), 48);
  assert.equal(await available(merchantId), 0n);
  // While more arrives, each payout sees some of it, and never what is not there yet.
  const more = Array.from({ length: 64 }, (_, i) => receiptEntry(merchantId, `more ${i}`, 100n));
  const arriving = more.map((entry) => db.transact(async (tx) => postEntries(tx, [entry])));
  const spent = await spendAtOnce(merchantId, 'second', 99n);
  await Promise.all(arriving);
  assert.equal(await available(merchantId), BigInt(64 - spent) * 99n);
});

/** 64 payouts at once: how many of them were covered. */
async function spendAtOnce(merchantId: string, cause: string, units: bigint): Promise<number> {
  const payouts = Array.from({ length: 64 }, (_, index) =>
    post(payoutEntry(merchantId, `${cause} ${index}`, units)),
  );
  const outcomes = await Promise.allSettled(payouts);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    assert.equal(outcome.reason.constraint, 'ledger_account_not_overdrawn', `${outcome.reason}`);
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('accounts are made once by many at the same time', async () => {
  const merchantId = await newMerchant();
  const accounts = accountsOf([receiptEntry(merchantId, 'x')]).map((account) => ({
    ...account,
    assetId: 'NEW:ASSET',
  }));
  await Promise.all(Array.from({ length: 20 }, () => ensureAccounts(db, accounts)));
  const rows = await db.query(sql`select 1 from ledger_account where asset_id = 'NEW:ASSET'`);
  assert.equal(rows.length, 3);
});

test('64 postings at the same time, in any order of accounts, keep balances equal to sums', async () => {
  const pair = [await newMerchant(), await newMerchant()] as const;
  const entries = Array.from({ length: 64 }, (_, index) => {
    const first = receiptEntry(pair[index % 2]!, `many ${index}`, 100n);
    const other = receiptEntry(pair[(index + 1) % 2]!, `many too ${index}`, 200n);
    const postings = index % 3 === 0 ? first.postings.toReversed() : first.postings;
    return [{ ...first, postings }, other];
  });
  await ensureAccounts(db, accountsOf(entries.flat()));
  const [{ before }] = (await db.query(sql`select deadlocks as before from pg_stat_database
    where datname = current_database()`)) as [{ before: bigint }];
  await Promise.all(entries.map((list) => db.transact(async (tx) => postEntries(tx, list))));
  for (const merchantId of pair) assert.equal(await available(merchantId), 32n * 99n + 32n * 198n);
  const verification = await verifyLedger(db);
  assert.deepEqual(verification.faults, []);
  await run(sql`select pg_stat_force_next_flush()`);
  const [{ later }] = (await db.query(sql`select deadlocks as later from pg_stat_database
    where datname = current_database()`)) as [{ later: bigint }];
  assert.equal(later, before);
});
