import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkoutRecord, commitmentOn, receiptFor } from '#pages/demo/sample-record.ts';
import { pageOf } from '#test/support/checkout-pages.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { createStateFeed } from './live-streams.ts';
import { pageVersion } from './render-checkout.ts';

const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const waiting = pageOf(checkoutRecord({ commitments: [litecoin] }));
const seen = pageOf(
  checkoutRecord({ commitments: [litecoin], state: 'PENDING', receipts: [receiptFor(litecoin)] }),
);
const { id } = waiting.record;
const open = new AbortController().signal;

/** Time passes at once. Gives the pages in turn, the last one again and again. */
function instantFeed(...pages: readonly (CheckoutPage | undefined)[]) {
  let reads = 0;
  let hasEnded = false;
  const wait = () => Promise.resolve();
  const feed = createStateFeed({ changes: { wait, hasEnded: () => hasEnded } });
  const read = () => {
    const page = pages[Math.min(reads, pages.length - 1)];
    reads += 1;
    return Promise.resolve(page);
  };
  return {
    ask: (known: string | undefined) => feed(id, known, read, open),
    reads: () => reads,
    end: () => {
      hasEnded = true;
    },
  };
}

test('who knows nothing or something old is answered at once', async () => {
  for (const known of [undefined, 'old']) {
    const { ask, reads } = instantFeed(waiting);
    const answer = await ask(known);
    assert.ok(answer !== undefined && 'html' in answer);
    assert.equal(answer.state, 'pay');
    assert.equal(answer.isLast, false);
    assert.equal(reads(), 1);
  }
});

test('who is up to date waits for the change, and is told of nothing after 25 seconds', async () => {
  const known = pageVersion(waiting.state);
  const changing = instantFeed(waiting, waiting, waiting, seen);
  const answer = await changing.ask(known);
  assert.ok(answer !== undefined && 'html' in answer);
  assert.equal(answer.state, 'seen');
  assert.equal(changing.reads(), 4);

  const quiet = instantFeed(waiting);
  assert.deepEqual(await quiet.ask(known), {
    version: known,
    leftMs: 40 * 60_000,
    busy: false,
  });
  assert.equal(quiet.reads(), 5);
});

test('a change between the look and the waiting is not slept through', async () => {
  const known = pageVersion(waiting.state);
  let tell = () => {};
  const changes = {
    hasEnded: () => false,
    wait: () =>
      new Promise<void>((resolve) => {
        tell = resolve;
      }),
  };
  let reads = 0;
  const read = () => {
    reads += 1;
    if (reads > 1) return Promise.resolve(seen);
    tell();
    return Promise.resolve(waiting);
  };
  const answer = await createStateFeed({ changes })(id, known, read, open);
  assert.ok(answer !== undefined && 'html' in answer);
});

test('nobody is kept waiting by a process that is about to end', async () => {
  const { ask, reads, end } = instantFeed(waiting);
  end();
  const answer = await ask(pageVersion(waiting.state));
  assert.ok(answer !== undefined && 'busy' in answer);
  assert.equal(reads(), 1);
});

test('the page after the two hundredth does not wait, and one that leaves makes room', async () => {
  const known = pageVersion(waiting.state);
  const gate = Promise.withResolvers<void>();
  const changes = { wait: () => gate.promise, hasEnded: () => false };
  const feed = createStateFeed({ changes });
  const read = () => Promise.resolve(waiting);
  const waiters = Array.from({ length: 200 }, () => feed(id, known, read, open));
  const busy = await feed(id, known, read, open);
  assert.ok(busy !== undefined && 'busy' in busy && busy.busy);
  gate.resolve();
  await Promise.all(waiters);
  const free = await feed(id, known, read, open);
  assert.ok(free !== undefined && 'busy' in free && !free.busy);
});

test('a failure makes room too', async () => {
  const changes = { wait: () => Promise.resolve(), hasEnded: () => false };
  const feed = createStateFeed({ changes });
  const failing = () => Promise.reject(new Error('away'));
  for (let times = 0; times < 250; times += 1) await assert.rejects(feed(id, 'x', failing, open));
  const known = pageVersion(waiting.state);
  const answer = await feed(id, known, () => Promise.resolve(waiting), open);
  assert.ok(answer !== undefined && 'busy' in answer && !answer.busy);
});

test('the end of a price is told when it comes, not at the next look', async () => {
  const end = litecoin.expiresAt;
  const record = checkoutRecord({ commitments: [litecoin] });
  const before = pageOf(record, { now: end.subtract({ milliseconds: 700 }) });
  const after = pageOf(record, { now: end.add({ milliseconds: 20 }) });
  const asked: number[] = [];
  let reads = 0;
  const wait = (_topic: string, ms: number) => {
    asked.push(ms);
    return ms < 5_000 ? Promise.resolve() : new Promise<void>(() => {});
  };
  const feed = createStateFeed({ changes: { wait, hasEnded: () => false } });
  const read = () => {
    reads += 1;
    return Promise.resolve(reads === 1 ? before : after);
  };
  const answer = await feed(id, pageVersion(before.state), read, open);
  assert.ok(answer !== undefined && 'html' in answer);
  assert.equal(answer.state, 'expired');
  assert.ok(asked.includes(720), String(asked));
});
