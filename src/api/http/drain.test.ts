// The end of a server that others share out requests to: what was asked is answered, each answer is
// the last of its connection, and nobody who stops in the middle of a request holds up the end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type RunningServer, startServer } from './server.ts';

type Held = { readonly server: RunningServer; readonly begun: Promise<void>; answer(): void };

/** Answers /held when it is told to, everything else at once. */
async function openHeld(): Promise<Held> {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const server = await startServer({
    async fetch({ url }) {
      if (new URL(url).pathname === '/held') {
        begun.resolve();
        await held.promise;
      }
      return new Response('answered');
    },
    ...{ port: 0, host: '127.0.0.1', random: seededRandom(1), log: silentLog },
  });
  return { server, begun: begun.promise, answer: () => held.resolve() };
}

type Answered = { readonly status: number | undefined; readonly isLast: boolean };

async function ask(port: number, path: string, agent?: Agent): Promise<Answered> {
  const request = get({ host: '127.0.0.1', port, path, agent });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, isLast: answer.headers.connection === 'close' };
}

test('told to end it serves on, and each answer is the last of its connection', async () => {
  const { server, begun, answer } = await openHeld();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.deepEqual(await ask(server.port, '/', agent), { status: 200, isLast: false });
  const held = ask(server.port, '/held', new Agent({ keepAlive: true }));
  await begun;
  server.drain();
  // The connection of before, and a new one.
  const last = { status: 200, isLast: true };
  assert.deepEqual(await ask(server.port, '/', agent), last);
  assert.deepEqual(await ask(server.port, '/', agent), last);
  const closed = server.close();
  answer();
  assert.deepEqual(await held, last);
  await closed;
  await assert.rejects(ask(server.port, '/'), { code: 'ECONNREFUSED' });
});

test('half of a request holds up no end, and cuts off no answer', async () => {
  const { server, begun, answer } = await openHeld();
  const half = connect(server.port, '127.0.0.1');
  half.on('error', () => undefined);
  half.write('POST / HTTP/1.1\r\nHost: pay.example\r\nContent-Length: 5\r\n\r\nab');
  const held = ask(server.port, '/held');
  await begun;
  const closed = server.close();
  await once(half.resume(), 'close');
  answer();
  assert.equal((await held).status, 200);
  await closed;
});
