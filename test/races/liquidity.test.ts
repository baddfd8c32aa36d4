// Assets that are promised only while they are held: many who convert at once get no more than there
// is, and what cannot be promised is left out with its reason.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import type { AccountCode } from '#ledger/account.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { orderHedge } from '#treasury/act-on-order.ts';
import { removeLiquidityPolicy, setLiquidityPolicy } from '#treasury/conversion-policy.ts';
import { treasuryPosition } from '#treasury/treasury-position.ts';

const BTC = 'BTC:NATIVE';
const LTC = 'LTC:NATIVE';
const EUR = 'EUR:FIAT';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  // Enough to sell, whatever is bought with it.
  await bring('custody:BITCOIN', BTC, 100_000_000n, 'merchant:available');
});
after(() => world.close());

let entries = 0;
/** From nowhere: the other side is the merchant's, or nobody's. */
async function bring(
  code: AccountCode,
  assetId: string,
  units: bigint,
  from: 'merchant:available' | 'rounding' = 'rounding',
): Promise<void> {
  entries += 1;
  const { merchantId } = world.caller;
  const other = from === 'rounding' ? { code: from } : { merchantId, code: from };
  const entry: Entry = {
    ...{ causeKey: `funds:${entries}`, kind: 'test-funds', environment: 'test', merchantId },
    occurredAt: world.clock.now(),
    postings: [
      { account: { code }, assetId, units },
      { account: other, assetId, units: -units },
    ],
  };
  await ensureAccounts(world.app.db, accountsOf([entry]));
  await world.app.db.transact(async (tx) => postEntries(tx, [entry]));
}

async function holdOnly(assetId: string): Promise<void> {
  const said = { actor: 'anna', reason: 'no overdraft at the bank' };
  const policy = { ...said, environment: 'test', assetId, setAt: world.clock.now() } as const;
  await world.app.db.transact(async (tx) => setLiquidityPolicy(tx, policy));
}

async function create(amount: string, settlementAsset: string) {
  const lineItems = [{ description: 'Books', netAmount: amount }];
  const charge = { billingCurrency: 'EUR', lineItems };
  const parsed = parseExactJson(JSON.stringify({ charge, settlementAsset }));
  assert.ok(parsed.ok);
  const { id } = await createCheckout(world.app, world.caller, parseCheckoutRequest(parsed.value), {
    type: 'SELF_HOSTED',
    origin: 'API',
  });
  const record = await findAnyCheckout(world.app, id);
  assert.ok(record !== undefined);
  return record;
}

/** What the promise is refused with, and how it was said. */
const endOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'conversion_not_covered') assert.match(error.message, /holds it/);
      return error.code;
    },
  );

const commit = (checkoutId: string) =>
  commitCheckout(world.app, { checkoutId, owner: world.caller, network: 'BITCOIN' });

const freeOf = async (assetId: string) => {
  const { liquidity } = await treasuryPosition(world.app, 'test', world.clock.now());
  return liquidity.find(({ asset }) => asset === assetId)?.free;
};

const quote = (targetAssetId: string, targetUnits: bigint) =>
  createSwap(world.app, world.caller, {
    ...{ sourceAssetId: BTC, targetAssetId },
    fixed: { targetUnits },
  });

test('unless somebody says so, what is promised need not be held', async () => {
  assert.equal(await endOf(create('10', EUR)), 'done');
  assert.deepEqual((await treasuryPosition(world.app, 'test', world.clock.now())).liquidity, []);
});

test('of 64 commits on liquidity for ten, ten happen', async () => {
  const checkouts = [];
  for (let i = 0; i < 64; i++) checkouts.push(await create('10', EUR));
  await holdOnly(EUR);
  // Hot and cold together are 100 EUR; what the operator paid of his own elsewhere takes nothing.
  await bring('custody:SEPA', EUR, 6_000n);
  await bring('outside:SEPA', EUR, 4_000n);
  await bring('outside:STELLAR', EUR, -700n);
  assert.equal(await freeOf(EUR), '100');
  const ends = await Promise.all(checkouts.map(({ id }) => endOf(commit(id))));
  assert.equal(ends.filter((end) => end === 'done').length, 10, ends.join());
  assert.equal(ends.filter((end) => end === 'conversion_not_covered').length, 54);
  assert.equal(await freeOf(EUR), '0');
});

test('a way that cannot be honoured is left out with its reason, and others stay', async () => {
  const { offers, withheld } = await create('10', EUR);
  assert.deepEqual([...new Set(offers.map(({ assetId }) => assetId))], [EUR]);
  const [bitcoin] = withheld.filter(({ network }) => network === 'BITCOIN');
  assert.match(bitcoin?.reason ?? '', /EUR:FIAT is promised only while the operator holds it/);
  await holdOnly(BTC);
  const own = await create('10', BTC);
  assert.deepEqual([...new Set(own.offers.map(({ assetId }) => assetId))], [BTC]);
  const reasons = own.withheld.filter(({ assetId }) => assetId === LTC).map((one) => one.reason);
  assert.match(reasons[0] ?? '', /BTC:NATIVE is promised only while the operator holds it/);
});

test('windows that end unpaid free what they held', async () => {
  await world.clock.advance(61 * 60_000);
  assert.equal(await freeOf(EUR), '100');
  assert.equal(await endOf(create('10', EUR)), 'done');
});

test('of 16 swaps at once no more happen than is held, and they are owed then', async () => {
  await holdOnly(LTC);
  await bring('custody:LITECOIN', LTC, 1_000_000n);
  const quotes = await Promise.all(Array.from({ length: 16 }, () => quote(LTC, 200_000n)));
  const [{ feeUnits = 0n } = {}] = quotes;
  const ends = await Promise.all(
    quotes.map(({ id }) => endOf(commitSwap(world.app, { swapId: id, owner: world.caller }))),
  );
  // The fee of the house counts while it is promised; afterwards it is the house's own.
  const most = Number((1_000_000n - feeUnits) / 200_000n);
  assert.equal(ends.filter((end) => end === 'done').length, most, ends.join());
  assert.equal(await endOf(quote(LTC, 400_000n)), 'conversion_not_covered');
});

test('what is to be sold by an order is not promised as well, until it lies at the provider', async () => {
  await bring('custody:LITECOIN', LTC, 500_000n);
  const amount = async () => BigInt(Math.round(Number(await freeOf(LTC)) * 1e8));
  const free = await amount();
  // LTC was taken for EUR, and is to be sold again.
  await bring('exchange', LTC, -3_000_000n);
  await bring('exchange', EUR, 1_000n);
  await orderHedge(world.app, {
    ...{ environment: 'test', provider: 'kraken', actor: 'anna', reason: 'evening' },
    ...{ giveAssetId: LTC, giveUnits: 300_000n, getAssetId: EUR, closesUnits: 100n },
    isByHand: true,
  });
  assert.equal(await amount(), free - 300_000n);
  await bring('transit:kraken', LTC, 100_000n);
  await bring('custody:kraken', LTC, 500_000n);
  assert.equal(await amount(), free);
});

test('where it is taken back, what is promised need not be held again', async () => {
  const { db } = world.app;
  await db.transact(async (tx) => {
    assert.equal(await removeLiquidityPolicy(tx, { environment: 'test', assetId: LTC }), true);
    assert.equal(await removeLiquidityPolicy(tx, { environment: 'test', assetId: LTC }), false);
  });
  assert.equal(await endOf(quote(LTC, 400_000_000n)), 'done');
});
