// Payments that go through an anchor: the customer pays it on another network, it pays us on Stellar.
// Alone in its process: it announces anchored assets, and no process forgets them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Keypair, Memo, Networks, Operation } from '@stellar/stellar-base';
import { Outage, Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { quoteOffers } from '#checkout/quote-offers.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { parseDecimal } from '#money/decimal.ts';
import { addressOf } from '#networks/families.ts';
import { openStellarNetworks } from '#networks/stellar/open-stellar-networks.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { type ChallengeParts, type FakeAnchor, startFakeAnchor } from './stellar-anchor.ts';
import { type FakeHorizon, startFakeHorizon } from './stellar-horizon.ts';
import { assetOf, type FakeStellar, fakeStellar, unitsText } from './stellar-ledger.ts';
import { seededKey } from './stellar-world.ts';

const UNITS = 250_0000n;
/** An address of nobody: the first test vector of BIP-173. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const EXTERNAL = 'ab'.repeat(32);
const [SHOP, ISSUER, LOGIN, STRANGER] = [1, 40, 41, 42].map(seededKey) as [
  Keypair,
  Keypair,
  Keypair,
  Keypair,
];

const time = manualClock('2026-01-01T12:00:00Z');
const now = () => time.now();
let stellar: FakeStellar;
let horizon: FakeHorizon;
let anchor: FakeAnchor;
let world: ForgedWorld;

before(async () => {
  stellar = fakeStellar(Networks.PUBLIC, now);
  stellar.addAccount(SHOP, 1_000_0000000n);
  stellar.addAccount(ISSUER);
  stellar.addAccount(STRANGER);
  horizon = await startFakeHorizon(stellar, now);
  anchor = await startFakeAnchor({ stellar, issuer: ISSUER, code: 'BTC', now });
  stellar.addLine(SHOP.publicKey(), anchor.assetId);
  world = await openForgedWorld({
    clock: time,
    networks: (parts) => openStellarNetworks(settings(), parts, { addressOf, http: anchorHttp() }),
  });
});
after(async () => {
  await world?.close();
  await anchor?.close();
  await horizon?.close();
});
/** Honest before each test, and offered: what follows is due to what the test does. */
beforeEach(async () => {
  Object.assign(anchor, {
    address: ADDRESS,
    toml: (text: string) => text,
    challenge: (parts: ChallengeParts) => parts,
    change: (_: string, json: object) => json,
  });
  await observe();
  assert.deepEqual(bitcoin().receivableAssets(), [anchor.assetId]);
});

function settings() {
  const { assetId, domain } = anchor;
  return {
    horizonUrls: [horizon.url],
    account: SHOP.publicKey(),
    chainName: 'main' as const,
    uri: undefined,
    anchors: [{ network: 'BITCOIN', assetId, domain }],
    anchorSecret: LOGIN.secret(),
  };
}

function anchorHttp() {
  return {
    targets: { ...STRICT_TARGET_RULES, ports: [anchor.port], allowedRanges: ['127.0.0.0/8'] },
    resolve: async () => ['127.0.0.1'],
  };
}

/** Sessions and what was discovered are older afterwards than either is used for. */
async function observe(): Promise<void> {
  await time.advance(20 * 60_000);
  assert.deepEqual((await world.observe()).map(String), []);
}

const bitcoin = () => {
  const network = world.app.networks.get('live:BITCOIN');
  assert(network !== undefined);
  return network;
};

async function commit() {
  const commitment = await world.createAndCommit('BITCOIN', anchor.assetId, UNITS);
  const transfer = anchor.transfers.at(-1);
  assert(transfer !== undefined);
  return { commitment, transfer };
}

async function viewOf(checkoutId: string) {
  const view = checkoutView(world.app, await world.read(checkoutId));
  return view as { state: string; blockchainTransactions: Record<string, unknown>[] };
}

test('a bridged asset is listed as such, with the risk of its anchor', () => {
  const asset = getAsset(anchor.assetId);
  assert.deepEqual(
    [asset.bridge, asset.riskLevel, asset.networks, asset.issuerDomain, asset.decimals],
    [true, 'MEDIUM', ['BITCOIN'], anchor.domain, 7],
  );
  assert.deepEqual(bitcoin().receivableAssets(), [anchor.assetId]);
});

test('ORIGIN, BRIDGE and SETTLEMENT are shown as they happen, and what arrives is credited', async () => {
  const { commitment, transfer } = await commit();
  const { checkoutId, instruction } = commitment;
  assert.equal(instruction.address, ADDRESS);
  assert.equal(transfer.account, SHOP.publicKey());
  assert.equal(commitment.paymentUri, `bitcoin:${ADDRESS}?amount=0.25`);
  assert.deepEqual((await viewOf(checkoutId)).blockchainTransactions, []);

  anchor.receive(transfer, '0.25', EXTERNAL);
  await observe();
  const types = async () =>
    (await viewOf(checkoutId)).blockchainTransactions.map(({ type, network, tx, amount }) => [
      type,
      network,
      tx,
      amount,
    ]);
  assert.deepEqual(await types(), [['CHECKOUT_ORIGIN', 'BITCOIN', EXTERNAL, '0.25']]);
  const credited = await world.credited();
  await world.settle();
  assert.equal(await world.credited(), credited, 'what the anchor says is no payment');

  const hash = anchor.release(transfer, UNITS);
  await observe();
  await world.settle();
  await observe();
  assert.equal(await world.credited(), credited + UNITS);
  assert.deepEqual(await types(), [
    ['CHECKOUT_ORIGIN', 'BITCOIN', EXTERNAL, '0.25'],
    ['CHECKOUT_BRIDGE', 'STELLAR', hash, '0.25'],
    ['CHECKOUT_SETTLEMENT', 'STELLAR', hash, '0.25'],
  ]);
  assert.equal((await viewOf(checkoutId)).state, 'COMPLETED');
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('the anchor is asked once for an instruction that is asked for twice', async () => {
  const { commitment } = await commit();
  const count = anchor.transfers.length;
  const request = { instructionId: commitment.instruction.id, assetId: anchor.assetId };
  const again = await bitcoin().openDestination({
    ...request,
    index: 0n,
    units: UNITS,
    expiresAt: now(),
  });
  assert.equal(again.destination, commitment.instruction.destination);
  assert.equal(anchor.transfers.length, count + 1, 'another transfer there, the same memo here');
  assert.equal(anchor.transfers.at(-1)?.memo, anchor.transfers.at(-2)?.memo);
});

test('what an anchor says was paid, and never pays, is credited to nobody', async () => {
  const { commitment, transfer } = await commit();
  const credited = await world.credited();
  anchor.receive(transfer, '0.25', EXTERNAL);
  const record = { status: 'completed', stellar_transaction_id: 'cd'.repeat(32) };
  Object.assign(transfer.record, record);
  await observe();
  await world.settle();
  assert.equal(await world.credited(), credited);
  assert.equal((await viewOf(commitment.checkoutId)).state, 'AWAITING_PAYMENT');
});

test('the asset of another issuer with the same memo is credited to nobody', async () => {
  const { transfer } = await commit();
  const credited = await world.credited();
  const fake = `BTC:${STRANGER.publicKey()}`;
  stellar.addLine(SHOP.publicKey(), fake);
  const payment = { destination: SHOP.publicKey(), asset: assetOf(fake), amount: unitsText(UNITS) };
  stellar.send([Operation.payment(payment)], { from: STRANGER, memo: Memo.text(transfer.memo) });
  stellar.close();
  await observe();
  await world.settle();
  assert.equal(await world.credited(), credited);
});

test('an anchor that is away or lies about a transfer holds up no payment', async () => {
  const { commitment, transfer } = await commit();
  const credited = await world.credited();
  anchor.receive(transfer, '0.25', EXTERNAL);
  anchor.release(transfer, UNITS);
  anchor.change = (path) =>
    path === '/sep6/transaction' ? { transaction: { id: 'other' } } : { httpStatus: 500 };
  await observe();
  await world.settle();
  assert.equal(await world.credited(), credited + UNITS);
  assert.match(bitcoin().health().lastError ?? '', /anchor/);
  anchor.change = (_, json) => json;
  await observe();
  const { blockchainTransactions } = await viewOf(commitment.checkoutId);
  assert.equal(blockchainTransactions.length, 3);
});

test('text of an anchor that is not what it should be is not shown', async () => {
  const { commitment, transfer } = await commit();
  anchor.receive(transfer, '0.25', '<b>pay me</b>');
  transfer.record.amount_in = 'much';
  await observe();
  assert.deepEqual((await viewOf(commitment.checkoutId)).blockchainTransactions, []);
});

describe('an anchor is not offered', () => {
  for (const [name, change] of [
    ['while it is away', () => ({ httpStatus: 503 })],
    ['while it takes no deposits', () => ({ deposit: { BTC: { enabled: false } } })],
    ['of another asset', () => ({ deposit: { ETH: { enabled: true } } })],
    ['with a fixed fee', () => ({ deposit: { BTC: { enabled: true, fee_fixed: 0.1 } } })],
    ['with a percentage', () => ({ deposit: { BTC: { enabled: true, fee_percent: '1' } } })],
  ] as const) {
    test(name, async () => {
      anchor.change = (path, json) => (path === '/sep6/info' ? change() : json);
      await observe();
      assert.deepEqual(bitcoin().receivableAssets(), []);
      await assert.rejects(commit(), Refusal);
    });
  }

  for (const [name, toml] of [
    [
      'that is of another network',
      (text: string) => text.replace(Networks.PUBLIC, Networks.TESTNET),
    ],
    [
      'that does not list the asset',
      (text: string) => text.replace('code = "BTC"', 'code = "BTX"'),
    ],
    [
      'whose asset has another issuer',
      (text: string) => text.replaceAll('issuer = "G', 'issuer = "X'),
    ],
    ['without a signing key', (text: string) => text.replace('SIGNING_KEY', 'OTHER_KEY')],
    ['with a login over http', (text: string) => text.replace('"https://', '"http://')],
    ['whose file is no TOML', () => '<html>'],
    ['whose file never ends', () => `# ${'x'.repeat(200_000)}`],
    [
      'whose services are inside our network',
      (text: string) => text.replaceAll(/https:\/\/[^/]*\//g, 'https://10.0.0.1/'),
    ],
  ] as const) {
    test(name, async () => {
      anchor.toml = toml;
      await observe();
      assert.deepEqual(bitcoin().receivableAssets(), []);
    });
  }
});

describe('our key does not sign', () => {
  const changes: readonly (readonly [
    string,
    (parts: ChallengeParts) => Partial<ChallengeParts>,
  ])[] = [
    ['a transaction that could be carried out', () => ({ sequence: '41' })],
    ['one of another key', () => ({ source: STRANGER, signers: [STRANGER] })],
    ['one that the anchor did not sign', () => ({ signers: [STRANGER] })],
    ['one without a signature', () => ({ signers: [] })],
    ['one with two signatures', ({ signers }) => ({ signers: [...signers, STRANGER] })],
    ['one of another network', () => ({ passphrase: Networks.TESTNET })],
    ['one that is over', () => ({ minTime: 1, maxTime: 1000 })],
    [
      'one of tomorrow',
      ({ maxTime }) => ({ minTime: maxTime + 80_000, maxTime: maxTime + 90_000 }),
    ],
    ['one that never ends', () => ({ maxTime: 0 })],
    ['one with a memo', () => ({ memo: Memo.text('hello') })],
    ['one without operations for us', ({ operations }) => ({ operations: operations.slice(1) })],
    [
      'a payment beside it',
      ({ operations }) => {
        const asset = assetOf('XLM:NATIVE');
        const paid = {
          source: LOGIN.publicKey(),
          asset,
          amount: '1',
          destination: STRANGER.publicKey(),
        };
        return { operations: [...operations, Operation.payment(paid)] };
      },
    ],
    [
      'a second data entry of ours',
      ({ operations }) => ({ operations: [...operations, entry('more')] }),
    ],
    ['one for another home domain', () => ({ operations: [entry('other.example auth')] })],
    ['one with a short nonce', () => ({ operations: [entry(`${anchor.domain} auth`, 'short')] })],
    [
      'one for another login service',
      ({ operations: [first] }) => {
        const source = ISSUER.publicKey();
        const other = Operation.manageData({
          source,
          name: 'web_auth_domain',
          value: 'other.example',
        });
        return { operations: first === undefined ? [] : [first, other] };
      },
    ],
  ];
  for (const [name, change] of changes) {
    test(name, async () => {
      anchor.challenge = (parts) => ({ ...parts, ...change(parts) });
      const { count } = anchor.logins;
      // The session before is over.
      await time.advance(16 * 60_000);
      await assert.rejects(commit(), Outage);
      assert.equal(anchor.logins.count, count);
      assert.match(bitcoin().health().lastError ?? '', /challenge|read/);
    });
  }
});

describe('a deposit is not opened', () => {
  for (const [name, change] of [
    ['at an address of another network', { instructions: undefined, how: SHOP.publicKey() }],
    ['at an address with a slip', { instructions: undefined, how: `${ADDRESS.slice(0, -1)}5` }],
    ['at a sentence', { instructions: undefined, how: 'call us' }],
    ['with a fee', { fee_percent: 2 }],
    ['without a transfer', { id: undefined }],
    [
      'that needs a memo',
      { instructions: { ...instructions(), 'organization.crypto_memo': { value: '8' } } },
    ],
    ['by an anchor that wants to know more', { httpStatus: 403, type: 'customer_info_status' }],
  ] as const) {
    test(name, async () => {
      anchor.change = (path, json) => (path === '/sep6/deposit' ? { ...json, ...change } : json);
      await assert.rejects(commit(), Outage);
    });
  }
});

test("the account is the merchant's choice among anchors, by the field `anchors`", async () => {
  const request = {
    total: parseDecimal('1'),
    billingCurrency: 'BTC',
    settlementAsset: 'ORIGIN',
    feePartsPerMillion: 0,
    now: now(),
  };
  const offered = async (assetId: string | undefined) => {
    const preference = { network: 'BITCOIN', field: 'anchors', given: assetId ?? '' } as const;
    const anchors = assetId === undefined ? [] : [{ ...preference, assetId }];
    const asked = { ...request, anchors };
    const { offers, warnings } = await quoteOffers(world.app, world.caller, asked);
    const assets = offers.filter(({ network }) => network === 'BITCOIN').map((one) => one.assetId);
    return { assets, warnings };
  };
  const assets = [anchor.assetId];
  assert.deepEqual(await offered(undefined), { assets, warnings: [] });
  assert.deepEqual(await offered(anchor.assetId), { assets, warnings: [] });
  const unknown = `BTC:${STRANGER.publicKey()}`;
  const sentence = `anchors.BITCOIN: ${unknown} is none of its assets; the usual way is offered instead`;
  assert.deepEqual(await offered(unknown), { assets, warnings: [sentence] });
});

test('an anchor gives no lasting address', async () => {
  const { assetId } = anchor;
  const request = {
    network: 'BITCOIN',
    assetId,
    label: undefined,
    webhook: undefined,
    metaText: undefined,
  };
  const opened = createDepositAddress(world.app, world.caller, request);
  await assert.rejects(opened, (error) => {
    return error instanceof Refusal && error.code === 'asset_not_receivable';
  });
});

test('the field `anchors` of a checkout names the asset by its network', () => {
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'A book', netAmount: '9' }] };
  const { anchors } = parseCheckoutRequest({ charge, anchors: { BITCOIN: anchor.assetId } });
  const { assetId } = anchor;
  assert.deepEqual(anchors, [{ network: 'BITCOIN', assetId, field: 'anchors', given: assetId }]);
});

function entry(name: string, value = 'a'.repeat(64)) {
  return Operation.manageData({ source: LOGIN.publicKey(), name, value });
}

function instructions() {
  return { 'organization.crypto_address': { value: ADDRESS } };
}
