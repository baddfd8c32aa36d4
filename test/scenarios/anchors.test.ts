// Payments through an anchor, rehearsed with a test key: the merchant prefers its asset, the customer
// pays it on his network, it pays the merchant on Stellar, and the webhook tells all three. The real
// server with all its loops, seen through HTTP only.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { storyTeller } from '#test/support/story-teller.ts';

let server: ServerProcess;
let shop: Shop;
let live: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
  live = await openShop(server, 'live', { waits: false });
});
after(async () => {
  await live?.close();
  await shop?.close();
  await server?.close();
});

const story = storyTeller(() => shop);

type Catalogue = {
  readonly assets: readonly (Record<string, unknown> & { readonly id: string })[];
  readonly networks: readonly (Record<string, unknown> & { readonly id: string })[];
  readonly assetIssuers: readonly { readonly id: string; readonly assets: readonly string[] }[];
};
type Created = {
  readonly id: string;
  readonly paymentMethods: readonly { readonly network: string; readonly relatedAssetId: string }[];
  readonly warnings?: readonly string[];
};
type Paid = { readonly payments: readonly { readonly transaction: string; amount: string }[] };

const charge = (amount: string) => ({
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: amount }],
});

async function bridgedAssets(of: Shop): Promise<Catalogue['assets']> {
  const { assets } = await of.client.get<Catalogue>('/assets');
  return assets.filter(({ bridge }) => bridge === true);
}

async function bridgedOn(network: string): Promise<string> {
  const found = (await bridgedAssets(shop)).find((asset) => {
    return (asset.networks as readonly string[]).includes(network);
  });
  assert(found !== undefined, `no bridged asset on ${network}`);
  return found.id;
}

const create = (body: object, of = shop): Promise<Created> =>
  of.client.post<Created>('/checkout', { charge: charge('23'), ...body });
const methodsOn = ({ paymentMethods }: Created, network: string) =>
  paymentMethods.filter((one) => one.network === network).map((one) => one.relatedAssetId);

story(
  'the catalogue of a test key has bridged assets, that of a live key none of them',
  async () => {
    const assets = await bridgedAssets(shop);
    assert.deepEqual(
      assets.map(({ networks, assetCode }) => [networks, assetCode]),
      [
        [['BITCOIN'], 'BTC'],
        [['LITECOIN'], 'LTC'],
        [['ETHEREUM'], 'ETH'],
        [['XRP_LEDGER'], 'XRP'],
      ],
    );
    const seed = createHash('sha256').update('quittance/sandbox/anchor').digest();
    const derived = Keypair.fromRawEd25519Seed(seed).publicKey();
    assert.deepEqual(
      assets.map(({ id }) => id),
      ['BTC', 'LTC', 'ETH', 'XRP'].map((code) => `${code}:${derived}`),
    );
    for (const { id, riskLevel, checkouts, deposits, settlement, swaps, transfers } of assets) {
      assert.match(id, /^[A-Z]+:G[A-Z2-7]{55}$/);
      assert.equal(riskLevel, 'MEDIUM');
      const use = { checkouts, deposits, settlement, swaps, transfers };
      const only = { deposits: false, settlement: false, swaps: false, transfers: false };
      assert.deepEqual(use, { checkouts: true, ...only });
    }
    const { networks } = await shop.client.get<Catalogue>('/networks');
    const bitcoin = networks.find(({ id }) => id === 'BITCOIN');
    assert.deepEqual([bitcoin?.bridged, bitcoin?.assets], [true, ['BTC:NATIVE', assets[0]?.id]]);
    const { assetIssuers } = await shop.client.get<Catalogue>('/asset-issuers');
    const issuer = assets[0]?.id.split(':')[1];
    assert.equal(assetIssuers.find(({ id }) => id === issuer)?.assets.length, 4);

    assert.deepEqual(await bridgedAssets(live), []);
    const { networks: liveNetworks } = await live.client.get<Catalogue>('/networks');
    assert.deepEqual(
      liveNetworks.filter(({ bridged }) => bridged).map(({ id }) => id),
      [],
    );
  },
);

story('without a preference the coin comes by itself', async () => {
  assert.deepEqual(methodsOn(await create({}), 'BITCOIN'), ['BTC:NATIVE']);
  const native = await create({ anchors: { BITCOIN: 'BTC:NATIVE' } });
  assert.deepEqual(methodsOn(native, 'BITCOIN'), ['BTC:NATIVE']);
  assert.equal(native.warnings, undefined);
});

for (const { network, amount } of [
  { network: 'BITCOIN', amount: '0.0002645' },
  { network: 'LITECOIN', amount: '0.2645' },
  { network: 'ETHEREUM', amount: '0.0066125' },
  { network: 'XRP_LEDGER', amount: '10.58' },
]) {
  story(
    `through an anchor on ${network}: origin, bridge and settlement in the webhook`,
    async () => {
      const bridged = await bridgedOn(network);
      const id = await shop.create(
        { currency: 'EUR', amount: '23' },
        { anchors: { [network]: bridged } },
      );
      const { depositInstructions } = await shop.client.commit(id, network);
      assert.equal(depositInstructions.amount, amount);
      assert.equal(depositInstructions.memo, null);
      const { payments } = await shop.client.post<Paid>('/sandbox/pay', { checkoutId: id });
      assert.equal(Number(payments[0]?.amount), Number(amount));
      await shop.client.post('/sandbox/mine', { network, blocks: 1 });
      await shop.client.waitFor(id, (found) => found.blockchainTransactions.length >= 2);
      await waitUntil(`${id} to be completed`, async () => {
        await shop.client.post('/sandbox/mine', { network, blocks: 2 });
        return (await shop.client.findCheckout(id)).state === 'COMPLETED';
      });
      const { data } = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
      const told = data.checkout.blockchainTransactions.map((one) => [
        one.type,
        one.network,
        one.amount,
      ]);
      assert.deepEqual(told, [
        ['CHECKOUT_ORIGIN', network, amount],
        ['CHECKOUT_BRIDGE', 'STELLAR', amount],
        ['CHECKOUT_SETTLEMENT', 'STELLAR', amount],
      ]);
      const [origin, bridge, settlement] = data.checkout.blockchainTransactions.map(({ tx }) => tx);
      assert.equal(origin, payments[0]?.transaction);
      assert.equal(bridge, settlement);
      assert.notEqual(origin, bridge);
      assert.equal(data.checkout.settlementAssetId, bridged);
      assert.deepEqual(data.checkout.flags, {});
    },
  );
}

story('what the customer paid in parts the anchor pays in parts', async () => {
  const bridged = await bridgedOn('LITECOIN');
  const id = await shop.create(
    { currency: 'EUR', amount: '23' },
    { anchors: { LITECOIN: bridged } },
  );
  await shop.client.commit(id, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: id, amount: '0.2' });
  const { payments } = await shop.client.post<Paid>('/sandbox/pay', { checkoutId: id });
  assert.equal(payments[0]?.amount, '0.0645', 'what is missing');
  await waitUntil(`${id} to be completed`, async () => {
    await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 2 });
    return (await shop.client.findCheckout(id)).state === 'COMPLETED';
  });
  const { data } = await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  const settled = data.checkout.blockchainTransactions.filter(
    ({ type }) => type === 'CHECKOUT_SETTLEMENT',
  );
  assert.deepEqual(settled.map(({ amount }) => amount).toSorted(), ['0.0645', '0.2']);
});

story('on the hosted page it is paid from the sandbox wallet', async () => {
  const bridged = await bridgedOn('BITCOIN');
  const anchors = { BITCOIN: bridged };
  const id = await shop.create({ currency: 'EUR', amount: '23' }, { anchors });
  const { hostedCheckoutUrl: url } = await shop.client.findCheckout(id);
  const press = (path: string, form: Record<string, string>) => {
    const headers = { origin: new URL(url).origin };
    return fetch(`${url}/${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
  };
  const toPay = await (await press('choose', { method: `BITCOIN ${bridged}` })).text();
  const { depositInstructions } = await shop.client.findCheckout(id);
  assert.match(depositInstructions?.address ?? '', /^tb1q/);
  assert(toPay.includes('0.0002645'), 'the page does not say how much');
  assert.equal((await press('sandbox', { act: 'exact' })).status, 200);
  await waitUntil(`${id} to be completed`, async () => {
    await shop.client.post('/sandbox/mine', { network: 'BITCOIN', blocks: 2 });
    return (await shop.client.findCheckout(id)).state === 'COMPLETED';
  });
});

story('a preference that cannot be followed stops no sale, and the answer says so', async () => {
  const nobody = `BTC:G${'A'.repeat(55)}`;
  const created = await create({ anchors: { BITCOIN: nobody, MOON: 'BTC:NATIVE' } });
  assert.deepEqual(methodsOn(created, 'BITCOIN'), ['BTC:NATIVE']);
  assert.deepEqual(created.warnings, [
    `anchors.BITCOIN: ${nobody} is none of its assets; the usual way is offered instead`,
    'anchors.MOON: is not a network of GET /networks; it was ignored',
  ]);
  const hosted = await shop.client.post<Created>('/checkout/hosted', {
    charge: charge('5'),
    anchors: { BITCOIN: nobody },
  });
  assert.equal(hosted.warnings?.length, 1);
});

story('an issuer of the older layout chooses as well, and an unknown one falls back', async () => {
  const bridged = await bridgedOn('BITCOIN');
  const older = (issuer: string) => ({
    charge: { currency: 'EUR', lineItems: charge('23').lineItems },
    settlementCurrency: 'ORIGIN',
    blockchainRelays: { BITCOIN: issuer },
  });
  const chosen = await shop.client.post<Created>('/checkout', older(bridged.split(':')[1] ?? ''));
  assert.deepEqual(methodsOn(chosen, 'BITCOIN'), [bridged]);
  assert.equal(chosen.warnings, undefined);
  const fallen = await shop.client.post<Created>('/checkout', older('NOBODY'));
  assert.deepEqual(methodsOn(fallen, 'BITCOIN'), ['BTC:NATIVE']);
  assert.deepEqual(fallen.warnings, [
    'blockchainRelays.BITCOIN: NOBODY is none of its assets; the usual way is offered instead',
  ]);
});
