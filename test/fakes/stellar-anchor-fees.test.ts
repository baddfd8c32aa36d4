// What an anchor keeps of a deposit is asked of the customer on top (SEP-6, fee_fixed and fee_percent): what
// is needed arrives, whatever the anchor says and however it changes what it said.
// Alone in its process: it announces anchored assets, and no process forgets them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { quoteOffers } from '#checkout/quote-offers.ts';
import { parseDecimal } from '#money/decimal.ts';
import { type AnchorWorld, openAnchorWorld } from './anchor-world.ts';

const UNITS = 250_0000n;
/** An address of nobody: the first test vector of BIP-173. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const EXTERNAL = 'ab'.repeat(32);

let shop: AnchorWorld;

before(async () => {
  shop = await openAnchorWorld({ network: 'BITCOIN', code: 'BTC', address: ADDRESS });
});
after(() => shop?.close());
beforeEach(async () => {
  Object.assign(shop.anchor, {
    terms: {},
    depositTerms: {},
    change: (_: string, json: object) => json,
  });
  await shop.look();
  assert.deepEqual(shop.bridged().receivableAssets(), [shop.anchor.assetId]);
});

async function publish(terms: object): Promise<void> {
  shop.anchor.terms = { ...terms };
  await shop.look();
}

async function pay(sentUnits: bigint, arrivingUnits: bigint, text: string) {
  const transfer = shop.anchor.transfers.at(-1);
  assert(transfer !== undefined);
  assert(sentUnits >= arrivingUnits);
  shop.anchor.receive(transfer, text, EXTERNAL);
  const hash = shop.anchor.release(transfer, arrivingUnits);
  await shop.look();
  await shop.settle();
  await shop.look();
  return { transfer, hash };
}

test('a fee is asked for on top, shown as such, and the charge is paid in full', async () => {
  await publish({ fee_fixed: 0.0002, fee_percent: '1' });
  const credited = await shop.credited();
  const commitment = await shop.commit(UNITS);
  assert.equal(commitment.arrivingUnits, UNITS);
  assert.equal(commitment.askedUnits, 2_527_273n);
  assert.equal(commitment.paymentUri, `bitcoin:${ADDRESS}?amount=0.2527273`);
  assert.equal(shop.anchor.transfers.at(-1)?.query.amount, '0.2527273');

  const before = await shop.viewOf(commitment.checkoutId);
  assert.equal(before.depositInstructions.amount, '0.2527273');
  assert.equal(before.depositInstructions.anchorFee, '0.0027273');
  const [method] = before.paymentMethods;
  assert.deepEqual([method?.paymentAmount, method?.anchorFee], ['0.2527273', '0.0027273']);
  assert.equal(before.sourceAmountRequired, '0.25');

  const { hash } = await pay(2_527_273n, UNITS, '0.2527273');
  assert.equal(await shop.credited(), credited + UNITS);
  const paid = await shop.viewOf(commitment.checkoutId);
  assert.deepEqual([paid.state, paid.flags], ['COMPLETED', {}]);
  assert.deepEqual(
    paid.blockchainTransactions.map(({ type, network, tx, amount }) => [type, network, tx, amount]),
    [
      ['CHECKOUT_ORIGIN', 'BITCOIN', EXTERNAL, '0.2527273'],
      ['CHECKOUT_BRIDGE', 'STELLAR', hash, '0.25'],
      ['CHECKOUT_SETTLEMENT', 'STELLAR', hash, '0.25'],
    ],
  );
  assert.deepEqual(await shop.brokenInvariants(), []);
});

test('before we have seen it, the bridge shows what the anchor says it paid out', async () => {
  await publish({ fee_percent: 1 });
  const { checkoutId } = await shop.commit(UNITS);
  const transfer = shop.anchor.transfers.at(-1);
  assert(transfer !== undefined);
  shop.anchor.receive(transfer, '0.2525253', EXTERNAL);
  const told = { amount_out: '0.25', stellar_transaction_id: 'cd'.repeat(32) };
  Object.assign(transfer.record, told);
  await shop.look();
  const { blockchainTransactions } = await shop.viewOf(checkoutId);
  assert.deepEqual(
    blockchainTransactions.map(({ type, amount }) => [type, amount]),
    [
      ['CHECKOUT_ORIGIN', '0.2525253'],
      ['CHECKOUT_BRIDGE', '0.25'],
    ],
  );
});

test('an anchor that keeps more than it said leaves the checkout underpaid, and credits what arrived', async () => {
  await publish({ fee_percent: 1 });
  const credited = await shop.credited();
  const { checkoutId } = await shop.commit(UNITS);
  await pay(2_525_253n, UNITS - 1n, '0.2525253');
  assert.equal((await shop.viewOf(checkoutId)).state, 'UNDERPAID');
  assert.equal(await shop.credited(), credited + UNITS - 1n);
});

test('a deposit may cost what the information says, or less', async () => {
  for (const depositTerms of [{}, { fee_percent: 1 }, { fee_percent: 0 }, { fee_fixed: 0 }]) {
    await publish({ fee_percent: 1 });
    Object.assign(shop.anchor, { depositTerms });
    assert.equal((await shop.commit(UNITS)).askedUnits, 2_525_253n);
  }
});

describe('a deposit is not opened when it is said', () => {
  for (const [name, depositTerms, sentence] of [
    ['to cost more than it was offered for', { fee_percent: 1.01 }, /more of this deposit/],
    ['to cost a fixed fee as well', { fee_fixed: '0.0000001' }, /more of this deposit/],
    ['to cost 1000 %', { fee_percent: 1000 }, /keeps 1000 %/],
    ['to cost less than nothing', { fee_fixed: -1 }, /fee_fixed is no amount/],
    ['to cost NaN', { fee_fixed: 'NaN' }, /fee_fixed is no amount/],
    ['to cost a number without end', { fee_percent: `0.${'3'.repeat(400)}` }, /is no amount/],
    ['to be too small', { min_amount: 1 }, /takes 1 at least/],
    ['to be too large', { max_amount: '0.1' }, /takes 0.1 at most/],
  ] as const) {
    test(name, async () => {
      await publish({ fee_percent: 1 });
      Object.assign(shop.anchor, { depositTerms });
      await assert.rejects(shop.commit(UNITS), (error) => {
        return error instanceof Outage && sentence.test(String(error));
      });
    });
  }

  test('and an honest one afterwards is', async () => {
    await publish({ fee_percent: 1 });
    assert.equal((await shop.commit(UNITS)).askedUnits, 2_525_253n);
  });
});

describe('the anchor is not offered, and operator and merchant read why', () => {
  for (const [name, terms, sentence] of [
    [
      'when it keeps more than the operator bears',
      { fee_percent: 5.1 },
      /keeps 5.1 % of a deposit/,
    ],
    ['when it keeps 1000 %', { fee_percent: '1000' }, /keeps 1000 % of a deposit/],
    ['when its fee is negative', { fee_percent: -1 }, /fee_percent is no amount/],
    ['when its fee is NaN', { fee_fixed: 'NaN' }, /fee_fixed is no amount/],
    ['when its fee has digits without end', { fee_fixed: `0.${'1'.repeat(900)}` }, /is no amount/],
    ['when its limit is none', { max_amount: {} }, /max_amount is no amount/],
    [
      'when no way of paying it is the network',
      { funding_methods: ['WIRE', 'CASH'] },
      /no way of pay/,
    ],
    ['when it takes none now', { enabled: false }, /takes no deposits/],
  ] as const) {
    test(name, async () => {
      await publish(terms);
      assert.deepEqual(shop.bridged().receivableAssets(), []);
      assert(
        shop
          .bridged()
          .health()
          .advice?.some((line) => sentence.test(line)),
      );
      await assert.rejects(shop.commit(UNITS), (error) => {
        return error instanceof Refusal && sentence.test(String(error));
      });
    });
  }

  test('when its fee is said by a service of its own (SEP-6, Fee)', async () => {
    shop.anchor.change = (path, json) =>
      path === '/sep6/info'
        ? { ...json, deposit: { BTC: { enabled: true } }, fee: { enabled: true } }
        : json;
    await shop.look();
    assert.deepEqual(shop.bridged().receivableAssets(), []);
  });
});

describe('an amount is not offered', () => {
  for (const [name, terms, sentence] of [
    ['below the least, fee included', { min_amount: '0.2500001' }, /takes 0.2500001 at least/],
    ['above the most', { max_amount: 0.2499999 }, /takes 0.2499999 at most/],
    ['that a fixed fee would eat up', { fee_fixed: 0.1 }, /keeps 0.1 of 0.35, more than 5 %/],
  ] as const) {
    test(name, async () => {
      await publish(terms);
      assert.deepEqual(shop.bridged().receivableAssets(), [shop.anchor.assetId]);
      await assert.rejects(shop.commit(UNITS), (error) => {
        return error instanceof Refusal && sentence.test(String(error));
      });
    });
  }
});

test('among several ways of paying it the anchor is told the one that is the network', async () => {
  await publish({ funding_methods: ['SEPA', 'bitcoin'] });
  await shop.commit(UNITS);
  assert.equal(shop.anchor.transfers.at(-1)?.query.funding_method, 'bitcoin');
  await publish({ funding_methods: ['WIRE'] });
  await shop.commit(UNITS);
  assert.equal(shop.anchor.transfers.at(-1)?.query.funding_method, 'WIRE');
});

test('the rest of a part is asked for with the fee of the rest', async () => {
  await publish({ fee_fixed: 0.0002, fee_percent: 1 });
  await shop.commit(UNITS);
  const rest = shop.bridged().passage?.(shop.anchor.assetId, 100_0000n);
  assert.deepEqual(rest, { kind: 'passes', askedUnits: 1_012_122n, arrivingUnits: 1_000_000n });
});

test('an offer says what the customer sends, and the merchant is credited what arrives', async () => {
  await publish({ fee_percent: 2 });
  const { offers } = await quoteOffers(shop.app, shop.caller, {
    total: parseDecimal('0.25'),
    billingCurrency: 'BTC',
    settlementAsset: 'ORIGIN',
    feePartsPerMillion: 0,
    now: shop.time.now(),
  });
  assert.deepEqual(
    offers.map(({ arrivingUnits, askedUnits, settlementUnits }) => [
      arrivingUnits,
      askedUnits,
      settlementUnits,
    ]),
    [[UNITS, 2_551_021n, UNITS]],
  );
});
