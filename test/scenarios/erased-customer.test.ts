// A customer who is erased is nowhere in the database any more, but where the book says so and why:
// every column of every table is looked through.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eraseAnswers } from '#checkout/create-checkout.ts';
import { type Db, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { CUSTOMER_MAILS, changeCustomerMails } from '#merchant/customer-mails.ts';
import { CUSTOMER_FIELDS } from '#people/customer.ts';
import { withMailServer } from '#test/support/mail-server.ts';
import { loopbackShopCertificate } from '#test/support/self-signed.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { sell } from '#test/upgrades/kept-release.ts';

/** In every field that takes a text; the country is one of a list. */
const MARK = 'xyzzy';
const CUSTOMER = {
  ...Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, `${MARK}-${name}`])),
  email: `${MARK}@customers.test`,
  countrycode: 'DE',
  phonenumber: '+49 30 9005551',
  meta: { key: `${MARK}-meta` },
};
const MARKS = [MARK, '9005551'];
/** What he answered: it stands in one column, and in no log, event or delivery, also before. */
const ANSWER = 'plugh-answer';

/** What stays, and goes by itself: docs/operate/what-is-kept.md. */
const FOR_A_WEEK = ['api_request.answer_body', 'api_request.query', 'api_request.request_body'];

/** Columns in which one of the marks stands, also as bytes. What partitions hold is of their table. */
async function findMarks(db: Db, marks: readonly string[] = MARKS): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string }>(sql`
    select table_name::text as "table", column_name::text as "column"
    from information_schema.columns where table_schema = current_schema()
      and table_name not in (select relname from pg_class where relispartition) order by 1, 2`);
  const patterns = [...marks, ...marks.map((mark) => Buffer.from(mark).toString('hex'))];
  const found: string[] = [];
  for (const { table, column } of columns) {
    const holds = patterns.map((one) => `"${column}"::text ilike '%${one}%'`).join(' or ');
    const rows = await db.query(rawStatement(`select 1 from "${table}" where ${holds} limit 1`));
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

async function buy(shop: Shop, customerId: string): Promise<string> {
  const lineItems = [{ description: 'Book', netAmount: '10.00' }];
  const charge = { billingCurrency: 'EUR', lineItems, ...(customerId !== '' && { customerId }) };
  const pageSettings = { asks: [{ key: 'name', label: 'Name', required: true }] };
  const id = await shop.create({ currency: 'EUR', amount: '10' }, { charge, pageSettings });
  const body = { checkoutId: id, network: 'LITECOIN', answers: { name: ANSWER } };
  assert.equal((await shop.client.call('POST', '/checkout/commit', { body })).status, 200);
  await sell(shop, id);
  return id;
}

test('nothing of a customer who is erased is left, but what goes within a week', async () => {
  const authority = join(mkdtempSync(join(tmpdir(), 'quittance-erased-')), 'authority.pem');
  writeFileSync(authority, loopbackShopCertificate);
  // A mail that waits has his address too.
  await withMailServer({ refuseReceiver: () => '451 later' }, async ({ port }) => {
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_AUTHORITY_FILE: authority,
      MAIL_FROM: 'The Shop <pay@shop.test>',
    };
    const server = await openServerProcess({ settings });
    try {
      await server.start();
      const shop = await openShop(server, 'test');
      const { client, merchantId } = shop;
      const owner = { merchantId, environment: 'test' } as const;
      await changeCustomerMails(server, owner, CUSTOMER_MAILS);
      const { customerId: id } = await client.post<{ customerId: string }>('/customer', {
        customer: CUSTOMER,
      });
      const checkoutId = await buy(shop, id);
      await waitUntil('a mail to wait', async () => {
        return (await server.db.query(sql`select 1 from mail where reader is not null`)).length > 0;
      });
      const known = await findMarks(server.db);
      for (const name of ['customer.email', 'customer.meta', 'mail.receiver']) {
        assert.ok(known.includes(name), `${name} holds him before: ${known}`);
      }

      // The shop has heard it, asks for it, and for what it was told.
      const told = await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
      assert.match(JSON.stringify(told), new RegExp(ANSWER));
      const asked = await client.call('GET', '/events', {});
      assert.match(asked.text, new RegExp(ANSWER));
      const other = await buy(shop, '');
      await shop.waitForEvent(other, 'CHECKOUT_COMPLETED');
      assert.deepEqual(await findMarks(server.db, [ANSWER]), ['checkout.answers']);

      const body = { customer: { id } };
      const erased = await client.call('DELETE', '/customer', { body });
      assert.equal(erased.status, 200, erased.text);
      await waitUntil('requests to be written', async () => {
        const asked = sql`select 1 from api_request where method = 'DELETE'`;
        return (await server.db.query(asked)).length > 0;
      });
      const left = (await findMarks(server.db)).filter((name) => !FOR_A_WEEK.includes(name));
      assert.deepEqual(left, []);
      // Of who is nobody's customer the shop erases it by the checkout.
      await eraseAnswers(server, owner, other);
      assert.deepEqual(await findMarks(server.db, [ANSWER]), []);
      const toldLater = await client.call('GET', '/events', {});
      assert.equal(toldLater.status, 200);
      assert.doesNotMatch(toldLater.text, new RegExp(ANSWER));
      assert.match(toldLater.text, /"answers":\{\}/);
      assert.doesNotMatch(server.output(), new RegExp(ANSWER));
      assert.equal((await client.findCheckout(checkoutId)).state, 'COMPLETED');
      await shop.checkBooks();
      await shop.close();
    } finally {
      await server.close();
    }
  });
});
