import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, type Statement, sql } from '#db/db.ts';
import { leavesDebtCovered } from '#ledger/account.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { findExcessRights, prepareRuntimeRole, runtimePassword } from './runtime-role.ts';

const role = 'runtime "of" a test';
const password = runtimePassword('secret');
let owner: TestDatabase;
let runtime: Db;

before(async () => {
  owner = await openTestDatabase();
  // Twice at once, as two processes would: the second finds it made.
  await Promise.all([1, 2].map(() => prepareRuntimeRole(owner.db, { role, password })));
  runtime = openDb({ ...owner.connection, user: role, password, log: silentLog });
});
after(async () => {
  await runtime.close();
  await owner.close();
});

const refused: readonly [what: string, Statement][] = [
  ['change an entry', sql`update ledger_entry set kind = 'x'`],
  ['remove an entry', sql`delete from ledger_entry`],
  ['remove a posting', sql`delete from ledger_posting`],
  ['remove a seal', sql`delete from ledger_seal`],
  ['change the digest of an event', sql`update event_digest set event_id = 'x'`],
  ['remove the digest of an event', sql`delete from event_digest`],
  ['move an account to somebody else', sql`update ledger_account set merchant_id = null`],
  ['write a balance', sql`insert into ledger_balance_part values (1, 1, 1)`],
  ['change a balance', sql`update ledger_balance_part set units = 0`],
  ['remove a receipt', sql`delete from receipt`],
  ['remove a credit', sql`delete from receipt_credit`],
  ['empty a table', sql`truncate ledger_entry, ledger_posting, ledger_seal, receipt cascade`],
  ['empty a day of the log of requests', sql`truncate api_request_day_0`],
  ['switch triggers off', sql`alter table ledger_entry disable trigger all`],
  ['switch all triggers off', sql`set session_replication_role = replica`],
  ['drop a table', sql`drop table ledger_seal`],
  ['replace what moves balances', sql`drop function post_to_balances cascade`],
  ['hide a table behind its own', sql`create temporary table ledger_balance_part (units numeric)`],
  ['forge the history of migrations', sql`delete from schema_migration`],
];
for (const [what, statement] of refused) {
  test(`the role that the service runs as cannot ${what}`, async () => {
    const act = runtime.single((tx) => tx.query(statement));
    await assert.rejects(act, (error: Error & { code?: string }) => {
      assert.equal(error.code, '42501', String(error));
      return true;
    });
  });
}

test('it is known whether a connection could change the ledger', async () => {
  assert.equal(await findExcessRights(runtime), undefined);
  assert.match((await findExcessRights(owner.db)) ?? '', /^the service runs as .*, a superuser/);
});

test('with its rights money may leave: what a merchant owes is looked at, one after the other', async () => {
  const ask = (run: () => void) =>
    runtime.transact(async (tx) => {
      const owner = { merchantId: 'abcdefghijkl', environment: 'test' } as const;
      const withdrawal = { ...owner, assetId: 'BTC:NATIVE', units: 1n };
      const isCovered = await leavesDebtCovered(tx, withdrawal);
      run();
      // Until it ends nobody else of this merchant and asset looks.
      await tx.query(sql`select pg_sleep(0.05)`);
      run();
      return isCovered;
    });
  const order: string[] = [];
  const covered = await Promise.all(['one', 'other'].map((name) => ask(() => order.push(name))));
  assert.deepEqual(covered, [true, true]);
  assert.equal(order[0], order[1]);
});
