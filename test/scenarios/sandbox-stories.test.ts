// What a shop with a test key meets on the simulated networks: the real server in a process of its
// own with all its loops, seen through HTTP only. After every story the books are right.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { sql } from '#db/db.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { assertSameCheckout, type WireCheckout } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { storyTeller } from '#test/support/story-teller.ts';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start();
  await holdBlocks(server.db);
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const story = storyTeller(() => shop);

type Paid = { readonly payments: readonly { readonly amount: string; transaction: string }[] };
const pay = (checkoutId: string, more: object = {}): Promise<Paid> =>
  shop.client.post('/sandbox/pay', { checkoutId, ...more });
const mine = (network: string, blocks: number) =>
  shop.client.post('/sandbox/mine', { network, blocks });
const expire = (checkoutId: string) => {
  shop.noteExpired(checkoutId);
  return shop.client.post('/sandbox/expire', { checkoutId });
};
const euros = (amount: string) => ({ currency: 'EUR', amount });

async function payAndMine(id: string, network: string, more: object = {}): Promise<void> {
  await pay(id, more);
  await shop.client.waitFor(id, ({ blockchainTransactions }) => blockchainTransactions.length > 0);
  await mine(network, 4);
}

/** The last event says what GET /checkout says. */
async function assertTold(id: string, type: string): Promise<WireCheckout> {
  const event = await shop.waitForEvent(id, type);
  const found = await shop.client.findCheckout(id);
  assertSameCheckout(event.data.checkout, found);
  return found;
}

// 23 euros are 26.45 dollars of the reference table.
const exactly = [
  { network: 'BITCOIN', asset: 'BTC:NATIVE', amount: '0.0002645', units: 26_450n, memo: null },
  { network: 'LITECOIN', asset: 'LTC:NATIVE', amount: '0.2645', units: 26_450_000n, memo: null },
  {
    network: 'ETHEREUM',
    asset: 'ETH:NATIVE',
    amount: '0.0066125',
    units: 6_612_500_000_000_000n,
    memo: null,
  },
  { network: 'STELLAR', asset: 'XLM:NATIVE', amount: '66.125', units: 661_250_000n, memo: 'text' },
] as const;

for (const { network, asset, amount, units, memo } of exactly) {
  story(`a checkout paid exactly on ${network} is completed, credited and told`, async () => {
    const earned = await shop.balance(asset);
    const { checkoutId: id, depositInstructions } = await shop.open(euros('23'), network, asset);
    assert.equal(depositInstructions.amount, amount);
    assert.equal(depositInstructions.memoType, memo);
    assert.equal(depositInstructions.memo === null, memo === null);
    const { payments } = await pay(id);
    await shop.client.waitForState(id, 'PENDING');
    await mine(network, 4);
    await shop.client.waitForState(id, 'COMPLETED');
    const completed = await assertTold(id, 'CHECKOUT_COMPLETED');
    assert.equal(completed.sourceAmountReceived, amount);
    assert.equal(completed.blockchainTransactions[0]?.tx, payments[0]?.transaction);
    assert.deepEqual(completed.flags, {});
    assert.equal(await shop.balance(asset), earned + units);
    assert.deepEqual(await shop.typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED']);
  });
}

story('a checkout paid over LIGHTNING is completed at once', async () => {
  const { checkoutId: id, depositInstructions } = await shop.open(euros('23'), 'LIGHTNING');
  assert.equal(depositInstructions.assetCode, 'SAT');
  assert.equal(depositInstructions.amount, '26450');
  assert.match(depositInstructions.address, /^ln/);
  const earned = await shop.balance('BTC:NATIVE');
  await pay(id);
  await shop.client.waitForState(id, 'COMPLETED');
  await assertTold(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance('BTC:NATIVE'), earned + 26_450n);
});

story('an underpaid checkout is completed when the rest comes', async () => {
  const earned = await shop.balance('LTC:NATIVE');
  const { checkoutId: id } = await shop.open(euros('23'), 'LITECOIN');
  await payAndMine(id, 'LITECOIN', { amount: '0.2' });
  await shop.client.waitForState(id, 'UNDERPAID');
  await assertTold(id, 'CHECKOUT_UNDERPAID');
  assert.equal(await shop.balance('LTC:NATIVE'), earned);
  const { payments } = await pay(id);
  assert.deepEqual(
    payments.map(({ amount }) => amount),
    ['0.0645'],
  );
  await shop.client.waitForState(id, 'PENDING');
  await mine('LITECOIN', 4);
  await shop.client.waitForState(id, 'COMPLETED');
  await assertTold(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance('LTC:NATIVE'), earned + 26_450_000n);
});

story('an overpaid checkout is credited all that came', async () => {
  const earned = await shop.balance('LTC:NATIVE');
  const { checkoutId: id } = await shop.open(euros('23'), 'LITECOIN');
  await payAndMine(id, 'LITECOIN', { amount: '0.3' });
  const { flags } = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(flags, { overpaid: { amount: '0.0355', assetCode: 'LTC' } });
  await assertTold(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance('LTC:NATIVE'), earned + 30_000_000n);
});

story('a checkout paid after it expired is completed late', async () => {
  const { checkoutId: id } = await shop.open(euros('23'), 'STELLAR', 'XLM:NATIVE');
  await expire(id);
  await shop.client.waitForState(id, 'EXPIRED');
  await assertTold(id, 'CHECKOUT_EXPIRED');
  await payAndMine(id, 'STELLAR');
  const { flags } = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(Object.keys(flags), ['late']);
  await assertTold(id, 'CHECKOUT_COMPLETED');
});

const ends: Record<string, (id: string, page: string) => Promise<unknown>> = {
  'through the API': (id) => shop.client.post('/sandbox/expire', { checkoutId: id }),
  'by command': async (id) => {
    const { exitCode, stderr } = await server.command('sandbox', 'expire', id);
    assert.equal(exitCode, 0, stderr);
  },
  'on the page': async (_, page) => {
    const { pathname } = new URL(page);
    const body = new URLSearchParams({ act: 'expire' });
    const pressed = await fetch(`${server.origin}${pathname}/sandbox`, { method: 'POST', body });
    assert.equal(pressed.status, 200);
  },
};
for (const [how, end] of Object.entries(ends)) {
  story(`a window ended ${how} is over in status, events and page once that answers`, async () => {
    const { checkoutId: id } = await shop.open(euros('23'), 'LITECOIN');
    const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
    shop.noteExpired(id);
    await end(id, hostedCheckoutUrl);
    assert.equal((await shop.client.findCheckout(id)).state, 'EXPIRED');
    assert.deepEqual(await shop.typesOf(id), ['CHECKOUT_EXPIRED']);
    const { pathname } = new URL(hostedCheckoutUrl);
    const page = await (await fetch(`${server.origin}${pathname}`)).text();
    assert.match(page, /The time to pay is over/);
    assert.equal((await assertTold(id, 'CHECKOUT_EXPIRED')).stateHistory.length, 3);
  });
}

story('a payment that is replaced by one to somebody else is worth nothing', async () => {
  const earned = await shop.balance('BTC:NATIVE');
  const id = await openReplaced();
  const waiting = await shop.client.waitForState(id, 'AWAITING_PAYMENT');
  assert.deepEqual(waiting.blockchainTransactions, []);
  const withdrawn = await assertTold(id, 'CHECKOUT_PENDING_WITHDRAWN');
  assert.equal(withdrawn.state, 'AWAITING_PAYMENT');
  await mine('BITCOIN', 4);
  assert.deepEqual(await shop.entriesOf(id), []);
  assert.equal(await shop.balance('BTC:NATIVE'), earned);
});

async function openReplaced(): Promise<string> {
  const { checkoutId } = await shop.open(euros('23'), 'BITCOIN');
  await pay(checkoutId);
  await shop.client.waitForState(checkoutId, 'PENDING');
  await shop.client.post('/sandbox/replace', { checkoutId });
  return checkoutId;
}

story('a credited payment that a reorganisation takes away is reversed', async () => {
  const earned = await shop.balance('BTC:NATIVE');
  // What was paid before must stay below.
  await mine('BITCOIN', 20);
  const { checkoutId: id } = await shop.open(euros('23'), 'BITCOIN');
  await payAndMine(id, 'BITCOIN');
  await shop.client.waitForState(id, 'COMPLETED');
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance('BTC:NATIVE'), earned + 26_450n);

  await shop.client.post('/sandbox/reorg', { network: 'BITCOIN', depth: 15 });
  await mine('BITCOIN', 4);
  await shop.waitForEvent(id, 'CHECKOUT_REVERSED');
  const reversed = await assertTold(id, 'CHECKOUT_REVERSED');
  assert.equal(reversed.state, 'COMPLETED');
  assert.equal(reversed.flags.reversed?.amount, '0.0002645');
  assert.equal(await shop.balance('BTC:NATIVE'), earned);

  // What comes in its place is no second payment, and does not come silently.
  await payAndMine(id, 'BITCOIN');
  await shop.waitForEvent(id, 'CHECKOUT_RESTORED');
  const restored = await assertTold(id, 'CHECKOUT_RESTORED');
  assert.deepEqual(Object.keys(restored.flags), ['restored']);
  assert.equal(restored.flags.restored?.amount, '0.0002645');
  assert.equal(await shop.balance('BTC:NATIVE'), earned + 26_450n);
});

story('a checkout on a network whose node is away does not expire', async () => {
  const freeze = (seconds: number) =>
    shop.client.post('/sandbox/freeze', { network: 'ETHEREUM', seconds });
  const { checkoutId: id } = await shop.open(euros('23'), 'ETHEREUM', 'ETH:NATIVE');
  await freeze(3_600);
  await waitUntil('health to name the network', async () => {
    const { body } = await server.health();
    return body.chains.some(({ chain, error }) => chain === 'test:ETHEREUM' && error !== null);
  });
  await expire(id);
  await waitUntil('the expiry to be looked at twice', async () => {
    const rows = await server.db.query(sql`select 1 from checkout where id = ${id}
      and settle_at > expires_at + interval '4 seconds'`);
    return rows.length > 0;
  });
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');
  await freeze(0);
  await shop.client.waitForState(id, 'EXPIRED');
  await assertTold(id, 'CHECKOUT_EXPIRED');
});

story('a cancelled checkout that is paid nevertheless is completed', async () => {
  const { checkoutId: id } = await shop.open(euros('23'), 'LITECOIN');
  const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
  const { pathname } = new URL(hostedCheckoutUrl);
  const cancelled = await fetch(`${server.origin}${pathname}/cancel`, {
    method: 'POST',
    redirect: 'manual',
  });
  assert.equal(cancelled.status, 303);
  await shop.client.waitForState(id, 'CANCELLED');
  await assertTold(id, 'CHECKOUT_CANCELLED');
  await payAndMine(id, 'LITECOIN');
  await shop.client.waitForState(id, 'COMPLETED');
  await assertTold(id, 'CHECKOUT_COMPLETED');
});

story('a charge in euros paid in bitcoin and settled in litecoin is converted', async () => {
  const earned = await shop.balance('LTC:NATIVE');
  const earnedUnconverted = await shop.balance('BTC:NATIVE');
  const before = await exchangeBalances();
  const id = await shop.create(euros('23'), { settlementAsset: 'LTC:NATIVE' });
  const { settlement } = await shop.client.commit(id, 'BITCOIN');
  assert.deepEqual(settlement, {
    assetId: 'LTC:NATIVE',
    amount: '0.2645',
    netAmount: '0.2645',
    fee: '0',
  });
  await payAndMine(id, 'BITCOIN');
  await shop.client.waitForState(id, 'COMPLETED');
  const completed = await assertTold(id, 'CHECKOUT_COMPLETED');
  assert.equal(completed.settlementAssetId, 'LTC:NATIVE');
  assert.equal(completed.settlementAmountReceived, '0.2645');
  assert.equal(await shop.balance('LTC:NATIVE'), earned + 26_450_000n);
  assert.equal(await shop.balance('BTC:NATIVE'), earnedUnconverted);
  // The house took bitcoin and owes litecoin: one leg in each.
  const after = await exchangeBalances();
  const change = (asset: string) => (after.get(asset) ?? 0n) - (before.get(asset) ?? 0n);
  assert.equal(change('BTC:NATIVE'), -26_450n);
  assert.equal(change('LTC:NATIVE'), 26_450_000n);
});

/** As stored: debit positive. */
async function exchangeBalances(): Promise<ReadonlyMap<string, bigint>> {
  const rows = await server.db.query<{ asset: string; units: bigint }>(sql`
    select asset_id as asset, balance_units as units from ledger_balance where code = 'exchange'`);
  return new Map(rows.map(({ asset, units }) => [asset, units]));
}

story(
  'webhooks that were answered 500 come again, and the shop ends in the true state',
  async () => {
    // Each first attempt fails, so that the events also come in a wrong order.
    const seen = new Set<string>();
    shop.behave((response, { id }) => {
      response.statusCode = seen.has(id) ? 200 : 500;
      seen.add(id);
      response.end();
    });
    const { checkoutId: id } = await shop.open(euros('23'), 'STELLAR', 'XLM:NATIVE');
    await pay(id);
    await shop.client.waitForState(id, 'PENDING');
    await mine('STELLAR', 4);
    await shop.client.waitForState(id, 'COMPLETED');
    await waitUntil('both events to come twice', () => shop.webhooksOf(id).length === 4);
    shop.behave((response) => void response.end());
    const bodies = Map.groupBy(shop.webhooksOf(id), (webhook) => webhook.id);
    assert.equal(bodies.size, 2);
    for (const [, [first, second]] of bodies) assert.equal(first?.body, second?.body);
    const last = shop.eventsOf(id).at(-1);
    assert.equal(last?.eventType, 'CHECKOUT_COMPLETED');
    assert.equal(last?.data.checkout.state, 'COMPLETED');
  },
);
