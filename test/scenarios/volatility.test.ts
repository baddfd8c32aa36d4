// A live price jumps: nobody gets what was quoted before, whoever takes what arrives is not
// disturbed, and a while later everything is as it was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { parseDecimal } from '#money/decimal.ts';
import { insertRates } from '#rates/rate.ts';
import { refreshRates } from '#rates/refresh-rates.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { treasuryPosition } from '#treasury/treasury-position.ts';

const BTC = 'BTC:NATIVE';
const LTC = 'LTC:NATIVE';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const { merchantId, app, clock } = api;
  const owner = { merchantId, environment: 'live' } as const;
  await allowAddress(app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  const funds = { ...owner, cause: 'start', assetId: BTC, units: 100_000_000n };
  await fundMerchant(api.db, { ...funds, occurredAt: clock.now() });
  Object.assign(app, {
    exposureLimitUsd: parseDecimal('100000000'),
    priceMove: { partsPerMillion: 100_000, minutes: 15 },
  });
});
after(() => api.close());

/** What the sources say, as it is fetched and stored by a running service. */
async function observe(BTC: string, USDC = '1'): Promise<void> {
  await api.clock.advance(60_000);
  const observedAt = api.clock.now();
  const prices = Object.entries({ BTC, USDC, LTC: '100', XLM: '0.1' });
  const priceSources = ['one', 'two', 'three'].map((name) => ({
    name,
    fetchPrices: async () =>
      prices.map(([code, price]) => ({
        code,
        usdPrice: parseDecimal(price),
        observedAt,
        isDaily: false,
      })),
  }));
  await refreshRates({ ...api.app, priceSources }, new AbortController().signal);
}

async function call(path: string, body: object) {
  await api.clock.advance(1000);
  return api.call('POST', path, { body, key: api.liveKey });
}
const quote = (sourceAsset = BTC, targetAsset = LTC) =>
  call('/swap', { sourceAsset, targetAsset, sourceAmount: '0.01' });

test('after a jump no swap is quoted at that price, and others are', async () => {
  await observe('100000');
  assert.equal((await quote()).status, 200);
  await observe('111000');
  const late = await quote();
  assert.equal(late.headers.get('x-error-code'), 'conversion_not_covered');
  assert.match(late.text, /the price of BTC moved by more than 10 % within 15 minutes/);
  assert.equal((await quote('XLM:NATIVE', LTC)).status, 200);
  const shown = await treasuryPosition(api.app, 'live', api.clock.now());
  assert.deepEqual(shown.pausedCodes, ['BTC']);
});

test('a jump between quote and commit stops the commit', async () => {
  for (let minute = 0; minute < 16; minute += 1) await observe('111000');
  const quoted = await quote();
  assert.equal(quoted.status, 200, quoted.text);
  // Within the minute of the quote.
  const observedAt = api.clock.now();
  const usdPrice = parseDecimal('90000');
  const priced = { code: 'BTC', usdPrice, spreadPartsPerMillion: 0, evidence: '{}' };
  await api.db.transact((tx) => insertRates(tx, 'live', [priced], observedAt));
  const refused = await call('/swap/commit', { swapId: quoted.json.swap?.id });
  assert.equal(refused.headers.get('x-error-code'), 'conversion_not_covered');
});

test('a stablecoin off its peg is not converted, whichever way', async () => {
  for (let minute = 0; minute < 16; minute += 1) await observe('100000', '0.981');
  const usdc = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  assert.equal((await quote(LTC, usdc)).status, 200);
  await observe('100000', '0.979');
  // A price of before it lost its peg is good for two minutes, and for no longer.
  await observe('100000', '0.979');
  await observe('100000', '0.979');
  for (const pair of [[LTC, usdc] as const, [usdc, LTC] as const]) {
    const refused = await quote(...pair);
    assert.equal(refused.headers.get('x-error-code'), 'rate_missing', refused.text);
  }
});
