import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#test/support/manual-clock.ts';
import { type ApiKeyRecord, createKeyCache } from './caller.ts';

const record = { secrets: ['a'] } as unknown as ApiKeyRecord;
const start = '2026-01-01T00:00:00Z';

test('a key that was read is known until something about keys changes', () => {
  const cache = createKeyCache(manualClock(start), () => true);
  assert.equal(cache.find('key'), undefined);
  cache.begin()('key', { record, changesAt: undefined });
  assert.equal(cache.find('key'), record);
  cache.forgetAll();
  assert.equal(cache.find('key'), undefined);
});

test('what was read before a change was heard is not remembered after it', () => {
  const cache = createKeyCache(manualClock(start), () => true);
  const remember = cache.begin();
  cache.forgetAll();
  remember('key', { record, changesAt: undefined });
  assert.equal(cache.find('key'), undefined);
});

test('nothing is answered while changes cannot be heard', () => {
  let isTrusted = true;
  const cache = createKeyCache(manualClock(start), () => isTrusted);
  cache.begin()('key', { record, changesAt: undefined });
  isTrusted = false;
  assert.equal(cache.find('key'), undefined);
});

test('a secret that ends is not known past its end', async () => {
  const clock = manualClock(start);
  const cache = createKeyCache(clock, () => true);
  cache.begin()('key', { record, changesAt: clock.now().add({ seconds: 10 }) });
  await clock.advance(9_000);
  assert.equal(cache.find('key'), record);
  await clock.advance(1_000);
  assert.equal(cache.find('key'), undefined);
});
