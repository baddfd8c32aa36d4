// Payment links: made in the dashboard, opened by customers without JavaScript, counted, limited.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let path: string;
let address = '192.0.2.1';
before(async () => {
  world = await openDashboardWorld({ clientAddressOf: () => address });
  path = `${world.shop}/links`;
  await world.observe('LITECOIN');
});
after(() => world.close());

let people = 0;

/** Makes one in the dashboard. Answers the path of its page, and that of its room. */
async function makeLink(values: Readonly<Record<string, string>>) {
  people += 1;
  const owner = await world.comeAs('OWNER', `maker${people}`);
  await owner.get(path);
  const filled = { title: 'Lesson', currency: 'EUR', settlement: 'ORIGIN', ...values };
  const { location = '', markup } = await owner.submit(path, filled);
  assert.match(location, /\/links\/[a-z0-9]{12}$/, markup);
  const shown = await owner.get(location);
  const [, url = ''] = /data-copy="(http:[^"]+\/pay\/[\w-]{32})"/.exec(shown.markup) ?? [];
  return { owner, room: location, page: new URL(url).pathname };
}

test('a button for a site is plain HTML; buttons for donations propose what the link takes', async () => {
  const shownOf = async (values: Readonly<Record<string, string>>) => {
    const { owner, room, page } = await makeLink(values);
    const { markup } = await owner.get(room);
    const snippets = Array.from(
      markup.matchAll(/<pre [^>]*><code>([^<]*)<\/code>/g),
      ([, one]) => one,
    );
    const amounts = Array.from(
      markup.matchAll(/<code>|\?amount=([\d.]+)&quot;/g),
      ([, one]) => one,
    );
    return { page, snippets, amounts: [...new Set(amounts.filter((one) => one !== undefined))] };
  };
  const fixed = await shownOf({ amount: '5' });
  assert.equal(fixed.snippets.length, 2);
  assert.match(fixed.snippets[0] ?? '', /^&lt;a href=&quot;http:[^"]+\/pay\/[\w-]{32}&quot; rel=/);
  assert.match(fixed.snippets[1] ?? '', /^&lt;quittance-checkout&gt;&lt;a href=/);
  assert.deepEqual(fixed.amounts, []);
  assert.deepEqual((await shownOf({})).amounts, ['5', '10', '25']);
  const bounded = await shownOf({ least: '2.5', most: '6' });
  assert.deepEqual(bounded.amounts, ['2.5', '5']);
  assert.equal(bounded.snippets[2]?.split('\n').length, 3, 'the last one proposes nothing');
  const { markup } = await customer().look(`${bounded.page}?amount=2.5`);
  assert.match(markup, /name="amount"[^>]*\s+value="2.5"/);
});

type Opened = { readonly status: number; readonly location: string; readonly markup: string };

/** A customer with cookies of his own. */
function customer() {
  let cookie = '';
  const ask = async (at: string, init: RequestInit): Promise<Opened> => {
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const answer = await world.pages.request(`http://localhost:8080${at}`, { ...init, headers });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) cookie = set.replace(/;.*/, '');
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, location, markup: await answer.text() };
  };
  return {
    look: (at: string) => ask(at, {}),
    pay: (at: string, values: Readonly<Record<string, string>> = {}) =>
      ask(at, { method: 'POST', body: new URLSearchParams(values) }),
  };
}

async function checkoutAt(location: string): Promise<string> {
  const markup = await (await world.pages.request(location)).text();
  const [, id] = /<code>([a-z0-9]{12})<\/code>/.exec(markup) ?? [];
  assert(id !== undefined, location);
  return id;
}

test('a customer opens the link, gets a checkout of his own and pays; the shop sees how much', async () => {
  const { owner, room, page } = await makeLink({
    title: 'Yoga <b>&</b> tea',
    text: 'Every Monday',
    amount: '12,50',
  });
  const one = customer();
  const shown = await one.look(`${page}?language=de`);
  assert.equal(shown.status, 200);
  assert.match(shown.markup, /Yoga &lt;b&gt;&amp;&lt;\/b&gt; tea/);
  assert.match(shown.markup, /Every Monday/);
  assert.match(shown.markup, /12,50/);
  assert.match(shown.markup, /Weiter zur Zahlung/);
  const alternates = [
    ...shown.markup.matchAll(/rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g),
  ];
  assert.equal(alternates.length, LANGUAGES.length + 1);
  const german = alternates.find(([, language]) => language === 'de')?.[2];
  assert.equal(german, `${world.app.publicUrl}${page}?language=de`);
  assert.equal(alternates.at(-1)?.[1], 'x-default');
  const { status, location } = await one.pay(`${page}?language=de`);
  assert.equal(status, 303);
  assert.match(location, /^\/de\/checkout\/[\w-]{32}$/);
  const id = await checkoutAt(location);
  const record = await world.read(id);
  assert.equal(record.origin, 'PAYMENT_LINK');
  assert.equal(record.type, 'HOSTED');
  assert.equal(record.meta, JSON.stringify({ paymentLink: room.split('/').at(-1) }));
  const second = await checkoutAt((await customer().pay(page)).location);
  assert.notEqual(second, id, 'another customer has another checkout');
  await payCheckout(world, id);
  const { markup } = await owner.get(room);
  assert.match(markup, /<dt>Paid<\/dt><dd>1<\/dd>/);
  assert.match(markup, /<dt>Together<\/dt><dd>€12\.50<\/dd>/);
  assert.match(markup, /<dt>Held now<\/dt><dd>1<\/dd>/);
  assert.match((await owner.get(path)).markup, /Paid: 1, together €12\.50/);
  const id12 = room.split('/').at(-1);
  const acts = await listActs(world.app.db, { about: `payment-link:${id12}` }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb),
    ['payment-link-create'],
  );
});

test('where the customer chooses, only amounts that the link takes are taken', async () => {
  const { page } = await makeLink({ title: 'Give', least: '5', most: '50' });
  const one = customer();
  const shown = await one.look(`${page}?amount=20`);
  assert.match(shown.markup, /name="amount"[^>]*value="20"/s);
  assert.match(shown.markup, /From €5\.00 to €50\.00/);
  for (const amount of ['', 'x', '4.99', '50.01', '1,000', '-7', '10.001', '"><script>']) {
    const refused = await one.pay(page, { amount });
    assert.equal(refused.status, 400, amount);
    assert.match(refused.markup, /role="alert"[^>]*>Please write an amount/);
    assert.doesNotMatch(refused.markup, /"><script>/);
  }
  for (const amount of ['5', '50,00', '7.25']) {
    address = `192.0.2.${amount.length + 10}`;
    assert.equal((await customer().pay(page, { amount })).status, 303, amount);
  }
});

test('a link with a stock sells no more; what lapsed is free again, and cancelled before', async () => {
  address = '192.0.2.30';
  const { owner, room, page } = await makeLink({ title: 'Last seat', amount: '10', stock: '1' });
  const first = customer();
  const { location } = await first.pay(page);
  const id = await checkoutAt(location);
  const late = customer();
  assert.match((await late.look(page)).markup, /Nothing is left/);
  const refused = await late.pay(page);
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /Nothing is left/);
  assert.match((await owner.get(room)).markup, /data-link-state="soldOut"/);
  assert.equal((await first.pay(page)).location.split('/').at(-1), location.split('/').at(-1));
  assert.match((await first.look(page)).markup, /Continue to the payment/, 'it is his own place');

  await world.clock.advance(60 * 60_000);
  await world.settle();
  assert.equal((await world.read(id)).state, 'NEW', 'nobody else wanted it yet');
  assert.match((await late.look(page)).markup, /Continue to the payment/);
  const next = await late.pay(page);
  assert.equal(next.status, 303);
  assert.equal((await world.read(id)).state, 'CANCELLED');
  const nextId = await checkoutAt(next.location);
  await payCheckout(world, nextId);
  await world.clock.advance(25 * 3_600_000);
  await world.settle();
  assert.match((await customer().look(page)).markup, /Nothing is left/, 'paid is sold for good');
});

test('a place is free again at once when its customer cancels', async () => {
  const { page } = await makeLink({ title: 'One', amount: '10', stock: '1' });
  const id = await checkoutAt((await customer().pay(page)).location);
  await cancelCheckout(world.app, { checkoutId: id, owner: 'page' });
  assert.equal((await customer().pay(page)).status, 303);
});

test('a link that is switched off, or whose time is over, opens nothing and says why', async () => {
  const { owner, room, page } = await makeLink({ title: 'Switch', amount: '10' });
  await owner.get(room);
  await owner.submit(room, { act: 'off' });
  assert.match((await customer().look(page)).markup, /not in use at the moment/);
  assert.equal((await customer().pay(page)).status, 409);
  await owner.get(room);
  await owner.submit(room, { act: 'on' });
  assert.equal((await customer().pay(page)).status, 303);
  const until = world.clock.now().add({ minutes: 10 }).toString().slice(0, 16);
  const ending = await makeLink({ title: 'Ends', amount: '10', until });
  assert.equal((await customer().look(ending.page)).status, 200);
  await world.clock.advance(10 * 60_000);
  assert.match((await customer().look(ending.page)).markup, /The time of this link is over/);
  assert.equal((await customer().pay(ending.page)).status, 409);
});

test('one address opens few checkouts of a link, and is told to wait; others are served', async () => {
  const { page } = await makeLink({ title: 'Flood', amount: '10' });
  address = '2001:db8:1:2::7';
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    address = `2001:db8:1:2::${n + 1}`;
    statuses.push((await customer().pay(page)).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(303), 429, 429]);
  address = '2001:db8:1:3::1';
  assert.equal((await customer().pay(page)).status, 303);
});

test('who comes back to what he did not pay goes on with it, and takes nothing more', async () => {
  address = '192.0.2.77';
  const { owner, room, page } = await makeLink({ title: 'Back', least: '1' });
  const one = customer();
  const { location } = await one.pay(page, { amount: '8' });
  assert.equal((await one.pay(page, { amount: '8.00' })).location.slice(-32), location.slice(-32));
  const other = await one.pay(page, { amount: '9' });
  assert.notEqual(other.location.slice(-32), location.slice(-32));
  assert.match((await owner.get(room)).markup, /<dt>Held now<\/dt><dd>2<\/dd>/);
});

test('what cannot be taken is said, makes no link, and stays in the form', async () => {
  const owner = await world.comeAs('OWNER', 'wrong');
  await owner.get(path);
  const right = { title: 'Right', amount: '10', currency: 'EUR', settlement: 'ORIGIN' };
  for (const [wrong, says] of [
    [{ title: '' }, /Write a title/],
    [{ title: 'x'.repeat(201) }, /Write a title/],
    [{ amount: '0' }, /Write amounts above zero/],
    [{ amount: '1,000' }, /Write amounts above zero/],
    [{ least: '5' }, /Write amounts above zero/],
    [{ amount: '', least: '6', most: '5' }, /Write amounts above zero/],
    [{ stock: '0' }, /Write a whole number/],
    [{ stock: '1.5' }, /Write a whole number/],
    [{ stock: '1000001' }, /Write a whole number/],
    [{ until: '2020-01-01T00:00' }, /Choose a time that is still to come/],
    [{ until: 'soon' }, /Choose a time that is still to come/],
    [{ settlement: 'GOLD' }, /Your settings take no assets/],
  ] as readonly (readonly [Readonly<Record<string, string>>, RegExp])[]) {
    const values = { ...right, text: 'kept </textarea>', ...wrong };
    const refused = await owner.submit(path, values);
    assert.equal(refused.status, 400, JSON.stringify(wrong));
    assert.match(refused.markup, says);
    assert.match(refused.markup, /kept &lt;\/textarea&gt;/);
  }
  assert.doesNotMatch((await owner.get(path)).markup, />Right</);
});

test('a link of another shop, and one of live money, are as missing as those that are not there', async () => {
  const { room, page } = await makeLink({ title: 'Mine', amount: '10' });
  const id = room.split('/').at(-1) ?? '';
  const owner = await world.comeAs('OWNER', 'other');
  for (const missing of [room.replace('/test/', '/live/'), `${path}/nosuchlink12`]) {
    assert.equal((await owner.get(missing)).status, 404, missing);
    assert.equal((await owner.get(`${missing}/print`)).status, 404, missing);
    const { markup } = await owner.get(path);
    const [, form = ''] = /name="form" value="([^"]+)"/.exec(markup) ?? [];
    assert.equal((await owner.post(missing, { form, act: 'off' })).status, 404);
  }
  const other = await createMerchant(world.app, { name: 'Elsewhere' });
  assert.equal((await owner.get(`/dashboard/shop/${other.id}/test/links/${id}`)).status, 404);
  const wrong = [`/pay/${'A'.repeat(32)}`, '/pay/x', `${page}x`];
  for (const at of wrong) assert.equal((await customer().look(at)).status, 404, at);
  const domain = { host: 'pay.other.example', merchantId: other.id };
  const foreign = await world.pages.request(page, {}, { domain });
  assert.equal(foreign.status, 404, 'under the domain of another merchant');
  const cross = await world.pages.request(page, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(cross.status, 403);
});

test('a viewer sees links and makes none; a poster and a button are made of it', async () => {
  const { room, page } = await makeLink({ title: '"Bread" </pre>', amount: '3.20' });
  const viewer = await world.comeAs('VIEWER', 'vic');
  const list = await viewer.get(path);
  assert.doesNotMatch(list.markup, /id="make-link"/);
  const shown = await viewer.get(room);
  assert.doesNotMatch(shown.markup, /id="switch"/);
  assert.match(shown.markup, /&lt;a href=&quot;http:\/\/localhost:\d+\/pay\/[\w-]{32}&quot;/);
  const poster = await viewer.get(`${room}/print`);
  assert.equal(poster.status, 200);
  assert.match(poster.markup, /<svg class="qr"/);
  assert.match(poster.markup, /&quot;Bread&quot; &lt;\/pre&gt;/);
  assert.match(poster.markup, new RegExp(page));
});

test('a link asks what its maker says, from then on, in place of what the account asks', async () => {
  const { owner, room, page } = await makeLink({
    ...{ title: 'Course', amount: '20', asking: 'own' },
    ...{ 'ask-0-kind': 'EMAIL', 'ask-0-label': 'Where to write to', 'ask-0-required': 'yes' },
  });
  assert.match((await owner.get(room)).markup, /id="asking">[\s\S]*Where to write to/);
  const one = customer();
  address = '192.0.2.71';
  const asked = await world.pages.request((await one.pay(page)).location);
  assert.match(await asked.text(), /data-state="ask"[\s\S]*Where to write to/);

  const form = `${room}/asking`;
  const shown = await owner.get(form);
  assert.match(shown.markup, /name="ask-0-key"[^>]*value="where_to_write_to"/);
  const own = { asking: 'own', 'ask-0-kind': 'TEXT', 'ask-0-label': 'Name' };
  const more = await owner.submit(form, { ...own, act: 'more-fields' });
  assert.match(more.markup, /name="ask-1-label"/);
  const wrong = await owner.submit(form, { ...own, termsUrl: 'shop.example' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /id="termsUrl-fault">Write an address/);
  const asks = async () => {
    const id = await checkoutAt((await customer().pay(page)).location);
    return (await world.read(id)).asking?.asks.map(({ label }) => label);
  };
  assert.equal((await owner.submit(form, { asking: 'own' })).location, `${room}?done=1`);
  assert.match((await owner.get(room)).markup, /id="asking">Nothing</);
  assert.equal(await asks(), undefined);
  await owner.get(form);
  await owner.submit(form, { ...own, asking: 'account' });
  assert.match((await owner.get(room)).markup, /id="asking">As the settings say</);
  await owner.get(form);
  await owner.submit(form, own);
  assert.deepEqual(await asks(), ['Name']);
  const acts = await listActs(world.app.db, { about: `payment-link:${room.split('/').at(-1)}` }, 9);
  assert.deepEqual(acts.map(({ verb }) => verb).sort(), [
    ...Array.from({ length: 3 }, () => 'payment-link-asking'),
    'payment-link-create',
  ]);

  // Of another shop there is no such form.
  const { id } = await createMerchant(world.app, { name: 'Strange' });
  const stranger = await world.comeAs('OWNER', 'stranger71', id);
  const path71 = form.replace(world.caller.merchantId, id);
  assert.equal((await stranger.get(path71)).status, 404);
});
