// "Tell me by e-mail": a payer types an address on the page of a checkout, without JavaScript, and is
// mailed how it ends. Received by a real server and read by another parser.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { sql } from '#db/db.ts';
import type { Letter } from '#mail/letter.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { forgetOldPayerMails } from '#people/payer-mail.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const EMAIL = 'ann@payers.test';
const LETTERS = {
  writeCustomerLetter: customerLetter,
  writeStaffLetter: staffLetter,
  writeBillLetter: billLetter,
};

let api: TestApi;
let pages: ReturnType<typeof createPages>;
before(async () => {
  api = await openTestApi({ simulated: true });
  await settleSandbox(api.app);
});
beforeEach(async () => {
  await emptyTables(api.db, 'mail_left', 'payer_mail', 'mail');
  // A signature is taken once in a second.
  await api.clock.advance(1_000);
  await call('PUT', '/account-settings', { payerMails: true, customerMails: [] });
  // Limits are those of a process: each test begins with none used.
  pages = openPages(true);
});
after(() => api.close());

function openPages(hasMail: boolean): typeof pages {
  const app = {
    ...api.app,
    hasMail,
    findSeller: (id: string) => findSeller(api.db, id),
    policy: { requiredConfirmations: () => 2 },
    clientAddressOf: () => '192.0.2.7',
    demo: undefined,
    sandbox: undefined,
  };
  return createPages(app as unknown as Parameters<typeof createPages>[0]);
}

async function call(method: string, path: string, body: object) {
  const called = await api.call(method, path, { body });
  assert.equal(called.status, 200, called.text);
  return called.json;
}

type Opened = { readonly id: string; readonly path: string };

/** Of 10.00 EUR, chosen to be paid in Litecoin, which comes to 0.115. */
async function open(language = 'en', customerId?: string, network = 'LITECOIN'): Promise<Opened> {
  const lineItems = [{ description: 'Book', netAmount: '10.00' }];
  const { id, url } = await call('POST', '/checkout/hosted', {
    charge: { billingCurrency: 'EUR', lineItems, customerId },
    checkoutLanguage: language,
  });
  await call('POST', '/checkout/commit', { checkoutId: id, network });
  return { id: String(id), path: new URL(String(url)).pathname };
}

async function pay({ id: checkoutId }: Opened, more: object = {}, blocks = 3): Promise<void> {
  const sent = { checkoutId, network: 'LITECOIN', ...more };
  await call('POST', '/sandbox/pay', sent);
  if (blocks > 0) await call('POST', '/sandbox/mine', { network: sent.network, blocks });
  await settleSandbox(api.app);
}

async function expire({ id: checkoutId }: Opened): Promise<void> {
  await call('POST', '/sandbox/expire', { checkoutId });
  await settleSandbox(api.app);
}

async function look({ path }: Opened, of = pages): Promise<string> {
  const page = await of.request(path);
  assert.equal(page.status, 200);
  return page.text();
}

/** As a browser without JavaScript sends the form. */
function ask({ path }: Opened, email: string, of = pages): Promise<Response> | Response {
  return of.request(`${path}/mail`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    headers: { origin: 'http://pay.example' },
  });
}

async function asked(checkout: Opened, email = EMAIL): Promise<void> {
  const answer = await ask(checkout, email);
  assert.equal(answer.status, 303, await answer.text());
  assert.equal(answer.headers.get('location'), `${checkout.path}#mail`);
}

const tell = () => followEvents({ ...api.app, ...LETTERS });

async function listKinds(): Promise<string[]> {
  const rows = await api.db.query<{ kind: string }>(sql`select kind from mail order by kind`);
  return rows.map(({ kind }) => kind);
}

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

const countAddresses = async () =>
  (await api.db.query(sql`select 1 from payer_mail where sealed_address is not null`)).length;

test('asked for before the payment: one mail when it is paid, in the language of the page', async () => {
  const checkout = await open('de');
  assert.match(await look(checkout), /Per E-Mail Bescheid geben, wenn es fertig ist/);
  await asked(checkout);
  const page = await look(checkout);
  assert.match(page, /Sie bekommen per E-Mail Bescheid/);
  assert.ok(!page.includes(EMAIL), 'whoever has the link learns no address');
  const stored = await api.db.query(sql`select payer_mail::text as all from payer_mail`);
  assert.ok(!JSON.stringify(stored).includes(Buffer.from(EMAIL).toString('hex')), 'it is sealed');
  await pay(checkout);
  await tell();
  await tell();
  const [mail, ...none] = await receive();
  assert.equal(none.length, 0);
  assert.deepEqual(mail?.to, [EMAIL]);
  assert.match(mail?.parsed.subject ?? '', /^Testbetrieb: Ihre Zahlung an .+ ist vollständig$/);
  assert.match(mail?.parsed.text ?? '', /\/de\/checkout\/[\w-]{32}\/receipt/);
  assert.match(mail?.parsed.text ?? '', /weil jemand Ihre Adresse auf der Seite einer Zahlung/);
  assert.match(mail?.raw ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  assert.equal(await countAddresses(), 0, 'the address is needed no more');
  assert.doesNotMatch(await look(checkout), /name="email"/);
});

test('asked for while it is confirmed, and after the time was over: what comes late is told', async () => {
  const seen = await open();
  await pay(seen, {}, 0);
  assert.match(await look(seen), /data-state="seen"/);
  await asked(seen);
  await call('POST', '/sandbox/mine', { network: 'LITECOIN', blocks: 3 });
  await settleSandbox(api.app);
  const late = await open();
  await expire(late);
  assert.match(await look(late), /data-state="expired"/);
  await asked(late, 'bob@payers.test');
  await pay(late);
  await tell();
  const mails = await receive();
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [EMAIL, 'bob@payers.test']);
  for (const { parsed } of mails) assert.match(parsed.subject ?? '', /is complete$/);
});

test('it ends otherwise: underpaid and another coin say what he can do, without money no mail', async () => {
  const [short, other, nothing] = [
    await open(),
    await open('en', undefined, 'STELLAR'),
    await open(),
  ];
  await asked(short);
  await asked(other, 'bob@payers.test');
  await asked(nothing, 'eve@payers.test');
  await pay(short, { amount: '0.1' });
  await pay(other, { network: 'STELLAR', amount: '5', inAsset: USDC });
  for (const one of [short, other, nothing]) await expire(one);
  await tell();
  const mails = await receive();
  const textTo = (to: string) => mails.find((mail) => mail.to[0] === to)?.parsed.text ?? '';
  assert.equal(mails.length, 2, mails.map(({ parsed }) => parsed.subject).join());
  assert.match(textTo(EMAIL), /0\.1\u00a0LTC arrived, 0\.015\u00a0LTC is missing\./);
  assert.match(textTo('bob@payers.test'), /does not count as this payment/);
  assert.match(textTo('bob@payers.test'), new RegExp(`Reference: ${other.id}`));
  // He pays the rest: told of that as well.
  await pay(short, { amount: '0.015' });
  await tell();
  const [paid] = await receive();
  assert.match(paid?.parsed.subject ?? '', /is complete$/);
});

test('paid while the form is on its way: one mail, whoever is faster', async () => {
  for (let round = 0; round < 12; round += 1) {
    const checkout = await open();
    const { id: checkoutId } = checkout;
    await call('POST', '/sandbox/pay', { checkoutId, network: 'LITECOIN' });
    await call('POST', '/sandbox/mine', { network: 'LITECOIN', blocks: 3 });
    const receiver = `payer-${round}@payers.test`;
    // From asking well before to asking well after, with the follower between.
    const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const settling = settleSandbox(api.app).then(tell);
    await later(round * 4);
    await Promise.all([asked(checkout, receiver), settling, tell()]);
    await tell();
    const rows = await api.db.query<{ receiver: string }>(
      sql`select receiver from mail where receiver = ${receiver}`,
    );
    assert.equal(rows.length, 1, `round ${round}`);
  }
  assert.equal(await countAddresses(), 0);
});

test('a process that dies before its commit has told nothing, and three tell once', async () => {
  const checkout = await open();
  await asked(checkout);
  await pay(checkout);
  const dying = { ...api.db, transact: () => Promise.reject(new Error('killed')) };
  await assert.rejects(followEvents({ ...api.app, db: dying, ...LETTERS }), /killed/);
  assert.deepEqual(await listKinds(), []);
  assert.equal(await countAddresses(), 1);
  await Promise.all([tell(), tell(), tell()]);
  assert.deepEqual(await listKinds(), ['PAID']);
});

test('a letter that cannot be written keeps the address until it is', async () => {
  const checkout = await open();
  await asked(checkout);
  await pay(checkout);
  const broken = (): Letter => {
    throw new Error('a bug');
  };
  await followEvents({ ...api.app, ...LETTERS, writeCustomerLetter: broken });
  assert.equal(await countAddresses(), 1);
  await api.db.single((tx) => tx.query(sql`update unwritten_mail set again_at = now()`));
  await tell();
  assert.deepEqual(await listKinds(), ['PAID']);
});

test('the form is shown only where mail is set up and the shop has not switched it off', async () => {
  const checkout = await open();
  const without = openPages(false);
  assert.doesNotMatch(await look(checkout, without), /name="email"/);
  assert.equal((await ask(checkout, EMAIL, without)).status, 404);
  await asked(checkout);
  await call('PUT', '/account-settings', { payerMails: false });
  assert.doesNotMatch(await look(checkout), /name="email"/);
  assert.equal((await ask(checkout, EMAIL)).status, 404);
  await pay(checkout);
  await tell();
  assert.deepEqual(await listKinds(), [], 'who had asked before is told no more');
});

test('an address that is none is refused beside the field, and stands in it as text', async () => {
  const checkout = await open();
  for (const wrong of ['', 'ann', 'a b@x.test', 'ann@x.test\r\nBcc: eve@x.test', '"><b>@x']) {
    pages = openPages(true);
    const answer = await ask(checkout, wrong);
    assert.equal(answer.status, 400, wrong);
    const page = await answer.text();
    assert.match(page, /<p class="notice" id="mail-fault"[^>]*>Please give an address such as/);
    assert.ok(!page.includes('"><b>@x'));
    assert.doesNotMatch(page, /http-equiv="refresh"/);
  }
  assert.equal(await countAddresses(), 0);
});

test('a mistake is mended twice; a client, a checkout and an address have their most', async () => {
  const checkout = await open();
  for (const name of ['one', 'two', 'three', 'four']) await asked(checkout, `${name}@payers.test`);
  await pay(checkout);
  await tell();
  assert.deepEqual(
    (await receive()).map(({ to }) => to),
    [['three@payers.test']],
  );
  // What is typed after he was told brings nothing more.
  await asked(checkout, 'five@payers.test');
  await tell();
  assert.deepEqual(await receive(), []);
  const many = [];
  for (let count = 0; count < 6; count += 1) {
    const one = await open();
    await asked(one, 'Mallory@payers.test');
    assert.match(await look(one), /You will be told by e-mail/, 'and it says the same of each');
    many.push(one);
  }
  assert.equal(await countAddresses(), 5);
  const last = await open();
  const statuses = [];
  for (let count = 0; count < 9; count += 1) {
    statuses.push((await ask(last, `x${count}@payers.test`)).status);
  }
  assert.deepEqual([...new Set(statuses)], [303, 429]);
  assert.equal(statuses.filter((status) => status === 303).length, 6);
});

test('who declined gets none, and a customer who is mailed anyway gets no second one', async () => {
  const [left, told] = ['left@payers.test', 'told@payers.test'];
  const first = await open();
  await asked(first, left);
  await pay(first);
  await tell();
  const [mail] = await receive();
  const link = /http:\/\/pay\.example(\/en\/mails\/\S+)/.exec(mail?.parsed.text ?? '')?.[1] ?? '';
  const leave = await pages.request(link, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(leave.status, 200);
  await call('PUT', '/account-settings', { customerMails: ['PAID'] });
  const { customerId } = await call('POST', '/customer', { customer: { email: told } });
  const [again, his] = [await open(), await open('en', String(customerId))];
  await asked(again, left);
  await asked(his, told.toUpperCase());
  for (const one of [again, his]) await pay(one);
  await tell();
  assert.deepEqual(
    (await receive()).map(({ to }) => to),
    [[told]],
  );
});

test('it is erased with the customer, and after 90 days with nobody', async () => {
  const email = 'gone@payers.test';
  const { customerId } = await call('POST', '/customer', { customer: { email } });
  const [his, named, other] = [await open('en', String(customerId)), await open(), await open()];
  await asked(his, 'work@payers.test');
  await asked(named, 'Gone@payers.test');
  await asked(other);
  await pay(his);
  await tell();
  assert.deepEqual(await listKinds(), ['PAID']);
  await call('DELETE', '/customer', { customer: { id: customerId } });
  const kept = await api.db.query(sql`select checkout_id as id from payer_mail`);
  assert.deepEqual(kept, [{ id: other.id }]);
  assert.deepEqual(await listKinds(), []);
  await forgetOldPayerMails(api.app);
  assert.equal(await countAddresses(), 1);
  await api.db.single((tx) =>
    tx.query(sql`update payer_mail set asked_at = asked_at - interval '91 days'`),
  );
  await forgetOldPayerMails(api.app);
  assert.equal(await countAddresses(), 0);
});

test('the form is there in every language of pages', async () => {
  const checkout = await open();
  const said = new Set<string>();
  for (const { languageCode } of LANGUAGES) {
    const path = checkout.path.replace('/en/', `/${languageCode}/`);
    const { mail } = pageLanguage(languageCode).texts.paying;
    assert.ok((await look({ ...checkout, path })).includes(`<summary>${mail.title}</summary>`));
    said.add(mail.title);
  }
  assert.equal(said.size, LANGUAGES.length - 1, 'Brazil reads that of Portugal');
});
