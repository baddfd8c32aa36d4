// The code on an invoice of a shop: whoever holds the document learns at /verify what the books say
// of it, and nothing of the buyer. What was issued before there were codes stays as it was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { type Bill, billTokenSubject, findBill } from '#billing/bill.ts';
import { draftBill } from '#billing/draft-bill.ts';
import { cancelBill } from '#billing/issue-bill.ts';
import { openBillCheckout } from '#billing/pay-bill.ts';
import { findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import { sql } from '#db/db.ts';
import { billCode } from '#pages/receipt/receipt-code.ts';
import { BUYER, billRequest, issueNew, ownerOf, tellSender } from '#test/support/bill-fixture.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { readPdf } from '#test/support/pdf-text.ts';

let world: DashboardWorld;
before(async () => {
  world = await openDashboardWorld();
  const { merchantId } = world.caller;
  const owner = { merchantId, environment: 'test' } as const;
  await allowAddress(world.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  await world.observe('LITECOIN');
  await tellSender(world);
});
after(() => world.close());

async function pdfOf({ id }: Bill) {
  const token = pageToken(world.app.keyring, billTokenSubject(id));
  const path = `http://localhost:8080/en/invoice/${token}/invoice.pdf`;
  const answer = await world.pages.fetch(new Request(path));
  assert.equal(answer.status, 200);
  return readPdf(new Uint8Array(await answer.arrayBuffer())).text;
}

function check({ id }: Bill, language = 'en') {
  const code = billCode(world.app.keyring, id);
  return world.open().get(`/verify?code=${code}&language=${language}`);
}

async function pay(bill: Bill): Promise<void> {
  const found = await findBill(world.app.db, bill, bill.id);
  assert.ok(found?.name !== undefined);
  const token = await openBillCheckout(
    world.app,
    found as Parameters<typeof openBillCheckout>[1],
    'en',
  );
  const record = await findCheckoutByPageToken(world.app, token);
  await payCheckout(world, record?.id ?? '');
}

test('the PDF has a code, and the code says what the invoice is worth now', async () => {
  const bill = await issueNew(world, { language: 'en' });
  const code = billCode(world.app.keyring, bill.id);
  const text = await pdfOf(bill);
  assert.ok(text.includes(code), 'to be typed');
  assert.ok(text.includes(`/verify?code=${code}`));
  const open = await check(bill);
  assert.equal(open.status, 200);
  assert.match(open.markup, /data-standing="open"/);
  assert.ok(open.markup.includes(bill.name ?? '') && open.markup.includes('€47.24'));
  assert.match(open.markup, /January 15, 2026/, 'when it is due');
  for (const told of [BUYER.name, BUYER.street, BUYER.email, 'A good book']) {
    assert.ok(!open.markup.includes(told), 'nothing of the buyer');
  }
  await pay(bill);
  assert.match((await check(bill)).markup, /data-standing="paid"/);
  assert.match((await check(bill, 'de')).markup, /Das ist bezahlt/);
});

test('what was cancelled says so, and so does the document that cancels it', async () => {
  const bill = await issueNew(world);
  const cancellation = await cancelBill(world.app, ownerOf(world), bill.id);
  assert.match((await check(bill)).markup, /data-standing="cancelled"/);
  const { markup } = await check(cancellation);
  assert.match(markup, /data-standing="cancellation"/);
  assert.doesNotMatch(markup, /Due date/);
  assert.ok((await pdfOf(cancellation)).includes(billCode(world.app.keyring, cancellation.id)));
});

test('what was issued before there were codes has none, on it and at /verify; nor has a draft', async () => {
  const old = await draftBill(world.app, ownerOf(world), billRequest({ prefix: 'OLD-' }));
  assert.equal((await check(old)).status, 404);
  await world.app.db.single((tx) =>
    tx.query(sql`
      update bill set state = 'ISSUED', number = 1, name = 'OLD-0001', issued_at = created_at,
        issued_on = '2026-01-01', due_on = '2026-01-15', delivered_on = '2026-01-01',
        seller = (select party from bill_sender where merchant_id = bill.merchant_id)
      where id = ${old.id}`),
  );
  const text = await pdfOf(old);
  assert.ok(text.includes('OLD-0001') && !text.includes('/verify'));
  assert.equal((await check(old)).status, 404);
});

test('a code of an invoice is of no checkout, and one sign makes it of nothing', async () => {
  const bill = await issueNew(world);
  const code = billCode(world.app.keyring, bill.id);
  const last = code.at(-1) === '7' ? '8' : '7';
  const { status, markup } = await world.open().get(`/verify?code=${code.slice(0, -1)}${last}`);
  assert.equal(status, 404);
  assert.match(markup, /No receipt and no invoice of ours has this code/);
});
