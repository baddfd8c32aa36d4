import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  blocksOf,
  emptyBlock,
  firstBlock,
  type SettledInvoice,
  searchedSince,
} from './settlement-block.ts';

const now = Temporal.Instant.from('2026-01-01T12:00:00Z');
const facts = { chain: 'live:LIGHTNING', assetId: 'BTC:NATIVE', now, since: now } as const;
const first = firstBlock('00', now);

const settledArbitrary = fc
  .record({
    paymentHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.toHex()),
    receivedMillisatoshis: fc.bigInt(1n, 2_100_000_000_000_000_000n),
    seconds: fc.integer({ min: -86_400, max: 86_400 }),
  })
  .map(({ paymentHash, receivedMillisatoshis, seconds }): SettledInvoice => {
    const settledAt = now.add({ seconds });
    return { paymentHash, index: 1n, state: { kind: 'settled', receivedMillisatoshis, settledAt } };
  });

test('blocks join, each holds one payment, and never more than arrived', () => {
  fc.assert(
    fc.property(fc.array(settledArbitrary, { maxLength: 20 }), (settled) => {
      const blocks = blocksOf(first, settled, facts);
      let last = { height: first.height, hash: first.hash };
      for (const block of blocks) {
        assert.equal(block.height, last.height + 1n);
        assert.equal(block.parentHash, last.hash);
        assert.equal(block.arrivals.length, 1);
        assert.ok(Temporal.Instant.compare(block.minedAt, now) <= 0);
        last = block;
      }
      const units = blocks.flatMap(({ arrivals }) => arrivals).map((arrival) => arrival.units);
      const received = settled.map(({ state }) => state.receivedMillisatoshis / 1000n);
      const sum = (list: readonly bigint[]) => list.reduce((total, one) => total + one, 0n);
      assert.equal(sum(units), sum(received));
      assert.ok(units.every((one) => one > 0n));
    }),
  );
});

test('the same payments give the same blocks, in whatever order they are told', () => {
  fc.assert(
    fc.property(fc.array(settledArbitrary, { maxLength: 10 }), (settled) => {
      const blocks = blocksOf(first, settled, facts);
      assert.deepEqual(blocksOf(first, settled.toReversed(), facts), blocks);
    }),
  );
});

test('a block without a payment joins, and moves on from when on invoices are looked for', () => {
  const later = now.add({ minutes: 5 });
  const block = emptyBlock(first, { now: later, since: later });
  assert.deepEqual([block.height, block.parentHash, block.arrivals], [1n, first.hash, []]);
  assert.equal(searchedSince(block)?.toString(), later.toString());
  assert.notEqual(emptyBlock(first, { now: later, since: now }).hash, block.hash);
});

test('a block says from when on invoices are looked for', () => {
  assert.equal(searchedSince(first)?.epochMilliseconds, 0);
  const invoice = { paymentHash: 'ab', index: 1n } as const;
  const state = { kind: 'settled', receivedMillisatoshis: 1000n, settledAt: now } as const;
  const [block] = blocksOf(first, [{ ...invoice, state }], facts);
  assert(block !== undefined);
  assert.equal(searchedSince(block)?.toString(), now.toString());
  assert.equal(searchedSince({ height: 1n, hash: 'ab'.repeat(32) }), undefined);
});
