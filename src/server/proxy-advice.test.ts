import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '#base/log.ts';
import { findProxySeen, noteProxySeen, type ProxySeen } from '#installation/installation.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestApp } from '#test/support/test-app.ts';
import { proxyAdvice, watchForProxy } from './proxy-advice.ts';

const HTTP = 'http://pay.example';

function seen(
  trustedProxies: readonly string[],
  requests: readonly (readonly [header: string, from: string, value?: string])[],
  publicUrl = HTTP,
): string[] {
  const lines: string[] = [];
  const noted: ProxySeen[] = [];
  const clock = manualClock('2026-11-22T00:00:00Z');
  const log = jsonLog((line) => lines.push(line), 'info', clock);
  const note = async (one: ProxySeen) => {
    noted.push(one);
  };
  const look = watchForProxy({ log, clock, config: { trustedProxies, publicUrl }, note });
  for (const [header, from, value = '192.0.2.1'] of requests) {
    look({ [header]: value }, from);
  }
  assert.equal(noted.length, lines.length, 'what is said is noted too');
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

test('a proxy that is reached by https while PUBLIC_URL is http is said, declared or not', () => {
  const request = ['x-forwarded-proto', '10.0.0.3', 'https'] as const;
  for (const declared of [[], ['10.0.0.0/8']]) {
    assert.match(seen(declared, [request, request])[0] ?? '', /set PUBLIC_URL/);
  }
  assert.deepEqual(seen(['10.0.0.0/8'], [request], 'https://pay.example'), []);
  assert.deepEqual(seen(['10.0.0.0/8'], [['x-forwarded-proto', '10.0.0.3', 'http']]), []);
});

test('what is told to the operator follows from the settings and what was seen', () => {
  const https = 'https://pay.example';
  const inside = { from: '10.0.0.3', saysHttps: false };
  const advice = (publicUrl: string, trustedProxies: string[], one?: ProxySeen) =>
    proxyAdvice({ publicUrl, trustedProxies }, one);
  assert.match(advice(https, []) ?? '', /TRUSTED_PROXIES/);
  assert.equal(advice(https, ['10.0.0.1']), undefined);
  assert.equal(advice('http://localhost:1', []), undefined);
  assert.match(advice(HTTP, [], inside) ?? '', /a proxy at 10\.0\.0\.3 .*TRUSTED_PROXIES/);
  assert.equal(advice(HTTP, ['10.0.0.3'], inside), undefined);
  assert.match(advice(HTTP, ['10.0.0.3'], { ...inside, saysHttps: true }) ?? '', /PUBLIC_URL/);
});

test('what a server noted is known to commands and to the next start, for a week', async () => {
  const { app, close } = await openTestApp();
  try {
    const now = app.clock.now();
    assert.equal(await findProxySeen(app, now), undefined);
    await noteProxySeen(app, { from: '10.0.0.3', saysHttps: true }, now);
    assert.deepEqual(await findProxySeen(app, now), { from: '10.0.0.3', saysHttps: true });
    assert.equal(await findProxySeen(app, now.add({ hours: 24 * 7 })), undefined);
  } finally {
    await close();
  }
});
