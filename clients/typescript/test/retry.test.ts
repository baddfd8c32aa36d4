// How long is waited before each attempt, by the vectors that all client libraries share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Retry, retryDelay } from '../src/retry.ts';

const FILE = join(import.meta.dirname, '..', '..', 'vectors', 'retries.json');
const { delays } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly delays: readonly (Retry & { readonly delaySeconds: number | null })[];
};

test('the delay before each attempt is that of the vectors', () => {
  assert.ok(delays.length > 20);
  for (const { delaySeconds, ...retry } of delays) {
    assert.equal(retryDelay(retry), delaySeconds, JSON.stringify(retry));
  }
});
