// Alone in its process: it lists every asset that was announced.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ROUTES } from '#api/routes.ts';
import { parseDecimal } from '#money/decimal.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { type Called, openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

async function get(path: string, query = '', key = api.key): Promise<Called> {
  const called = await api.call('GET', path, { query, key });
  if (called.status !== 200) return called;
  const route = ROUTES.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path);
  assert.deepEqual(route?.response.parse(called.json), called.json);
  return called;
}

const rate = (query: string, key = api.key) => get('/exchange-rate', query, key);

test('the older list of currencies holds those of states, with their names', async () => {
  const { json } = await get('/fiat-currencies');
  const list = json.fiatCurrencies as unknown as { assetCode: string; assetName: string }[];
  assert.equal(list.length, 45);
  assert.deepEqual(list[0], { assetCode: 'AED', assetName: 'United Arab Emirates Dirham' });
  assert.ok(list.every(({ assetCode }) => assetCode.length === 3 && assetCode !== 'BTC'));
});

test('the older list of blockchains names the native asset of each, and no bank', async () => {
  const { json } = await get('/blockchains');
  assert.deepEqual(json.blockchains, [
    { id: 'BITCOIN', nativeAssetCode: 'BTC', nativeAssetName: 'Bitcoin' },
    { id: 'LITECOIN', nativeAssetCode: 'LTC', nativeAssetName: 'Litecoin' },
    { id: 'ETHEREUM', nativeAssetCode: 'ETH', nativeAssetName: 'Ether' },
    { id: 'STELLAR', nativeAssetCode: 'XLM', nativeAssetName: 'Lumen' },
    { id: 'LIGHTNING', nativeAssetCode: 'BTC', nativeAssetName: 'Bitcoin' },
    { id: 'XRP_LEDGER', nativeAssetCode: 'XRP', nativeAssetName: 'XRP' },
    { id: 'BASE', nativeAssetCode: 'ETH', nativeAssetName: 'Ether' },
    { id: 'POLYGON', nativeAssetCode: 'POL', nativeAssetName: 'POL' },
    { id: 'ARBITRUM', nativeAssetCode: 'ETH', nativeAssetName: 'Ether' },
    { id: 'OPTIMISM', nativeAssetCode: 'ETH', nativeAssetName: 'Ether' },
  ]);
});

test('the older list of issuers names the assets of each', async () => {
  const { json } = await get('/asset-issuers');
  const list = json.assetIssuers as unknown as { id: string }[];
  assert.equal(list.length, 11);
  assert.deepEqual(
    list.find(({ id }) => id.startsWith('GA5Z')),
    {
      id: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      name: 'Circle',
      domain: 'circle.com',
      assets: ['USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    },
  );
});

test('an exchange rate names both amounts, the rate and where it is from', async () => {
  const { text } = await rate('?sourceAsset=BTC:NATIVE&targetAsset=EUR&sourceAmount=0.5');
  assert.deepEqual(JSON.parse(text), {
    sourceAsset: 'BTC:NATIVE',
    sourceAmount: '0.5',
    targetAsset: 'EUR',
    targetAmount: '43478.26',
    pair: 'BTC/EUR',
    exchangeRate: '86956.5217391304348',
    deviation: '0',
    time: '2026-11-21T10:00:00+00:00',
    sources: ['reference'],
  });
});

const amounts: [query: string, source: string, target: string, exchangeRate: string][] = [
  ['sourceAsset=BTC&targetAsset=EUR&amount=1', '1', '86956.52', '86956.5217391304348'],
  // 86956.51 x 1.15 / 100000 = 0.999999865
  [
    'sourceAsset=BTC&targetAsset=EUR&targetAmount=86956.51',
    '0.99999987',
    '86956.51',
    '86956.5217391304348',
  ],
  ['sourceAsset=EUR&targetAsset=BTC&sourceAmount=1', '1', '0.0000115', '0.0000115'],
  ['sourceAsset=USD&targetAsset=JPY&sourceAmount=1', '1', '151', '151.515151515151515'],
  ['sourceAsset=LTC:NATIVE&targetAsset=LTC&sourceAmount=3', '3', '3', '1'],
  ['sourceAsset=USDC&targetAsset=USD&sourceAmount=1.5', '1.5', '1.5', '1'],
];
for (const [query, source, target, exchangeRate] of amounts) {
  test(`the rate for ${query} rounds what is given up, what is received down`, async () => {
    const { status, json } = await rate(`?${query}`);
    assert.equal(status, 200);
    assert.equal(json.sourceAmount, source);
    assert.equal(json.targetAmount, target);
    assert.equal(json.exchangeRate, exchangeRate);
  });
}

const refused: [query: string, message: RegExp][] = [
  ['', /sourceAsset: is required/],
  ['?sourceAsset=BTC&targetAsset=EUR', /exactly one of sourceAmount and targetAmount/],
  ['?sourceAsset=BTC&targetAsset=EUR&sourceAmount=1&targetAmount=1', /exactly one of/],
  ['?sourceAsset=BTC&targetAsset=EUR&sourceAmount=1&amount=1', /exactly one of/],
  ['?sourceAsset=BTC&targetAsset=EUR&sourceAmount=0', /sourceAmount: must be greater than 0/],
  ['?sourceAsset=BTC&targetAsset=EUR&sourceAmount=-1', /sourceAmount: must be greater than 0/],
  ['?sourceAsset=BTC&targetAsset=EUR&sourceAmount=1,5', /sourceAmount: must be a number/],
  ['?sourceAsset=BTC&targetAsset=EUR&targetAmount=0.001', /EUR has 2 digits after the point/],
  ['?sourceAsset=BTC&targetAsset=ZZZ&sourceAmount=1', /targetAsset: is neither an asset id/],
  ['?sourceAsset=SAT&targetAsset=EUR&sourceAmount=1', /sourceAsset: is neither an asset id/],
];
for (const [query, message] of refused) {
  test(`a rate that cannot be asked for is refused: ${query}`, async () => {
    const called = await rate(query);
    assert.equal(called.status, 400, called.text);
    assert.match(called.text, message);
  });
}

test('without a price of this moment there is a reason and no guess', async () => {
  const query = '?sourceAsset=BTC&targetAsset=EUR&sourceAmount=1';
  const called = await rate(query, api.liveKey);
  assert.equal(called.status, 503);
  assert.equal(called.headers.get('x-error-code'), 'rate_missing');
  assert.match(String(called.headers.get('retry-after')), /^\d+$/);
  assert.match(called.text, /there is no current rate for BTC/);
});

test('where nobody is asked for prices the setting is named, not a price that may come', async () => {
  const query = '?sourceAsset=BTC&targetAsset=EUR&sourceAmount=1';
  Object.assign(api.app, { hasPriceSources: false });
  const called = await rate(query, api.liveKey);
  assert.equal((await rate(query)).status, 200, 'the sandbox has prices of its own');
  Object.assign(api.app, { hasPriceSources: undefined });
  assert.equal(called.status, 503);
  assert.equal(called.headers.get('x-error-code'), 'prices_not_configured');
  assert.match(called.text, /no source of prices is set: .* PRICE_SOURCES=all/);
});

test('wallets show what is held, available, pending, and nothing that never was', async () => {
  assert.deepEqual((await get('/wallets')).json, { wallets: [] });
  const { merchantId, clock } = api;
  const occurredAt = clock.now();
  const bitcoin = { assetId: 'BTC:NATIVE', merchantId, occurredAt };
  await fundMerchant(api.db, { ...bitcoin, cause: '1', units: 150_000_000n });
  await fundMerchant(api.db, { ...bitcoin, cause: '2', units: 1n, code: 'merchant:pending' });
  const reserved = { cause: '3', units: 50n, code: 'merchant:reserved' } as const;
  await fundMerchant(api.db, { ...bitcoin, ...reserved });
  const wallet = {
    assetId: 'BTC:NATIVE',
    assetCode: 'BTC',
    balance: '1.50000051',
    available: '1.5',
    pending: '0.00000001',
    owed: '0',
    depositAddresses: [],
  };
  assert.deepEqual((await get('/wallets')).json, { wallets: [wallet] });
  assert.deepEqual((await get('/wallet', '?assetCode=BTC')).json, { wallets: [wallet] });
  assert.deepEqual((await get('/wallet', '?assetCode=BTC:NATIVE')).json, { wallets: [wallet] });
  assert.deepEqual((await get('/wallets', '', api.liveKey)).json, { wallets: [] });
  assert.deepEqual((await get('/wallets', '', await api.otherMerchant())).json, { wallets: [] });
});

test('a wallet says where it can be paid to, before anything arrived as well', async () => {
  const key = await api.otherMerchant();
  const body = { network: 'LITECOIN' };
  const made = await api.call('POST', '/deposit-address', { key, body });
  assert.equal(made.status, 200, made.text);
  const { network, address } = made.json.depositAddress ?? {};
  const depositAddresses = [{ network, address, memo: null, memoType: null }];
  const amounts = { balance: '0', available: '0', pending: '0', owed: '0' };
  const wallet = { assetId: 'LTC:NATIVE', assetCode: 'LTC', ...amounts, depositAddresses };
  assert.deepEqual((await get('/wallets', '', key)).json, { wallets: [wallet] });
  assert.deepEqual((await get('/wallet', '?assetCode=LTC', key)).json, { wallets: [wallet] });
});

test('a wallet that was never used is empty, one of an unknown asset is refused', async () => {
  const { json } = await get('/wallet', '?assetCode=LTC');
  const empty = { balance: '0', available: '0', pending: '0', owed: '0', depositAddresses: [] };
  assert.deepEqual(json.wallets, [{ assetId: 'LTC:NATIVE', assetCode: 'LTC', ...empty }]);
  const usdc = (await get('/wallet', '?assetCode=USDC')).json.wallets as unknown as unknown[];
  assert.equal(usdc.length, 6);
  for (const query of ['', '?assetCode=ZZZ']) {
    assert.equal((await get('/wallet', query)).status, 400);
  }
});

type Used = Record<'checkouts' | 'deposits' | 'settlement' | 'swaps' | 'transfers', boolean>;
type Row = Used & Record<'id' | 'assetCode' | 'riskLevel', string> & { payment: boolean };
const rows = async (path: string, key = api.key): Promise<Row[]> =>
  (await get(path, '', key)).json[path.slice(1)] as unknown as Row[];

test('what a live key is told follows what this installation can do', async () => {
  const usedBy = async () =>
    (await rows('/assets', api.liveKey)).filter(
      (one) => one.checkouts || one.deposits || one.settlement || one.swaps || one.transfers,
    );
  assert.deepEqual(await usedBy(), []);
  const networks = await rows('/networks', api.liveKey);
  assert.ok(networks.every(({ deposits, transfers }) => !deposits && !transfers));
  const currencies = await rows('/currencies', api.liveKey);
  assert.ok(currencies.every(({ settlement, payment }) => !settlement && !payment));

  Object.assign(api.app, { exposureLimitUsd: parseDecimal('1000') });
  await api.clock.advance(2_000);
  const within = await usedBy();
  assert.ok(within.every(({ swaps, transfers }) => swaps && !transfers));
  // HIGH is settled in once the account asks for it.
  assert.ok(within.every(({ settlement, riskLevel }) => settlement === (riskLevel !== 'HIGH')));
  assert.ok(within.some(({ id }) => id === 'EUR:FIAT'));
  Object.assign(api.app, { exposureLimitUsd: undefined });
});

test('a currency is one of payments exactly where a way to pay in it is offered', async () => {
  const simulated = await openTestApi({ simulated: true });
  try {
    const answer = async (path: string) =>
      (await simulated.call('GET', path, { key: simulated.key })).json[
        path.slice(1)
      ] as unknown as Row[];
    const paid = (await answer('/currencies')).filter(({ payment }) => payment);
    const offered = (await answer('/assets')).filter(({ checkouts }) => checkouts);
    assert.deepEqual(
      new Set(paid.map(({ assetCode }) => assetCode)),
      new Set([...offered.map(({ assetCode }) => assetCode), 'SAT']),
    );
    for (const code of ['EUR', 'BRL', 'CHF']) {
      assert.ok(
        paid.some(({ assetCode }) => assetCode === code),
        code,
      );
    }
  } finally {
    await simulated.close();
  }
});
