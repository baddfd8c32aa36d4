import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fields } from '#networks/answer-fields.ts';
import { AnswerTooLong, type Query } from '#networks/http-client.ts';
import type { Horizon } from './horizon.ts';
import { listPart, listParts } from './list-pages.ts';

/** Records of one ledger, of which so many fit into an answer. */
function horizonOf(count: number, fitting: number): Horizon & { readonly limits: number[] } {
  const limits: number[] = [];
  return {
    host: 'horizon.example',
    limits,
    async get(_path: string, { limit = 0, cursor = '' }: Query = {}) {
      limits.push(Number(limit));
      if (Number(limit) > fitting) throw new AnswerTooLong('live:STELLAR', 'long', 1);
      const after = Number(BigInt(String(cursor)) & 0xffff_ffffn);
      const length = Math.min(Number(limit), count - after);
      const records = Array.from({ length }, (_, index) => ({
        paging_token: String((8n << 32n) + BigInt(after + index + 1)),
      }));
      return { json: { _embedded: { records } }, latestLedger: 8n };
    },
    submit: async () => undefined,
    listen: () => Promise.resolve(),
    close: () => undefined,
  };
}

const listingAt = (horizon: Horizon) => ({
  horizon,
  path: '/accounts/G/payments',
  after: 7n,
  upTo: 8n,
  read: ({ paging_token }: Fields) => {
    const id = BigInt(String(paging_token));
    return { ledger: id >> 32n, token: paging_token };
  },
});

const listAt = async (horizon: Horizon) => (await listPart(listingAt(horizon))).items;

test('records that payers made long are listed in shorter pages, each of them once', async () => {
  const horizon = horizonOf(500, 60);
  const items = await listAt(horizon);
  assert.equal(new Set(items.map(({ token }) => token)).size, 500);
  assert.deepEqual(horizon.limits.slice(0, 4), [200, 100, 50, 50]);
});

test('a single record that is too long is an outage', async () => {
  await assert.rejects(listAt(horizonOf(500, 0)), AnswerTooLong);
});

/** So many records in each ledger from 8 on, as the fake of a whole Horizon would list them. */
function manyLedgers(ledgers: number, each: number): Horizon {
  const tokens = Array.from({ length: ledgers * each }, (_, index) => {
    const ledger = 8n + BigInt(Math.floor(index / each));
    return (ledger << 32n) + BigInt((index % each) + 1);
  });
  return {
    host: 'horizon.example',
    async get(_path: string, { limit = 0, cursor = '' }: Query = {}) {
      const after = BigInt(String(cursor));
      const first = tokens.findIndex((token) => token > after);
      const found = first === -1 ? [] : tokens.slice(first, first + Number(limit));
      const records = found.map((token) => ({ paging_token: String(token) }));
      return { json: { _embedded: { records } }, latestLedger: 8n };
    },
    submit: async () => undefined,
    listen: () => Promise.resolve(),
    close: () => undefined,
  };
}

test('a long listing comes in parts of whole ledgers, each record once', async () => {
  const listing = { ...listingAt(manyLedgers(10, 70)), upTo: 100n, partRecords: 150 };
  const parts = await Array.fromAsync(listParts(listing));
  assert.deepEqual(
    parts.map(({ items, readTo }) => [items.length, readTo]),
    [
      [210, 10n],
      [210, 13n],
      [210, 16n],
      [70, undefined],
    ],
  );
  const tokens = parts.flatMap(({ items }) => items).map(({ token }) => token);
  assert.equal(new Set(tokens).size, 700);
  assert.deepEqual((await listPart(listing)).readTo, 10n);
});

test('what ends where a part ends is whole', async () => {
  const listing = { ...listingAt(manyLedgers(3, 70)), upTo: 9n, partRecords: 140 };
  const { items, readTo } = await listPart(listing);
  assert.deepEqual([items.length, readTo], [140, undefined]);
});
