// A developer drives the simulated networks by buttons: blocks are made and undone, a network stops
// and goes on. With test money alone, for this shop alone, and for who may.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
let chains: string;
before(async () => {
  world = await openDashboardWorld();
  chains = `${world.shop}/chains`;
  await world.observe('LITECOIN');
});
after(() => world.close());

const NETWORK = 'LITECOIN';

/** Pays a checkout, which nobody has mined yet. */
async function pay(): Promise<string> {
  const { app, caller } = world;
  const id = await world.create();
  await commitCheckout(app, { checkoutId: id, owner: caller, network: NETWORK });
  const paid = { checkoutId: id, network: NETWORK, asset: undefined, amount: undefined, parts: 1 };
  await app.sandbox?.pay(caller, paid);
  return id;
}

async function stateOf(id: string): Promise<string> {
  await world.observe(NETWORK);
  await world.settle();
  return (await world.read(id)).state;
}

test('blocks that a developer makes complete a payment, and those that he undoes take it back', async () => {
  const developer = await world.comeAs('DEVELOPER', 'mines');
  const id = await pay();
  assert.equal(await stateOf(id), 'PENDING');
  await developer.get(chains);
  const made = await developer.submit(chains, { network: NETWORK, count: '6', act: 'mine' });
  assert.equal(made.location, `${chains}?done=1`);
  assert.match(
    (await developer.get(made.location ?? '')).markup,
    /This is how the networks stand now/,
  );
  assert.equal(await stateOf(id), 'COMPLETED');

  const other = await pay();
  await developer.get(chains);
  await developer.submit(chains, { network: '', count: '1', act: 'mine' });
  assert.equal(await stateOf(other), 'PENDING', 'one block on every network');
  await developer.get(chains);
  await developer.submit(chains, { network: NETWORK, count: '2', act: 'reorg' });
  assert.notEqual(await stateOf(other), 'COMPLETED');
  const { receipts } = await world.read(other);
  assert.deepEqual([...new Set(receipts.map(({ status }) => status))], ['GONE']);
});

test('a network that was stopped shows nothing until it goes on', async () => {
  const developer = await world.comeAs('DEVELOPER', 'stops');
  await developer.get(chains);
  await developer.submit(chains, { network: NETWORK, minutes: '10', act: 'stop' });
  const { markup } = await developer.get(chains);
  assert.match(markup, /Its node is silent until/);
  assert.match(markup, /value="go-on"/);
  const [state] = ((await world.app.sandbox?.list(world.caller)) ?? []).filter(
    ({ network }) => network === NETWORK,
  );
  assert.ok(state?.silentUntil !== undefined);
  const id = await pay();
  await assert.rejects(stateOf(id), 'the node does not answer');
  await developer.submit(chains, { network: NETWORK, act: 'go-on' });
  assert.doesNotMatch((await developer.get(chains)).markup, /Its node is silent until/);
  assert.equal(await stateOf(id), 'PENDING');
});

test('what nobody can do is refused, with what was typed', async () => {
  const developer = await world.comeAs('DEVELOPER', 'typo');
  for (const [values, said] of [
    [{ network: NETWORK, count: '0', act: 'mine' }, /whole number from 1 to 100/],
    [{ network: NETWORK, count: 'many', act: 'mine' }, /whole number from 1 to 100/],
    [{ network: NETWORK, count: '31', act: 'reorg' }, /whole number from 1 to 30/],
    [{ network: 'DOGE', count: '1', act: 'mine' }, /is not simulated/],
    [{ network: NETWORK, minutes: '99999', act: 'stop' }, /whole number/],
    [{ network: NETWORK, count: '1', act: 'explode' }, /whole number/],
  ] as const) {
    await developer.get(chains);
    const refused = await developer.submit(chains, values);
    assert.equal(refused.status, 400, JSON.stringify(values));
    assert.match(refused.markup, said);
    if ('count' in values && values.network === NETWORK) {
      assert.match(
        refused.markup,
        new RegExp(`id="count-${NETWORK}"[^>]* value="${values.count}"`),
      );
    }
  }
});

test('with real money there is no such room, and no link to it', async () => {
  const owner = await world.comeAs('OWNER', 'live');
  const live = chains.replace('/test/', '/live/');
  assert.equal((await owner.get(live)).status, 404);
  const { markup } = await owner.get(`${world.shop}/today`);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const sent = { form, network: NETWORK, count: '1', act: 'mine' };
  assert.equal((await owner.post(live, sent)).status, 404);
  assert.ok(markup.includes(`href="${chains}"`));
  const rooms = (await owner.get(`${world.shop.replace(/test$/, 'live')}/today`)).markup;
  assert.doesNotMatch(rooms, /\/chains"/);
  const inTest = (await owner.get(chains)).markup;
  assert.doesNotMatch(inTest, /\/live\/chains"/, 'the switch leads to a room that is there');
});

test('what is done here happens to this shop alone', async () => {
  const { app } = world;
  const { id: merchantId } = await createMerchant(app, { name: 'Other shop' });
  const other = { merchantId, environment: 'test' as const };
  const developer = await world.comeAs('DEVELOPER', 'alone');
  await developer.get(chains);
  await developer.submit(chains, { network: NETWORK, minutes: '60', act: 'stop' });
  const silent = async (owner: typeof other) =>
    (await app.sandbox?.list(owner))?.find(({ network }) => network === NETWORK)?.silentUntil;
  assert.ok((await silent({ ...world.caller, environment: 'test' })) !== undefined);
  assert.equal(await silent(other), undefined);
  await developer.get(chains);
  await developer.submit(chains, { network: NETWORK, act: 'go-on' });
});
