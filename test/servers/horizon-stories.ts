// A shop on Stellar whose payments are seen through Horizon itself, the program that everybody runs,
// over its own PostgreSQL; and the fake Horizon of the other tests, held against it answer by answer.
// Run by `npm run test:servers -- horizon`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Memo, nativeToScVal, Operation, StrKey } from '@stellar/stellar-base';
import { Outage } from '#base/refusal.ts';
import { openHorizon } from '#networks/stellar/horizon.ts';
import { walkLedgers } from '#networks/stellar/walk-ledgers.ts';
import { assetOf, type FakeRecord, unitsText } from '#test/fakes/stellar-ledger.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  seededKey,
  USDC,
  XLM,
} from '#test/fakes/stellar-world.ts';
import { type RealHorizon, startHorizon } from './horizon-server.ts';

const UNITS = 1_000_0000n;
const chain = 'STELLAR';

let world: StellarWorld;
let real: RealHorizon;
before(async () => {
  world = await openStellarWorld({
    serve: async (stellar) => {
      real = await startHorizon(stellar);
      return real;
    },
  });
  // Ledgers close when a test says so.
  world.horizon.closesEveryMs = Number.POSITIVE_INFINITY;
  assert.deepEqual(await world.observe(), []);
});
after(async () => {
  await real?.close();
  await world?.close();
});

async function seen(): Promise<void> {
  // The clock runs ahead of the ledgers, as on a slow network, where the brake asks for one more.
  world.stellar.close();
  await real.publish();
  assert.deepEqual(await world.observe(), []);
  await world.settle();
}

async function stateAfter(
  act: (paid: { memo: string; checkoutId: string }) => void,
  assetId = XLM,
): Promise<string> {
  const { checkoutId, instruction } = await world.createAndCommit(chain, assetId, UNITS);
  act({ memo: instruction.memo ?? '', checkoutId });
  await seen();
  return (await world.read(checkoutId)).state;
}

type Way = { readonly name: string; readonly act: (memo: string) => void; readonly asset?: string };

const WAYS: readonly Way[] = [
  { name: 'a text memo', act: (memo) => world.pay({ units: UNITS, memo: Memo.text(memo) }) },
  { name: 'a number as memo', act: (memo) => world.pay({ units: UNITS, memo: Memo.id(memo) }) },
  {
    name: 'an account with the number in it',
    act: (memo) => world.pay({ units: UNITS, to: muxed(world.account, memo) }),
  },
  {
    name: 'a token',
    act: (memo) => world.pay({ units: UNITS, assetId: USDC, memo: Memo.text(memo) }),
    asset: USDC,
  },
  {
    name: 'a fee that somebody else pays',
    act: (memo) => world.pay({ units: UNITS, memo: Memo.text(memo), bumpedBy: world.customer }),
  },
  {
    name: 'a path that says what is sent',
    act(memo) {
      const operation = Operation.pathPaymentStrictSend({
        sendAsset: assetOf(USDC),
        sendAmount: '3',
        destination: world.account,
        destAsset: assetOf(XLM),
        destMin: '1',
        path: [],
      });
      const options = { from: world.customer, memo: Memo.text(memo), arrives: UNITS };
      world.stellar.send([operation], options);
      world.stellar.close();
    },
  },
  {
    name: 'a path that says what arrives',
    act(memo) {
      const operation = Operation.pathPaymentStrictReceive({
        sendAsset: assetOf(XLM),
        sendMax: '3000',
        destination: world.account,
        destAsset: assetOf(USDC),
        destAmount: unitsText(UNITS),
        path: [],
      });
      world.stellar.send([operation], { from: world.customer, memo: Memo.text(memo) });
      world.stellar.close();
    },
    asset: USDC,
  },
  {
    name: 'one of several operations',
    act(memo) {
      const { account: destination, customer } = world;
      const pay = (units: bigint, to: string) =>
        Operation.payment({ destination: to, asset: assetOf(XLM), amount: unitsText(units) });
      const operations = [pay(7n, customer.publicKey()), pay(UNITS, destination)];
      world.stellar.send(operations, { from: customer, memo: Memo.text(memo) });
      world.stellar.close();
    },
  },
];

for (const { name, act, asset } of WAYS) {
  test(`paid with ${name}: completed`, async () => {
    assert.equal(await stateAfter(({ memo }) => act(memo), asset), 'COMPLETED');
  });
}

test('an account merged into ours pays with all it had', async () => {
  const state = await stateAfter(({ memo }) => {
    const key = seededKey(9);
    const create = Operation.createAccount({
      destination: key.publicKey(),
      startingBalance: unitsText(UNITS + 100n),
    });
    world.stellar.send([create], { from: world.customer });
    world.stellar.close();
    const merge = Operation.accountMerge({ destination: world.account });
    world.stellar.send([merge], { from: key, memo: Memo.text(memo) });
    world.stellar.close();
  });
  assert.equal(state, 'COMPLETED');
});

test('a transaction that failed pays nothing', async () => {
  const state = await stateAfter(({ memo }) => {
    world.pay({ units: UNITS, memo: Memo.text(memo), fails: true });
  });
  assert.equal(state, 'AWAITING_PAYMENT');
});

test('a contract that moves the token pays to nobody in particular, and the network goes on', async () => {
  const call = Operation.invokeContractFunction({
    contract: StrKey.encodeContract(Buffer.alloc(32, 5)),
    function: 'transfer',
    args: [nativeToScVal(7n, { type: 'u64' })],
  });
  const from = world.customer.publicKey();
  const contractMoves = [{ from, to: world.account, assetId: USDC, units: UNITS }];
  world.stellar.send([call], { from: world.customer, contractMoves });
  world.stellar.close();
  await seen();
  assert.equal(
    await stateAfter(({ memo }) => world.pay({ units: UNITS, memo: Memo.text(memo) })),
    'COMPLETED',
  );
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('a shop that was away catches up with more pages than one, and is paid in the last', async () => {
  const state = await stateAfter(({ memo }) => {
    const dust = Operation.payment({
      destination: world.account,
      asset: assetOf(XLM),
      amount: unitsText(1n),
    });
    for (let at = 0; at < 5; at += 1) {
      const operations = Array.from({ length: 90 }, () => dust);
      world.stellar.send(operations, { from: world.customer });
      world.stellar.close();
    }
    world.pay({ units: UNITS, memo: Memo.text(memo) });
  });
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(await world.brokenInvariants(), []);
});

/** What the fake leaves out or makes up, and nobody reads: links, versions, what a payer spent. */
const LEFT_OUT = new Set([
  ...['parameters', 'source_amount', 'address', 'salt'],
  ...['_links', 'horizon_version', 'core_version', 'core_latest_ledger', 'preconditions'],
  ...['current_protocol_version', 'core_supported_protocol_version', 'history_elder_ledger'],
  ...['result_meta_xdr', 'fee_meta_xdr', 'last_modified_time', 'history_latest_ledger_closed_at'],
]);

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, shown(inner)]).sort());
}

async function ask(url: string, path: string): Promise<FakeRecord> {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'application/json' } });
  return (await response.json()) as FakeRecord;
}

for (const path of [
  '/',
  '/ledgers?order=desc&limit=20',
  '/ledgers?order=asc&limit=3&cursor=PLACE',
  '/accounts/ACCOUNT',
  '/accounts/ACCOUNT/payments?join=transactions&include_failed=false&order=asc&limit=25&cursor=PLACE',
  '/accounts/ACCOUNT/effects?order=asc&limit=25&cursor=PLACE',
  '/accounts/ACCOUNT/transactions?include_failed=true&order=asc&limit=25&cursor=PLACE',
]) {
  test(`the fake answers as Horizon does: ${path}`, async () => {
    const first = world.stellar.ledgers.find(({ transactions }) => transactions.length > 0);
    const place = (BigInt(first?.sequence ?? 0) << 32n) - 1n;
    const asked = path.replace('ACCOUNT', world.account).replace('PLACE', `${place}`);
    assert.deepEqual(shown(await ask(world.horizon.url, asked)), shown(await ask(real.url, asked)));
  });
}

for (const { path, status, type } of [
  { path: `/accounts/${seededKey(77).publicKey()}`, status: 404, type: 'not_found' },
  { path: `/operations/${(60_000_000n << 32n) | 1n}`, status: 404, type: 'not_found' },
  { path: '/operations/1', status: 410, type: 'before_history' },
  { path: '/accounts/nobody', status: 400, type: 'bad_request' },
  { path: '/operations/nothing', status: 400, type: 'bad_request' },
  { path: '/ledgers?cursor=nowhere', status: 400, type: 'bad_request' },
  { path: '/ledgers?limit=201', status: 400, type: 'bad_request' },
]) {
  test(`Horizon answers ${path} with ${status}, and we understand it`, async () => {
    const response = await fetch(`${real.url}${path}`);
    assert.equal(response.status, status);
    const problem = (await response.json()) as FakeRecord;
    assert.equal(problem.type, `https://stellar.org/horizon-errors/${type}`);
    const [at = '', query = ''] = path.split('?');
    const horizon = openHorizon({ what: chain, url: real.url });
    const answer = horizon.get(at, Object.fromEntries(new URLSearchParams(query)));
    if (status === 404) assert.equal((await answer).json, undefined);
    else if (status === 400) await assert.rejects(answer, /HTTP status 400/);
    else await assert.rejects(answer, /no longer keeps the ledgers that are needed/);
  });
}

test('a payment wakes who listens', async () => {
  const horizon = openHorizon({ what: chain, url: real.url });
  const stop = new AbortController();
  const woken = Promise.withResolvers<void>();
  const path = `/accounts/${world.account}/payments`;
  const listening = horizon.listen(path, { cursor: 'now' }, woken.resolve, stop.signal);
  listening.catch(() => undefined);
  world.pay({ units: 1n });
  await real.publish();
  world.pay({ units: 1n });
  await real.publish();
  await woken.promise;
  stop.abort();
  // Who stops to listen has no failure to look at.
  await listening;
});

test('a Horizon that reaped the recorded ledger is an outage that says which is its oldest', async () => {
  let reaping: RealHorizon | undefined;
  const away = await openStellarWorld({
    serve: async (stellar) => {
      reaping = await startHorizon(stellar, {
        HISTORY_RETENTION_COUNT: '5',
        REAP_FREQUENCY: '1',
        PER_HOUR_RATE_LIMIT: '36000',
      });
      return reaping;
    },
  });
  try {
    assert(reaping !== undefined);
    assert.deepEqual(await away.observe(), []);
    const recorded = away.stellar.ledgers.at(-1);
    assert(recorded !== undefined);
    const oldest = () => ask(String(reaping?.url), '/').then((root) => root.history_elder_ledger);
    for (let at = 0; at < 60 && Number(await oldest()) <= recorded.sequence; at += 1) {
      away.stellar.close();
      await reaping.publish();
    }
    const [failure] = await away.observe();
    assert(failure instanceof Outage, 'it is an outage');
    assert.match(
      failure.message,
      new RegExp(`no longer keeps ledger ${recorded.sequence}: its oldest is`),
    );
    const horizon = openHorizon({ what: chain, url: reaping.url });
    const height = BigInt(recorded.sequence);
    const cursor = { height, hash: recorded.hash };
    await assert.rejects(walkLedgers(horizon, chain, cursor, away.time.now()), Outage);
    const gone = await fetch(
      `${reaping.url}/ledgers?order=desc&cursor=${((height - 10n) << 32n).toString()}`,
    );
    assert.equal(gone.status, 410);
    const asked = horizon.get('/ledgers', { order: 'desc', cursor: `${(height - 10n) << 32n}` });
    await assert.rejects(asked, /no longer keeps the ledgers that are needed/);
  } finally {
    await away.close();
    await reaping?.close();
  }
});

test('a Horizon that has enough of us says for how long, and we wait that long', async () => {
  const { stellar, ...rest } = await openStellarWorld();
  const limited = await startHorizon(stellar, { PER_HOUR_RATE_LIMIT: '3600' });
  try {
    const horizon = openHorizon({ what: chain, url: limited.url });
    const asks = Array.from({ length: 200 }, () => horizon.get('/ledgers', { limit: 1 }));
    const answers = await Promise.allSettled(asks);
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert(refused.length > 0, 'some were too many');
    for (const reason of refused) {
      assert(reason instanceof Outage);
      assert.match(reason.message, /too many questions from us \(rate limit\)/);
    }
    assert(refused.some(({ retryAfterSeconds }) => retryAfterSeconds >= 1));
  } finally {
    await rest.close();
    await limited.close();
  }
});
