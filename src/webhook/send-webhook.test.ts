import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { systemClock } from '#base/clock.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { selfSignedCertificate, selfSignedKey } from '#test/support/self-signed.ts';
import {
  answer,
  type Behave,
  blackHole,
  closeSocket,
  hugeBody,
  openWebhookReceiver,
  slowDrip,
} from '#test/support/webhook-receiver.ts';
import { type Attempt, SEND_LIMITS, type SendLimits, sendWebhook } from './send-webhook.ts';
import { STRICT_TARGET_RULES, type TargetRules } from './target-guard.ts';

const loopback: TargetRules = { ...STRICT_TARGET_RULES, loopbackForTest: true };
const body = '{"eventType":"CHECKOUT_COMPLETED","data":{"note":"Zürich"}}';

test('the body arrives byte for byte with the headers, the host and its own content type', async () => {
  const receiver = await openWebhookReceiver();
  try {
    const attempt = await send(`${receiver.origin}/hook?a=1&b=%20`);
    assert.deepEqual(attempt.answer, {
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
      excerpt: 'OK',
    });
    const [arrived] = receiver.received;
    assert.equal(arrived?.path, '/hook?a=1&b=%20');
    assert.equal(arrived?.body, body);
    assert.equal(arrived?.headers.host, `127.0.0.1:${receiver.port}`);
    assert.equal(arrived?.headers['content-type'], 'application/json');
    assert.equal(arrived?.headers['x-webhook-auth'], 'abc');
  } finally {
    await receiver.close();
  }
});

const misbehaviours: readonly [name: string, behave: Behave, status: number | undefined][] = [
  ['a server error', answer(500), 500],
  ['gone', answer(410), 410],
  ['no content', answer(204), 204],
  ['a closed socket', closeSocket, undefined],
  ['a black hole', blackHole, undefined],
  ['a slow drip after a good status', slowDrip, 200],
  ['an endless body after a good status', hugeBody, 200],
  ['another protocol', answer(101, { Upgrade: 'x', Connection: 'Upgrade' }), undefined],
];

test('whatever the receiver does the attempt ends in time with a status or an error', async () => {
  const limits = { connectMs: 3_000, totalMs: 3_000, answerBytesMost: 16_384 };
  const check = async ([name, behave, status]: (typeof misbehaviours)[number]) => {
    const receiver = await openWebhookReceiver(behave);
    const startedMs = performance.now();
    try {
      const { answer: got } = await send(`${receiver.origin}/`, { limits });
      assert.equal(got.kind === 'answered' ? got.status : undefined, status, name);
      if (got.kind === 'answered') assert.ok(got.excerpt.length <= 256, name);
      assert.ok(performance.now() - startedMs < limits.totalMs + 10_000, name);
    } finally {
      await receiver.close();
    }
  };
  await Promise.all(misbehaviours.map(check));
});

test('a redirect is not followed', async () => {
  const inside = await openWebhookReceiver();
  const moved = answer(302, { Location: `${inside.origin}/latest/meta-data/` });
  const receiver = await openWebhookReceiver(moved);
  try {
    const { answer: got } = await send(`${receiver.origin}/`);
    assert.equal(got.kind === 'answered' && got.status, 302);
    assert.equal(inside.received.length, 0);
  } finally {
    await receiver.close();
    await inside.close();
  }
});

test('Retry-After comes back, and only printable characters of the answer', async () => {
  const receiver = await openWebhookReceiver((response) => {
    response.writeHead(429, { 'Retry-After': '7' });
    response.end(`\u0000\u001b[31m<script>\u202e\n${'é'.repeat(1000)}`);
  });
  try {
    const { answer: got } = await send(`${receiver.origin}/`);
    assert.ok(got.kind === 'answered');
    assert.equal(got.retryAfter, '7');
    assert.match(got.excerpt, /^\[31m<script>\s+é+$/);
    assert.ok(got.excerpt.length <= 256);
    assert.doesNotMatch(got.excerpt, /\p{C}/u);
  } finally {
    await receiver.close();
  }
});

test('a compressed answer is not unpacked', async () => {
  const receiver = await openWebhookReceiver((response, { headers }) => {
    assert.equal(headers['accept-encoding'], 'identity');
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(Buffer.from('1f8b08', 'hex'));
  });
  try {
    const { answer: got } = await send(`${receiver.origin}/`);
    assert.equal(got.kind === 'answered' && got.status, 200);
  } finally {
    await receiver.close();
  }
});

test('the connection goes to the address that was checked, under the name of the URL', async () => {
  const receiver = await openWebhookReceiver();
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    // Whoever asks a second time would be led elsewhere.
    return asked === 1 ? ['127.0.0.1'] : ['192.0.2.1'];
  };
  try {
    const { answer: got } = await send(`http://shop.invalid:${receiver.port}/`, { resolve });
    assert.equal(got.kind === 'answered' && got.status, 200);
    assert.equal(receiver.received[0]?.headers.host, `shop.invalid:${receiver.port}`);
    assert.equal(asked, 1);
  } finally {
    await receiver.close();
  }
});

test('no connection is opened to a refused target', async () => {
  const receiver = await openWebhookReceiver();
  const strict = { targets: { ...STRICT_TARGET_RULES, ports: [receiver.port] } };
  try {
    const resolve = async () => ['8.8.8.8', '127.0.0.1'];
    for (const url of [`${receiver.origin}/`, `http://shop.invalid:${receiver.port}/`]) {
      const { answer: got } = await send(url, { ...strict, resolve });
      assert.ok(got.kind === 'failed');
      assert.equal(got.error, 'refused: the host is not a public address');
    }
    assert.equal(receiver.received.length, 0);
  } finally {
    await receiver.close();
  }
});

test('a name server that never answers costs the time of a connection', async () => {
  const limits = { connectMs: 100, totalMs: 5_000, answerBytesMost: 16_384 };
  const resolve = () => new Promise<never>(() => {});
  const { answer: got } = await send('https://shop.invalid/', { limits, resolve });
  assert.deepEqual(got, { kind: 'failed', error: 'no connection in time' });
});

test('a certificate that nobody vouches for is refused, and SNI carries the name', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    key: selfSignedKey,
    cert: selfSignedCertificate,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const resolve = async () => ['127.0.0.1'];
    const { answer: got } = await send(`https://shop.test:${port}/`, { resolve });
    assert.ok(got.kind === 'failed');
    assert.match(got.error, /SELF_SIGNED/);
    assert.deepEqual(names, ['shop.test']);
  } finally {
    server.close();
  }
});

test('nobody listening, and an attempt that is given up, are failures', async () => {
  const nowhere = `http://127.0.0.1:${await findFreePort()}/`;
  const refused = await send(nowhere);
  assert.deepEqual(refused.answer, { kind: 'failed', error: 'ECONNREFUSED' });
  const signal = AbortSignal.abort(new Error('stopping'));
  const stopped = await send(nowhere, { signal });
  assert.deepEqual(stopped.answer, { kind: 'failed', error: 'stopping' });
});

test('the limits are those of the specification', () => {
  assert.deepEqual(SEND_LIMITS, { connectMs: 5_000, totalMs: 15_000, answerBytesMost: 16_384 });
});

type SendOptions = {
  readonly limits?: SendLimits;
  readonly targets?: TargetRules;
  readonly resolve?: (hostname: string) => Promise<string[]>;
  readonly signal?: AbortSignal;
};

function send(url: string, options: SendOptions = {}): Promise<Attempt> {
  const { limits, targets = loopback, resolve = async () => ['127.0.0.1'] } = options;
  const via = { clock: systemClock, targets, resolve, limits };
  const request = { url, environment: 'test', headers: { 'X-Webhook-Auth': 'abc' }, body } as const;
  return sendWebhook(via, request, options.signal ?? new AbortController().signal);
}
