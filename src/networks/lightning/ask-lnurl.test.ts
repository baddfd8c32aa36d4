import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { encodeLnurl } from '#networks/payment-uri.ts';
import { readLnurl } from '#networks/read-invoice.ts';
import type { GuardedVia } from '#webhook/ask-guarded.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { askLnurl, urlOfAddress } from './ask-lnurl.ts';

type Answer = { readonly status?: number; readonly json?: object; readonly to?: string };
const METADATA = '[["text/plain","Ana"]]';
const offer = (more: object = {}) => ({
  tag: 'payRequest',
  callback: `http://wallet.example:${port}/callback?id=7`,
  minSendable: 1000,
  maxSendable: 100_000_000,
  metadata: METADATA,
  ...more,
});

let port = 0;
let first: Answer;
let second: Answer;
let asked: string[];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const { status = 200, json, to } = asked.length === 1 ? first : second;
  response.writeHead(to === undefined ? status : 302, to === undefined ? {} : { location: to });
  response.end(JSON.stringify(json ?? {}));
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

/** Names of a network of the operator's, where plain http is allowed for the test. */
function ask(units: bigint, rules: Partial<GuardedVia['targets']> = {}) {
  asked = [];
  const targets = {
    ...STRICT_TARGET_RULES,
    httpForLive: true,
    ports: [port],
    allowedRanges: ['127.0.0.0/8'],
    ...rules,
  };
  const resolve = async (name: string) => [name === 'router.example' ? '192.168.0.1' : '127.0.0.1'];
  const via = { targets, resolve, timeoutMs: 5_000, answerBytesMost: 1_000 };
  return askLnurl(via, `http://wallet.example:${port}/.well-known/lnurlp/ana`, units);
}

test('the callback is asked for exactly the amount, with what stood in its address', async () => {
  [first, second] = [{ json: offer() }, { json: { pr: 'lnbc1', routes: [] } }];
  assert.deepEqual(await ask(20n), { invoice: 'lnbc1', metadata: METADATA });
  assert.deepEqual(asked, ['/.well-known/lnurlp/ana', '/callback?id=7&amount=20000']);
});

for (const [what, given, sentence] of [
  ['says no', { json: { status: 'ERROR', reason: 'no such user\n' } }, /says: no such user $/],
  ['is a login', { json: { tag: 'login' } }, /takes no payments/],
  ['has nobody of the name', { status: 404, json: { detail: 'x' } }, /nobody has it/],
  ['fails', { status: 502 }, /gives no answer now \(HTTP status 502\)/],
  ['names another address', { to: 'http://wallet.example/' }, /HTTP status 302/],
  ['never ends', { json: offer({ metadata: 'x'.repeat(2_000) }) }, /does not answer now/],
  ['takes less', { json: { minSendable: 1, maxSendable: 19_999 } }, /from 1 to 19999 msat/],
  ['takes more', { json: { minSendable: 20_001 } }, /not 20000 msat/],
  ['takes no number', { json: { maxSendable: '1e9' } }, /msat, not 20000/],
  ['leads inside', { json: { callback: 'http://router.example:PORT/' } }, /not a public address/],
  ['leads to no address', { json: { callback: 'here' } }, /callback is no web address/],
  ['leads to a file', { json: { callback: 'file:///etc/passwd' } }, /is not asked/],
  ['has no callback', { json: { callback: 7 } }, /leaves out/],
] as readonly [string, Answer, RegExp][]) {
  test(`a receiver that ${what} is refused, with the reason`, async () => {
    const isWhole = given.json !== undefined && ('status' in given.json || 'tag' in given.json);
    const json = isWhole ? given.json : offer(given.json);
    first = { ...given, json: JSON.parse(JSON.stringify(json).replace('PORT', String(port))) };
    second = { json: { pr: 'lnbc1' } };
    await assert.rejects(ask(20n), (error) => {
      assert.ok(error instanceof Refusal && error.code === 'invoice_refused', String(error));
      assert.match(error.message, sentence);
      return true;
    });
  });
}

test('without a range of the operator an address inside is never asked', async () => {
  await assert.rejects(ask(20n, { allowedRanges: [] }), /not a public address/);
  assert.deepEqual(asked, []);
});

test('a Lightning address is a web address over https, and an LNURL holds one', () => {
  assert.equal(urlOfAddress('a+b@example.com'), 'https://example.com/.well-known/lnurlp/a%2Bb');
  const lnurl = encodeLnurl('https://example.com/pay?q=1');
  const read = { lnurl, url: 'https://example.com/pay?q=1' };
  for (const text of [lnurl, lnurl.toUpperCase(), `lightning:${lnurl}`]) {
    assert.deepEqual(readLnurl(text), read);
  }
  const changed = `${lnurl.slice(0, -1)}${lnurl.endsWith('q') ? 'p' : 'q'}`;
  for (const wrong of [changed, encodeLnurl('http://example.com'), encodeLnurl('x'), 'lnurl1']) {
    assert.equal(readLnurl(wrong), undefined);
  }
});
