// What customers are mailed of their checkouts: switched on by the merchant, in the language of
// their page, received by a real server and read by another parser.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { allowAddress } from '#access/allow-list.ts';
import { sql } from '#db/db.ts';
import type { Letter } from '#mail/letter.ts';
import { enqueueMail } from '#mail/mail.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { BILL_MAILS, CHECKOUT_MAILS, CUSTOMER_MAILS } from '#merchant/customer-mails.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { changePageSettings, findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleBillMail, sampleMail, sampleStaffMail } from '#pages/letters/sample-mail.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { STAFF_MAILS } from '#staff/role.ts';
import type { CustomerMail } from '#status-mail/customer-mail.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

const EMAIL = 'ann@customers.test';
const LETTERS = {
  writeCustomerLetter: customerLetter,
  writeStaffLetter: staffLetter,
  writeBillLetter: billLetter,
};

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  await settleSandbox(api.app);
});
beforeEach(async () => {
  await emptyTables(api.db, 'mail_left', 'mail');
  await tell();
  await emptyTables(api.db, 'mail');
  await switchOn(CUSTOMER_MAILS);
});
after(() => api.close());

async function call(method: string, path: string, body: object) {
  const called = await api.call(method, path, { body });
  assert.equal(called.status, 200, called.text);
  return called.json;
}

const switchOn = (customerMails: readonly string[]) =>
  call('PUT', '/account-settings', { customerMails });

async function createCustomer(email = EMAIL): Promise<string> {
  return String((await call('POST', '/customer', { customer: { email } })).customerId);
}

/** Of 10.00 EUR, chosen to be paid in Litecoin, which comes to 0.115. */
async function open(more: object = {}, customerId?: string): Promise<string> {
  const charge = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'Book', netAmount: '10.00' }],
    customerId: customerId ?? (await createCustomer()),
  };
  const { id } = await call('POST', '/checkout', { charge, checkoutLanguage: 'de', ...more });
  await call('POST', '/checkout/commit', { checkoutId: id, network: 'LITECOIN' });
  return String(id);
}

async function pay(checkoutId: string, more: object = {}, blocks = 3): Promise<void> {
  await call('POST', '/sandbox/pay', { checkoutId, network: 'LITECOIN', ...more });
  if (blocks > 0) await call('POST', '/sandbox/mine', { network: 'LITECOIN', blocks });
  await settleSandbox(api.app);
}

function tell(write: (mail: CustomerMail) => Letter = customerLetter) {
  return followEvents({ ...api.app, ...LETTERS, writeCustomerLetter: write });
}

async function listKinds(): Promise<string[]> {
  const rows = await api.db.query<{ kind: string }>(sql`select kind from mail order by kind`);
  return rows.map(({ kind }) => kind);
}

/** What is received of all that is due. */
async function receive(): Promise<ReceivedMail[]> {
  const kept: ReceivedMail[] = [];
  await withMailServer({}, async ({ port, received }) => {
    const smtp = openSmtp(mailSettingsFor(port));
    while ((await sendDueMails(api.app, smtp)) === 'busy');
    smtp.close();
    kept.push(...received);
  });
  return kept;
}

const tokenIn = (mail: ReceivedMail | undefined) =>
  /\/checkout\/([\w-]{32})/.exec(mail?.parsed.text ?? '')?.[1] ?? '';

test('nobody is mailed unless the merchant has switched it on, each kind by itself', async () => {
  await switchOn([]);
  const silent = await open();
  await pay(silent);
  await tell();
  assert.deepEqual(await listKinds(), []);
  await switchOn(['PAID']);
  await pay(await open());
  await tell();
  assert.deepEqual(await listKinds(), ['PAID'], 'and what happened before stays untold');
});

test('a checkout without a customer, and one who was erased, get no mail', async () => {
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'B', netAmount: '10.00' }] };
  await pay(await open({ charge }));
  const erased = await createCustomer();
  const id = await open({}, erased);
  await call('DELETE', '/customer', { id: erased });
  await pay(id);
  await tell();
  assert.deepEqual(await listKinds(), []);
});

test('seen, paid: in the language of the page, in the name of the shop, with his own links', async () => {
  const seller = { shopName: 'Fern & Folio', primaryColor: '#ffd21e', contact: 'hi@fern.example' };
  await changePageSettings(api.app, api.merchantId, seller);
  const id = await open();
  const other = await open({ checkoutLanguage: 'fr' }, await createCustomer('bob@customers.test'));
  await pay(id, {}, 0);
  await tell();
  const [seen, ...none] = await receive();
  assert.equal(none.length, 0);
  assert.deepEqual(seen?.to, [EMAIL]);
  assert.equal(seen?.parsed.subject, 'Testbetrieb: Ihre Zahlung an Fern & Folio ist zu sehen');
  assert.match(seen?.parsed.text ?? '', /^0,115\u00a0LTC sind unterwegs\./m);
  assert.equal(seen?.parsed.from?.value[0]?.name, 'Fern & Folio');
  assert.equal(seen?.parsed.replyTo?.value[0]?.address, 'hi@fern.example');
  assert.match(String(seen?.parsed.html), /background:#ffd21e;color:#/);
  await call('POST', '/sandbox/mine', { network: 'LITECOIN', blocks: 3 });
  await pay(other);
  await tell();
  const mails = await receive();
  const paid = mails.find(({ to }) => to[0] === EMAIL);
  const foreign = mails.find(({ to }) => to[0] === 'bob@customers.test');
  assert.equal(mails.length, 2);
  assert.match(
    paid?.parsed.text ?? '',
    /Fern & Folio hat Ihre Zahlung von 10,00\u00a0€ erhalten\./,
  );
  assert.match(foreign?.parsed.subject ?? '', /^Essai: Votre paiement à Fern & Folio est complet$/);
  assert.match(paid?.parsed.text ?? '', /\/de\/checkout\/[\w-]{32}\/receipt/);
  const [own, his] = [tokenIn(paid), tokenIn(foreign)];
  assert.ok(own !== '' && his !== '' && own !== his);
  for (const [mail, stranger] of [
    [paid, his],
    [foreign, own],
  ] as const) {
    assert.ok(!`${mail?.raw} ${mail?.parsed.html}`.includes(stranger), 'no token of somebody else');
  }
  for (const { parsed } of [seen, ...mails].flatMap((mail) => mail ?? [])) {
    assert.doesNotMatch(String(parsed.html), /<img|<link|url\(|@import|<script/i);
  }
  await changePageSettings(api.app, api.merchantId, { shopName: null, contact: null });
});

test('underpaid says what arrived and what is missing; expired says that nothing was charged', async () => {
  const short = await open();
  await pay(short, { amount: '0.1' });
  await call('POST', '/sandbox/expire', { checkoutId: short });
  const late = await open({ checkoutLanguage: 'en' });
  await call('POST', '/sandbox/expire', { checkoutId: late });
  await settleSandbox(api.app);
  await tell();
  const texts = (await receive()).map(({ parsed }) => parsed.text ?? '');
  assert.equal(texts.length, 2, texts.join('\n----\n'));
  assert.ok(
    texts.some((text) => /0,1\u00a0LTC sind angekommen, 0,015\u00a0LTC fehlen\./.test(text)),
  );
  assert.ok(texts.some((text) => /Nothing was charged\./.test(text)));
});

test('a refund that waits for its payer is mailed once, with the link that is his alone', async () => {
  const id = await open({ checkoutLanguage: 'en' });
  await pay(id);
  await switchOn(['REFUND_CLAIM']);
  await call('POST', '/refund', { checkoutId: id, kind: 'amount', amount: '0.05' });
  await tell();
  await tell();
  const [mail, ...none] = await receive();
  assert.equal(none.length, 0);
  const text = mail?.parsed.text ?? '';
  assert.match(text, /gives you 0\.05\u00a0LTC back/);
  const link = /http:\/\/pay\.example(\/en\/refund\/[\w-]{32})/.exec(text)?.[1] ?? '';
  const page = await createPages(pageApp()).request(link);
  assert.equal(page.status, 200);
});

/** What the pages here need of the application. */
function pageApp(): Parameters<typeof createPages>[0] {
  const app = { ...api.app, findSeller: (id: string) => findSeller(api.db, id), demo: undefined };
  return app as unknown as Parameters<typeof createPages>[0];
}

test('two processes tell of a fact once; one that dies before its commit has told nothing', async () => {
  await pay(await open());
  await assert.rejects(
    followEvents({
      ...api.app,
      db: { ...api.db, transact: () => Promise.reject(new Error('killed')) },
      ...LETTERS,
    }),
    /killed/,
  );
  assert.deepEqual(await listKinds(), []);
  await Promise.all([tell(), tell(), tell()]);
  assert.deepEqual(await listKinds(), ['PAID']);
});

test('what cannot be written keeps nobody else’s mail back', async () => {
  await pay(await open({ checkoutLanguage: 'it' }));
  await pay(await open());
  await tell((mail) => {
    if (mail.language === 'it') throw new Error('a bug');
    return customerLetter(mail);
  });
  assert.deepEqual(await listKinds(), ['PAID']);
});

test('one click ends the mails of this shop, and another brings them back', async () => {
  await pay(await open());
  await tell();
  const [mail] = await receive();
  const header = /^List-Unsubscribe: <([^>]+)>\r?$/m.exec(
    mail?.raw.replaceAll(/\r?\n[ \t]/g, ' ') ?? '',
  );
  assert.match(mail?.raw ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  const link = new URL(header?.[1]?.trim() ?? '');
  assert.ok(!link.href.includes('ann') && !link.href.includes(EMAIL), 'no address in the link');
  const pages = createPages(pageApp());
  const ask = (path: string, body?: string) =>
    pages.request(path, {
      ...(body !== undefined && { method: 'POST', body }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const looked = await ask(link.pathname);
  assert.match(await looked.text(), /Sie erhalten Mails über Ihre Zahlungen/);
  await pay(await open(), {}, 0);
  await tell();
  const left = await ask(link.pathname, 'List-Unsubscribe=One-Click');
  assert.equal(left.status, 200, 'and no redirect');
  assert.match(await left.text(), /keine Mails mehr/);
  assert.deepEqual(await receive(), [], 'what was written before he said so goes too');
  // The spelling of an address does not bring them back.
  await pay(await open({}, await createCustomer('Ann@Customers.test')));
  await pay(await open({}, await createCustomer('bob@customers.test')));
  await tell();
  assert.deepEqual(
    (await receive()).map(({ to }) => to),
    [['bob@customers.test']],
  );
  for (const changed of [`${link.pathname}A`, `${link.pathname.slice(0, -2)}AA`, '/de/mails/x/y']) {
    assert.equal((await ask(changed, 'again=yes')).status, 404, changed);
  }
  assert.match(await (await ask(link.pathname, 'again=yes')).text(), /Sie erhalten Mails/);
  await pay(await open());
  await tell();
  assert.deepEqual(
    (await receive()).map(({ to }) => to),
    [[EMAIL]],
  );
});

const HOSTILE = [
  'a\r\nBcc: eve@evil.test',
  '<img src=x onerror=alert(1)>',
  '"x" <eve@evil.test>',
  '\u202Egnp.exe',
  '=?utf-8?Q?a=0D=0ABcc:_e@evil.test?=',
  '</title><script>alert(1)</script>',
];

type Written = readonly [name: string, contact: string, address: string, transaction: string];

/** A mail with hostile texts in every field that somebody else writes. */
function letterOf(kind: (typeof ALL_KINDS)[number], [name, contact, address, tx]: Written): Letter {
  const page = { ...DEFAULT_PAGE_SETTINGS, shopName: name, contact };
  const ownWords = { opening: address, closing: `${name}\n\n${tx}` };
  const shop = { seller: { name, page }, publicUrl: 'https://pay.example', ownWords };
  if (kind.startsWith('people-')) {
    const staffKind = STAFF_MAILS.find((one) => kind === `people-${one}`) ?? 'PAID';
    return staffLetter(sampleStaffMail(staffKind, 'en', shop));
  }
  const billKind = BILL_MAILS.find((one) => one === kind);
  if (billKind !== undefined) {
    const sample = sampleBillMail(billKind, 'en', shop);
    return billLetter({ ...sample, bill: { ...sample.bill, name: tx } });
  }
  const customerKind = CHECKOUT_MAILS.find((one) => one === kind) ?? 'PAID';
  const sample = sampleMail(customerKind, 'en', shop);
  const payload = JSON.parse(sample.record.payload) as object;
  const record = {
    ...sample.record,
    payload: JSON.stringify({ ...payload, pageSettings: { shopName: name } }),
  };
  const refund = sample.refund && { ...sample.refund, address, transaction: tx };
  return customerLetter({ ...sample, record, refund });
}

const ALL_KINDS = [...CUSTOMER_MAILS, ...STAFF_MAILS.map((kind) => `people-${kind}` as const)];

test('what a merchant or a payer wrote is text in a mail: no header, no receiver, no element', async () => {
  const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 200 }));
  const kinds = fc.constantFrom(...ALL_KINDS);
  await withMailServer({}, async ({ port, received }) => {
    const smtp = openSmtp(mailSettingsFor(port));
    let count = 0;
    const isHarmless = async (written: Written, kind: (typeof ALL_KINDS)[number]) => {
      count += 1;
      const letter = letterOf(kind, written);
      const mail = { causeKey: `hostile:${count}`, kind: 'TEST', receiver: EMAIL, letter } as const;
      await api.db.transact(async (tx) => void enqueueMail(api.app, tx, mail));
      await sendDueMails(api.app, smtp);
      // Nobody gets so many in an hour.
      await emptyTables(api.db, 'mail');
      assert.equal(received.length, count);
      assertHarmless(received.at(-1));
    };
    const texts = fc.tuple(text, text, text, text);
    await fc.assert(fc.asyncProperty(texts, kinds, isHarmless), { numRuns: 80 });
    smtp.close();
  });
});

function assertHarmless(mail: ReceivedMail | undefined): void {
  assert.ok(mail !== undefined);
  const { parsed, to } = mail;
  assert.deepEqual(to, [EMAIL]);
  for (const name of ['bcc', 'cc', 'x-evil']) assert.ok(!parsed.headers.has(name), name);
  const addresses = [parsed.to].flat().flatMap((one) => one?.value.map(({ address }) => address));
  assert.deepEqual(addresses, [EMAIL]);
  assert.deepEqual(
    parsed.from?.value.map(({ address }) => address),
    ['pay@shop.test'],
  );
  assert.doesNotMatch(String(parsed.html), /<(?:img|script|iframe|link|svg)\b/i);
}
