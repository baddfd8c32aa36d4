// Catalogues and checkouts in both layouts, every answer as a whole: api-answers.golden.json.
// Alone in its process: it lists every asset that was announced.
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GoldenAnswers, goldenAnswers } from '#test/support/golden-answers.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';

const file = join(import.meta.dirname, 'api-answers.golden.json');
let api: TestApi;
let golden: GoldenAnswers;
before(async () => {
  api = await openTestApi();
  golden = goldenAnswers(file, api);
});
after(() => api.close());

async function record(name: string, method: string, path: string, options: CallOptions = {}) {
  return (await golden.record(name, method, path, options)).json;
}

const charge = {
  billingCurrency: 'EUR',
  lineItems: [
    { description: 'Book', netAmount: '12.50', quantity: 2, productId: 'ISBN-1' },
    { description: 'Bookmark', netAmount: 0.99, quantity: null },
  ],
  discountItems: [{ description: 'Reader', netAmount: '1.00' }],
  shippingCostItems: [{ description: 'Post', netAmount: '4.90', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.0825' }],
};
const request = {
  charge,
  settlementAsset: 'BTC:NATIVE',
  checkoutLanguage: 'de',
  webhook: 'https://shop.example/hook',
  pageSettings: {
    returnUrl: 'https://shop.example/thanks?order=7#top',
    cancelUrl: 'https://shop.example/cart',
    shopName: 'Books & more',
    displayBuyerInfo: null,
  },
  meta: { order: 7 },
};
const older = {
  charge: { currency: 'EUR', lineItems: charge.lineItems },
  settlementCurrency: 'LTC',
  links: { returnUrl: 'https://shop.example/thanks', cancelUrl: null },
};
const wrong = {
  charge: {
    billingCurrency: 'NONE',
    lineItem: [],
    lineItems: [{ description: 'x'.repeat(201), netAmount: -1, quantity: 0 }, {}],
    taxItems: [{ name: 'VAT', percent: 8.25 }],
  },
  settlementAsset: 'BTC',
  webhook: 'ftp://shop.example',
  checkoutLanguage: 'xx',
};
const validate = '/checkout/validate-checkout-charge';

async function recordCatalogue(): Promise<void> {
  await record('the time', 'GET', '/time', { auth: 'none' });
  await record('right digest credentials', 'GET', '/auth-test');
  await record('right basic credentials', 'GET', '/auth-test', { auth: 'basic' });
  await record('no credentials', 'GET', '/auth-test', { auth: 'none' });
  const basicOfLive = { auth: 'basic', key: api.liveKey } as const;
  await record('X-Basic with a live key', 'GET', '/auth-test', basicOfLive);
  await record('the languages', 'GET', '/languages', { auth: 'none' });
  await record('the networks', 'GET', '/networks');
  await record('the assets', 'GET', '/assets');
  await record('the currencies', 'GET', '/currencies');
  await record('the older currencies', 'GET', '/fiat-currencies');
  await record('the blockchains', 'GET', '/blockchains');
  await record('the issuers', 'GET', '/asset-issuers');
  const query = '?sourceAsset=LTC:NATIVE&targetAsset=EUR&sourceAmount=1.5';
  await record('an exchange rate', 'GET', '/exchange-rate', { query });
  const older = '?sourceAsset=EUR&targetAsset=BTC&amount=100';
  await record('the older exchange rate', 'GET', '/exchange-rate', { query: older });
  await record('an unknown route', 'GET', '/nothing');
  await record('a wrong method', 'DELETE', '/time');
}

async function recordCheckouts(): Promise<void> {
  await record('a charge is valid', 'POST', validate, { body: { charge } });
  await record('a charge is not', 'POST', validate, { body: wrong });
  await record('a charge adds up to nothing', 'POST', validate, {
    body: { charge: { ...charge, discountItems: [{ description: 'All', netAmount: 99 }] } },
  });
  const created = await record('a self-hosted checkout', 'POST', '/checkout', { body: request });
  const query = `?id=${created.id}`;
  await record('it is new', 'GET', '/checkout', { query });
  const body = { checkoutId: created.id, network: 'LITECOIN', asset: 'LTC:NATIVE' };
  await record('it is committed', 'POST', '/checkout/commit', { body });
  await record('it is committed again', 'POST', '/checkout/commit', { body });
  await record('it awaits payment', 'GET', '/checkout', { query });
  const hosted = await record('a hosted checkout', 'POST', '/checkout/hosted', { body: older });
  const assetCode = { checkoutId: hosted.id, assetCode: 'BTC' };
  await record('the older commit', 'POST', '/checkout/commit', { body: assetCode });
  await record('in ORIGIN', 'POST', '/checkout', { body: { charge } });
  await record('a hosted checkout in the current layout', 'POST', '/checkout/hosted', {
    body: request,
  });
  const relayed = { ...older, charge: { ...charge, billingCurrency: null, currency: 'EUR' } };
  await record('an older charge is valid', 'POST', validate, { body: relayed });
  const { id } = await record('an older self-hosted checkout', 'POST', '/checkout', {
    body: relayed,
  });
  await record('it is new, and echoed as it came', 'GET', '/checkout', { query: `?id=${id}` });
  const olderCommit = { checkoutId: id, network: null, asset: null, assetCode: 'LTC' };
  await record('it is committed by a code', 'POST', '/checkout/commit', { body: olderCommit });
  await record('both layouts that say the same', 'POST', '/checkout', {
    body: { ...request, settlementCurrency: 'BTC', links: { cancelUrl: null } },
  });
}

async function recordRefusals(): Promise<void> {
  await record('every fault at once', 'POST', '/checkout', { body: wrong });
  await record('nothing at all', 'POST', '/checkout/hosted', { body: '[]' });
  await record('layouts that differ', 'POST', '/checkout', {
    body: { ...older, settlementAsset: 'BTC:NATIVE' },
  });
  await record('malformed JSON', 'POST', '/checkout', { body: '{"charge":' });
  await record('a key given twice', 'POST', '/checkout', { body: '{"charge":1,"charge":2}' });
  await record('too large', 'POST', '/checkout', { body: 'x'.repeat(256 * 1024 + 1) });
  await record('no network for live keys', 'POST', '/checkout', {
    body: request,
    key: api.liveKey,
  });
  await record('an unknown checkout', 'GET', '/checkout', { query: '?id=aaaaaaaaaaaa' });
  await record('no id', 'GET', '/checkout');
  const commit = '/checkout/commit';
  const unknown = { checkoutId: 'aaaaaaaaaaaa', network: 'LITECOIN' };
  await record('commit of an unknown checkout', 'POST', commit, { body: unknown });
  await record('commit of nothing', 'POST', commit, { body: '{}' });
  const { id } = await record('another checkout', 'POST', '/checkout', { body: { charge } });
  const elsewhere = { checkoutId: id, network: 'STELLAR' };
  await record('commit of a method not offered', 'POST', commit, { body: elsewhere });
  await record('sandbox with a live key', 'POST', '/sandbox/mine', {
    body: '{}',
    key: api.liveKey,
  });
}

test('every answer and every refusal is what it was', async () => {
  await recordCatalogue();
  await recordCheckouts();
  await recordRefusals();
  const sold = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'Book', netAmount: '12.50', quantity: '2' }],
    taxItems: [{ name: 'VAT', percent: '0.07' }],
  };
  await record('amounts as texts', 'POST', '/checkout/validate-checkout-charge', {
    body: { charge: sold },
  });
  await record('a hosted checkout, amounts as texts', 'POST', '/checkout/hosted', {
    body: {
      charge: sold,
      settlementAsset: 'ORIGIN',
      links: { returnUrl: 'https://shop.example/thanks' },
      meta: { order: 7 },
    },
  });
  await golden.compare();
});
