// What an owner does with money of the shop, as a browser without JavaScript does it: beneficiaries,
// transfers, swaps, rules, refunds; and what others may see and say of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { listRules } from '#settlement-rule/settlement-rule.ts';
import type { DashboardBrowser, Shown } from '#test/support/dashboard-browser.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import {
  addBeneficiary,
  availableUnits,
  PAYER_ADDRESS,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { listTransfers } from '#transfer/transfer.ts';

const LTC = 'LTC:NATIVE';
const HOSTILE = '<img src=x onerror=alert(1)>';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
});
after(() => world.close());

let funded = 0;
async function fund(units: bigint, assetId = LTC): Promise<void> {
  const { merchantId } = world.caller;
  funded += 1;
  const occurredAt = world.clock.now();
  await fundMerchant(world.app.db, {
    ...{ merchantId, cause: `acts-${funded}`, assetId, units, occurredAt },
  });
}

const fieldIn = ({ markup }: Shown, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(markup)?.[1] ?? '';

const actorsOf = async (about: string) =>
  (await listActs(world.app.db, { about }, 20)).map(
    ({ verb, actor }) => `${verb} ${actor.split(' ')[0]}`,
  );

/** The review page of a transfer, quoted by the form. */
async function quoted(
  browser: DashboardBrowser,
  to: string,
  amount: string,
): Promise<{ readonly path: string; readonly page: Shown }> {
  await browser.get(`${shop}/money/send?to=${to}`);
  const asked = await browser.submit(`${shop}/money/send`, { to, asset: LTC, amount });
  assert.equal(asked.status, 303, asked.markup);
  const path = asked.location ?? '';
  return { path, page: await browser.get(path) };
}

const transferCount = async () => {
  const page = await listTransfers(world.app, world.caller, { limit: 100, cursor: undefined });
  return page.shown.filter(({ state }) => state !== 'QUOTED').length;
};

test('a beneficiary: the network asks for its own fields, a wrong one is said and stays typed', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  const path = `${shop}/money/beneficiaries`;
  const empty = await owner.get(path);
  assert.match(empty.markup, /There is none yet/);
  const sepa = await owner.get(`${path}?network=SEPA`);
  for (const name of ['iban', 'bic', 'holder'])
    assert.match(sepa.markup, new RegExp(`account\\.${name}"`));
  assert.match(sepa.markup, /id="account.iban"[^>]* required/);
  assert.doesNotMatch(sepa.markup, /id="account.bic"[^>]* required/);
  const wrong = await owner.submit(path, {
    ...{ network: 'SEPA', label: HOSTILE, once: fieldIn(sepa, 'once') },
    ...{ 'account.iban': 'DE89370400440532013001', 'account.holder': HOSTILE },
  });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /Something is not right/);
  assert.match(wrong.markup, /IBAN: <span lang="en"><bdi>must be an IBAN as its country has them/);
  assert.match(wrong.markup, /value="DE89370400440532013001"/);
  assert.doesNotMatch(wrong.markup, /<img/);
  const right = {
    ...{ network: 'SEPA', label: HOSTILE, once: fieldIn(wrong, 'once') },
    ...{ 'account.iban': 'DE89 3704 0044 0532 0130 00', 'account.holder': HOSTILE },
  };
  const [one, other] = await Promise.all([owner.submit(path, right), owner.submit(path, right)]);
  assert.deepEqual([one?.status, other?.status], [303, 303], 'a double click is one order');
  const { markup } = await owner.get(path);
  assert.equal(markup.match(/&lt;img/g)?.length, 2, 'its name and its holder, once');
  assert.doesNotMatch(markup, /<img/);
  const id = /name="beneficiary" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  assert.deepEqual(await actorsOf(`beneficiary:${id}`), ['beneficiary-create person']);
  const changed = await owner.submit(path, { ...right, label: 'Another' });
  assert.equal(changed.status, 409);
  assert.match(changed.markup, /This form was sent before/);
  const again = await owner.submit(path, { ...right, once: fieldIn(changed, 'once') });
  assert.match(again.markup, /Another beneficiary has this name/);
  await owner.get(path);
  await owner.submit(path, { act: 'remove', beneficiary: id });
  assert.match((await owner.get(path)).markup, /There is none yet/);
  const verbs = await actorsOf(`beneficiary:${id}`);
  assert.deepEqual(verbs, ['beneficiary-create person', 'beneficiary-delete person']);
});

test('with real money a new beneficiary rests for a day, and nothing is sent there before', async () => {
  const owner = await world.comeAs('OWNER', 'oda');
  const live = shop.replace(/test$/, 'live');
  const path = `${live}/money/beneficiaries`;
  const form = await owner.get(`${path}?network=SEPA`);
  await owner.submit(path, {
    ...{ network: 'SEPA', label: 'Bank', once: fieldIn(form, 'once') },
    ...{ 'account.iban': 'DE89370400440532013000', 'account.holder': 'Shop' },
  });
  const { markup } = await owner.get(path);
  assert.match(markup, /Can be used from <time datetime="2026-01-02T12:/);
  const id = /name="beneficiary" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const send = await owner.get(`${live}/money/send?to=${id}`);
  assert.match(send.markup, /id="rests">This beneficiary is new/);
  assert.doesNotMatch(send.markup, /id="quote"/);
  const forced = await owner.post(`${live}/money/send`, {
    ...{ form: fieldIn(send, 'form'), to: id, asset: 'EUR:FIAT', amount: '1' },
  });
  assert.equal(forced.status, 409);
  assert.match(forced.markup, /after a day/);
});

test('a transfer: what arrives is looked at, ordered once, and followed until it has landed', async () => {
  const owner = await world.comeAs('OWNER', 'otto');
  await fund(250_000_000n);
  const to = await addBeneficiary(world, `Cold ${HOSTILE}`);
  const before = await availableUnits(world, LTC);
  const form = await owner.get(`${shop}/money/send?to=${to}`);
  assert.match(form.markup, /LTC \(2\.5\u00a0LTC available\)/);
  assert.doesNotMatch(form.markup, /<img/);
  const { path, page } = await quoted(owner, to, '1.5');
  assert.equal(await availableUnits(world, LTC), before, 'nothing is moved yet');
  assert.match(page.markup, /Look at it once more/);
  assert.match(page.markup, /<b>tltc<\/b><wbr><span>1qw5<\/span>/, 'in groups');
  assert.match(page.markup, /Taken out of the balance<\/dt><dd>1\.5\u00a0LTC/);
  assert.match(page.markup, /Worth about<\/dt><dd>\$/);
  assert.doesNotMatch(page.markup, /<img/);
  const count = await transferCount();
  const twice = await Promise.all([
    owner.submit(`${path}/order`, {}),
    owner.submit(`${path}/order`, {}),
  ]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  );
  const form2 = fieldIn(page, 'form');
  assert.equal((await owner.post(`${path}/order`, { form: form2 })).status, 303, 'a reload');
  assert.equal((await transferCount()) - count, 1);
  assert.equal(before - (await availableUnits(world, LTC)), 150_000_000n, 'once');
  const ordered = await owner.get(path);
  assert.match(ordered.markup, /data-transfer-state="RESERVED"/);
  const id = path.split('/').at(-1) ?? '';
  assert.deepEqual(await actorsOf(`transfer:${id}`), ['transfer-commit person']);
  await sendTransfers(world);
  const landed = await owner.get(path);
  assert.match(landed.markup, /data-transfer-state="COMPLETED">arrived/);
  assert.doesNotMatch(landed.markup, /id="cancel"/);
});

test('what was ordered is cancelled while nobody was told how to send it', async () => {
  const owner = await world.comeAs('OWNER', 'ossi');
  await fund(100_000_000n);
  const to = await addBeneficiary(world, 'Cancelled');
  const before = await availableUnits(world, LTC);
  const { path } = await quoted(owner, to, '0.5');
  await owner.submit(`${path}/order`, {});
  assert.match((await owner.get(path)).markup, /id="cancel"/);
  assert.equal((await owner.submit(`${path}/cancel`, {})).status, 303);
  assert.equal(await availableUnits(world, LTC), before);
  const ended = await owner.get(path);
  assert.match(ended.markup, /data-transfer-state="FAILED"/);
  const again = await owner.post(`${path}/cancel`, { form: fieldIn(ended, 'form') });
  assert.equal(again.status, 409);
  assert.match(again.markup, /can be cancelled here no more/);
  const id = path.split('/').at(-1) ?? '';
  const verbs = await actorsOf(`transfer:${id}`);
  assert.deepEqual(verbs, ['transfer-commit person', 'transfer-cancel person']);
});

test('amounts that may be meant in two ways, are none or too much, are asked again', async () => {
  const owner = await world.comeAs('OWNER', 'orla');
  const to = await addBeneficiary(world, 'Amounts');
  const path = `${shop}/money/send`;
  for (const amount of ['1,000', '0', '-1', '1e2', '0.000000001', 'x', '']) {
    await owner.get(`${path}?to=${to}`);
    const { status, markup } = await owner.submit(path, { to, asset: LTC, amount });
    assert.equal(status, 400, amount);
    assert.match(markup, /Write an amount above zero/, amount);
    assert.match(markup, new RegExp(`name="amount" type="text" value="${amount}"`));
  }
  await owner.get(`${path}?to=${to}`);
  const other = await owner.submit(path, { to, asset: 'BTC:NATIVE', amount: '1' });
  assert.match(other.markup, /Choose an asset that there is here/);
  const { path: dear } = await quoted(owner, to, '99999');
  const refused = await owner.submit(`${dear}/order`, {});
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /The available balance is too low/);
});

test('a quote that is over, and one of another person, are ordered by nobody', async () => {
  const owner = await world.comeAs('OWNER', 'olaf');
  await fund(100_000_000n);
  const to = await addBeneficiary(world, 'Over');
  const { path, page } = await quoted(owner, to, '0.1');
  const other = await world.comeAs('OWNER', 'oona');
  const seen = await other.get(path);
  assert.doesNotMatch(seen.markup, /id="order"/);
  const stolen = await other.post(`${path}/order`, { form: fieldIn(seen, 'form') });
  assert.match(stolen.markup, /Somebody else asked for this quote/);
  const id = path.split('/').at(-1) ?? '';
  await assert.rejects(commitTransfer(world.app, world.caller, id), { code: 'quote_of_another' });
  await world.clock.advance(Temporal.Duration.from({ minutes: 10 }));
  const late = await owner.post(`${path}/order`, { form: fieldIn(page, 'form') });
  // The proof of who he is is older than ten minutes as well by now.
  assert.equal(late.location, `/dashboard/proof?to=${encodeURIComponent(path)}`);
  await owner.get(late.location);
  await owner.submit('/dashboard/proof', { password: PASSWORD, to: path });
  const over = await owner.get(path);
  assert.match(over.markup, /data-transfer-state="EXPIRED"/);
  const refused = await owner.post(`${path}/order`, { form: fieldIn(over, 'form') });
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /This quote is over/);
});

test('a swap: its price is looked at while it holds, and it is done once', async () => {
  const owner = await world.comeAs('OWNER', 'ondra');
  await fund(200_000_000n);
  const before = await availableUnits(world, 'BTC:NATIVE');
  const path = `${shop}/money/swap`;
  await owner.get(path);
  const values = { from: LTC, into: 'BTC:NATIVE', amount: '1', side: 'source' };
  const same = await owner.submit(path, { ...values, into: LTC });
  assert.equal(same.status, 400);
  const { location = '' } = await owner.submit(path, values);
  const page = await owner.get(location);
  assert.match(page.markup, /You give<\/dt><dd>1\u00a0LTC/);
  assert.match(page.markup, /Rate<\/dt><dd>1\u00a0LTC = [\d.]+\u00a0BTC/);
  assert.match(page.markup, /Holds until<\/dt><dd><time datetime/);
  assert.equal(await availableUnits(world, 'BTC:NATIVE'), before);
  const twice = await Promise.all([
    owner.submit(`${location}/order`, {}),
    owner.submit(`${location}/order`, {}),
  ]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  );
  const gained = (await availableUnits(world, 'BTC:NATIVE')) - before;
  assert.ok(gained > 0n);
  assert.match((await owner.get(location)).markup, /data-swap-state="COMPLETED"/);
  const id = location.split('/').at(-1) ?? '';
  assert.deepEqual(await actorsOf(`swap:${id}`), ['swap-commit person']);
  await owner.get(path);
  const { location: late = '' } = await owner.submit(path, {
    ...values,
    side: 'target',
    amount: '0.001',
  });
  await owner.get(late);
  await world.clock.advance(61_000);
  const refused = await owner.submit(`${late}/order`, {});
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /This quote is over/);
  assert.match(refused.markup, /data-swap-state="EXPIRED"/);
});

test('a rule settles by itself from now on, is made once, paused, and taken away', async () => {
  const owner = await world.comeAs('OWNER', 'odin');
  const to = await addBeneficiary(world, `Rule ${HOSTILE}`);
  const path = `${shop}/money/rules`;
  const form = await owner.get(path);
  const nothing = await owner.submit(path, { asset: LTC, once: fieldIn(form, 'once') });
  assert.equal(nothing.status, 400);
  assert.match(nothing.markup, /convertTo or targetAccount: say what is to be done/);
  const values = {
    ...{ asset: LTC, threshold: '10', keep: '1.5', every: 'WEEK', day: '1', hour: '6' },
    ...{ zone: 'Europe/Berlin', convertTo: '', to, once: fieldIn(nothing, 'once') },
  };
  const twice = await Promise.all([owner.submit(path, values), owner.submit(path, values)]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  );
  const { shown } = await listRules(world.app, world.caller, { limit: 10, cursor: undefined });
  assert.equal(shown.length, 1);
  const { id = '', keepUnits } = shown[0] ?? {};
  assert.equal(keepUnits, 150_000_000n);
  const listed = await owner.get(path);
  assert.match(
    listed.markup,
    /every week on day 1 at 6:00 \(Europe\/Berlin\) from 10\u00a0LTC, 1\.5\u00a0LTC stays/,
  );
  assert.match(listed.markup, /Rule &lt;img/);
  for (const [act, state] of [
    ['pause', 'PAUSED'],
    ['resume', 'ACTIVE'],
  ] as const) {
    await owner.get(path);
    await owner.submit(path, { act, rule: id });
    assert.match((await owner.get(path)).markup, new RegExp(`data-rule-state="${state}"`));
  }
  await owner.submit(path, { act: 'delete', rule: id });
  assert.match((await owner.get(path)).markup, /There is no rule yet/);
  const verbs = ['create', 'pause', 'resume', 'delete'].map(
    (act) => `settlement-rule-${act} person`,
  );
  assert.deepEqual(await actorsOf(`settlement-rule:${id}`), verbs);
});

test('what belongs to another shop is as missing as what is not there', async () => {
  const { app } = world;
  const owner = await world.comeAs('OWNER', 'osman');
  const merchant = await createMerchant(app, { name: 'Other' });
  const caller = { merchantId: merchant.id, environment: 'test' as const, apiKey: undefined };
  const to = await addBeneficiary({ app, caller }, 'Theirs');
  const amount = { coefficient: 1n, scale: 0 };
  const asked = { network: 'LITECOIN', asset: LTC, amount, targetAccount: to };
  const { id } = await quoteTransfer(app, caller, asked);
  const form = fieldIn(await owner.get(`${shop}/money/beneficiaries`), 'form');
  const answers = async (theirs: string, none: string) => {
    const [one, other] = await Promise.all([theirs, none].map((path) => owner.get(shop + path)));
    assert.equal(one?.status, 404, theirs);
    const plain = (page: Shown | undefined) => page?.markup.replaceAll(/ nonce="[^"]+"/g, '');
    assert.equal(plain(one), plain(other), theirs);
  };
  await answers(`/money/transfers/${id}`, '/money/transfers/aaaaaaaaaaaa');
  await answers(`/money/send?to=${to}`, '/money/send?to=aaaaaaaaaaaa');
  const posts: readonly (readonly [path: string, values: Readonly<Record<string, string>>])[] = [
    [`/money/transfers/${id}/order`, {}],
    [`/money/transfers/${id}/cancel`, {}],
    ['/money/swaps/aaaaaaaaaaaa/order', {}],
    ['/money/send', { to, asset: LTC, amount: '1' }],
    ['/money/beneficiaries', { act: 'remove', beneficiary: to }],
    ['/money/rules', { act: 'delete', rule: 'aaaaaaaaaaaa' }],
    ['/money/rules', { asset: LTC, threshold: '1', to, once: 'x'.repeat(12) }],
    ['/checkouts/aaaaaaaaaaaa/refund', { step: 'send' }],
  ];
  for (const [path, values] of posts) {
    const { status } = await owner.post(shop + path, { form, ...values });
    assert.equal(status, 404, path);
  }
  const there = await app.db.read((tx) =>
    listTransfers({ db: tx }, caller, { limit: 5, cursor: undefined }),
  );
  assert.deepEqual(
    there.shown.map(({ state }) => state),
    ['QUOTED'],
  );
});

test('an accountant sees beneficiaries, rules and what waits, and finds no button that moves money', async () => {
  const { id } = await quoteTransfer(
    world.app,
    { ...world.caller, maker: undefined },
    {
      ...{ network: 'LITECOIN', asset: LTC, amount: { coefficient: 1n, scale: 1 } },
      targetAccount: await addBeneficiary(world, 'Seen'),
    },
  );
  const accountant = await world.comeAs('ACCOUNTANT', 'alba');
  for (const room of ['beneficiaries', 'rules', 'approvals', 'suspense', `transfers/${id}`]) {
    const { status, markup } = await accountant.get(`${shop}/money/${room}`);
    assert.equal(status, 200, room);
    const forms = markup.match(/action="\/dashboard\/shop[^"]+"/g);
    assert.equal(forms, null, room);
    assert.doesNotMatch(markup, /href="[^"]+\/money\/(?:send|swap)[^"]*"[^>]*>(?!Send something)/);
  }
});

test('an address of ours is not asked for by name: PAYER is whole on the page', async () => {
  const owner = await world.comeAs('OWNER', 'oskar');
  const { markup } = await owner.get(`${shop}/money/beneficiaries`);
  const plain = markup.replaceAll(/<[^>]+>/g, '');
  assert.ok(plain.includes(PAYER_ADDRESS), 'what is selected is what has to be sent');
});
