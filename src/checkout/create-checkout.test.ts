import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;

before(async () => {
  world = await openTestApp();
});
after(() => world.close());

test('a way to pay is not offered for more than its network can carry, and says so', async () => {
  const charge = {
    billingCurrency: 'BTC',
    lineItems: [{ description: 'All of it and more', netAmount: '21000001' }],
  };
  const { offers, withheld } = await world.read(await world.create({ charge }));
  const offered = new Set(offers.map(({ network }) => network));
  for (const network of ['BITCOIN', 'LIGHTNING', 'LITECOIN', 'STELLAR']) {
    assert.equal(offered.has(network), false, network);
    const reasons = withheld.filter((one) => one.network === network);
    assert.ok(
      reasons.some(({ reason }) => reason === 'more than the network can carry'),
      JSON.stringify(reasons),
    );
  }
  assert.ok(offered.has('ETHEREUM'));
});

test('a way to pay is not offered for less than its network relays, and says so', async () => {
  const charge = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'A grain', netAmount: '0.01' }],
  };
  const { offers, withheld } = await world.read(await world.create({ charge }));
  assert.ok(offers.every(({ network }) => network !== 'BITCOIN'));
  assert.ok(offers.some(({ network }) => network === 'LIGHTNING'));
  const reason = withheld.find(({ network }) => network === 'BITCOIN')?.reason;
  assert.equal(reason, 'less than the network relays');
});

test('each currency is quoted at its own price, however often others were quoted before', async () => {
  const litecoinOf = async (billingCurrency: string) => {
    const charge = { billingCurrency, lineItems: [{ description: 'A case', netAmount: '100' }] };
    const { offers } = await world.read(await world.create({ charge }));
    return offers.find(({ network }) => network === 'LITECOIN')?.arrivingUnits;
  };
  const found: (bigint | undefined)[] = [];
  for (const currency of ['EUR', 'USD', 'EUR', 'GBP', 'USD'])
    found.push(await litecoinOf(currency));
  assert.deepEqual(found, [115_000_000n, 100_000_000n, 115_000_000n, 135_000_000n, 100_000_000n]);
});

test('what is stored of offers is what JSON.stringify writes of it', async () => {
  const id = await world.create({ settlementAsset: 'EUR:FIAT' });
  const [row] = await world.app.db.query<{ offers: string }>(
    sql`select offers from checkout where id = ${id}`,
  );
  assert.equal(row?.offers, JSON.stringify(JSON.parse(row?.offers ?? '')));
});
