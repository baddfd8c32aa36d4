// Receipts and invoices over a real database and the simulated networks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { chainOf } from '#catalog/chain.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { changePageSettings, findSeller } from '#merchant/seller.ts';
import { decimalToText, multiply, parseDecimal, roundDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { createPages } from '#pages/create-pages.ts';
import { createCustomer, parseNewCustomer } from '#people/customer.ts';
import { createRefund } from '#refund/create-refund.ts';
import { PAYER_ADDRESS, payCheckout, sendTransfers } from '#test/support/outgoing-money.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
let pages: Hono;
before(async () => {
  world = await openTestApp();
  const { app } = world;
  await world.observe('LITECOIN');
  pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: undefined,
  });
});
after(() => world.close());

const origin = 'http://localhost:8080';

async function get(path: string): Promise<Response> {
  return pages.fetch(new Request(origin + path));
}

async function read(path: string): Promise<string> {
  const answer = await get(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

type Papers = { id: string; receipt: string; invoice: string; pdf: string };

async function newCheckout(request: object = {}): Promise<Papers> {
  const id = await world.create(request);
  const token = pageToken(world.app.keyring, id);
  const receipt = `/en/checkout/${token}/receipt`;
  return { id, receipt, pdf: `${receipt}.pdf`, invoice: `/en/invoice/${token}` };
}

const charge = {
  billingCurrency: 'EUR',
  lineItems: [
    { description: 'A good book', netAmount: '19.90', quantity: '2' },
    { description: 'A pen', netAmount: '5' },
  ],
  discountItems: [{ description: 'Spring', netAmount: '4.80' }],
  shippingCostItems: [{ description: 'By post', netAmount: '3', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.1' }],
};

test('without any money there is an invoice, and the receipt says that there is none yet', async () => {
  const { receipt, pdf, invoice } = await newCheckout();
  for (const path of [receipt, pdf]) {
    const answer = await get(path);
    assert.equal(answer.status, 404);
    const markup = await answer.text();
    assert.match(markup, /<h1>There is no receipt yet/);
    const checkout = receipt.replace(/\/receipt$/, '');
    assert.ok(markup.includes(`id="to-payment" href="${checkout}"`), 'it leads to the checkout');
  }
  assert.match(await read(invoice), /<h1 id="title">Invoice</);
});

test('an open invoice holds every line, the taxes, what is due, and how to pay it', async () => {
  const { id, invoice } = await newCheckout({ charge });
  const text = await read(invoice);
  for (const part of [
    id,
    'A good book',
    '2 × €19.90',
    '€39.80',
    'Discount: <bdi>Spring',
    '-€4.80',
    'Shipping: <bdi>By post',
    'VAT',
    '10%',
    '€4.30',
    'Amount due</th><td>€47.30',
    'January 1, 2026 at 12:00',
    'How to pay',
    '<svg class="qr"',
  ]) {
    assert.ok(text.includes(part), part);
  }
  const url = `${world.app.publicUrl}${invoice.replace('/invoice/', '/checkout/')}`;
  assert.ok(text.includes(`href="${url}"`));
  assert.equal(
    await read(`${invoice.replace('/invoice/', '/checkout/')}/invoice`).then(plain),
    plain(text),
  );
});

/** Without the nonce of the answer. */
function plain(text: string): string {
  return text.replace(/nonce="[^"]*"/g, '');
}

test('a paid checkout has a receipt with asset, rate, transaction and dates', async () => {
  const { id, receipt, invoice } = await newCheckout({ charge });
  await payCheckout(world, id);
  const record = await world.read(id);
  const [payment] = record.receipts;
  assert.ok(payment !== undefined);
  const text = await read(receipt);
  for (const part of [
    '<h1 id="title">Receipt',
    'State</dt><dd>Paid',
    'Total</th><td>€47.30',
    'Payment 1',
    'Litecoin',
    payment.transaction,
    '1\u00a0LTC = €',
    'UTC</time>',
    'Confirmed</dt>',
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.match(text, /Amount<\/dt><dd>0\.\d+\u00a0LTC/);
  const bill = await read(invoice);
  assert.match(bill, /State<\/dt><dd>Paid/);
  assert.match(bill, /Amount due<\/th><td>€0\.00/);
  assert.doesNotMatch(bill, /How to pay|<svg/);
});

test('the page of a checkout leads to its invoice, and to its receipt once there is one', async () => {
  const { id, receipt, pdf, invoice } = await newCheckout({ charge });
  const page = receipt.replace('/receipt', '').replace('/en/', '/it/');
  const links = (text: string) =>
    [receipt, pdf, invoice].filter((path) =>
      text.includes(`href="${path.replace('/en/', '/it/')}"`),
    );
  assert.deepEqual(links(await read(page)), [invoice]);
  await payCheckout(world, id, 50n);
  assert.deepEqual(links(await read(page)), [receipt, pdf, invoice]);
  await payCheckout(world, id, 50n);
  assert.deepEqual(links(await read(page)), [receipt, pdf, invoice]);
});

test('the rate on the receipt times what was paid is the total', async () => {
  for (const netAmount of ['0.03', '47.3', '98765.43']) {
    const { id, receipt } = await newCheckout({
      charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Ink', netAmount }] },
    });
    await payCheckout(world, id);
    const text = await read(receipt);
    const rate = /1\u00a0LTC = €([\d.,]+)/.exec(text)?.[1]?.replaceAll(',', '');
    const paid = /Amount<\/dt><dd>([\d.,]+)\u00a0LTC/.exec(text)?.[1]?.replaceAll(',', '');
    const product = multiply(parseDecimal(rate ?? ''), parseDecimal(paid ?? ''));
    assert.equal(decimalToText(roundDecimal(product, 2, 'half-even')), `${Number(netAmount)}`);
  }
});

test('half of the money has a receipt that says so, and an invoice over the rest', async () => {
  const { id, receipt, invoice } = await newCheckout({ charge });
  await payCheckout(world, id, 50n);
  const text = await read(receipt);
  assert.match(text, /State<\/dt><dd>Paid in part/);
  assert.match(text, /Received<\/th><td>0\.\d+\u00a0LTC/);
  const rest = /Remaining<\/th><td>(0\.\d+\u00a0LTC)/.exec(text)?.[1];
  const bill = await read(invoice);
  assert.ok(bill.includes(`Amount due</th><td>${rest}`));
  assert.match(bill, /How to pay/);
});

test('money that came late is on the receipt with its own rate and the reason', async () => {
  const { app } = world;
  const { id, receipt } = await newCheckout({ charge });
  await commitCheckout(app, { checkoutId: id, owner: 'page', network: 'LITECOIN' });
  await world.clock.advance(61 * 60_000);
  const [commitment] = (await world.read(id)).commitments;
  assert.ok(commitment !== undefined);
  const { assetId, instruction } = commitment;
  const units = commitment.arrivingUnits * 2n;
  const chain = chainOf('test', 'LITECOIN');
  const outputs = [{ destination: instruction.destination, assetId, units }];
  await paySandbox(app, { chain, outputs });
  await mineBlocks(app, chain, 4);
  await world.observe('LITECOIN');
  await world.settle();
  const text = await read(receipt);
  assert.match(text, /It arrived after the time was over/);
  assert.match(text, /You sent 0\.\d+\sLTC more than needed/);
  assert.equal(text.match(/1\u00a0LTC = €/g)?.length, 1);
});

test('what was given back is on the receipt once it has arrived', async () => {
  const { app, caller } = world;
  const { id, receipt } = await newCheckout({ charge });
  await payCheckout(world, id);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  await createRefund(app, caller, {
    checkoutId: id,
    kind: 'full',
    address: PAYER_ADDRESS,
    ...nothing,
  });
  assert.doesNotMatch(await read(receipt), /Refund 1/);
  await sendTransfers(world);
  const [refund] = (await world.read(id)).refunds;
  assert.equal(refund?.state, 'COMPLETED');
  const text = await read(receipt);
  assert.match(text, /<h2>Refund 1<\/h2>/);
  assert.match(text, /Refunded<\/dt><dd><time datetime="2026-01-01T/);
  assert.ok(text.includes(refund?.transaction ?? 'none'));
});

test('an invoice that is cancelled or whose time is over asks for nothing', async () => {
  const cancelled = await newCheckout();
  await cancelCheckout(world.app, { checkoutId: cancelled.id, owner: 'page' });
  const late = await newCheckout();
  await commitCheckout(world.app, { checkoutId: late.id, owner: 'page', network: 'LITECOIN' });
  await world.clock.advance(61 * 60_000);
  await world.observe('LITECOIN');
  await world.settle();
  for (const [paper, state] of [
    [cancelled, 'Cancelled'],
    [late, 'Time to pay is over'],
  ] as const) {
    const text = await read(paper.invoice);
    assert.ok(text.includes(`State</dt><dd>${state}`), state);
    assert.doesNotMatch(text, /How to pay|Amount due|<svg/);
  }
});

const buyer = {
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Byron',
  company: 'Engines Ltd',
  adr1: '12 Square',
  zip: 'SW1Y',
  city: 'London',
  countrycode: 'GB',
  taxid: 'GB123',
  note: 'pays late',
};

test('buyer and seller are shown as the request says, else as the account does', async () => {
  const { app, caller } = world;
  const { id: customerId } = await createCustomer(
    app,
    caller,
    parseNewCustomer({ customer: buyer }),
  );
  const linked = { ...charge, customerId };
  const shown = async (pageSettings: object, given: object = linked) => {
    const { invoice } = await newCheckout({ charge: given, pageSettings });
    const text = await read(invoice.replace('/en/', '/de/'));
    return { buyer: text.includes('Engines Ltd'), seller: text.includes('2 Shop Lane'), text };
  };
  const both = { displayBuyerInfo: true, displaySellerInfo: true };
  const none = await shown({});
  assert.deepEqual([none.buyer, none.seller], [false, false]);
  await changePageSettings(app, caller.merchantId, {
    sellerInfo: 'Fern & Folio\n2 Shop Lane',
    displayBuyerInfo: true,
    displaySellerInfo: true,
  });
  const { text, ...byAccount } = await shown({});
  assert.deepEqual(byAccount, { buyer: true, seller: true });
  for (const part of ['Ada Byron', '12 Square', 'SW1Y London', 'Vereinigtes Königreich', 'GB123']) {
    assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(text, /ada@example|pays late/);
  const no = await shown({ displayBuyerInfo: false, displaySellerInfo: false });
  assert.deepEqual([no.buyer, no.seller], [false, false]);
  const stranger = await shown(both, charge);
  assert.deepEqual([stranger.buyer, stranger.seller], [false, true]);
  await changePageSettings(app, caller.merchantId, {
    displayBuyerInfo: false,
    displaySellerInfo: false,
  });
  const yes = await shown(both);
  assert.deepEqual([yes.buyer, yes.seller], [true, true]);
});

test('the PDF says the same, is kept under a safe name, and by nobody else', async () => {
  const { id, pdf } = await newCheckout({ charge });
  await payCheckout(world, id);
  const answer = await get(pdf.replace('/en/', '/pl/'));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  const disposition = answer.headers.get('content-disposition');
  assert.equal(disposition, `attachment; filename="receipt-${id}.pdf"`);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { text } = readPdf(await answer.bytes());
  const { receipts } = await world.read(id);
  for (const part of [
    'Potwierdzeniezapłaty',
    'Agoodbook',
    '47,30€',
    receipts[0]?.transaction ?? '',
  ]) {
    assert.ok(text.includes(part), part);
  }
});

test('every paper is in every language, with links that stay in it', async () => {
  const { id, receipt, invoice } = await newCheckout({ charge });
  await payCheckout(world, id);
  const english =
    /Receipt|Invoice|Seller|Payment reference|Description|Confirmed|Test mode|Shipping/;
  for (const { languageCode } of LANGUAGES) {
    for (const path of [receipt, invoice]) {
      const text = await read(path.replace('/en/', `/${languageCode}/`));
      assert.ok(text.includes(`<html lang="${languageCode}" dir="`));
      const links = [...text.matchAll(/<a class="quiet"[^>]*href="([^"]+)"/g)].map(([, to]) => to);
      assert.ok(links.length > 0 && links.every((to) => to?.startsWith(`/${languageCode}/`)));
      for (const other of LANGUAGES) {
        assert.ok(text.includes(`href="${path.replace('/en/', `/${other.languageCode}/`)}"`));
      }
      if (languageCode !== 'en') assert.doesNotMatch(text, english, `${languageCode} ${path}`);
    }
  }
  const automatic = await pages.fetch(
    new Request(origin + receipt.replace('/en/', '/auto/'), {
      headers: { 'accept-language': 'xx, it;q=0.5, en;q=0.1' },
    }),
  );
  assert.equal(automatic.headers.get('content-language'), 'it');
});

test('who has no token reads no paper', async () => {
  const { receipt, pdf, invoice } = await newCheckout();
  for (const path of [receipt, pdf, invoice]) {
    const wrong = path.replace(/[\w-]{32}/, 'A'.repeat(32));
    const answer = await get(wrong);
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /This page does not exist/);
    assert.equal((await get(path.replace('/en/', '/xx/'))).status, 404);
  }
});

test('what merchants and customers write stays text on every paper', async () => {
  const { app, caller } = world;
  const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202e';
  const { id: customerId } = await createCustomer(
    app,
    caller,
    parseNewCustomer({ customer: { ...buyer, company: evil.slice(0, 40), city: '<b>London' } }),
  );
  const { id, receipt, pdf, invoice } = await newCheckout({
    charge: {
      billingCurrency: 'EUR',
      customerId,
      lineItems: [{ description: evil, netAmount: '5' }],
      discountItems: [{ description: evil, netAmount: '1' }],
      taxItems: [{ name: evil, percent: '0.1' }],
    },
    pageSettings: { shopName: evil, displayBuyerInfo: true, displaySellerInfo: true },
  });
  await payCheckout(world, id);
  for (const path of [receipt, invoice]) {
    const text = await read(path);
    assert.doesNotMatch(text, /<img|<script>|<b>|\u202e/);
    assert.equal(text.match(/<script/g)?.length, 1);
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;'));
  }
  const { text } = readPdf(await (await get(pdf)).bytes());
  assert.ok(text.includes('<script>alert(2)</script>'));
});
