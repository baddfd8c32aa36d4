// An invoice that a shop sends, from its number to its payment: its page, its checkouts, and what
// becomes of it when it is paid, paid again, cancelled, or when the network takes a payment back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { listActs } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { type Bill, billTokenSubject, findBill, isIssued } from '#billing/bill.ts';
import { draftBill } from '#billing/draft-bill.ts';
import { cancelBill } from '#billing/issue-bill.ts';
import { countPaidAgain, listPaidAgain } from '#billing/paid-again.ts';
import { openBillCheckout, readStanding } from '#billing/pay-bill.ts';
import { findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import type { Db } from '#db/db.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { createRefund } from '#refund/create-refund.ts';
import { followTakings } from '#takings/follow-takings.ts';
import {
  BUYER,
  billRequest,
  CHARGE,
  issueNew,
  ownerOf,
  tellSender,
} from '#test/support/bill-fixture.ts';
import { ciiFaults, duePayable } from '#test/support/cii-rules.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { PAYER_ADDRESS, payCheckout } from '#test/support/outgoing-money.ts';
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

const tokenOf = ({ id }: Bill) => pageToken(world.app.keyring, billTokenSubject(id));
const pageOf = (bill: Bill, language = 'en') => `/${language}/invoice/${tokenOf(bill)}`;

async function get(path: string) {
  return world.open().get(path);
}

/** Presses the button; answers the id of the checkout. */
async function press(bill: Bill): Promise<string> {
  const browser = world.open();
  const { location = '' } = await browser.post(`${pageOf(bill)}/pay`, {});
  const [, token = ''] = /^\/en\/checkout\/([\w-]{32})$/.exec(location) ?? [];
  const record = await findCheckoutByPageToken(world.app, token);
  return record?.id ?? `nothing at ${location}`;
}

const standing = async (bill: Bill) => {
  const found = await findBill(world.app.db, bill, bill.id);
  assert.ok(found);
  return readStanding(world.app, found);
};

test('the page of an invoice says who bills whom for what, and its button opens a checkout of just that', async () => {
  const bill = await issueNew(world, { note: 'Thank you.\nCome again.' });
  const { status, markup } = await get(pageOf(bill));
  assert.equal(status, 200);
  for (const said of [
    /Invoice number/,
    /<code>R-0001<\/code>/,
    /January 15, 2026/,
    /Bücher &amp; Söhne GmbH/,
    /DE123456789/,
    /Ann Client/,
    /75002 Paris/,
    /€47.24/,
    /Open/,
    /Thank you\./,
  ]) {
    assert.match(markup, said);
  }
  const record = await world.read(await press(bill));
  assert.equal(record.billingCurrency, 'EUR');
  assert.deepEqual(record.total, bill.total);
  assert.deepEqual(JSON.parse(record.meta ?? ''), { invoice: 'R-0001' });
  assert.equal(record.type, 'HOSTED');
});

test('the checkout that pays it makes it paid, and then nothing more is to be paid', async () => {
  const bill = await issueNew(world);
  await payCheckout(world, await press(bill));
  assert.equal((await standing(bill)).state, 'PAID');
  const { markup } = await get(pageOf(bill));
  assert.match(markup, /Paid/);
  assert.doesNotMatch(markup, /id="pay"/);
  const again = await world.open().post(`${pageOf(bill)}/pay`, {});
  assert.equal(again.location, pageOf(bill), 'the button of an old page leads back');
});

test('while a price holds it is the same checkout; afterwards it is a fresh one', async () => {
  const bill = await issueNew(world);
  const first = await press(bill);
  assert.equal(await press(bill), first);
  world.clock.advance(2 * 3_600_000);
  const second = await press(bill);
  assert.notEqual(second, first);
});

test('one that is paid twice says so to the shop, and names both payments', async () => {
  const bill = await issueNew(world);
  const first = await press(bill);
  world.clock.advance(2 * 3_600_000);
  const second = await press(bill);
  await payCheckout(world, second);
  world.clock.advance(60_000);
  await payCheckout(world, first);
  assert.deepEqual((await standing(bill)).paidBy, [second, first]);
  const browser = await world.comeAs('OWNER', 'twice');
  const { markup } = await browser.get(`${world.shop}/invoices/${bill.id}`);
  assert.match(markup, /paid more than once/);
  for (const id of [first, second]) assert.match(markup, new RegExp(`/checkouts/${id}"`));

  while ((await followTakings(world.app)) === 'busy');
  const today = async (who = browser) => (await who.get(`${world.shop}/today`)).markup;
  const need = /data-need="bill-again">[^<]*: 1<.*?<a class="button" href="([^"]+)"/s;
  const list = `${world.shop}/invoices/again`;
  const viewer = await world.comeAs('VIEWER', 'sees-twice');
  for (const who of [browser, viewer]) assert.equal(need.exec(await today(who))?.[1], list);
  const shown = (await browser.get(list)).markup;
  for (const id of [first, second]) assert.match(shown, new RegExp(`/checkouts/${id}"`));
  assert.match(shown, new RegExp(`/checkouts/${first}/refund"`), 'that of the second payment');
  const seen = (await viewer.get(list)).markup;
  assert.match(seen, new RegExp(`/checkouts/${first}"`));
  assert.doesNotMatch(seen, /\/refund"|name="reason"/, 'whoever only looks is offered nothing');
  const way = { amount: undefined, network: undefined, asset: undefined };
  const refund = { checkoutId: first, kind: 'full', address: PAYER_ADDRESS, ...way } as const;
  await createRefund(world.app, world.caller, refund);
  assert.doesNotMatch(await today(), /bill-again/, 'whoever refunds has seen to it');

  const other = await issueNew(world);
  const once = await press(other);
  world.clock.advance(2 * 3_600_000);
  await payCheckout(world, await press(other));
  await payCheckout(world, once);
  while ((await followTakings(world.app)) === 'busy');
  assert.match(await today(), need, 'a refund of something else is none of this one');
});

test('a second payment that was settled outside is seen to with a reason, and waits for nobody then', async () => {
  const bill = await issueNew(world);
  const later = await press(bill);
  world.clock.advance(2 * 3_600_000);
  const first = await press(bill);
  await payCheckout(world, first);
  world.clock.advance(60_000);
  await payCheckout(world, later);
  while ((await followTakings(world.app)) === 'busy');
  const { db, clock } = world.app;
  const owner = ownerOf(world);
  const [from, to] = [clock.now().subtract({ hours: 1 }), clock.now().add({ hours: 1 })];
  const waiting = async () =>
    (await listPaidAgain(db, owner, 10)).map(({ checkoutId }) => checkoutId);
  const counted = await countPaidAgain(db, owner, { from, to });
  assert.ok((await waiting()).includes(later));

  const list = `${world.shop}/invoices/again`;
  const browser = await world.comeAs('ADMIN', 'sees-to');
  await browser.get(list);
  const empty = await browser.submit(list, { checkout: later, reason: '  ' });
  assert.equal(empty.status, 400);
  assert.match(empty.markup, /Write in up to 500 characters how it was settled/);
  const long = await browser.submit(list, { checkout: later, reason: 'x'.repeat(501) });
  assert.equal(long.status, 400);
  assert.ok(long.markup.includes('x'.repeat(501)), 'what was typed stands there still');
  assert.equal((await browser.submit(list, { checkout: first, reason: 'no' })).status, 404);
  const cashier = await world.comeAs('CASHIER', 'sees-to-not');
  const form = /name="form" value="([^"]+)"/.exec((await cashier.get(list)).markup)?.[1] ?? '';
  const refused = await cashier.post(list, { form, checkout: later, reason: 'mine' });
  assert.equal(refused.status, 403);
  assert.ok((await waiting()).includes(later), 'nothing of that was done');

  await browser.get(list);
  const given = { checkout: later, reason: 'Paid back by hand,\r\n <b>cash</b>' };
  assert.equal((await browser.submit(list, given)).location, `${list}?done=1`);
  assert.doesNotMatch((await browser.get(`${list}?done=1`)).markup, new RegExp(later));
  assert.ok(!(await waiting()).includes(later));
  assert.equal(await countPaidAgain(db, owner, { from, to }), counted - 1, 'nor in the summary');
  const shown = (await browser.get(`${world.shop}/today`)).markup;
  const own = /name="form" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  const twice = await browser.post(list, { ...given, form: own });
  assert.equal(twice.status, 409, 'what somebody has seen to is not seen to again');
  const { markup } = await browser.get(`${world.shop}/invoices/${bill.id}`);
  assert.match(markup, /data-seen-to>Seen to: <bdi>Paid back by hand, &lt;b&gt;cash&lt;\/b&gt;/);
  assert.match(markup, /sees-to/, 'by whom');
  assert.doesNotMatch(markup, /id="paid-again"/);
  const [act] = await listActs(db, { verb: 'bill-again-seen-to' }, 5);
  assert.equal(act?.subject, `checkout:${later}`);
  assert.match(act?.actor ?? '', /^person /);
  assert.deepEqual(JSON.parse(act?.details ?? ''), {
    ...{ bill: bill.id, paidBy: first, reason: 'Paid back by hand, <b>cash</b>' },
  });
  const timeline = (await browser.get(`${world.shop}/checkouts/${later}`)).markup;
  assert.match(timeline, /Second payment of an invoice seen to/);
});

test('a cancelled invoice cannot be paid, and the document that cancels it has a page of its own', async () => {
  const bill = await issueNew(world);
  const opened = await press(bill);
  const cancellation = await cancelBill(world.app, ownerOf(world), bill.id);
  assert.ok(isIssued(cancellation));
  assert.equal((await world.read(opened)).state, 'CANCELLED');
  const { markup } = await get(pageOf(bill));
  assert.match(markup, new RegExp(`cancelled by ${cancellation.name}`));
  assert.doesNotMatch(markup, /id="pay"/);
  const page = await get(pageOf(cancellation));
  assert.match(page.markup, new RegExp(`This cancels invoice ${bill.name} of January 1, 2026`));
  assert.doesNotMatch(page.markup, /id="pay"|Due date/);
  await assert.rejects(openBillCheckout(world.app, cancellation, 'en'), { code: 'bill_closed' });
});

test('wherever cancelling is killed, no checkout of a cancelled invoice is left that can be paid', async () => {
  const bill = await issueNew(world);
  const opened = await press(bill);
  const before = await standing(bill);
  assert.equal(before.payBy, opened);
  for (let left = 0; (await standing(bill)).state === 'ISSUED'; left += 1) {
    let steps = left;
    const alive = <T>(step: () => Promise<T>): Promise<T> => {
      steps -= 1;
      return steps < 0 ? Promise.reject(new Error('killed')) : step();
    };
    const { db } = world.app;
    const dying: Db = {
      ...db,
      transact: (act) => alive(() => db.transact(act)),
      single: (act) => alive(() => db.single(act)),
    };
    await cancelBill({ ...world.app, db: dying }, ownerOf(world), bill.id).catch((error: Error) =>
      assert.equal(error.message, 'killed'),
    );
    const [now, { state }] = [await standing(bill), await world.read(opened)];
    assert.ok(now.state === 'ISSUED' || state === 'CANCELLED', `after ${left}: ${state}`);
  }
});

test('the PDF is the document as it was issued, with the electronic invoice inside, and the same for everybody', async () => {
  const bill = await issueNew(world);
  const answerOf = async (language: string) => {
    const path = `http://localhost:8080${pageOf(bill, language)}/invoice.pdf`;
    const answer = await world.pages.fetch(new Request(path));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    return new Uint8Array(await answer.arrayBuffer());
  };
  const bytes = await answerOf('en');
  assert.deepEqual(await answerOf('tr'), bytes, 'in the language of the invoice');
  const { text, whole } = readPdf(bytes);
  for (const said of ['Rechnung', 'R-0', '47,24', 'AnnClient', 'Zahlbarbis']) {
    assert.ok(text.includes(said), said);
  }
  // Metadata is not packed.
  const file = Buffer.from(bytes).toString('latin1');
  assert.match(file, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>A</);
  assert.match(file, /<fx:ConformanceLevel>EN 16931</);
  const [xml = ''] =
    /<rsm:CrossIndustryInvoice[\s\S]*<\/rsm:CrossIndustryInvoice>/.exec(whole) ?? [];
  assert.deepEqual(ciiFaults(xml), []);
  assert.equal(duePayable(xml), '47.24');
  await payCheckout(world, await press(bill));
  assert.deepEqual(await answerOf('en'), bytes, 'and it stays so when it is paid');
});

test('a draft has no page, nor has a token that names nothing, in any language', async () => {
  const draft = await draftBill(world.app, ownerOf(world), billRequest());
  for (const path of [pageOf(draft), `/en/invoice/${'A'.repeat(32)}`, pageOf(draft, 'xx')]) {
    assert.equal((await get(path)).status, 404, path);
  }
  const posted = await world.open().post(`${pageOf(draft)}/pay`, {});
  assert.equal(posted.status, 404);
});

test('a form of another site opens no checkout, and nobody opens many in a minute', async () => {
  const bill = await issueNew(world);
  const cross = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await world.open().post(`${pageOf(bill)}/pay`, {}, cross)).status, 403);
  const answers: number[] = [];
  for (let index = 0; index < 14; index += 1) {
    answers.push((await world.open().post(`${pageOf(bill)}/pay`, {})).status);
  }
  assert.equal(answers.filter((status) => status === 429).length, 2);
});

test('the page of a checkout that names an invoice as before is not changed by those of shops', async () => {
  const id = await world.create();
  const { status, markup } = await get(`/de/invoice/${pageToken(world.app.keyring, id)}`);
  assert.equal(status, 200);
  assert.match(markup, new RegExp(id));
});

test('in each language it says the same, and hostile texts stay texts', async () => {
  const hostile = '<script>alert(1)</script>\u202e"><img src=x>';
  const bill = await issueNew(world, {
    buyer: { ...BUYER, name: hostile },
    charge: billRequest({}, { ...CHARGE, lineItems: [{ description: hostile, netAmount: '10' }] })
      .charge,
    note: hostile,
  });
  for (const code of ['en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr']) {
    const { status, markup } = await get(pageOf(bill, code));
    assert.equal(status, 200);
    assert.doesNotMatch(markup, /<script>alert|<img src=x|\u202e/);
    assert.match(markup, new RegExp(`lang="${code}"`));
  }
});

/** What is asked for, and why it is refused. */
const REFUSED: readonly (readonly [code: string, more: object, charge?: object])[] = [
  ['bill_charge', {}, { ...CHARGE, lineItems: [] }],
  ['bill_charge', {}, { ...CHARGE, billingCurrency: 'ZZZ' }],
  ['bill_amounts', {}, { ...CHARGE, lineItems: [{ description: 'A', netAmount: '1.005' }] }],
  [
    'bill_amounts',
    {},
    { ...CHARGE, lineItems: [...CHARGE.lineItems, { description: 'A', netAmount: '-1' }] },
  ],
  ['bill_tax', { taxCategory: 'E', taxReason: 'small' }],
  ['bill_tax', {}, { ...CHARGE, taxItems: [] }],
  [
    'bill_tax',
    {},
    { ...CHARGE, taxItems: [...CHARGE.taxItems, { name: 'Other', percent: '0.01' }] },
  ],
  ['bill_tax_reason', { taxCategory: 'E' }, { ...CHARGE, taxItems: [] }],
  ['bill_due', { dueDays: -1 }],
  ['bill_due', { dueDays: 366 }],
  ['bill_delivered', { deliveredOn: '2026-02-30' }],
  ['bill_prefix', { prefix: 'R1' }],
  ['bill_prefix', { prefix: 'Rechnung ' }],
  ['bill_note', { note: 'x'.repeat(1001) }],
  ['bill_name', { buyer: { ...BUYER, name: ' ' } }],
  ['bill_name', { buyer: { ...BUYER, city: 'a\nb' } }],
  ['bill_country', { buyer: { ...BUYER, country: 'XX' } }],
  ['bill_email', { buyer: { ...BUYER, email: 'nobody' } }],
  ['bill_vat', { buyer: { ...BUYER, vatId: '123' } }],
  ['bill_vat', { buyer: { ...BUYER, vatId: 'XX123456789' } }],
  [
    'bill_buyer_vat',
    { taxCategory: 'AE', taxReason: 'Reverse charge' },
    { ...CHARGE, taxItems: [] },
  ],
];

for (const [code, more, charge] of REFUSED) {
  test(`${code}: ${JSON.stringify({ ...more, ...charge }).slice(0, 90)} is no draft`, async () => {
    const request = billRequest(more, charge);
    await assert.rejects(draftBill(world.app, ownerOf(world), request), (error) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, code);
      return true;
    });
  });
}

test('nothing is issued before it is known who sends it, and others find no invoice of this shop', async () => {
  const { id: merchantId } = await createMerchant(world.app, { name: 'Other' });
  const other = { merchantId, environment: 'test', actor: 'tester' } as const;
  const own = await issueNew(world);
  await assert.rejects(cancelBill(world.app, other, own.id), { code: 'bill_missing' });
  const live = { ...ownerOf(world), environment: 'live' as const };
  await assert.rejects(cancelBill(world.app, live, own.id), { code: 'bill_missing' });
  assert.equal(await findBill(world.app.db, other, own.id), undefined);
  const { id } = await draftBill(world.app, other, billRequest());
  const { issueBill } = await import('#billing/issue-bill.ts');
  await assert.rejects(issueBill(world.app, other, id), { code: 'bill_sender' });
});

test('the day on which it is due goes into a calendar, until it is paid', async () => {
  const bill = await issueNew(world);
  const { markup } = await get(pageOf(bill));
  assert.ok(markup.includes(`href="${pageOf(bill)}/due.ics"`));
  const file = await get(`${pageOf(bill)}/due.ics`);
  const text = file.markup.replaceAll('\r\n ', '');
  assert.ok(text.includes(`DTSTART;VALUE=DATE:${bill.dueOn?.replaceAll('-', '')}`), text);
  assert.ok(text.includes(`${pageOf(bill)}\r\n`) && text.includes(`UID:invoice-${bill.id}@`));
  await cancelBill(world.app, ownerOf(world), bill.id);
  assert.ok(!(await get(pageOf(bill))).markup.includes('due.ics'));
});
