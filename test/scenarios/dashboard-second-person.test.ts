// What one person does not do alone, what goes back to customers, and money that is not assigned:
// in the dashboard, as a browser without JavaScript does it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { chainOf } from '#catalog/chain.ts';
import { DASHBOARD_LANGUAGES } from '#catalog/language.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { runSettlementRules } from '#settlement-rule/run-settlement-rules.ts';
import { listRules, listRuns } from '#settlement-rule/settlement-rule.ts';
import { setLimit } from '#spending/spending-limit.ts';
import { listSuspense } from '#suspense/suspense-view.ts';
import type { DashboardBrowser, Shown } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import {
  addBeneficiary,
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const LTC = 'LTC:NATIVE';
const HOSTILE = '<img src=x onerror=alert(1)>';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await Promise.all([world.observe('LITECOIN'), world.observe('STELLAR')]);
  await fund('first');
});
after(() => world.close());

async function fund(cause: string): Promise<void> {
  const { merchantId } = world.caller;
  const money = { merchantId, assetId: LTC, units: 10_000_000_000n, cause };
  await fundMerchant(world.app.db, { ...money, occurredAt: world.clock.now() });
}

const fieldIn = ({ markup }: Shown, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(markup)?.[1] ?? '';

const actorsOf = async (about: string) =>
  (await listActs(world.app.db, { about }, 20)).map(
    ({ verb, actor }) => `${verb} ${actor.split(' ')[0]}`,
  );

/** Above it one person does nothing alone. */
async function limit(mostUnits: bigint): Promise<void> {
  const { merchantId } = world.caller;
  const said = { actor: 'operator', reason: 'test', setAt: world.clock.now() };
  const name = { kind: 'TWO_PEOPLE', environment: 'test', merchantId, measure: LTC } as const;
  await world.app.db.transact(async (tx) => setLimit(tx, { ...name, mostUnits, ...said }));
}

/** Path of a transfer that was ordered, and that the sending loop has looked at. */
async function order(browser: DashboardBrowser, amount: string): Promise<string> {
  const to = await addBeneficiary(world, `Big ${await world.create()} ${HOSTILE}`);
  await browser.get(`${shop}/money/send?to=${to}`);
  const asked = await browser.submit(`${shop}/money/send`, { to, asset: LTC, amount });
  const path = asked.location ?? '';
  await browser.get(path);
  await browser.submit(`${path}/order`, {});
  await runTransfers(sender(world));
  return path;
}

const subjectOf = (path: string) => `transfer:${path.split('/').at(-1)}`;

test('above the limit another person approves: never the maker, and only then it is sent', async () => {
  const owner = await world.comeAs('OWNER', `Olga ${HOSTILE}`.slice(0, 4));
  await limit(100_000_000n);
  const path = await order(owner, '2');
  assert.match((await owner.get(path)).markup, /It waits for a second person/);
  const room = `${shop}/money/approvals`;
  const own = await owner.get(room);
  assert.match(own.markup, /You made it: another one decides/);
  assert.doesNotMatch(own.markup, /value="approve"/);
  assert.doesNotMatch(own.markup, /<img/);
  const subject = subjectOf(path);
  const form = fieldIn(own, 'form');
  for (const act of ['approve', 'decline']) {
    const refused = await owner.post(room, { form, act, subject });
    assert.equal(refused.status, 409, act);
    assert.match(refused.markup, /another one has to say it/);
  }
  await sendTransfers(world);
  assert.match((await owner.get(path)).markup, /data-transfer-state="RESERVED"/);
  const admin = await world.comeAs('ADMIN', 'aino');
  const seen = await admin.get(room);
  assert.match(seen.markup, /Made by<\/dt><dd><bdi>Olga/);
  assert.match(seen.markup, /<b>tltc<\/b>/, 'the address in groups');
  assert.match(seen.markup, /Worth about/);
  const twice = await Promise.all([
    admin.submit(room, { act: 'approve', subject }),
    admin.submit(room, { act: 'approve', subject }),
  ]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  );
  assert.match((await admin.get(room)).markup, /Nothing waits/);
  // It is looked at every minute.
  await world.clock.advance(60_000);
  await sendTransfers(world);
  assert.match((await owner.get(path)).markup, /data-transfer-state="COMPLETED"/);
  const acts = await actorsOf(subject);
  assert.deepEqual(acts.slice(0, 2), ['transfer-commit person', 'approve person']);
});

test('what the second person declines is not sent, and its money is there again', async () => {
  const owner = await world.comeAs('OWNER', 'otis');
  await limit(100_000_000n);
  const before = await availableUnits(world, LTC);
  const path = await order(owner, '3');
  const subject = subjectOf(path);
  assert.ok((await availableUnits(world, LTC)) < before);
  const admin = await world.comeAs('ADMIN', 'anton');
  const room = `${shop}/money/approvals`;
  await admin.get(room);
  assert.equal((await admin.submit(room, { act: 'decline', subject })).status, 303);
  assert.equal(await availableUnits(world, LTC), before);
  const page = await owner.get(path);
  assert.match(page.markup, /data-transfer-state="FAILED"/);
  assert.match(page.markup, /declined by a second person/);
  await sendTransfers(world);
  assert.match((await admin.get(room)).markup, /Nothing waits/, 'nobody is asked again');
  const form = fieldIn(await admin.get(room), 'form');
  const again = await admin.post(room, { form, act: 'decline', subject });
  assert.equal(again.status, 404);
  assert.match(again.markup, /does not wait for anybody any more/);
  assert.deepEqual(await actorsOf(subject), [
    'transfer-commit person',
    'decline person',
    'transfer-cancel person',
  ]);
});

test('what waits in another shop waits for nobody here', async () => {
  const { app } = world;
  const owner = await world.comeAs('OWNER', 'oja');
  await limit(100_000_000n);
  const path = await order(owner, '4');
  const other = await createMerchant(app, { name: 'Other' });
  const theirs = `/dashboard/shop/${other.id}/test/money/approvals`;
  assert.equal((await owner.get(theirs)).status, 404);
  const admin = await world.comeAs('ADMIN', 'arno');
  const room = `${shop}/money/approvals`;
  const form = fieldIn(await admin.get(room), 'form');
  const live = `${shop.replace(/test$/, 'live')}/money/approvals`;
  for (const subject of [subjectOf(path), 'transfer:aaaaaaaaaaaa']) {
    const { status, markup } = await admin.post(live, { form, act: 'approve', subject });
    assert.equal(status, 404);
    assert.match(markup, /does not wait for anybody any more/);
  }
  await admin.get(room);
  await admin.submit(room, { act: 'decline', subject: subjectOf(path) });
});

test('a swap above the limit is ordered by another owner, while its price holds', async () => {
  const owner = await world.comeAs('OWNER', 'olli');
  await limit(100_000_000n);
  const path = `${shop}/money/swap`;
  await owner.get(path);
  const values = { from: LTC, into: 'BTC:NATIVE', amount: '2', side: 'source' };
  const { location = '' } = await owner.submit(path, values);
  await owner.get(location);
  const refused = await owner.submit(`${location}/order`, {});
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /another owner opens this page and orders it/);
  const second = await world.comeAs('OWNER', 'orm');
  await second.get(location);
  assert.equal((await second.submit(`${location}/order`, {})).status, 303);
  assert.match((await owner.get(location)).markup, /data-swap-state="COMPLETED"/);
  assert.deepEqual(await actorsOf(`swap:${location.split('/').at(-1)}`), ['swap-commit person']);
  await limit(100_000_000_000n);
});

test('a refund is looked at first, sent once, and stands in the trail with who', async () => {
  const owner = await world.comeAs('OWNER', 'oleg');
  const id = await world.create();
  const paid = await payCheckout(world, id);
  const page = await owner.get(`${shop}/checkouts/${id}`);
  const path = `${shop}/checkouts/${id}/refund`;
  assert.match(page.markup, new RegExp(`href="${path}"`));
  await owner.get(path);
  const typo = await owner.submit(path, {
    kind: 'full',
    address: `${PAYER_ADDRESS}x`,
    step: 'review',
  });
  assert.equal(typo.status, 400);
  assert.match(typo.markup, /This is no account of the network/);
  const hostile = await owner.submit(path, {
    kind: 'full',
    address: `"${HOSTILE}`,
    step: 'review',
  });
  assert.doesNotMatch(hostile.markup, /<img/);
  const before = await availableUnits(world, LTC);
  const review = await owner.submit(path, { kind: 'full', address: PAYER_ADDRESS, step: 'review' });
  assert.equal(review.status, 200);
  assert.match(review.markup, /Look at it once more/);
  assert.match(review.markup, /<b>tltc<\/b>/);
  assert.equal(await availableUnits(world, LTC), before, 'the first click moves nothing');
  const values = Object.fromEntries(
    [
      'once',
      'way',
      'kind',
      'amount',
      'address',
      'memo',
      'memoType',
      'holder',
      'units',
      'networkFeeUnits',
    ].map((name) => [name, fieldIn(review, name)]),
  );
  assert.equal(BigInt(values.units ?? ''), paid);
  const edited = await owner.submit(path, { ...values, step: 'edit' });
  assert.match(edited.markup, new RegExp(`value="${PAYER_ADDRESS}"`));
  const changed = await owner.submit(path, { ...values, units: '1', step: 'send' });
  assert.equal(changed.status, 409);
  assert.match(changed.markup, /changed since you looked/);
  const review2 = await owner.submit(path, { ...values, step: 'review' });
  const sent = { ...values, once: fieldIn(review2, 'once'), step: 'send' };
  const twice = await Promise.all([owner.submit(path, sent), owner.submit(path, sent)]);
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  );
  const { refunds } = await world.read(id);
  assert.equal(refunds.length, 1, 'a double click is one refund');
  const after = await owner.get(`${shop}/checkouts/${id}`);
  assert.match(after.markup, /data-refund-state="UNDER_WAY">on its way/);
  const acts = await listActs(world.app.db, { verb: 'refund-create' }, 5);
  assert.match(acts.at(-1)?.actor ?? '', /^person /);
  await owner.submit(`${path}/cancel`, { refund: refunds[0]?.id ?? '' });
  const cancelled = await owner.get(`${shop}/checkouts/${id}`);
  assert.match(cancelled.markup, /data-refund-state="FAILED">not sent/);
  assert.equal(await availableUnits(world, LTC), before, 'its money is there again');
});

test('parts of the same amount are two refunds, and without an address the customer gets a link', async () => {
  const owner = await world.comeAs('OWNER', 'orso');
  const id = await world.create();
  await payCheckout(world, id);
  const path = `${shop}/checkouts/${id}/refund`;
  for (const address of ['', PAYER_ADDRESS]) {
    await owner.get(path);
    const given = { kind: 'amount', amount: '0.01', address };
    const review = await owner.submit(path, { ...given, step: 'review' });
    const names = ['once', 'units', 'networkFeeUnits'] as const;
    const values = Object.fromEntries(names.map((name) => [name, fieldIn(review, name)]));
    assert.equal((await owner.submit(path, { ...given, ...values, step: 'send' })).status, 303);
  }
  const { markup } = await owner.get(`${shop}/checkouts/${id}`);
  assert.match(markup, /id="claim">http:\/\/localhost:8080\/auto\/refund\/[\w-]{32}</);
  assert.equal((await world.read(id)).refunds.length, 2);
  const accountant = await world.comeAs('ACCOUNTANT', 'alwin');
  const seen = await accountant.get(`${shop}/checkouts/${id}`);
  assert.doesNotMatch(
    seen.markup,
    /\/refund\/[\w-]{32}|id="refund"/,
    'who has the link may say where',
  );
});

test('a rule of a person stops when he owns the shop no more', async () => {
  const owner = await world.comeAs('OWNER', 'odo');
  const to = await addBeneficiary(world, 'Savings');
  const path = `${shop}/money/rules`;
  const form = await owner.get(path);
  const values = { asset: LTC, threshold: '2', keep: '1', to, once: fieldIn(form, 'once') };
  assert.equal((await owner.submit(path, values)).status, 303);
  const [rule] = (await listRules(world.app, world.caller, { limit: 1, cursor: undefined })).shown;
  assert.ok(rule);
  const run = async () => {
    await world.clock.advance(Temporal.Duration.from({ minutes: 20 }));
    await world.observe('LITECOIN');
    await runSettlementRules(world.app);
    return (await listRuns(world.app.db, rule.id, 1))[0];
  };
  const done = await run();
  assert.equal(done?.state, 'DONE', done?.reason ?? 'nothing was done');
  const [act] = await listActs(world.app.db, { about: `transfer:${done?.transferId}` }, 1);
  assert.equal(act?.actor, rule.actor, 'each transfer has its maker');
  const other = await world.comeAs('OWNER', 'oswald');
  const people = `${shop}/people`;
  const { markup } = await other.get(people);
  const person = rule.actor.replace('person ', '');
  assert.ok(markup.includes(person));
  await other.submit(people, { act: 'role', person, role: 'ADMIN' });
  await fund('again');
  assert.equal((await run())?.code, 'maker_left');
});

test('money that is not assigned: why, how much, and who decides', async () => {
  const { app, caller } = world;
  const id = await world.create({ webhook: 'https://shop.example/hook' });
  const way = { checkoutId: id, owner: caller, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction } = await commitCheckout(app, way);
  const stellar = chainOf('test', 'STELLAR');
  const usdc = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const outputs = [{ destination: instruction.destination, assetId: usdc, units: 50_000_000n }];
  await paySandbox(app, { chain: stellar, outputs });
  await mineBlocks(app, stellar, 2);
  await world.clock.advance(1_000);
  await world.observe('STELLAR');
  await world.settle();
  while ((await settleSuspense(app, stellar)) > 0);
  const [found] = await listSuspense(app, { isOpen: true }, 10);
  const accountant = await world.comeAs('ACCOUNTANT', 'agda');
  const { markup } = await accountant.get(`${shop}/money/suspense`);
  assert.match(markup, /<strong>5\u00a0USDC<\/strong>/);
  assert.match(markup, /data-suspense-state="OPEN">waits for a decision/);
  assert.match(markup, /Another asset came than was asked for/);
  assert.match(markup, new RegExp(`<code>${found?.suspense.id}</code>`));
  assert.match(markup, new RegExp(`href="${shop}/checkouts/${id}"`));
  assert.match(markup, /Whoever runs this server assigns it/);
  const other = await createMerchant(app, { name: 'Other' });
  assert.equal(
    (await accountant.get(`/dashboard/shop/${other.id}/test/money/suspense`)).status,
    404,
  );
  const odd = await accountant.get(`${shop}/money/suspense?after=x`);
  assert.match(odd.markup, /5\u00a0USDC/, 'a cursor that is none begins at the newest');
});

test('every room of money speaks all eight languages', async () => {
  const owner = await world.comeAs('OWNER', 'ole');
  const to = await addBeneficiary(world, 'Everybody');
  const id = await world.create();
  await payCheckout(world, id);
  await owner.get(`${shop}/money/send?to=${to}`);
  const { location: transfer = '' } = await owner.submit(`${shop}/money/send`, {
    ...{ to, asset: LTC, amount: '0.1' },
  });
  await owner.get(`${shop}/money/swap`);
  const swapped = { from: LTC, into: 'BTC:NATIVE', amount: '0.1', side: 'source' };
  const { location: swap = '' } = await owner.submit(`${shop}/money/swap`, swapped);
  const rooms = ['', '/send', '/swap', '/beneficiaries', '/approvals', '/rules', '/suspense'];
  const paths = [
    ...rooms.map((room) => `${shop}/money${room}`),
    ...[`${shop}/money/beneficiaries?network=STELLAR`, `${shop}/money/send?to=${to}`],
    ...[transfer, swap, `${shop}/checkouts/${id}/refund`],
  ];
  for (const path of paths) {
    const titles = new Set<string>();
    for (const { languageCode } of DASHBOARD_LANGUAGES) {
      owner.setCookie('quittance-language', languageCode);
      const { status, markup } = await owner.get(path);
      assert.equal(status, 200, path);
      assert.match(markup, new RegExp(`<html lang="${languageCode}"`));
      assert.doesNotMatch(markup, />(?:undefined|null|\[object)/, path);
      titles.add(/<h2[^>]*>([^<]+)/.exec(markup)?.[1] ?? '');
    }
    assert.ok(titles.size > 5, `${path}: ${[...titles].join(', ')}`);
  }
});
