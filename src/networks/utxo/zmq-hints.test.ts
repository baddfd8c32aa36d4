// The messages are those of Bitcoin Core (doc/zmq.md): topic, body, sequence number of four bytes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Publisher } from 'zeromq';
import { systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { listenForHints } from './zmq-hints.ts';

const freeUrl = async () => `tcp://127.0.0.1:${await findFreePort()}`;

/** Closed when the test ends, however that went: an open socket would keep the file running. */
const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** The library lets go of an address a moment after it said so. */
async function publish(url: string): Promise<Publisher> {
  const publisher = new Publisher({ linger: 0 });
  open.push(publisher);
  const endsAtMs = performance.now() + 120_000;
  for (;;) {
    try {
      await publisher.bind(url);
      return publisher;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() > endsAtMs) throw error;
      await sleep(20);
    }
  }
}

function listen(url: string, onHint: () => void, log = silentLog): void {
  open.push(listenForHints({ url, clock: systemClock, log, onHint }));
}

/** Until it arrives: who subscribes a moment late misses what was sent before. */
async function sendUntil(publisher: Publisher, topic: string, arrived: () => boolean) {
  const endsAtMs = performance.now() + 120_000;
  while (!arrived()) {
    assert(performance.now() < endsAtMs, `no hint from ${topic}`);
    await publisher.send([topic, Buffer.alloc(32, 7), Buffer.from([1, 0, 0, 0])]);
    await sleep(20);
  }
}

/** Until it has stayed the same for half a second: what was sent before has arrived. */
async function untilQuiet(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); await sleep(500)) before = count();
}

test('blocks and transactions are hints, other messages are not', async () => {
  const url = await freeUrl();
  const publisher = await publish(url);
  let hints = 0;
  const onHint = () => {
    hints += 1;
  };
  listen(url, onHint);
  await sendUntil(publisher, 'hashblock', () => hints > 0);
  hints = 0;
  await sendUntil(publisher, 'rawblock', () => hints > 0);
  await untilQuiet(() => hints);
  hints = 0;
  // Messages arrive in order: when the block is there, so are those before it.
  for (const topic of ['sequence', 'rawtx', 'hashblocks', 'nonsense', 'hashblock']) {
    await publisher.send([topic, Buffer.alloc(32)]);
  }
  const endsAtMs = performance.now() + 120_000;
  while (hints === 0 && performance.now() < endsAtMs) await sleep(20);
  await untilQuiet(() => hints);
  assert.equal(hints, 1);
  hints = 0;
  await sendUntil(publisher, 'hashtx', () => hints > 0);
});

test('a flood of transactions is a few hints', async () => {
  const url = await freeUrl();
  const publisher = await publish(url);
  let hints = 0;
  const onHint = () => {
    hints += 1;
  };
  listen(url, onHint);
  await sendUntil(publisher, 'hashtx', () => hints > 0);
  hints = 0;
  const startedAtMs = performance.now();
  for (let sent = 0; sent < 500; sent += 1) await publisher.send(['hashtx', Buffer.alloc(32)]);
  await sleep(100);
  const most = Math.ceil((performance.now() - startedAtMs) / 250) + 1;
  assert(hints <= most, `${hints} hints, at most ${most}`);
});

test('a publisher that goes away and returns is heard again', async () => {
  const url = await freeUrl();
  let hints = 0;
  const onHint = () => {
    hints += 1;
  };
  // Before anybody publishes.
  listen(url, onHint);
  for (let round = 0; round < 2; round += 1) {
    hints = 0;
    const publisher = await publish(url);
    await sendUntil(publisher, 'hashblock', () => hints > 0);
    await publisher.unbind(url);
    publisher.close();
  }
});

test('a wrong address is said once and does no harm', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const log: Log = { ...silentLog, warn: (message) => resolve(message) };
  listen('tcp://nowhere', () => {}, log);
  assert.match(await promise, /no hints by ZMQ/);
});
