import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { proxyAdvice, watchForProxy } from './proxy-advice.ts';

function seen(trustedProxies: readonly string[], requests: readonly [string, string][]): string[] {
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line), 'info', manualClock('2026-11-22T00:00:00Z'));
  const look = watchForProxy({ log, config: { trustedProxies } });
  for (const [header, from] of requests) look(new Headers({ [header]: '192.0.2.1' }), from);
  return lines;
}

test('a forwarding header from an address inside is said once, with what to set', () => {
  const said = seen(
    [],
    [
      ['x-forwarded-for', '::ffff:127.0.0.1'],
      ['x-forwarded-for', '10.0.0.3'],
    ],
  );
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /set TRUSTED_PROXIES/);
  assert.equal(seen([], [['forwarded', '172.17.0.1']]).length, 1);
});

test('nothing is said of a declared proxy, of a stranger, or of a plain request', () => {
  assert.deepEqual(seen(['10.0.0.0/8'], [['x-forwarded-for', '10.0.0.3']]), []);
  assert.deepEqual(seen([], [['x-forwarded-for', '93.184.215.14']]), []);
  assert.deepEqual(seen([], [['accept', '10.0.0.3']]), []);
});

test('a public https address without a declared proxy is told to the operator', () => {
  const publicUrl = 'https://pay.example';
  assert.match(proxyAdvice({ publicUrl, trustedProxies: [] }) ?? '', /TRUSTED_PROXIES/);
  assert.equal(proxyAdvice({ publicUrl, trustedProxies: ['10.0.0.1'] }), undefined);
  assert.equal(proxyAdvice({ publicUrl: 'http://localhost:1', trustedProxies: [] }), undefined);
});
