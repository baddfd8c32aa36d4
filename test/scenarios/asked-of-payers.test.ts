// What merchants ask payers before a way to pay is offered, from the request to the webhook: over
// HTTP, as a shop and a browser without JavaScript use it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { openKeyring } from '#installation/keyring.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { sell } from '#test/upgrades/kept-release.ts';

let server: ServerProcess;
let shop: Shop;
before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop.close();
  await server.close();
});

type Told = {
  readonly state: string;
  readonly total: string;
  readonly tip?: string;
  readonly asks?: readonly object[];
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly answeredAt?: string | null;
  readonly termsAcceptedAt?: string | null;
  readonly paymentMethods: readonly { readonly network: string; readonly paymentAmount: string }[];
};

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '19.90' }] };
const ASKS = [
  { key: 'name', label: 'Name on the card', labels: { de: 'Name auf der Karte' }, required: true },
  { key: 'size', kind: 'CHOICE', label: 'Size', choices: ['S', 'M <b>'] },
  { key: 'age', kind: 'NUMBER', label: 'Age', least: '18' },
  { key: 'news', kind: 'CHECKBOX', label: 'Letters' },
];
const EVERYTHING = {
  asks: ASKS,
  termsUrl: 'https://shop.example/terms?a=1&b=2',
  tipPercents: ['0.05', '0.1'],
  tipAmounts: ['1.5'],
  tipOwn: true,
};

async function hosted(pageSettings: object, more: object = {}) {
  const webhook = `${shop.receiver.origin}/hooks/asked`;
  const { id, url } = await shop.client.post<{ id: string; url: string }>('/checkout/hosted', {
    ...{ charge, webhook, pageSettings },
    ...more,
  });
  return { id, path: new URL(url).pathname.replace('/auto/', '/en/') };
}

const told = async (id: string) =>
  (await shop.client.get<{ checkout: Told }>('/checkout', { id })).checkout;

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

async function send(path: string, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(form);
  const request = { method: 'POST', body, headers: sameOrigin, redirect: 'manual' } as const;
  const answer = await fetch(server.origin + path, request);
  return {
    status: answer.status,
    text: await answer.text(),
    location: answer.headers.get('location'),
  };
}

const look = async (path: string) => (await fetch(server.origin + path)).text();
const stateOf = (text: string) => /data-state="([a-z]+)"/.exec(text)?.[1];
const litecoin = { method: 'LITECOIN LTC:NATIVE' };
const amountOf = ({ paymentMethods }: Told) =>
  paymentMethods.find(({ network }) => network === 'LITECOIN')?.paymentAmount;

test('a payer answers, accepts the terms and adds a tip before he chooses, and the shop hears of it', async () => {
  const { id, path } = await hosted(EVERYTHING);
  const asked = await look(path);
  assert.equal(stateOf(asked), 'ask');
  assert.match(asked, /Name on the card/);
  assert.match(await look(path.replace('/en/', '/de/')), /Name auf der Karte/);
  assert.match(asked, /href="https:\/\/shop\.example\/terms\?a=1&amp;b=2" target="_blank"/);
  assert.doesNotMatch(asked, /M <b>/);
  const before = await told(id);
  assert.deepEqual([before.total, before.tip, before.answers], ['19.9', '0', {}]);

  // Nobody goes past the question by choosing a way.
  const early = await send(`${path}/choose`, litecoin);
  assert.deepEqual([early.status, early.location], [303, path]);
  assert.equal((await told(id)).state, 'NEW');

  const wrong = await send(`${path}/answer`, {
    ...{ 'ask-name': ' ', 'ask-age': '17,5' },
    ...{ tip: 'own', tipOwn: '199.01' },
  });
  assert.equal(wrong.status, 400);
  for (const fault of ['Please fill this in.', 'At least 18, please.', 'Please tick this.']) {
    assert.ok(wrong.text.includes(fault), fault);
  }
  assert.match(wrong.text, /This tip cannot be taken/);
  assert.match(wrong.text, /value="17,5"/);
  assert.equal((await told(id)).answeredAt, null);

  const form = { 'ask-name': 'Ada <i>', 'ask-size': 'M <b>', 'ask-age': '036,5', terms: 'yes' };
  const first = await send(`${path}/answer`, { ...form, tip: '1.99' });
  assert.deepEqual([first.status, first.location], [303, path]);
  const chosen = await look(path);
  assert.equal(stateOf(chosen), 'choose');
  assert.match(chosen, /<dt>Tip<\/dt><dd>€1\.99<\/dd>/);
  const answered = await told(id);
  assert.deepEqual(answered.answers, { name: 'Ada <i>', size: 'M <b>', age: '36.5', news: false });
  assert.deepEqual([answered.total, answered.tip], ['21.89', '1.99']);
  assert.notEqual(amountOf(answered), amountOf(before));

  // He comes back to his answers, finds them, and changes his mind.
  const again = await look(`${path}?ask=1`);
  assert.match(again, /value="Ada &lt;i&gt;"/);
  assert.match(again, /value="1\.99" checked/);
  const { status } = await send(`${path}/answer`, { ...form, tip: 'own', tipOwn: '0,10' });
  assert.equal(status, 303);
  const changed = await told(id);
  assert.deepEqual([changed.total, changed.tip], ['20', '0.1']);
  assert.equal(changed.termsAcceptedAt, answered.termsAcceptedAt);

  assert.equal((await send(`${path}/choose`, litecoin)).status, 303);
  // From here on all of it is fixed: the same again changes nothing, anything else is refused.
  const fixed = await send(`${path}/answer`, { ...form, tip: '1.99' });
  assert.equal(fixed.status, 409);
  assert.match(fixed.text, /your answers and the tip stay as they are/);
  const same = await send(`${path}/answer`, { ...form, tip: '0.10' });
  assert.equal(same.status, 303);
  assert.deepEqual((await told(id)).tip, '0.1');

  await sell(shop, id);
  const { data } = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  const checkout = data.checkout as unknown as Told;
  assert.deepEqual(checkout.answers, changed.answers);
  assert.deepEqual([checkout.tip, checkout.total], ['0.1', '20']);
  assert.equal(checkout.termsAcceptedAt, answered.termsAcceptedAt);
  assert.match(await look(`${path}/receipt`), /Tip[\s\S]{0,200}€0\.10/);
  assert.match(await look(path.replace('/checkout/', '/invoice/')), /Tip[\s\S]{0,200}€0\.10/);
  const { report } = await shop.client.get<{
    report: { rows: readonly Readonly<Record<string, string | null>>[] };
  }>('/reports/taxes');
  const rows = report.rows.filter(({ checkoutId }) => checkoutId === id);
  assert.deepEqual(
    rows.map(({ netTotal, taxAmount, total, tip }) => ({ netTotal, taxAmount, total, tip })),
    [
      { netTotal: '19.9', taxAmount: '0', total: '19.9', tip: '0' },
      { netTotal: '0.1', taxAmount: '0', total: '0.1', tip: '0.1' },
    ],
  );
});

test('a page of the shop itself answers with the commit, and is told all that is wrong at once', async () => {
  const { id } = await shop.client.createCheckout({ charge, pageSettings: EVERYTHING });
  const commit = (body: object) =>
    shop.client.call('POST', '/checkout/commit', {
      body: { checkoutId: id, network: 'LITECOIN', ...body },
    });
  const unanswered = await commit({});
  assert.deepEqual([unanswered.status, /answers/.test(unanswered.text)], [409, true]);
  const wrong = await commit({ answers: { name: 'A\u0007', size: 'XL', hat: 1 }, tip: '0.77001' });
  assert.equal(wrong.status, 400);
  const { errors } = wrong.json as { readonly errors: readonly string[] };
  assert.deepEqual(errors, [
    'Invalid request. answers.name: must be text on one line, without control characters',
    'answers.size: must be one of the choices',
    'answers.hat: is not asked for',
    'termsAccepted: must be true: the checkout has terms',
    'tip: is not offered by this checkout',
  ]);
  const answers = { name: 'Ada', age: 36.5, news: true };
  const right = { answers, termsAccepted: true, tip: 1.5 };
  const made = await commit(right);
  assert.equal(made.status, 200, made.text);
  assert.deepEqual((await told(id)).answers, { ...answers, age: '36.5' });
  assert.equal((await told(id)).total, '21.4');
  // The same commit again is answered the same, also with its answers; another tip is not.
  assert.equal((await commit(right)).text, made.text);
  assert.equal((await commit({})).text, made.text);
  assert.equal((await commit({ ...right, tip: 0 })).status, 409);
});

test('what the account asks is asked on hosted pages, unless the request says otherwise', async () => {
  const asking = JSON.stringify({ asks: [{ key: 'ref', label: 'Reference' }], tipAmounts: [2] });
  const set = await server.command('merchant', 'page', 'set', '--asking', asking);
  assert.equal(set.exitCode, 0, set.stderr);
  try {
    const { id, path } = await hosted({});
    assert.equal(stateOf(await look(path)), 'ask');
    assert.deepEqual((await told(id)).asks, [
      { key: 'ref', kind: 'TEXT', label: 'Reference', required: false },
    ]);
    // Nothing of it has to be answered.
    assert.equal((await send(`${path}/answer`, { 'ask-ref': '' })).status, 303);
    const own = await hosted({ asks: [], tipPercents: [] });
    assert.equal(stateOf(await look(own.path)), 'choose');
    const selfHosted = await shop.create({ currency: 'EUR', amount: '5' });
    assert.equal('asks' in (await told(selfHosted)), false);
  } finally {
    await server.command('merchant', 'page', 'unset', 'asking');
  }
});

const HOSTILE = [
  '"><script>alert(1)</script>',
  "' onfocus=alert(1) autofocus '",
  'x'.repeat(2_000),
  '\u202e\u2066evil\u2069',
  '=HYPERLINK("http://x")',
  '{{7*7}}',
  '\u0007\u001b[31m',
  'a\r\nSet-Cookie: b=c',
];

test('a hostile answer is kept as text or refused, and is no markup on any page', async () => {
  for (const hostile of HOSTILE) {
    const asks = [{ key: 'note', label: hostile.slice(0, 200).replaceAll(/\p{Cc}/gu, '') }];
    const { id, path } = await hosted({ asks });
    const { status, text } = await send(`${path}/answer`, { 'ask-note': hostile });
    const isPlain = !/\p{Cc}/u.test(hostile);
    assert.equal(status, isPlain ? 303 : 400, JSON.stringify(hostile.slice(0, 20)));
    const pages = [text, await look(path), await look(`${path}?ask=1`)];
    for (const page of pages) {
      const isMarkup = /[<>"']/.test(hostile) && page.includes(hostile);
      assert.equal(isMarkup, false, hostile);
    }
    assert.doesNotMatch(pages[1] ?? '', /\u202e|\u2066/);
    assert.equal((await told(id)).answers?.note, isPlain ? hostile.trim() : undefined);
  }
});

test('a shop that asks for it is gone back to by a form that is signed, and by its policy to it alone', async () => {
  const returnUrl = `${shop.receiver.origin}/thanks?order=7&checkoutId=no#top`;
  const { id, path } = await hosted({ returnUrl, returnMethod: 'POST' });
  const answer = await fetch(`${server.origin}${path}/return`, { redirect: 'manual' });
  assert.equal(answer.status, 200);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, new RegExp(`; form-action 'self' ${shop.receiver.origin};`));
  const page = (await answer.text()).replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  const [, action] = /<form method="post" action="([^"]*)"/.exec(page) ?? [];
  assert.equal(action, `${shop.receiver.origin}/thanks?order=7&checkoutId=${id}#top`);
  const field = (name: string) => new RegExp(`name="${name}" value="(.*?)">`).exec(page)?.[1] ?? '';
  assert.equal(field('checkoutId'), id);
  // As the shop checks its webhooks, with the same library and secret.
  const webhook = {
    ...{ 'webhook-id': id, 'webhook-timestamp': field('timestamp') },
    'webhook-signature': field('signature'),
  };
  const keyring = openKeyring(server.keyFile, systemRandom);
  const { merchantId } = shop;
  const app = { db: server.db, keyring };
  const { current } = await webhookSecrets(app, merchantId, 'test', systemClock.now());
  const said = new Webhook(current).verify(field('payload'), webhook);
  assert.deepEqual(said, { checkoutId: id, state: 'NEW' });
  const forged = field('payload').replace('NEW', 'COMPLETED');
  assert.throws(() => new Webhook(current).verify(forged, webhook));
  const plain = await hosted({ returnUrl });
  const redirected = await fetch(`${server.origin}${plain.path}/return`, { redirect: 'manual' });
  assert.equal(redirected.status, 303);
  const unsafe = await hosted({ returnUrl: 'http://a;b/x', returnMethod: 'POST' });
  const left = await fetch(`${server.origin}${unsafe.path}/return`, { redirect: 'manual' });
  assert.equal(left.status, 303);
});

test('what a customer answered is erased with him, and that he accepted the terms stays', async () => {
  const { customerId } = await shop.client.post<{ customerId: string }>('/customer', {
    customer: { email: 'ada@shop.example' },
  });
  const asks = [{ key: 'name', label: 'Name', required: true }];
  const pageSettings = { asks, termsText: 'I accept.' };
  const { id, path } = await hosted(pageSettings, { charge: { ...charge, customerId } });
  await send(`${path}/answer`, { 'ask-name': 'Ada', terms: 'yes' });
  const before = await told(id);
  assert.deepEqual(before.answers, { name: 'Ada' });
  const erased = await shop.client.call('DELETE', '/customer', { body: { id: customerId } });
  assert.equal(erased.status, 200, erased.text);
  const after = await told(id);
  assert.deepEqual(after.answers, {});
  assert.equal(after.termsAcceptedAt, before.termsAcceptedAt);
});

test('what a shop writes itself in the place of answers is told as it came, whoever it names', async () => {
  const answered = await hosted({ asks: [{ key: 'name', label: 'Name', required: true }] });
  await send(`${answered.path}/answer`, { 'ask-name': 'Grace' });
  const meta = { answers: { '': answered.id } };
  const { id } = await shop.client.createCheckout({ charge, meta });
  await shop.client.commit(id, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: id, network: 'LITECOIN' });
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 12 });
  await shop.client.waitForState(id, 'COMPLETED');
  const { events } = await shop.client.get<{ events: readonly object[] }>('/events', {
    limit: '1',
  });
  const text = JSON.stringify(events);
  assert.ok(text.includes(id), text);
  assert.doesNotMatch(text, /Grace/);
  assert.ok(text.includes(JSON.stringify(meta).slice(1, -1)), text);
});

test('the books agree with all of it', () => shop.checkBooks());
