import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { sql } from '#db/db.ts';
import { decimalToText, parseDecimal, subtract } from '#money/decimal.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import type { CostMethod } from './cost-basis.ts';
import { readGains } from './gains-report.ts';

const BTC = 'BTC:NATIVE';
const EUR = 'EUR:FIAT';

let api: TestApi;
before(async () => {
  api = await openTestApi();
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
});
after(() => api.close());

async function price(code: string, usd: string): Promise<void> {
  await api.clock.advance(1000);
  const now = api.clock.now();
  await api.db.single((tx) =>
    tx.query(sql`
      insert into rate (environment, code, usd_price, spread_parts_per_million, evidence,
        observed_at) values ('test', ${code}, ${usd}::numeric, 0, '{}', ${now})`),
  );
  await api.clock.advance(1000);
}

async function receive(units: bigint, cause: string): Promise<void> {
  const { merchantId } = api;
  const funds = { assetId: BTC, occurredAt: api.clock.now(), merchantId, cause, units };
  await fundMerchant(api.db, funds);
}

async function sell(sourceAmount: string): Promise<void> {
  await api.clock.advance(1000);
  const body = { sourceAsset: BTC, targetAsset: EUR, sourceAmount };
  const quoted = await api.call('POST', '/swap', { body });
  assert.equal(quoted.status, 200, JSON.stringify(quoted.json));
  const { id } = quoted.json.swap as unknown as { id: string };
  await api.clock.advance(1000);
  const done = await api.call('POST', '/swap/commit', { body: { swapId: id } });
  assert.equal(done.status, 200, JSON.stringify(done.json));
}

function gains(method: CostMethod) {
  const { merchantId } = api;
  const period = { from: undefined, to: undefined };
  const owner = { merchantId, environment: 'test' } as const;
  return readGains(api.db, { ...owner, ...period, currency: 'EUR', method });
}

test('coins received at two prices and sold: cost, worth and gain of each', async () => {
  await price('EUR', '1.25');
  await price('BTC', '12500');
  await receive(100_000_000n, 'first');
  await price('BTC', '25000');
  await receive(100_000_000n, 'second');
  await sell('1.5');
  const shown = (rows: Awaited<ReturnType<typeof gains>>) =>
    rows
      .filter(({ assetId }) => assetId === BTC)
      .map(({ event, amount, value, cost, gain, amountLeft, costLeft }) =>
        [event, amount, value, cost, gain, amountLeft, costLeft].join(' '),
      );
  const fifo = await gains('fifo');
  // What was sold is worth what was received by it, at the price of the swap.
  const bought = fifo.find(({ assetId }) => assetId === EUR);
  const worth = bought?.amount ?? '';
  assert.deepEqual([bought?.event, bought?.value], ['RECEIVED', worth]);
  const less = (cost: string) => decimalToText(subtract(parseDecimal(worth), parseDecimal(cost)));
  assert.deepEqual(shown(fifo), [
    'RECEIVED 1 10000 0  1 10000',
    'RECEIVED 1 20000 0  2 30000',
    `SOLD -1.5 ${worth} 20000 ${less('20000')} 0.5 10000`,
  ]);
  const average = shown(await gains('average')).at(-1);
  assert.equal(average, `SOLD -1.5 ${worth} 22500 ${less('22500')} 0.5 7500`);
});

test('what is left ties to the balances of the ledger, to the unit', async () => {
  const rows = await gains('fifo');
  const { json } = await api.call('GET', '/wallets', { query: '' });
  const wallets = json.wallets as unknown as { assetId: string; available: string }[];
  for (const assetId of [BTC, EUR]) {
    const left = rows.findLast((row) => row.assetId === assetId)?.amountLeft;
    assert.equal(left, wallets.find((wallet) => wallet.assetId === assetId)?.available);
  }
});
