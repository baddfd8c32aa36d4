// Which networks can be reached through an anchor, and how a customer is told to pay on each: coins and
// tokens whose addresses prove themselves, with the tag where the network has one.
// Alone in its process: it announces anchored assets, and no process forgets them.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { type AnchorWorld, openAnchorWorld } from './anchor-world.ts';

/** Addresses of nobody, out of the standards: the account zero of the XRP Ledger, EIP-55. */
const XRPL_ADDRESS = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('XRP through an anchor', () => {
  let shop: AnchorWorld;
  before(async () => {
    shop = await openAnchorWorld({ network: 'XRP_LEDGER', code: 'XRP', address: XRPL_ADDRESS });
    shop.anchor.terms = { fee_percent: 0.1 };
    await shop.look();
  });
  after(() => shop?.close());
  afterEach(() => {
    Object.assign(shop.anchor, { address: XRPL_ADDRESS, tag: undefined, depositTerms: {} });
  });

  test('is asked for in six digits, to the address of the anchor and its tag', async () => {
    shop.anchor.tag = '88';
    const commitment = await shop.commit(10_0000000n);
    // 10 / 0.999 = 10.01001001…, in millionths of a coin.
    assert.equal(commitment.askedUnits, 100_100_110n);
    assert.equal(commitment.instruction.destinationTag, 88n);
    const uri = `ripple:${XRPL_ADDRESS}?to=${XRPL_ADDRESS}&dt=88&amount=10.010011`;
    assert.equal(commitment.paymentUri, uri);
    const { depositInstructions } = await shop.viewOf(commitment.checkoutId);
    assert.equal(depositInstructions.destinationTag, 88);
    assert.equal(depositInstructions.amount, '10.010011');

    const credited = await shop.credited();
    const transfer = shop.anchor.transfers.at(-1);
    assert(transfer !== undefined);
    shop.anchor.receive(transfer, '10.010011', 'AB'.repeat(32));
    shop.anchor.release(transfer, 10_0000000n);
    await shop.look();
    await shop.settle();
    await shop.look();
    const { state, flags, blockchainTransactions } = await shop.viewOf(commitment.checkoutId);
    assert.deepEqual([state, flags, blockchainTransactions.length], ['COMPLETED', {}, 3]);
    assert.equal(await shop.credited(), credited + 10_0000000n);
  });

  test('a fee that the anchor does not round to six digits leaves no more over than one of them', async () => {
    const { checkoutId } = await shop.commit(10_0000000n);
    const transfer = shop.anchor.transfers.at(-1);
    assert(transfer !== undefined);
    // 0.1 % of 10.010011, to seven digits: 0.0100101.
    shop.anchor.release(transfer, 100_100_110n - 100_101n);
    await shop.look();
    await shop.settle();
    const { state, flags } = await shop.viewOf(checkoutId);
    assert.deepEqual(
      [state, flags],
      ['COMPLETED', { overpaid: { amount: '0.0000009', assetCode: 'XRP' } }],
    );
  });

  test('an address without a tag is one too', async () => {
    assert.equal((await shop.commit(10_0000000n)).instruction.destinationTag, undefined);
  });

  for (const [name, facts] of [
    ['a tag beyond 32 bits', { tag: '4294967296' }],
    ['a text for a tag', { tag: 'order-8' }],
    ['an address with a slip', { address: `${XRPL_ADDRESS.slice(0, -1)}q` }],
    ['an address of another network', { address: EVM_ADDRESS }],
  ] as const) {
    test(`${name} opens no deposit`, async () => {
      Object.assign(shop.anchor, facts);
      await assert.rejects(shop.commit(10_0000000n), Outage);
    });
  }
});

for (const [network, code, uri] of [
  ['ETHEREUM', 'ETH', `ethereum:${EVM_ADDRESS}@1?value=1500000000000000000`],
  ['BASE', 'ETH', `ethereum:${EVM_ADDRESS}@8453?value=1500000000000000000`],
  ['POLYGON', 'POL', `ethereum:${EVM_ADDRESS}@137?value=1500000000000000000`],
  [
    'ARBITRUM',
    'USDC',
    `ethereum:0xaf88d065e77c8cC2239327C5EDb3A432268e5831@42161/transfer?address=${EVM_ADDRESS}&uint256=1500000`,
  ],
  ['OPTIMISM', 'ETH', `ethereum:${EVM_ADDRESS}@10?value=1500000000000000000`],
] as const) {
  test(`${code} on ${network} is paid to the anchor and credited on Stellar`, async () => {
    const shop = await openAnchorWorld({ network, code, address: EVM_ADDRESS });
    try {
      await shop.look();
      const commitment = await shop.commit(1_5000000n);
      assert.equal(commitment.paymentUri, uri);
      const transfer = shop.anchor.transfers.at(-1);
      assert(transfer !== undefined);
      const credited = await shop.credited();
      shop.anchor.release(transfer, 1_5000000n);
      await shop.look();
      await shop.settle();
      assert.equal(await shop.credited(), credited + 1_5000000n);
      assert.deepEqual(await shop.brokenInvariants(), []);
    } finally {
      await shop.close();
    }
  });
}
