// service.md, Risk levels: HIGH is available only when switched on in the account, and what an
// account tolerates governs its payment methods, deposits, what it settles in and swaps into, and
// what catalogues say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { RISK_LEVELS, type RiskLevel } from '#catalog/asset.ts';
import { changeRiskTolerance } from '#merchant/merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

const OF_LEVEL: Readonly<Record<RiskLevel, string>> = {
  LOW: 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  MEDIUM: 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  HIGH: 'WBTC:0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
};
const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '23' }] };

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
});
after(() => api.close());

type Use = 'checkouts' | 'deposits' | 'settlement' | 'swaps';
type Listed = { readonly id: string } & Readonly<Record<Use, boolean>>;

async function look() {
  await api.clock.advance(2_000);
  const made = await api.call('POST', '/checkout', { body: { charge } });
  assert.equal(made.status, 200, made.text);
  const methods = made.json.paymentMethods as unknown as { relatedAssetId: string }[];
  const { json } = await api.call('GET', '/assets');
  const assets = json.assets as unknown as Listed[];
  const { json: money } = await api.call('GET', '/currencies');
  const currencies = money.currencies as unknown as { assetCode: string; payment: boolean }[];
  return { offered: methods.map(({ relatedAssetId }) => relatedAssetId), assets, currencies };
}

/** What would put the asset into the balance without a checkout. */
async function checkHolding(asset: string, isTaken: boolean, level: RiskLevel): Promise<void> {
  const swap = { sourceAsset: 'LTC:NATIVE', targetAsset: asset, sourceAmount: '1' };
  const refused = new RegExp(`: ${asset} has risk level ${level}, this account`);
  for (const [path, body] of [
    ['/swap', swap],
    ['/deposit-address', { network: 'ETHEREUM', asset }],
  ] as const) {
    const answer = await api.call('POST', path, { body });
    assert.equal(answer.status, isTaken ? 200 : 400, `${path} ${asset}: ${answer.text}`);
    if (!isTaken) assert.match(answer.text, refused);
  }
}

async function checkTolerance(tolerance: RiskLevel): Promise<void> {
  const { offered, assets, currencies } = await look();
  for (const level of RISK_LEVELS) {
    const assetId = OF_LEVEL[level];
    const isTaken = RISK_LEVELS.indexOf(level) <= RISK_LEVELS.indexOf(tolerance);
    const what = `${level} with tolerance ${tolerance}`;
    assert.equal(offered.includes(assetId), isTaken, `offered: ${what}`);
    const listed = assets.find(({ id }) => id === assetId);
    for (const use of ['checkouts', 'deposits', 'settlement', 'swaps'] as const) {
      assert.equal(listed?.[use], isTaken, `${use}: ${what}`);
    }
    await checkHolding(assetId, isTaken, level);
    const body = { charge, settlementAsset: assetId };
    const settled = await api.call('POST', '/checkout', { body });
    assert.equal(settled.status, isTaken ? 200 : 400, `settlement: ${what}: ${settled.text}`);
    if (!isTaken) assert.match(settled.text, new RegExp(`has risk level ${level}, this account`));
  }
  const wrapped = currencies.find(({ assetCode }) => assetCode === 'WBTC');
  assert.equal(wrapped?.payment, tolerance === 'HIGH');
}

test('an account takes what it took before risk was asked about, and HIGH only on request', () =>
  checkTolerance('MEDIUM'));

for (const tolerance of RISK_LEVELS) {
  test(`an account of tolerance ${tolerance} is offered, credited and shown no riskier asset`, async () => {
    const owner = { merchantId: api.merchantId, environment: 'test' } as const;
    await changeRiskTolerance(api.app, owner, tolerance);
    await checkTolerance(tolerance);
  });
}

test('an account reads and sets its tolerance with a key of the environment it is for', async () => {
  const read = async (key = api.key) => {
    const { json, text } = await api.call('GET', '/account-settings', { key });
    return json.accountSettings?.riskTolerance ?? text;
  };
  const set = (riskTolerance: unknown) =>
    api.call('PUT', '/account-settings', { body: { riskTolerance } });
  for (const riskTolerance of RISK_LEVELS) {
    const { json } = await set(riskTolerance);
    assert.equal(json.accountSettings?.riskTolerance, riskTolerance);
    assert.equal(await read(), riskTolerance);
    await checkTolerance(riskTolerance);
  }
  assert.deepEqual(await read(api.liveKey), 'MEDIUM');
  for (const wrong of ['high', '', 1, null, undefined]) {
    const { status, text } = await set(wrong);
    assert.equal(status, 400, text);
    assert.match(text, /riskTolerance/);
  }
  assert.deepEqual(await read(), 'HIGH');
});
