import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { checkoutRecord, commitmentOn, RECORD_NOW, receiptFor } from '#pages/demo/sample-record.ts';
import { createChanges } from '#server/changes.ts';
import { PAGES, pageOf } from '#test/support/checkout-pages.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { createLiveStreams } from './live-streams.ts';
import { pageVersion } from './render-checkout.ts';

const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const pay = pageOf(checkoutRecord({ commitments: [litecoin] }));
const seenWith = (confirmations: bigint) =>
  pageOf(
    checkoutRecord({
      commitments: [litecoin],
      state: 'PENDING',
      receipts: [receiptFor(litecoin, { confirmations, confirmationsRequired: 3 })],
    }),
  );
const { id } = pay.record;

type Data = Readonly<Record<string, unknown>>;
type Event = { readonly event: string; readonly id: string | undefined; readonly data: Data };

/** A stream over pages made by hand; `show` says what is read from now on. */
function openWorld() {
  const clock = manualClock('2026-01-01T12:00:00Z');
  const changes = createChanges();
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (message) => errors.push(message) };
  const streams = createLiveStreams({ clock, changes, random: seededRandom(1), log });
  let current: CheckoutPage | undefined = pay;
  let fault: Error | undefined;
  let reads = 0;
  const read = () => {
    reads += 1;
    return fault === undefined ? Promise.resolve(current) : Promise.reject(fault);
  };
  return {
    clock,
    changes,
    errors,
    reads: () => reads,
    show(page: CheckoutPage | undefined) {
      current = page;
    },
    fail(error: Error | undefined) {
      fault = error;
    },
    open(known?: string, address = '192.0.2.1') {
      const gone = new AbortController();
      const live = { checkoutId: id, known, read, signal: gone.signal };
      const response = streams.open(address, live);
      if (response === undefined) return undefined;
      const reader = response.body?.getReader();
      assert.ok(reader !== undefined);
      return {
        response,
        gone,
        async text(): Promise<string | undefined> {
          const { done, value } = await reader.read();
          return done ? undefined : new TextDecoder().decode(value);
        },
        async next(): Promise<Event | undefined> {
          const text = await this.text();
          if (text === undefined) return undefined;
          const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
          return {
            event: line('event') ?? '',
            id: line('id'),
            data: JSON.parse(line('data') ?? '0'),
          };
        },
        cancel: () => reader.cancel(),
      };
    },
  };
}

type Opened = NonNullable<ReturnType<ReturnType<typeof openWorld>['open']>>;

function opened(stream: Opened | undefined): Opened {
  assert.ok(stream !== undefined, 'there was room');
  return stream;
}

test('a stream says when to come again, is not kept, and is not held back by proxies', async () => {
  const world = openWorld();
  const stream = opened(world.open());
  const { headers } = stream.response;
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store, no-transform');
  assert.equal(headers.get('x-accel-buffering'), 'no');
  const retry = /^retry: (\d+)\n\n$/.exec((await stream.text()) ?? '')?.[1];
  assert.ok(Number(retry) >= 1_500 && Number(retry) <= 4_000, `retry ${retry}`);
  await stream.cancel();
});

test('what changed between the page and its stream comes first; who has it gets a sign of life', async () => {
  const world = openWorld();
  const stale = opened(world.open('of an older page'));
  await stale.text();
  const first = await stale.next();
  assert.equal(first?.event, 'page');
  assert.equal(first?.id, pageVersion(pay.state));
  assert.equal(first?.data.state, 'pay');

  const fresh = opened(world.open(pageVersion(pay.state)));
  await fresh.text();
  assert.deepEqual(await fresh.next(), {
    event: 'beat',
    id: undefined,
    data: { leftMs: 40 * 60_000 },
  });
  await Promise.all([stale.cancel(), fresh.cancel()]);
  assert.equal(world.changes.isAnyoneListening(), false);
});

test('a change that is told is sent at once; without one a sign of life comes within 20 seconds', async () => {
  const world = openWorld();
  const stream = opened(world.open(pageVersion(pay.state)));
  await stream.text();
  await stream.next();
  const changed = stream.next();
  world.show(seenWith(1n));
  world.changes.tell(id);
  assert.equal((await changed)?.data.state, 'seen');
  const beat = stream.next();
  while (world.clock.sleepers() === 0) await new Promise(setImmediate);
  await world.clock.advance(20_000);
  assert.equal((await beat)?.event, 'beat');
  await stream.cancel();
});

test('a block changes a page that counts confirmations, and no other', async () => {
  const world = openWorld();
  const stream = opened(world.open(pageVersion(pay.state)));
  await stream.text();
  await stream.next();
  assert.equal(world.reads(), 1);
  const changed = stream.next();
  world.changes.tell('test:LITECOIN');
  await new Promise(setImmediate);
  assert.equal(world.reads(), 1);
  world.show(seenWith(1n));
  world.changes.tell(id);
  await changed;

  const next = stream.next();
  await new Promise(setImmediate);
  world.show(seenWith(2n));
  world.changes.tell('test:LITECOIN');
  world.changes.tell('test:LITECOIN');
  await world.clock.advance(1_500);
  assert.match((await next)?.event ?? '', /page/);
  assert.equal(world.reads(), 3);
  await stream.cancel();
});

test('the end of the window is shown without being told of', async () => {
  const record = checkoutRecord({ commitments: [litecoin] });
  const world = openWorld();
  const now = litecoin.expiresAt.subtract({ seconds: 3 });
  const closing = pageOf(record, { now });
  world.show(closing);
  const stream = opened(world.open(pageVersion(closing.state)));
  await stream.text();
  await stream.next();
  const over = stream.next();
  world.show(pageOf(record, { now: litecoin.expiresAt.add({ seconds: 1 }) }));
  while (world.clock.sleepers() === 0) await new Promise(setImmediate);
  await world.clock.advance(4_000);
  assert.equal((await over)?.data.state, 'expired');
  await stream.cancel();
});

test('after the last page the stream is over', async () => {
  const world = openWorld();
  const paid = PAGES.paid?.({ now: RECORD_NOW });
  world.show(paid);
  const stream = opened(world.open(pageVersion(pay.state)));
  await stream.text();
  assert.equal((await stream.next())?.data.isLast, true);
  assert.equal(await stream.text(), undefined);
  assert.equal(world.changes.isAnyoneListening(), false);
});

test('while the database is away the stream stays, and goes on when it is back', async () => {
  const world = openWorld();
  const stream = opened(world.open('old'));
  await stream.text();
  world.fail(new Outage('database'));
  const next = stream.next();
  while (world.clock.sleepers() === 0) await new Promise(setImmediate);
  world.fail(undefined);
  await world.clock.advance(4_000);
  assert.equal((await next)?.event, 'page');
  await stream.cancel();
});

test('the end of the process and the life of a stream end it, and the browser comes again', async () => {
  const ending = openWorld();
  const first = opened(ending.open(pageVersion(pay.state)));
  await first.text();
  await first.next();
  const ended = first.text();
  await new Promise(setImmediate);
  ending.changes.end();
  assert.equal(await ended, undefined);

  const old = openWorld();
  const second = opened(old.open(pageVersion(pay.state)));
  await second.text();
  await second.next();
  const beat = second.next();
  while (old.clock.sleepers() === 0) await new Promise(setImmediate);
  await old.clock.advance(2_100_000);
  assert.equal((await beat)?.event, 'beat');
  const over = second.text();
  while (old.clock.sleepers() === 0) await new Promise(setImmediate);
  await old.clock.advance(20_000);
  assert.equal(await over, undefined);
});

test('streams of one address are limited; one that leaves, however, makes room', async () => {
  const world = openWorld();
  const streams = Array.from({ length: 100 }, () => opened(world.open('x')));
  assert.equal(world.open('x'), undefined);
  const other = opened(world.open('x', '192.0.2.2'));
  await streams[0]?.cancel();
  const next = opened(world.open('x'));
  // Gone without a word, while it waits.
  await next.text();
  await next.next();
  const waiting = next.text();
  next.gone.abort();
  assert.equal(await waiting, undefined);
  const last = opened(world.open('x'));
  assert.equal(world.open('x'), undefined);
  await Promise.all([...streams.slice(1), other, last].map((stream) => stream.cancel()));
  assert.equal(world.changes.isAnyoneListening(), false);
});

test('who goes away while waiting is no fault', async () => {
  const world = openWorld();
  const stream = opened(world.open(pageVersion(pay.state)));
  await stream.text();
  await stream.next();
  const waiting = stream.text();
  await new Promise(setImmediate);
  await stream.cancel();
  assert.equal(await waiting, undefined);
  await new Promise(setImmediate);
  assert.deepEqual(world.errors, []);
  assert.equal(world.changes.isAnyoneListening(), false);
});

test('the end of a price comes within a blink, with a page that asks for nothing', async () => {
  const world = openWorld();
  const record = checkoutRecord({ commitments: [litecoin] });
  const end = litecoin.expiresAt;
  const before = pageOf(record, { now: end.subtract({ seconds: 3 }) });
  world.show(before);
  const stream = opened(world.open(pageVersion(before.state)));
  await stream.text();
  assert.deepEqual((await stream.next())?.data, { leftMs: 3_000 });
  world.show(pageOf(record, { now: end }));
  const over = stream.next();
  while (world.clock.sleepers() === 0) await new Promise(setImmediate);
  await world.clock.advance(3_020);
  assert.equal((await over)?.data.state, 'expired');
  await stream.cancel();
});
