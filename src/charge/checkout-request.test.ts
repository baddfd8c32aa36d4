import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { decimalToText } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { parseCheckoutRequest } from './checkout-request.ts';

function parse(json: string) {
  const body = parseExactJson(json);
  assert.ok(body.ok, body.ok ? '' : body.message);
  return parseCheckoutRequest(body.value);
}

function faultsOf(json: string): readonly string[] {
  try {
    parse(json);
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.kind, error.code], ['invalid', 'validation_failed']);
    return error.details;
  }
  return [];
}

const items = '"lineItems": [{ "description": "Book", "netAmount": 10 }]';
const charge = `"charge": { "billingCurrency": "EUR", ${items} }`;
const olderCharge = `"charge": { "currency": "EUR", ${items} }`;
const withFields = (fields: string) => `{ ${charge}, ${fields} }`;

test('everything but the charge has a default', () => {
  const request = parse(`{ ${charge} }`);
  assert.equal(request.settlementAsset, 'ORIGIN');
  assert.equal(request.checkoutLanguage, 'auto');
  assert.equal(request.webhook, undefined);
  assert.deepEqual(request.anchors, []);
  assert.equal(request.metaText, undefined);
  for (const [name, wish] of Object.entries(request.pageSettings)) {
    assert.equal(wish, undefined, name);
  }
  assert.equal(decimalToText(request.charge.lineItems[0]?.quantity ?? assert.fail()), '1');
});

test('optional fields may be null, at every depth', () => {
  const request = parse(`{ "charge": { "customerId": null, "billingCurrency": "EUR", "lineItems": [
    { "description": "Book", "netAmount": "10.0000", "quantity": null, "productId": null }],
    "discountItems": null, "taxItems": null,
    "shippingCostItems": [{ "description": "Post", "netAmount": "1", "taxable": null }] },
    "settlementAsset": null, "checkoutLanguage": null, "webhook": null, "anchors": null,
    "pageSettings": { "returnUrl": null, "cancelUrl": null, "shopName": null,
      "displayBuyerInfo": null, "displaySellerInfo": null }, "meta": null, "links": null }`);
  assert.equal(request.charge.shippingCostItems[0]?.taxable, false);
  assert.deepEqual(request.charge.discountItems, []);
  assert.equal(request.settlementAsset, 'ORIGIN');
});

test('the payload echoes the request, numbers with their text', () => {
  const request = parse(`{ "charge": { "billingCurrency": "EUR", "lineItems":
    [{ "description": "Caf\\u00e9", "netAmount": 10.00, "quantity": "1.50", "sku": 7e0 }] },
    "webhook": "https:\\/\\/shop.example/hook", "unknown": 1,
    "pageSettings": { "returnUrl": "https://shop.example/thanks?order=1#top" },
    "meta": { "order": 1.0, "b": [null, true, {"x": 1E2}], "a": 12345678901234567890 } }`);
  assert.equal(
    request.payloadText,
    '{"charge":{"billingCurrency":"EUR","lineItems":[{"description":"Café","netAmount":10.00,' +
      '"quantity":"1.50","sku":7e0}]},"settlementAsset":"ORIGIN",' +
      '"webhook":"https://shop.example/hook",' +
      '"links":{"cancelUrl":null,"returnUrl":"https://shop.example/thanks?order=1#top"},' +
      '"pageSettings":{"returnUrl":"https://shop.example/thanks?order=1#top"},' +
      '"meta":{"order":1.0,"b":[null,true,{"x":1E2}],"a":12345678901234567890}}',
  );
  assert.equal(
    request.metaText,
    '{"order":1.0,"b":[null,true,{"x":1E2}],"a":12345678901234567890}',
  );
});

test('every fault of a request is named at once, with its JSON path', () => {
  const faults = faultsOf(`{ "charge": { "billingCurrency": "ZZZ", "customerId": "short",
    "lineItems": [{ "description": "${'x'.repeat(201)}", "netAmount": "1.", "quantity": -1,
      "productId": "${'p'.repeat(21)}" }, 5, { "netAmount": "abc" }],
    "discountItem": [], "taxItems": [{ "name": "VAT", "percent": 8.25 }] },
    "settlementAsset": "BTC", "checkoutLanguage": "xx", "webhook": "ftp://shop.example",
    "anchors": { "NOWHERE": 5, "BITCOIN": "LTC:NATIVE" }, "meta": [1],
    "pageSettings": { "returnUrl": "/thanks", "displayBuyerInfo": 1 } }`);
  const paths = faults.map((fault) => fault.slice(0, fault.indexOf(':')));
  assert.deepEqual(paths.toSorted(), [
    'anchors.NOWHERE',
    'charge.billingCurrency',
    'charge.customerId',
    'charge.discountItem',
    'charge.lineItems[0].description',
    'charge.lineItems[0].netAmount',
    'charge.lineItems[0].productId',
    'charge.lineItems[0].quantity',
    'charge.lineItems[1]',
    'charge.lineItems[2].description',
    'charge.lineItems[2].netAmount',
    'charge.taxItems[0].percent',
    'checkoutLanguage',
    'meta',
    'pageSettings.displayBuyerInfo',
    'pageSettings.returnUrl',
    'settlementAsset',
    'webhook',
  ]);
});

test('what is missing is said to be required', () => {
  assert.deepEqual(faultsOf('{}'), ['charge: is required']);
  assert.deepEqual(faultsOf('{ "charge": {} }'), [
    'charge.lineItems: is required',
    'charge.billingCurrency: is required',
  ]);
  assert.deepEqual(faultsOf('[1]'), ['the request body: must be an object']);
  assert.deepEqual(faultsOf('7'), ['the request body: must be an object']);
  assert.deepEqual(faultsOf('{ "charge": 7 }'), ['charge: must be an object']);
});

test('lists and texts have limits, counted in entries and code points', () => {
  const list = (field: string, entry: string, count: number) =>
    `{ "charge": { "billingCurrency": "EUR", ${items}, "${field}": [${Array(count).fill(entry)}] } }`;
  const discount = '{ "description": "d", "netAmount": 0 }';
  const tax = '{ "name": "t", "percent": 0 }';
  for (const [field, entry] of [
    ['discountItems', discount],
    ['shippingCostItems', discount],
    ['taxItems', tax],
  ] as const) {
    assert.deepEqual(faultsOf(list(field, entry, 100)), []);
    const fault = `charge.${field}: must have at most 100 entries`;
    assert.deepEqual(faultsOf(list(field, entry, 101)), [fault]);
  }
  const line = '{ "description": "d", "netAmount": 1 }';
  const lines = (count: number) =>
    `{ "charge": { "billingCurrency": "EUR", "lineItems": [${Array(count).fill(line)}] } }`;
  assert.deepEqual(faultsOf(lines(500)), []);
  assert.deepEqual(faultsOf(lines(501)), ['charge.lineItems: must have at most 500 entries']);
  assert.deepEqual(faultsOf(lines(0)), ['charge.lineItems: must have at least 1 entries']);
  const described = (text: string) =>
    `{ "charge": { "billingCurrency": "EUR", "lineItems": [{ "description": "${text}", "netAmount": 1 }] } }`;
  assert.deepEqual(faultsOf(described('😀'.repeat(200))), []);
  assert.equal(faultsOf(described('😀'.repeat(201))).length, 1);
});

test('meta is an object of at most 16 KiB', () => {
  const meta = (length: number) => withFields(`"meta": { "a": "${'x'.repeat(length)}" }`);
  assert.deepEqual(faultsOf(meta(16 * 1024 - 8)), []);
  assert.deepEqual(faultsOf(meta(16 * 1024 - 7)), ['meta: must have at most 16384 bytes']);
  assert.deepEqual(faultsOf(withFields('"meta": 5')), ['meta: must be an object']);
});

test('addresses are http or https, without credentials, at most 2048 characters', () => {
  const refused = [
    'shop.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'https://user:secret@shop.example/',
    'https://user@shop.example/',
    ' https://shop.example',
    'https:/\\\\shop.example',
    'https:shop.example',
    'https://shop.example/a b',
    `https://shop.example/${'a'.repeat(2048)}`,
  ];
  for (const address of refused) {
    assert.equal(faultsOf(withFields(`"webhook": "${address}"`)).length, 1, address);
  }
  for (const address of [
    'http://localhost:8080',
    'https://[::1]/x?a=b#c',
    'HTTPS://bücher.example/ü',
  ]) {
    assert.equal(parse(withFields(`"webhook": "${address}"`)).webhook, address);
  }
});

test('the settlement asset is ORIGIN or an asset that can be settled in', () => {
  assert.equal(parse(withFields('"settlementAsset": "LTC:NATIVE"')).settlementAsset, 'LTC:NATIVE');
  assert.equal(parse(withFields('"settlementAsset": "EUR:FIAT"')).settlementAsset, 'EUR:FIAT');
  for (const id of ['origin', 'DOGE:NATIVE', 'constructor']) {
    assert.equal(faultsOf(withFields(`"settlementAsset": "${id}"`)).length, 1, id);
  }
});

test('an empty list for an object and an empty text say nothing, as PHP sends them', () => {
  const request = parse(
    withFields(
      '"anchors": [], "blockchainRelays": [], "pageSettings": [], "links": [], "meta": [], ' +
        '"webhook": "", "settlementAsset": "", "checkoutLanguage": ""',
    ),
  );
  assert.equal(request.webhook, undefined);
  assert.equal(request.settlementAsset, 'ORIGIN');
  assert.equal(request.checkoutLanguage, 'auto');
  assert.equal(request.metaText, undefined);
  assert.deepEqual(JSON.parse(request.payloadText).webhook, null);
  assert.equal('meta' in JSON.parse(request.payloadText), false);
  const inside = parse(withFields('"pageSettings": { "returnUrl": "", "shopName": "" }'));
  assert.equal(inside.pageSettings.returnUrl, undefined);
  assert.equal(inside.pageSettings.shopName, undefined);
  assert.deepEqual(
    faultsOf(
      '{ "charge": { "billingCurrency": "EUR", "currency": "", "customerId": "", "discountItems": "",' +
        ' "lineItems": [{ "description": "d", "netAmount": 1, "quantity": "", "productId": "" }] } }',
    ),
    [],
  );
});

test('each fault of a charge says what would be right', () => {
  const line = '"lineItems": [{ "description": "Tea", "netAmount": "1", "quantity": "-1" }]';
  const tax = '"taxItems": [{ "name": "VAT", "percent": "8.25" }]';
  const charge = `{ "billingCurrency": "ZZZ", "customerId": "short", ${line}, ${tax} }`;
  const faults = faultsOf(`{ "charge": ${charge} }`);
  assert.deepEqual(faults.slice().sort(), [
    'charge.billingCurrency: is not a billing currency of GET /currencies; nearest are: CZK, NZD, ' +
      'ZAR, AED; all are in GET /currencies',
    'charge.customerId: must be 12 characters from a to z and 0 to 9',
    'charge.lineItems[0].quantity: must not be negative',
    'charge.taxItems[0].percent: must be from 0 to 1: 8.25 percent is written as 0.0825',
  ]);
});

test('the total has at most 18 digits before the point', () => {
  const totalOf = (netAmount: string, quantity: string) =>
    faultsOf(`{ "charge": { "billingCurrency": "EUR", "lineItems": [
      { "description": "Tea", "netAmount": "${netAmount}", "quantity": "${quantity}" }] } }`);
  assert.deepEqual(totalOf('999999999999999999.99', '1'), []);
  assert.deepEqual(totalOf('500000000000000000', '2'), [
    'charge: the total must have at most 18 digits before the point',
  ]);
});

test('a charge of nothing is refused together with the other faults', () => {
  const faults = faultsOf(
    `{ "charge": { "billingCurrency": "EUR", "lineItems": [{ "description": "d", "netAmount": 0 }] },
      "webhook": 5 }`,
  );
  assert.deepEqual(faults, ['webhook: must be text', 'charge: the total is 0, it must be above 0']);
});

test('the older layout means the same', () => {
  const older = parse(`{ ${olderCharge}, "settlementCurrency": "BTC",
    "links": { "returnUrl": "https://shop.example/r", "cancelUrl": "https://shop.example/c" },
    "blockchainRelays": { "BITCOIN": "NATIVE" } }`);
  assert.equal(older.charge.billingCurrency, 'EUR');
  assert.equal(older.settlementAsset, 'BTC:NATIVE');
  assert.equal(older.checkoutLanguage, 'en');
  assert.equal(older.pageSettings.returnUrl, 'https://shop.example/r');
  assert.equal(older.pageSettings.cancelUrl, 'https://shop.example/c');
  assert.deepEqual(older.anchors, [
    { network: 'BITCOIN', assetId: 'BTC:NATIVE', field: 'blockchainRelays', given: 'NATIVE' },
  ]);
  const payload = JSON.parse(older.payloadText);
  assert.deepEqual(payload.links, {
    cancelUrl: 'https://shop.example/c',
    returnUrl: 'https://shop.example/r',
  });
  assert.equal(payload.settlementAsset, 'BTC:NATIVE');
});

test('older currencies may be bare codes, fiat included, or asset ids', () => {
  const settled = (code: string) =>
    parse(`{ ${olderCharge}, "settlementCurrency": "${code}" }`).settlementAsset;
  assert.equal(settled('EUR'), 'EUR:FIAT');
  assert.equal(settled('LTC'), 'LTC:NATIVE');
  assert.equal(settled('LTC:NATIVE'), 'LTC:NATIVE');
  assert.match(settled('USDC'), /^USDC:/);
  assert.equal(settled('ORIGIN'), 'ORIGIN');
  const billed = parse(`{ "charge": { "currency": "BTC:NATIVE", ${items} },
    "settlementCurrency": "BTC" }`);
  assert.equal(billed.charge.billingCurrency, 'BTC');
});

test('the older layout names its settlement currency', () => {
  assert.deepEqual(faultsOf(`{ ${olderCharge} }`), [
    'settlementCurrency: is required together with charge.currency',
  ]);
});

test('both layouts may be mixed while they say the same', () => {
  const mixed = (fields: string, currency = 'EUR') =>
    `{ "charge": { "billingCurrency": "EUR", "currency": "${currency}", ${items} }, ${fields} }`;
  const same = `"settlementAsset": "BTC:NATIVE", "settlementCurrency": "BTC",
    "anchors": { "BITCOIN": "BTC:NATIVE" }, "blockchainRelays": { "BITCOIN": "NATIVE" },
    "links": { "returnUrl": "https://a.example/" },
    "pageSettings": { "returnUrl": "https://a.example/", "cancelUrl": "https://b.example/" }`;
  const request = parse(mixed(same));
  assert.equal(request.settlementAsset, 'BTC:NATIVE');
  assert.equal(request.checkoutLanguage, 'auto');
  assert.equal(request.pageSettings.cancelUrl, 'https://b.example/');
});

test('layouts that say different things are refused', () => {
  const faults = faultsOf(`{ "charge": { "billingCurrency": "EUR", "currency": "USD", ${items} },
    "settlementAsset": "BTC:NATIVE", "settlementCurrency": "LTC",
    "anchors": { "BITCOIN": "BTC:NATIVE" }, "blockchainRelays": { "LITECOIN": "NATIVE" },
    "links": { "returnUrl": "https://a.example/" },
    "pageSettings": { "returnUrl": "https://b.example/" } }`);
  assert.deepEqual(faults, [
    'charge.currency: differs from charge.billingCurrency',
    'settlementCurrency: differs from settlementAsset',
    'blockchainRelays: differs from anchors',
    'links.returnUrl: differs from pageSettings.returnUrl',
  ]);
});

test('any JSON at all is either a request or a refusal', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const body = parseExactJson(json);
      if (!body.ok) return;
      assert.throws(() => parseCheckoutRequest(body.value), Refusal);
    }),
    { numRuns: 500 },
  );
});

test('a wrong value in any one place is named by its path', () => {
  const right = {
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: 'a', netAmount: 1, quantity: 1, productId: 'p' }],
      discountItems: [{ description: 'a', netAmount: 0 }],
      shippingCostItems: [{ description: 'a', netAmount: 0, taxable: true }],
      taxItems: [{ name: 'a', percent: 0 }],
    },
    settlementAsset: 'ORIGIN',
    checkoutLanguage: 'de',
    webhook: 'https://a.example/',
    pageSettings: { shopName: 'a', displayBuyerInfo: true },
    meta: { a: 1 },
  };
  assert.deepEqual(faultsOf(JSON.stringify(right)), []);
  const wrong = [[[]], { wrong: true }];
  const places = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && path !== 'meta'
      ? Object.entries(value).flatMap(([key, entry]) =>
          places(entry, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key),
        )
      : [path];
  for (const place of places(right, '').filter((path) => path !== 'meta')) {
    for (const value of wrong) {
      const copy: unknown = structuredClone(right);
      const steps = place.split(/[.[\]]+/).filter((step) => step !== '');
      const last = steps.pop() ?? assert.fail();
      let parent = copy as Record<string, unknown>;
      for (const step of steps) parent = parent[step] as Record<string, unknown>;
      parent[last] = value;
      const faults = faultsOf(JSON.stringify(copy));
      assert.ok(
        faults.some((fault) => fault.startsWith(`${place}: `)),
        `${place}: ${faults.join(' / ')}`,
      );
    }
  }
});
