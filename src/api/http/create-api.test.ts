import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { type RunningServer, startServer } from './server.ts';

let api: TestApi;
let asApplication: RunningServer;
let directly: RunningServer;
before(async () => {
  api = await openTestApi();
  const { random } = api.app;
  const start = (
    answerDirectly?: (...sockets: Parameters<typeof api.api.answerDirectly>) => Promise<void>,
  ) =>
    startServer({
      fetch: (request, bindings) => api.api.fetch(request, bindings),
      ...(answerDirectly === undefined ? {} : { answerDirectly }),
      ...{ port: 0, host: '127.0.0.1', random, log: silentLog },
    });
  asApplication = await start();
  directly = await start(api.api.answerDirectly);
});
after(async () => {
  await directly.close();
  await asApplication.close();
  await api.close();
});

/** To the end of the connection, without what differs from answer to answer. */
function ask({ port }: RunningServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.on('data', (part) => {
      received += part;
    });
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        received
          .replace(/x-request-id: \w{12}/i, 'x-request-id: ...')
          .replace(/\r\ndate: [^\r]+/i, '\r\ndate: ...')
          .replaceAll(/"(id|checkoutId)":"\w{12}"/g, '"$1":"..."')
          .replace(/checkout\/[\w-]{32}/, 'checkout/...'),
      ),
    );
    socket.write(text);
  });
}

const CHARGE = JSON.stringify({
  charge: { billingCurrency: 'EUR', lineItems: [{ description: 'é', netAmount: '1.10' }] },
});

function request(
  method: string,
  path: string,
  {
    body = '',
    query = '',
    headers = {},
  }: Partial<Record<'body' | 'query', string>> & {
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): string {
  const all = {
    host: 'pay.example',
    connection: 'close',
    ...api.sign(method, path, { body }),
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /api/v1${path}${query} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

test('what is answered straight from the socket is what the application answers', async () => {
  const chunked = { 'transfer-encoding': 'chunked', 'content-length': '' };
  const requests = [
    request('GET', '/time'),
    request('GET', '/networks'),
    request('GET', '/checkout', { query: '?id=nothing' }),
    request('GET', '/nothing'),
    request('HEAD', '/time'),
    request('DELETE', '/time'),
    request('POST', '/checkout/hosted', { body: CHARGE }),
    request('POST', '/checkout/hosted', { body: '{"charge":' }),
    request('POST', '/checkout/hosted', { body: CHARGE, headers: { 'x-digest-signature': '0' } }),
    request('POST', '/checkout/hosted', { headers: { 'content-encoding': 'gzip' }, body: CHARGE }),
    request('POST', '/checkout/commit', { body: `"${'x'.repeat(300_000)}"` }),
    request('POST', '/checkout/hosted', { headers: chunked }).replace('content-length: \r\n', ''),
  ].map((text) => (text.includes('chunked') ? `${text}2\r\n{}\r\n0\r\n\r\n` : text));
  const statuses: string[] = [];
  for (const text of requests) {
    const answer = await ask(directly, text);
    assert.equal(answer, await ask(asApplication, text), text.slice(0, 200));
    statuses.push(answer.slice(9, 12));
  }
  assert.deepEqual(statuses, [
    '200',
    '200',
    '404',
    '404',
    '405',
    '405',
    '200',
    '400',
    '401',
    '400',
    '413',
    '400',
  ]);
});

test('who waits for news is given up when he goes away', async () => {
  const { signal, gone } = await new Promise<{ signal: AbortSignal; gone: () => void }>(
    (resolve, reject) => {
      const socket = connect(directly.port, '127.0.0.1');
      const { changes } = api.app as { changes?: unknown };
      assert.equal(changes, undefined);
      socket.on('error', reject);
      Object.assign(api.app, {
        changes: {
          wait: (_id: string, _ms: number, over: AbortSignal) => {
            resolve({ signal: over, gone: () => socket.destroy() });
            return new Promise<void>((done) => over.addEventListener('abort', () => done()));
          },
          hasEnded: () => false,
        },
      });
      api
        .call('POST', '/checkout/hosted', { body: CHARGE })
        .then(({ json }) => {
          const { id } = Object(json) as { readonly id: string };
          socket.write(request('GET', '/checkout', { query: `?id=${id}&wait=30` }));
        })
        .catch(reject);
    },
  );
  assert.equal(signal.aborted, false);
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  gone();
  await aborted;
});
