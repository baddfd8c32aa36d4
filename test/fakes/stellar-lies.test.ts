// What the adapter makes of a Horizon that is away, odd, behind or hostile, and of an account that
// cannot receive everything.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  Asset,
  Keypair,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  StrKey,
} from '@stellar/stellar-base';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import { openHorizon } from '#networks/stellar/horizon.ts';
import { openStellarNetworks } from '#networks/stellar/open-stellar-networks.ts';
import { waitUntil } from '#test/support/shop.ts';
import { startFakeHorizon } from './stellar-horizon.ts';
import { NATIVE, unitsText } from './stellar-ledger.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  seededKey,
  USDC,
  XLM,
} from './stellar-world.ts';

const UNITS = 12_500_0000n;

let world: StellarWorld;
let network: Network;
beforeEach(async () => {
  world = await openStellarWorld();
  assert.deepEqual(await world.observe(), []);
  const adapter = world.app.networks.get('live:STELLAR');
  assert(adapter !== undefined);
  network = adapter;
});
afterEach(() => world?.close());

async function creditedOf(act: (memo: string) => void, assetId = XLM): Promise<bigint> {
  const { instruction } = await world.createAndCommit('STELLAR', assetId, UNITS);
  const before = await world.credited(assetId);
  act(String(instruction.memo));
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
  assert.deepEqual(await world.brokenInvariants(), []);
  return (await world.credited(assetId)) - before;
}

function send(
  operation: Parameters<StellarWorld['stellar']['send']>[0][number],
  memo: string,
  more = {},
) {
  world.stellar.send([operation], { from: world.customer, memo: Memo.text(memo), ...more });
  world.stellar.close();
}

describe('what is credited', () => {
  test('text memo, id memo and muxed account are the same customer', async () => {
    const paid = { units: UNITS };
    assert.equal(await creditedOf((memo) => world.pay({ ...paid, memo: Memo.text(memo) })), UNITS);
    assert.equal(await creditedOf((memo) => world.pay({ ...paid, memo: Memo.id(memo) })), UNITS);
    const to = (memo: string) => muxed(world.account, memo);
    assert.equal(await creditedOf((memo) => world.pay({ ...paid, to: to(memo) })), UNITS);
    const both = (memo: string) => ({ ...paid, to: to(memo), memo: Memo.id(memo) });
    assert.equal(await creditedOf((memo) => world.pay(both(memo))), UNITS);
  });

  test('a path payment counts with what arrived, not with what was sent', async () => {
    const destination = world.account;
    const path = { sendAsset: Asset.native(), destination, destAsset: usdc() };
    const strictSend = Operation.pathPaymentStrictSend({
      ...path,
      sendAmount: '999',
      destMin: '1',
    });
    const arrived = await creditedOf((memo) => send(strictSend, memo, { arrives: UNITS }), USDC);
    assert.equal(arrived, UNITS);
    const strictReceive = Operation.pathPaymentStrictReceive({
      ...path,
      sendMax: '999',
      destAmount: unitsText(UNITS),
    });
    assert.equal(await creditedOf((memo) => send(strictReceive, memo), USDC), UNITS);
    const little = await creditedOf(
      (memo) => send(strictSend, memo, { arrives: 10_000_000n }),
      USDC,
    );
    assert.equal(little, 10_000_000n);
  });

  test('an account that is merged into ours counts with all it held', async () => {
    const merged = seededKey(9);
    world.stellar.addAccount(merged, UNITS + 100n);
    const operation = Operation.accountMerge({ destination: world.account });
    assert.equal(await creditedOf((memo) => send(operation, memo, { from: merged })), UNITS);
  });

  test('a fee bump counts once, under the hash that explorers show', async () => {
    let hash = '';
    const paid = await creditedOf((memo) => {
      hash = world.pay({ units: UNITS, memo: Memo.text(memo), bumpedBy: seededKey(2) });
    });
    assert.equal(paid, UNITS);
    const { db } = world.app;
    const rows = await db.query<{ transaction: string }>(sql`select transaction from receipt`);
    assert.deepEqual(rows, [{ transaction: hash }]);
  });

  test('two operations of one transaction to the same customer both count', async () => {
    const paid = await creditedOf((memo) => {
      const half = {
        destination: world.account,
        asset: Asset.native(),
        amount: unitsText(UNITS / 2n),
      };
      const operations = [Operation.payment(half), Operation.payment(half)];
      world.stellar.send(operations, { from: world.customer, memo: Memo.text(memo) });
      world.stellar.close();
    });
    assert.equal(paid, (UNITS / 2n) * 2n);
  });

  test('a contract counts when the number of the customer was signed', async () => {
    const paid = await creditedOf((memo) => {
      const number = BigInt(memo);
      const operation = Operation.invokeContractFunction({
        contract: StrKey.encodeContract(Buffer.alloc(32, 5)),
        function: 'pay',
        args: [nativeToScVal(number, { type: 'u64' })],
      });
      const from = world.customer.publicKey();
      const move = { from, to: world.account, assetId: XLM, units: UNITS, muxedId: number };
      world.stellar.send([operation], { from: world.customer, contractMoves: [move] });
      world.stellar.close();
    });
    assert.equal(paid, UNITS);
  });
});

describe('what leaves the account', () => {
  const ours = () => world.stellar.accounts.get(world.account)?.key ?? Keypair.random();

  test('payments out, fees and failed transactions explain a smaller balance', async () => {
    const { customer } = world;
    const out = { units: 700n, from: ours(), to: customer.publicKey() };
    world.pay(out);
    world.pay({ ...out, fails: true });
    world.pay({ ...out, from: customer, to: world.account, bumpedBy: ours() });
    assert.equal(
      await creditedOf((memo) => world.pay({ units: UNITS, memo: Memo.text(memo) })),
      UNITS,
    );
    world.pay(out);
    assert.equal(
      await creditedOf((memo) => world.pay({ units: UNITS, memo: Memo.text(memo) })),
      UNITS,
    );
  });

  test('a swap by a path payment to ourselves is no income', async () => {
    const operation = Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: '5',
      destination: world.account,
      destAsset: usdc(),
      destMin: '4',
    });
    send(operation, '1', { from: ours() });
    assert.deepEqual((await world.observe()).map(String), []);
    await world.settle();
    assert.deepEqual([await world.credited(), await world.suspended()], [0n, 0n]);
  });

  test('a clawback is explained by its effect, and what comes after it is credited', async () => {
    assert.equal(
      await creditedOf(
        (memo) => world.pay({ units: UNITS, assetId: USDC, memo: Memo.text(memo) }),
        USDC,
      ),
      UNITS,
    );
    const issuer = seededKey(11);
    world.stellar.addAccount(issuer);
    const operation = Operation.clawback({
      asset: usdc(),
      from: world.account,
      amount: unitsText(UNITS),
    });
    send(operation, '1', { from: issuer });
    assert.equal(
      await creditedOf(
        (memo) => world.pay({ units: UNITS, assetId: USDC, memo: Memo.text(memo) }),
        USDC,
      ),
      UNITS,
    );
  });

  test('lumens that are gone without a trace stop everything, until they are explained', async () => {
    const line = world.stellar.accounts.get(world.account)?.lines.get(NATIVE);
    assert(line !== undefined);
    line.units -= 1n;
    world.stellar.close();
    const [failure] = await world.observe();
    assert.match(String(failure), /the account holds \d+ of XLM:NATIVE, its history says/);
    line.units += 1n;
    assert.deepEqual(await world.observe(), []);
  });
});

describe('what can be received', () => {
  const usdcLine = () => {
    const line = world.stellar.accounts.get(world.account)?.lines.get(USDC);
    assert(line !== undefined);
    return line;
  };

  for (const [name, change] of [
    ['the trust line is gone', () => world.stellar.accounts.get(world.account)?.lines.delete(USDC)],
    ['the issuer has not authorised it', () => Object.assign(usdcLine(), { isAuthorised: false })],
    ['the trust line is full', () => Object.assign(usdcLine(), { limit: usdcLine().units })],
  ] as const) {
    test(`an asset is not offered while ${name}`, async () => {
      assert.deepEqual(network.receivableAssets(), [XLM, USDC]);
      change();
      world.stellar.close();
      await world.observe();
      assert.deepEqual(network.receivableAssets(), [XLM]);
      await assert.rejects(world.createAndCommit('STELLAR', USDC, UNITS), Refusal);
    });
  }

  test('a process that only serves looks for itself, every minute', async () => {
    const { db } = world.app;
    const settings = { account: world.account, chainName: 'main' as const, uri: undefined };
    const parts = { db, clock: world.time, log: silentLog };
    const [opened] = openStellarNetworks({ ...settings, horizonUrls: [world.horizon.url] }, parts);
    assert(opened !== undefined);
    const offered = () => opened.network.receivableAssets();
    await waitUntil('both to be offered', () => offered().length === 2);
    assert.deepEqual(offered(), [XLM, USDC]);
    usdcLine().isAuthorised = false;
    const asked = world.horizon.asked.length;
    await systemClock.sleep(50);
    assert.deepEqual(offered(), [XLM, USDC]);
    assert.equal(world.horizon.asked.length, asked, 'not before the minute is over');
    await world.time.advance(60_000);
    await waitUntil('one to be offered no more', () => offered().length === 1);
    assert.deepEqual(offered(), [XLM]);
    await opened.network.close();
  });

  test('doctor advises to require memos, and names what can be clawed back (SEP-29, CAP-35)', async () => {
    assert.deepEqual(network.health().advice, []);
    world.stellar.accounts.get(world.account)?.data.clear();
    usdcLine().canBeClawedBack = true;
    world.stellar.close();
    await world.observe();
    const { advice = [] } = network.health();
    assert.match(advice[0] ?? '', /config\.memo_required.*SEP-29/);
    assert.match(advice[1] ?? '', /USDC.*clawed back/);
  });

  test('an account that does not exist yet is told about and offers nothing', async () => {
    const account = seededKey(20).publicKey();
    const { db } = world.app;
    const parts = { db, clock: world.time, log: silentLog };
    const settings = { account, chainName: 'main' as const, uri: undefined };
    const [opened] = openStellarNetworks({ ...settings, horizonUrls: [world.horizon.url] }, parts);
    await opened?.network.checkIdentity();
    assert.deepEqual(opened?.network.receivableAssets(), []);
    assert.match(opened?.network.health().advice?.[0] ?? '', /does not exist yet/);
    await opened?.network.close();
  });

  test('a key for payment requests that could move money is refused', async () => {
    const key = seededKey(21);
    world.stellar.accounts.get(world.account)?.signers.push(key.publicKey());
    const { db } = world.app;
    const uri = { secret: key.secret(), originDomain: 'shop.example' };
    const settings = { account: world.account, chainName: 'main' as const, uri };
    const parts = { db, clock: world.time, log: silentLog };
    const [opened] = openStellarNetworks({ ...settings, horizonUrls: [world.horizon.url] }, parts);
    assert(opened !== undefined);
    await assert.rejects(opened.network.checkIdentity(), /URI_SIGNING_SECRET: this key can move/);
    await opened.network.close();
  });
});

describe('what a wallet opens', () => {
  test('a request names account, amount, memo and, where it is issued, the asset (SEP-7)', async () => {
    const { instruction } = await world.createAndCommit('STELLAR', USDC, UNITS);
    const uri = network.paymentUri(
      { ...instruction, memo: instruction.memo, memoType: 'text', destinationTag: undefined },
      USDC,
      UNITS,
    );
    const { pathname, searchParams, protocol } = new URL(uri);
    assert.deepEqual([protocol, pathname], ['web+stellar:', 'pay']);
    assert.deepEqual(Object.fromEntries(searchParams), {
      destination: world.account,
      amount: '12.5',
      asset_code: 'USDC',
      asset_issuer: USDC.split(':')[1],
      memo: instruction.memo,
      memo_type: 'MEMO_TEXT',
    });
  });

  test('on the test network its passphrase is named, and a request can be signed', () => {
    const key = seededKey(22);
    const uri = { secret: key.secret(), originDomain: 'shop.example' };
    const { db } = world.app;
    const [opened] = openStellarNetworks(
      { account: world.account, chainName: 'test', uri, horizonUrls: [world.horizon.url] },
      { db, clock: world.time, log: silentLog },
    );
    assert(opened?.isTestChain);
    const destination = {
      destination: `${world.account}:7`,
      address: world.account,
      memo: '7',
      memoType: 'text',
      destinationTag: undefined,
    };
    const request = opened.network.paymentUri(destination, XLM, undefined);
    const [signed = '', signature = ''] = request.split('&signature=');
    const prefix = Buffer.concat([
      Buffer.alloc(35),
      Buffer.of(4),
      Buffer.from('stellar.sep.7 - URI Scheme'),
    ]);
    const payload = Buffer.concat([prefix, Buffer.from(signed)]);
    assert(key.verify(payload, Buffer.from(decodeURIComponent(signature), 'base64')));
    const given = new URL(request).searchParams;
    assert.equal(given.get('network_passphrase'), Networks.TESTNET);
    assert.equal(given.get('origin_domain'), 'shop.example');
    assert.equal(given.get('amount'), null);
    return opened.network.close();
  });
});

describe('a Horizon that does not answer well', () => {
  for (const [name, refused, pattern] of [
    ['too many questions', { status: 429, headers: { 'retry-after': '7' } }, /rate limit/],
    ['a page of a proxy', { status: 502, body: '<html>' }, /HTTP status 502/],
    ['ledgers it no longer keeps', { status: 410, body: '{}' }, /no longer keeps/],
    ['a page that is no JSON', { status: 200, body: '<html>' }, /no JSON/],
    [
      'a redirection',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      /does not answer/,
    ],
  ] as const) {
    test(`${name}: an outage that moves nothing and is over when it is over`, async () => {
      world.pay({ units: UNITS });
      world.horizon.refuse = () => refused;
      const [failure] = await world.observe();
      assert(failure instanceof Outage);
      assert.match(failure.message, pattern);
      assert.match(network.health().lastError ?? '', pattern);
      if (refused.status === 429) assert.equal(failure.retryAfterSeconds, 7);
      world.horizon.refuse = () => undefined;
      assert.deepEqual(await world.observe(), []);
      await world.settle();
      assert.equal(await world.suspended(), UNITS);
    });
  }

  test('two questions that fail beside each other lead to the next Horizon, not past it', async () => {
    const { url } = world.horizon;
    const urls = ['http://127.0.0.1:1', url];
    const settings = { horizonUrls: urls, account: world.account, chainName: 'main' } as const;
    for (const questions of [2, 3]) {
      const [opened] = openStellarNetworks({ ...settings, uri: undefined }, world.app);
      assert(opened !== undefined);
      const look = () => opened.network.observe({ cursor: undefined, recent: [], unconfirmed: [] });
      const ends = await Promise.allSettled(Array.from({ length: questions }, look));
      assert(ends.every(({ status }) => status === 'rejected'));
      await look();
      await opened.network.close();
    }
  });

  test('an answer that is cut off, or too large, or never comes', async () => {
    const ask = (options: { timeoutMs?: number; mostAnswerBytes?: number }) =>
      openHorizon({ what: 'live:STELLAR', url: world.horizon.url, ...options }).get('/ledgers');
    world.horizon.cutsOff = true;
    await assert.rejects(ask({}), /cut off/);
    world.horizon.cutsOff = false;
    await assert.rejects(ask({ mostAnswerBytes: 100 }), /exceeds 100 bytes/);
    world.horizon.isSilent = true;
    await assert.rejects(ask({ timeoutMs: 50 }), /no answer within 50 ms/);
  });

  test('what could be secret in its address is in no message', async () => {
    const url = `${world.horizon.url.replace('//', '//user:hidden@')}/key-hidden`;
    const horizon = openHorizon({ what: 'live:STELLAR', url, timeoutMs: 1000 });
    assert(!horizon.host.includes('hidden'));
    world.horizon.refuse = () => ({ status: 500 });
    const isClean = (error: unknown) =>
      error instanceof Outage && !error.message.includes('hidden');
    await assert.rejects(horizon.get('/ledgers'), isClean);
    await world.horizon.close();
    await assert.rejects(horizon.get('/ledgers'), isClean);
    world.horizon.close = async () => undefined;
  });

  test('without a new ledger there is nothing new', async () => {
    world.horizon.closesEveryMs = Number.POSITIVE_INFINITY;
    const last = world.stellar.ledgers.at(-1);
    const cursor = { height: BigInt(last?.sequence ?? 0), hash: last?.hash ?? '' };
    const seen = await network.observe({ cursor, recent: [], unconfirmed: [] });
    assert.deepEqual([seen.tip, seen.blocks, seen.complete], [cursor, [], true]);
  });

  test('an account of nobody knows which ledger is not compared with', async () => {
    const address = `${world.horizon.url}/accounts/${world.account}`;
    const body = await (await fetch(address)).text();
    world.stellar.close();
    world.horizon.refuse = ({ path }) =>
      path.endsWith(world.account) ? { status: 200, body } : undefined;
    const [failure] = await world.observe();
    assert.match(String(failure), /does not say of which ledger the account is/);
  });

  test('an account of before the ledgers that are new is not compared with', async () => {
    world.stellar.close();
    world.horizon.lag = (kind) => (kind === 'accounts' ? 5 : 0);
    const [failure] = await world.observe();
    assert.match(String(failure), /the account is older than the ledgers/);
  });

  test('a second Horizon may be away, and must be of the same network', async () => {
    const second = await startFakeHorizon(world.stellar, () => world.time.now());
    const horizonUrls = [world.horizon.url, second.url];
    const settings = { horizonUrls, account: world.account, chainName: 'main' } as const;
    const [opened] = openStellarNetworks({ ...settings, uri: undefined }, world.app);
    try {
      await opened?.network.checkIdentity();
      second.tamper = () => null;
      await opened?.network.checkIdentity();
      second.tamper = (_, json) => json;
      second.passphrase = Networks.TESTNET;
      await assert.rejects(async () => opened?.network.checkIdentity(), /is of another network/);
    } finally {
      await second.close();
    }
    await opened?.network.checkIdentity();
    await opened?.network.close();
  });

  test('listings that are behind the ledgers lose nothing', async () => {
    for (const behind of ['payments', 'effects', 'accounts', 'all'] as const) {
      const before = await world.suspended();
      world.pay({ units: UNITS });
      world.horizon.lag = (kind) => (behind === 'all' || behind === kind ? 2 : 0);
      await world.observe();
      await world.settle();
      assert.equal(await world.suspended(), before);
      world.horizon.lag = () => 0;
      await world.observe();
      await world.settle();
      assert.equal(await world.suspended(), before + UNITS, behind);
    }
  });
});

describe('catching up', () => {
  test('more ledgers than fit into a page are read in order, each once', async () => {
    for (let ledger = 0; ledger < 450; ledger += 1) {
      if (ledger % 100 === 50) world.pay({ units: UNITS });
      else world.stellar.close();
    }
    assert.deepEqual((await world.observe()).map(String), []);
    await world.settle();
    assert.equal(await world.suspended(), 5n * UNITS - UNITS);
  });

  test('more payments than fit into a page are all found', async () => {
    for (let part = 0; part < 5; part += 1) {
      const payment = { destination: world.account, asset: Asset.native(), amount: '0.0000001' };
      const operations = Array.from({ length: 90 }, () => Operation.payment(payment));
      world.stellar.send(operations, { from: world.customer });
    }
    world.stellar.close();
    assert.deepEqual((await world.observe()).map(String), []);
    while ((await world.suspended()) < 450n) await world.settle();
    assert.equal(await world.suspended(), 450n);
  });
});

test('a payment that is announced ends the wait, and silence ends it in time', async () => {
  const { db } = world.app;
  const settings = { account: world.account, chainName: 'main' as const, uri: undefined };
  const parts = { db, clock: systemClock, log: silentLog };
  const [opened] = openStellarNetworks({ ...settings, horizonUrls: [world.horizon.url] }, parts);
  assert(opened !== undefined);
  const { signal } = new AbortController();
  const started = performance.now();
  await opened.network.waitForHint(100, signal);
  const silent = performance.now() - started;
  assert(silent >= 90 && silent < 10_000, `${silent} ms`);
  const wait = opened.network.waitForHint(60_000, signal);
  world.horizon.announce();
  await wait;
  await opened.network.close();
});

function usdc(): Asset {
  const [code = '', issuer] = USDC.split(':');
  return new Asset(code, issuer);
}
