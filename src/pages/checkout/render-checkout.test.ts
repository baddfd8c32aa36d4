import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { embedOrigins } from './render-checkout.ts';

const settings = {
  ...DEFAULT_PAGE_SETTINGS,
  embedOrigins: ['https://shop.example', 'http://localhost:3000'],
};
const ofTest = { environment: 'test', webhookUrl: 'https://shop.example/hooks' } as const;
const ofDemo = {
  environment: 'test',
  webhookUrl: 'http://localhost:8080/demo/webhook/0a',
} as const;

test('nobody by default; what the merchant allowed; http for test keys only', () => {
  const none = { record: ofTest, settings: DEFAULT_PAGE_SETTINGS, hasSandbox: true };
  assert.deepEqual(embedOrigins(none), []);
  const record = { ...ofTest, webhookUrl: undefined };
  assert.deepEqual(embedOrigins({ record, settings, hasSandbox: true }), settings.embedOrigins);
  const live = { ...record, environment: 'live' } as const;
  assert.deepEqual(embedOrigins({ record: live, settings, hasSandbox: false }), [
    'https://shop.example',
  ]);
});

test('our own pages frame the checkouts of the demo shop, and only while there is one', () => {
  const demo = { record: ofDemo, settings: DEFAULT_PAGE_SETTINGS };
  assert.deepEqual(embedOrigins({ ...demo, hasSandbox: true }), ["'self'"]);
  assert.deepEqual(embedOrigins({ ...demo, hasSandbox: false }), []);
});
