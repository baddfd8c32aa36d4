// A server that is killed between what happened and the mail that tells of it, as a process of its
// own: the customer gets each mail, once, with refunds by the way.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '#db/db.ts';
import { CUSTOMER_MAILS, changeCustomerMails } from '#merchant/customer-mails.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { withMailServer } from '#test/support/mail-server.ts';
import { loopbackShopCertificate } from '#test/support/self-signed.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

async function openPaidCheckout(shop: Shop, email: string): Promise<string> {
  const { customerId } = await shop.client.post<{ customerId: string }>('/customer', {
    customer: { email },
  });
  const lineItems = [{ description: 'Book', netAmount: '10.00' }];
  const id = await shop.create(
    { currency: 'EUR', amount: '10' },
    { charge: { billingCurrency: 'EUR', lineItems, customerId }, checkoutLanguage: 'en' },
  );
  await shop.client.commit(id, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await shop.client.waitForState(id, 'PENDING');
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await shop.client.waitForState(id, 'COMPLETED');
  return id;
}

test('killed between the fact and its mail, and between the mail and its server: told, once', async () => {
  const authority = join(mkdtempSync(join(tmpdir(), 'quittance-mails-')), 'authority.pem');
  writeFileSync(authority, loopbackShopCertificate);
  let answer: string | undefined = '451 later';
  await withMailServer({ refuseReceiver: () => answer }, async ({ port, received }) => {
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_AUTHORITY_FILE: authority,
      MAIL_FROM: 'The Shop <pay@shop.test>',
    };
    const server = await openServerProcess({ settings });
    let shop: Shop | undefined;
    try {
      // Nobody tells of anything: what happens stands in the database alone.
      await server.start({ ROLES: 'serve,watch,settle' });
      await holdBlocks(server.db);
      shop = await openShop(server, 'test');
      const owner = { merchantId: shop.merchantId, environment: 'test' } as const;
      await changeCustomerMails(server, owner, CUSTOMER_MAILS);
      const allow = ['allow-list', 'add', '127.0.0.1', '--for', 'withdrawals'];
      const allowed = await server.command(...allow, '--environment', 'test', '--by', 'ann');
      assert.equal(allowed.exitCode, 0, allowed.stderr);
      const id = await openPaidCheckout(shop, 'ann@customers.test');
      await server.kill9();
      const written = () =>
        server.db.query<{ state: string; kind: string }>(sql`
        select state, kind from mail order by kind`);
      assert.deepEqual(await written(), []);

      await server.start();
      await waitUntil('the mail to be written', async () => (await written()).length > 0);
      await server.kill9();
      assert.deepEqual(await written(), [{ state: 'PENDING', kind: 'PAID' }]);

      answer = undefined;
      // Time passes: until the next attempt, and until the lease of whoever was killed is over.
      await server.db.single((tx) =>
        tx.query(sql`update mail set next_attempt_at = now(), lease_until = null`),
      );
      await server.start();
      await waitUntil('the mail to come', () => received.length > 0);
      const refund = await shop.client.post<{ refund: { claimUrl: string } }>('/refund', {
        ...{ checkoutId: id, kind: 'amount', amount: '0.05' },
      });
      await waitUntil('the mail about the refund', () => received.length > 1);
      assert.ok(received[1]?.parsed.text?.includes(refund.refund.claimUrl));
      await waitUntil('all that was written to be sent', async () =>
        (await written()).every(({ state }) => state === 'SENT'),
      );
      assert.deepEqual(
        received.map(({ to, parsed }) => [to[0], parsed.subject]),
        [
          ['ann@customers.test', 'Test: Your payment to My shop is complete'],
          ['ann@customers.test', 'Test: A refund from My shop waits for you'],
        ],
      );
    } finally {
      await shop?.close();
      await server.close();
    }
  });
});
