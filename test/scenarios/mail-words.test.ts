// What a shop says in its own words in mails to its customers: set by a program, from the command
// line and in the browser alike, received by a real server, and never more than text.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { type CommandContext, parseInput } from '#cli/command.ts';
import { merchantMailWordsList, merchantMailWordsSet } from '#cli/mail-words.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { CUSTOMER_MAILS, changeCustomerMails, listMailWords } from '#merchant/customer-mails.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleBillMail, sampleMail } from '#pages/letters/sample-mail.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  await settleSandbox(api.app);
});
beforeEach(async () => {
  await put([]);
  await tell();
  await emptyTables(api.db, 'mail');
});
after(() => api.close());

const ownerOf = () => ({ merchantId: api.merchantId, environment: 'test' }) as const;

async function put(customerMailWords: unknown, key = api.key) {
  return api.call('PUT', '/account-settings', { body: { customerMailWords }, key });
}

const tell = () =>
  followEvents({
    ...api.app,
    writeCustomerLetter: customerLetter,
    writeStaffLetter: staffLetter,
    writeBillLetter: billLetter,
  });

function command(verb: typeof merchantMailWordsSet, ...args: string[]) {
  // The commands ask for no other part of it.
  const context = { openApp: async () => api.app } as unknown as CommandContext;
  return verb.run(context, parseInput(verb, args));
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

/** The mail of a checkout that is paid, in this language. */
async function paidMail(checkoutLanguage: string): Promise<ReceivedMail | undefined> {
  await changeCustomerMails(api.app, ownerOf(), ['PAID']);
  const customer = { email: 'ann@customers.test' };
  const { customerId } = (await api.call('POST', '/customer', { body: { customer } })).json;
  const lineItems = [{ description: 'Book', netAmount: '10.00' }];
  const charge = { billingCurrency: 'EUR', lineItems, customerId };
  const { id } = (await api.call('POST', '/checkout', { body: { charge, checkoutLanguage } })).json;
  const paid = { checkoutId: id, network: 'LITECOIN' };
  await api.call('POST', '/checkout/commit', { body: paid });
  await api.call('POST', '/sandbox/pay', { body: paid });
  await api.call('POST', '/sandbox/mine', { body: { network: 'LITECOIN', blocks: 3 } });
  await settleSandbox(api.app);
  await tell();
  const [mail] = await receive();
  return mail;
}

test('what a program says is in the mail before and after what the mail says, in that language alone', async () => {
  const words = {
    ...{ kind: 'PAID', language: 'de' },
    opening: 'Liebe Kundin,\nlieber Kunde,\r\n\r\n\r\nschön, dass Sie da sind.',
    closing: 'Herzlich\nIhre <Bücherei>',
  };
  const { status, json, text } = await put([words]);
  assert.equal(status, 200, text);
  const kept = {
    ...words,
    opening: 'Liebe Kundin,\nlieber Kunde,\n\nschön, dass Sie da sind.',
  };
  assert.deepEqual(json.accountSettings?.customerMailWords, [kept]);
  const mail = await paidMail('de');
  const said = mail?.parsed.text ?? '';
  const places = [
    'Liebe Kundin,\nlieber Kunde,\n\nschön, dass Sie da sind.',
    'Ihre Zahlung von 10,00',
    'Herzlich\nIhre <Bücherei>',
    '/receipt',
  ].map((part) => said.indexOf(part));
  assert.ok(!places.includes(-1), said);
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
  const html = String(mail?.parsed.html);
  assert.ok(html.includes('Liebe Kundin,<br>lieber Kunde,</p>'));
  assert.ok(html.includes('Herzlich<br>Ihre &lt;Bücherei&gt;</p>'));
  const builtIn = (await paidMail('en'))?.parsed.text ?? '';
  assert.match(builtIn, /has received your payment/);
  assert.doesNotMatch(builtIn, /Liebe|Herzlich/);
});

test('a list is all there is afterwards, an empty text is none, and test and live are apart', async () => {
  const one = { kind: 'PAID', language: 'de', opening: 'A', closing: null };
  const other = { kind: 'EXPIRED', language: 'en', opening: '', closing: 'B' };
  const { json } = await put([one, other, { kind: 'PAID', language: 'en', opening: ' \n ' }]);
  assert.deepEqual(json.accountSettings?.customerMailWords, [one, { ...other, opening: null }]);
  const live = await api.call('GET', '/account-settings', { key: api.liveKey });
  assert.deepEqual(live.json.accountSettings?.customerMailWords, []);
  await put([other]);
  const words = await listMailWords(api.db, ownerOf());
  assert.deepEqual(
    words.map(({ kind }) => kind),
    ['EXPIRED'],
  );
});

test('what is too long, in too many lines, no plain text or twice is refused, and nothing is changed', async () => {
  const kept = { kind: 'PAID', language: 'de', opening: 'A', closing: null };
  await put([kept]);
  for (const [words, said] of [
    [[{ ...kept, opening: 'x'.repeat(501) }], /must have at most 500 characters/],
    [[{ ...kept, opening: 'x\n'.repeat(21) }], /PAID de: opening must be plain text/],
    [[{ ...kept, closing: 'bell \u0007' }], /PAID de: closing must be plain text/],
    [[{ ...kept, closing: 'nul \u0000' }], /PAID de: closing must be plain text|NUL|not/],
    [[kept, kept], /PAID de: stands twice/],
    [[{ ...kept, kind: 'SPAM' }], /customerMailWords/],
    [[{ ...kept, language: 'xx' }], /customerMailWords/],
    ['PAID', /customerMailWords/],
  ] as const) {
    const { status, text } = await put(words);
    assert.equal(status, 400, text);
    assert.match(text, said);
  }
  const { json } = await api.call('GET', '/account-settings');
  assert.deepEqual(json.accountSettings?.customerMailWords, [kept]);
});

test('the command line says the same; what is left out stays, and the trail holds the words', async () => {
  const of = ['--kind', 'PAID', '--language', 'fr', '--environment', 'test'];
  await command(merchantMailWordsSet, ...of, '--opening', 'Bonjour,', '--by', 'olga');
  await command(merchantMailWordsSet, ...of, '--closing', 'Merci', '--by', 'olga');
  const { text } = await command(merchantMailWordsList, '--environment', 'test');
  assert.match(text, /PAID fr\n {2}opening:\n {4}Bonjour,\n {2}closing:\n {4}Merci/);
  const act = (await listActs(api.db, { verb: 'merchant-set', actor: 'olga' }, 10)).at(-1);
  assert.deepEqual(JSON.parse(JSON.parse(act?.details ?? '{}').customerMailWords), [
    { kind: 'PAID', language: 'fr', opening: 'Bonjour,', closing: 'Merci' },
  ]);
  await command(merchantMailWordsSet, ...of, '--opening', '', '--closing', '');
  assert.equal(
    (await command(merchantMailWordsList, '--environment', 'test')).text,
    'no own words',
  );
  await assert.rejects(command(merchantMailWordsSet, ...of), /is missing/);
  await assert.rejects(
    command(merchantMailWordsSet, '--kind', 'X', '--language', 'y', '--opening', 'z'),
    /--kind: one of .*--language: one of/s,
  );
});

test('in every kind of mail and in no other place: the subject, the sender and the links stay as they are', () => {
  const seller = { name: 'Fern', page: DEFAULT_PAGE_SETTINGS };
  const shop = { seller, publicUrl: 'https://pay.example' };
  const ownWords = {
    opening: 'Hello\r\nBcc: eve@evil.test\n\n<a href="https://evil.example">free</a>',
    closing: 'https://evil.example/pay\n\u202egnp.exe',
  };
  const links = (html: string) => html.match(/href="[^"]*"/g);
  for (const kind of CUSTOMER_MAILS) {
    const letterOf = (shown: object) =>
      kind.startsWith('BILL_')
        ? billLetter(sampleBillMail(kind as 'BILL_SENT', 'en', { ...shop, ...shown }))
        : customerLetter(sampleMail(kind as 'PAID', 'en', { ...shop, ...shown }));
    const [plain, own] = [letterOf({}), letterOf({ ownWords })];
    const { text, html, ...heads } = own;
    assert.deepEqual({ ...plain, text, html }, own, kind);
    assert.deepEqual(links(html), links(plain.html), 'an address stays text');
    assert.ok(Object.values(heads).every((value) => !String(value).includes('evil')));
    assert.ok(text.includes('Hello\nBcc: eve@evil.test\n\n<a href='), text);
    assert.ok(html.includes('&lt;a href=&quot;https://evil.example&quot;&gt;free&lt;/a&gt;'));
    assert.ok(html.includes('https://evil.example/pay<br>gnp.exe'));
    assert.ok(!html.includes('\u202e') && !text.includes('\u202e'));
  }
});
