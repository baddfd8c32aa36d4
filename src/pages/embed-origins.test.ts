import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { embedOrigins, isRefusedFrame } from './embed-origins.ts';

const shop = 'https://shop.example';
const settings = { embedOrigins: [shop, 'http://localhost:3000'] };
const demoHook = 'http://localhost:8080/demo/webhook/0a';

test('nobody by default; what the merchant allowed; http for test keys only', () => {
  const none = { environment: 'test', settings: DEFAULT_PAGE_SETTINGS } as const;
  assert.deepEqual(embedOrigins({ ...none, demoHook: 'https://shop.example/hooks' }), []);
  assert.deepEqual(embedOrigins({ environment: 'test', settings }), settings.embedOrigins);
  assert.deepEqual(embedOrigins({ environment: 'live', settings }), [shop]);
});

test('our own pages frame the checkouts of the demo shop, and only while there is one', () => {
  const demo = { environment: 'test', settings: DEFAULT_PAGE_SETTINGS } as const;
  assert.deepEqual(embedOrigins({ ...demo, demoHook }), ["'self'"]);
  assert.deepEqual(embedOrigins({ ...demo, demoHook: undefined }), []);
});

const FRAMES = [
  ['a frame where nobody is allowed', [], { 'sec-fetch-site': 'cross-site' }, true],
  ['a frame of another site', [shop], { referer: 'https://evil.example/' }, true],
  ['a frame of the shop', [shop], { referer: 'https://shop.example/cart' }, false],
  ['a frame of a site that does not say its name', [shop], {}, false],
  ['a page that leads on inside of its frame', [], { 'sec-fetch-site': 'same-origin' }, false],
  ['a window', [], { 'sec-fetch-dest': 'document' }, false],
] as const;

for (const [name, allowed, headers, expected] of FRAMES) {
  test(`${name} is ${expected ? 'told so' : 'left to the policy of the page'}`, () => {
    const asked = new Headers({ 'sec-fetch-dest': 'iframe', ...headers });
    assert.equal(isRefusedFrame(asked, allowed), expected);
  });
}
