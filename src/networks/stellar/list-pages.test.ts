import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Horizon, type Query, TooLarge } from './horizon.ts';
import { listAll } from './list-pages.ts';

/** Records of one ledger, of which so many fit into an answer. */
function horizonOf(count: number, fitting: number): Horizon & { readonly limits: number[] } {
  const limits: number[] = [];
  return {
    host: 'horizon.example',
    limits,
    async get(_path: string, { limit = 0, cursor = '' }: Query = {}) {
      limits.push(Number(limit));
      if (Number(limit) > fitting) throw new TooLarge('live:STELLAR', { cause: new Error('long') });
      const after = Number(BigInt(String(cursor)) & 0xffff_ffffn);
      const length = Math.min(Number(limit), count - after);
      const records = Array.from({ length }, (_, index) => ({
        paging_token: String((8n << 32n) + BigInt(after + index + 1)),
      }));
      return { json: { _embedded: { records } }, latestLedger: 8n };
    },
    listen: () => Promise.resolve(),
  };
}

const listAt = (horizon: Horizon) =>
  listAll({
    horizon,
    what: 'live:STELLAR',
    path: '/accounts/G/payments',
    after: 7n,
    upTo: 8n,
    read: ({ paging_token }) => ({ ledger: 8n, token: paging_token }),
  });

test('records that payers made long are listed in shorter pages, each of them once', async () => {
  const horizon = horizonOf(500, 60);
  const items = await listAt(horizon);
  assert.equal(new Set(items.map(({ token }) => token)).size, 500);
  assert.deepEqual(horizon.limits.slice(0, 4), [200, 100, 50, 50]);
});

test('a single record that is too long is an outage', async () => {
  await assert.rejects(listAt(horizonOf(500, 0)), TooLarge);
});
