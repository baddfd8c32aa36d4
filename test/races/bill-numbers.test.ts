// Invoices issued at once: no number twice, none left out. And paid at once: one checkout for all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { isIssued } from '#billing/bill.ts';
import { discardBill, draftBill } from '#billing/draft-bill.ts';
import { cancelBill, issueBill } from '#billing/issue-bill.ts';
import { openBillCheckout } from '#billing/pay-bill.ts';
import { sql } from '#db/db.ts';
import { billRequest, issueNew, ownerOf, tellSender } from '#test/support/bill-fixture.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
  await tellSender(world);
});
after(() => world.close());

const AT_ONCE = 64;

const codeOf = (error: unknown) => {
  if (error instanceof Refusal) return error.code;
  throw error;
};

async function numbersOf(prefix: string): Promise<number[]> {
  const rows = await world.app.db.query<{ number: number }>(
    sql`select number from bill where prefix = ${prefix} and number is not null order by number`,
  );
  return rows.map(({ number }) => number);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('of 64 issued at once none has the number of another and none is left out', async () => {
  const owner = ownerOf(world);
  const drafts = await Promise.all(
    Array.from({ length: AT_ONCE }, () => draftBill(world.app, owner, billRequest())),
  );
  const issued = await Promise.all(drafts.map(({ id }) => issueBill(world.app, owner, id)));
  assert.deepEqual(await numbersOf('R-'), upTo(AT_ONCE));
  assert.equal(new Set(issued.map(({ name }) => name)).size, AT_ONCE);
});

test('one draft that is issued, discarded and issued again at once gets one number or none', async () => {
  const owner = ownerOf(world);
  const { id } = await draftBill(world.app, owner, billRequest({ prefix: 'X-' }));
  const ends = await Promise.all([
    ...Array.from({ length: 8 }, () =>
      issueBill(world.app, owner, id).then(() => 'issued', codeOf),
    ),
    ...Array.from({ length: 8 }, () =>
      discardBill(world.app, owner, id).then(() => 'gone', codeOf),
    ),
  ]);
  const done = ends.filter((end) => end === 'issued' || end === 'gone');
  assert.equal(done.length, 1);
  assert.deepEqual(await numbersOf('X-'), done[0] === 'issued' ? [1] : []);
});

test('whatever fails on the way gives its number back', async () => {
  const owner = ownerOf(world);
  const drafts = await Promise.all(
    Array.from({ length: 8 }, () => draftBill(world.app, owner, billRequest({ prefix: 'F-' }))),
  );
  const failing = {
    ...world.app,
    clock: {
      ...world.app.clock,
      now: () => {
        throw new Refusal('conflict', 'stopped', 'after the number was taken');
      },
    },
  };
  const ends = await Promise.all(
    drafts.map(({ id }, index) =>
      issueBill(index % 2 === 0 ? failing : world.app, owner, id).then(() => 'issued', codeOf),
    ),
  );
  assert.equal(ends.filter((end) => end === 'stopped').length, 4);
  assert.deepEqual(await numbersOf('F-'), upTo(4));
});

test('sixteen who cancel one invoice at once make one cancellation, with the next number', async () => {
  const owner = ownerOf(world);
  const { id } = await issueNew(world, { prefix: 'C-' });
  const ends = await Promise.all(
    Array.from({ length: 16 }, () =>
      cancelBill(world.app, owner, id).then(({ name }) => name, codeOf),
    ),
  );
  assert.deepEqual(
    ends.filter((end) => end !== 'bill_state'),
    ['C-0002'],
  );
});

test('test and live, and each range, count for themselves', async () => {
  const live = { ...ownerOf(world), environment: 'live' as const };
  const { id } = await draftBill(world.app, live, billRequest({ prefix: 'R-' }));
  assert.equal((await issueBill(world.app, live, id)).name, 'R-0001');
  assert.equal((await issueNew(world, { prefix: '2026/' })).name, '2026/0001');
});

test('what was issued is neither changed nor deleted, whoever writes to the database', async () => {
  const { id } = await issueNew(world, { prefix: 'K-' });
  const { db } = world.app;
  for (const statement of [
    sql`update bill set total = 1 where id = ${id}`,
    sql`update bill set number = 9, name = 'K-0009' where id = ${id}`,
    sql`update bill set buyer = '{}' where id = ${id}`,
    sql`delete from bill where id = ${id}`,
    sql`truncate bill cascade`,
  ]) {
    await assert.rejects(db.single((tx) => tx.query(statement)));
  }
});

async function issueToPay() {
  const bill = await issueNew(world);
  assert(isIssued(bill));
  return bill;
}

async function checkoutsOf(billId: string): Promise<string[]> {
  const rows = await world.app.db.query<{ state: string }>(sql`
    select c.state from bill_checkout b join checkout c on c.id = b.checkout_id
    where b.bill_id = ${billId}`);
  return rows.map(({ state }) => state);
}

test('of 64 who want to pay one invoice at once all are led to one checkout', async () => {
  const bill = await issueToPay();
  const pages = await Promise.all(
    Array.from({ length: AT_ONCE }, () => openBillCheckout(world.app, bill, 'en')),
  );
  assert.equal(new Set(pages).size, 1);
  assert.deepEqual(await checkoutsOf(bill.id), ['NEW']);
});

test('an invoice that is cancelled while somebody wants to pay it leaves nothing to be paid', async () => {
  for (let round = 0; round < 8; round += 1) {
    const bill = await issueToPay();
    await Promise.all([
      ...Array.from({ length: 4 }, () =>
        openBillCheckout(world.app, bill, 'en').then(() => 'opened', codeOf),
      ),
      cancelBill(world.app, ownerOf(world), bill.id),
    ]);
    const open = (await checkoutsOf(bill.id)).filter((state) => state !== 'CANCELLED');
    assert.deepEqual(open, []);
  }
});
