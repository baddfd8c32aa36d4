// The main job on a real EVM node, through the HTTP API only: our server is a process of its own, the
// customer is an account of the node. After every story the books agree with the chain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byLength } from '#test/support/run-length.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import {
  contractOf,
  DAI,
  ETH,
  EURC,
  type EvmShop,
  openEvmShop,
  USDC,
  USDT,
  unitsOf,
} from './evm-shop.ts';
import { type Paying, payInFull, payManyAtOnce, tellPaymentStories } from './payment-stories.ts';

/** More than are read, settled or told of together. */
const MANY = byLength({ short: 30, long: 100 });

let shop: EvmShop;
let sender: string;

before(async () => {
  shop = await openEvmShop();
  sender = await shop.node.deploy('Sender');
});
after(() => shop?.close());

const story = storyTeller(() => shop);
const paying = (assetId: string, decimals: number): Paying => ({
  assetId,
  decimals,
  open: (amount) => shop.open(amount, assetId),
  async pay(committed, amount) {
    const hash = await shop.pay(committed, amount, assetId);
    await shop.include();
    return hash;
  },
  checkInstructions: ({ address }) => assert.match(address, /^0x[0-9a-fA-F]{40}$/),
  finish: () => shop.finish(),
});

tellPaymentStories(story, () => shop, paying(USDC, 6), paying(ETH, 18));

story('a checkout paid in full in coins is pending, then completed, credited and told', () =>
  payInFull(shop, paying(ETH, 18)),
);

story('two transfers of one transaction to the same address both count', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('3', USDC);
  const { address } = committed.depositInstructions;
  const units = [unitsOf('1', USDC), unitsOf('2', USDC)];
  const transaction = await shop.node.call(contractOf(USDC), 'transferMany', [
    [address, address],
    units,
  ]);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  const shown = await shop.transactionsOf(committed.checkoutId);
  assert.deepEqual(shown.map(({ tx, amount }) => [tx, amount]).sort(), [
    [transaction, '1'],
    [transaction, '2'],
  ]);
  assert.equal(await shop.balance(USDC), earned + unitsOf('3', USDC));
});

story('coins that a contract sends from inside are credited by the balance', async () => {
  const earned = await shop.balance(ETH);
  const committed = await shop.open('0.3', ETH);
  await shop.finish();
  await shop.waitForTip();
  const { address } = committed.depositInstructions;
  await shop.node.call(sender, 'forward', [address], unitsOf('0.3', ETH));
  await shop.include();
  await shop.finish();
  const completed = await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(ETH), earned + unitsOf('0.3', ETH));
  await shop.finish();
});

story('coins sent inside a call that was undone are worth nothing', async () => {
  const earned = await shop.balance(ETH);
  const committed = await shop.open('0.3', ETH);
  await shop.finish();
  await shop.waitForTip();
  const { address } = committed.depositInstructions;
  const hash = await shop.node.call(sender, 'forwardAndUndo', [address], unitsOf('0.3', ETH));
  await shop.include();
  await shop.finish();
  const receipt = (await shop.node.rpc('eth_getTransactionReceipt', hash)) as { status: string };
  assert.equal(receipt.status, '0x1', 'the transaction itself is a success');
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(ETH), earned);
});

story('of a token that keeps a fee what arrived is credited, not what it says', async () => {
  const held = await shop.balance(DAI, 'merchant:pending');
  const committed = await shop.open('100', DAI);
  await shop.pay(committed, '100', DAI);
  await shop.include();
  await shop.finish();
  const underpaid = await shop.client.waitForState(committed.checkoutId, 'UNDERPAID');
  assert.equal(underpaid.sourceAmountReceived, '99');
  assert.equal(await shop.balance(DAI, 'merchant:pending'), held + unitsOf('99', DAI));
});

story('a token that says it moved something, and moved nothing, credits nothing', async () => {
  const committed = await shop.open('100', USDT);
  await shop.pay(committed, '100', USDT);
  await shop.include();
  await shop.finish();
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(USDT), 0n);
});

story('a contract that looks like the token is none', async () => {
  const earned = await shop.balance(USDC);
  const committed = await shop.open('5', USDC);
  const alike = await shop.node.deploy('Token', 6);
  await shop.node.call(alike, 'mint', [shop.node.payer, 10n ** 12n]);
  const { address } = committed.depositInstructions;
  await shop.node.call(alike, 'transfer', [address, unitsOf('5', USDC)]);
  await shop.include();
  await shop.finish();
  await shop.waitForTip();
  assert.equal((await shop.client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(USDC), earned);
});

test('a token with other decimals than ours is not offered', async () => {
  // In its own money it would be offered without any price.
  await assert.rejects(shop.open('5', EURC), /every way to pay needs a price/);
});

story(`${MANY} checkouts paid by one transaction are all completed, credited and told`, () =>
  payManyAtOnce(shop, paying(USDC, 6), MANY, async (opened) => {
    const addresses = opened.map(({ depositInstructions }) => depositInstructions.address);
    assert.equal(new Set(addresses).size, MANY);
    const units = addresses.map(() => unitsOf('1', USDC));
    await shop.node.call(contractOf(USDC), 'transferMany', [addresses, units]);
    await shop.include();
  }),
);
