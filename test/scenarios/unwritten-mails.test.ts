// A letter that cannot be written: it keeps no other back, waits for whoever runs the installation
// with the reason, and is written after all when he asks for it, or given up.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from '#db/db.ts';
import type { Letter } from '#mail/letter.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { discardParked, listParked, retryParked } from '#server/list-parked.ts';
import type { CustomerMail } from '#status-mail/customer-mail.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  await settleSandbox(api.app);
  await call('PUT', '/account-settings', { customerMails: ['PAID'] });
});
after(() => api.close());
beforeEach(async () => {
  await emptyTables(api.db, 'unwritten_mail', 'mail');
});

async function call(method: string, path: string, body: object) {
  const called = await api.call(method, path, { body });
  assert.equal(called.status, 200, called.text);
  return called.json;
}

async function sell(email: string): Promise<void> {
  const { customerId } = await call('POST', '/customer', { customer: { email } });
  const lineItems = [{ description: 'Book', netAmount: '10.00' }];
  const charge = { billingCurrency: 'EUR', lineItems, customerId };
  const { id: checkoutId } = await call('POST', '/checkout', { charge });
  await call('POST', '/checkout/commit', { checkoutId, network: 'LITECOIN' });
  await call('POST', '/sandbox/pay', { checkoutId, network: 'LITECOIN' });
  await call('POST', '/sandbox/mine', { network: 'LITECOIN', blocks: 3 });
  await settleSandbox(api.app);
}

/** The writer stumbles at the first letter of each round where `isBroken`. */
async function tell(isBroken: boolean): Promise<void> {
  let count = 0;
  const writeCustomerLetter = (mail: CustomerMail): Letter => {
    count += 1;
    if (isBroken && count === 1) throw new TypeError('texts.paid is not a function\nat line 1');
    return customerLetter(mail);
  };
  const letters = { writeStaffLetter: staffLetter, writeBillLetter: billLetter };
  await followEvents({ ...api.app, ...letters, writeCustomerLetter });
}

async function receivers(): Promise<string[]> {
  const rows = await api.db.query<{ receiver: string }>(
    sql`select receiver from mail order by receiver`,
  );
  return rows.map(({ receiver }) => receiver);
}

const parked = async () =>
  (await listParked(api.app, api.clock.now(), 10)).filter(({ id }) => id.startsWith('letter:'));

test('it waits with its reason, keeps no other back, and is written when somebody asks again', async () => {
  await sell('ann@customers.test');
  await sell('bob@customers.test');
  await tell(true);
  assert.deepEqual(await receivers(), ['bob@customers.test']);
  const [letter, ...others] = await parked();
  assert(letter !== undefined);
  assert.deepEqual(others, []);
  assert.match(letter.reason, /^customers \d+: TypeError: texts\.paid is not a function$/);
  assert.match(letter.advice, /parked retry/);
  assert.equal(letter.isDiscardable, true);

  await tell(false);
  assert.equal((await parked()).length, 1, 'nothing tries it again by itself');
  await retryParked(api.app, letter.id, api.clock.now());
  await tell(true);
  const [again] = await parked();
  assert.equal(again?.id.startsWith('letter:'), true, 'what is still wrong waits again');
  await retryParked(api.app, again?.id ?? '', api.clock.now());
  await tell(false);
  assert.deepEqual(await receivers(), ['ann@customers.test', 'bob@customers.test']);
  assert.deepEqual(await parked(), []);
  await tell(false);
  assert.equal((await receivers()).length, 2, 'once');
});

test('one that is given up is mailed to nobody, and nothing else can be given up', async () => {
  await sell('cleo@customers.test');
  await tell(true);
  const [letter] = await parked();
  await discardParked(api.app, letter?.id ?? '');
  await tell(false);
  assert.deepEqual(await receivers(), []);
  assert.deepEqual(await parked(), []);
  await assert.rejects(discardParked(api.app, letter?.id ?? ''), /nothing that is parked/);
  await assert.rejects(discardParked(api.app, 'mail:aaaaaaaaaaaa'), /only a letter/);
});

test('a refund that waits for its payer and cannot be told of waits too, and is found again', async () => {
  const letter = { source: 'claims', fact: 'aaaaaaaaaaaa' };
  await api.db.single((tx) =>
    tx.query(sql`
      insert into unwritten_mail (id, source, fact, reason, parked_at, again_at) values
        ('bbbbbbbbbbb1', ${letter.source}, ${letter.fact}, 'x', now(), now()),
        ('bbbbbbbbbbb2', 'bills', '["aaaaaaaaaaaa","BILL_DUE","2026-01-01"]', 'x', now(), now()),
        ('bbbbbbbbbbb3', 'summaries', '["a","b","2026-01-01T00:00:00Z"]', 'x', now(), now())`),
  );
  await tell(false);
  assert.deepEqual(await receivers(), [], 'what is not there any more is told nobody');
  const [left] = await api.db.query<{ count: number }>(
    sql`select count(*)::integer as count from unwritten_mail`,
  );
  assert.equal(left?.count, 0);
});
