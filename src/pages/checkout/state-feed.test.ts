import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '#test/support/checkout-pages.ts';
import { checkoutRecord, commitmentOn, receiptFor } from '#test/support/checkout-record.ts';
import { pageVersion } from './render-checkout.ts';
import { createStateFeed } from './state-feed.ts';

const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const waiting = pageOf(checkoutRecord({ commitments: [litecoin] }));
const seen = pageOf(
  checkoutRecord({ commitments: [litecoin], state: 'PENDING', receipts: [receiptFor(litecoin)] }),
);
const open = new AbortController().signal;

/** Time passes at once. */
function instantFeed() {
  let waits = 0;
  const wait = () => {
    waits += 1;
    return Promise.resolve();
  };
  return { feed: createStateFeed({ changes: { wait } }), waits: () => waits };
}

test('who knows nothing or something old is answered at once', async () => {
  const { feed, waits } = instantFeed();
  for (const known of [undefined, 'old']) {
    const answer = await feed(known, () => Promise.resolve(waiting), open);
    assert.ok(answer !== undefined && 'html' in answer);
    assert.equal(answer.state, 'pay');
  }
  assert.equal(waits(), 0);
});

test('who is up to date waits for the change, and is told of nothing after 25 seconds', async () => {
  const known = pageVersion(waiting.state);
  const changing = instantFeed();
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(reads < 4 ? waiting : seen);
  };
  const answer = await changing.feed(known, read, open);
  assert.ok(answer !== undefined && 'html' in answer);
  assert.equal(answer.state, 'seen');
  assert.equal(changing.waits(), 3);

  const quiet = instantFeed();
  const none = await quiet.feed(known, () => Promise.resolve(waiting), open);
  assert.deepEqual(none, { version: known, secondsLeft: 40 * 60, busy: false });
  assert.equal(quiet.waits(), 9);
});

test('the page after the two hundredth does not wait, and one that leaves makes room', async () => {
  const known = pageVersion(waiting.state);
  const gate = Promise.withResolvers<void>();
  const feed = createStateFeed({ changes: { wait: () => gate.promise } });
  const read = () => Promise.resolve(waiting);
  const waiters = Array.from({ length: 200 }, () => feed(known, read, open));
  const busy = await feed(known, read, open);
  assert.ok(busy !== undefined && 'busy' in busy && busy.busy);
  gate.resolve();
  await Promise.all(waiters);
  const free = await feed(known, read, open);
  assert.ok(free !== undefined && 'busy' in free && !free.busy);
});

test('a failure makes room too', async () => {
  const { feed } = instantFeed();
  const failing = () => Promise.reject(new Error('away'));
  for (let times = 0; times < 250; times += 1) await assert.rejects(feed('x', failing, open));
  const answer = await feed(pageVersion(waiting.state), () => Promise.resolve(waiting), open);
  assert.ok(answer !== undefined && 'busy' in answer && !answer.busy);
});
