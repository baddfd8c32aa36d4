import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer } from 'node:tls';
import { systemClock } from '#base/clock.ts';
import {
  loopbackShopCertificate,
  loopbackShopKey,
  selfSignedCertificate,
  selfSignedKey,
} from '#test/support/self-signed.ts';
import { checkSite, decideCertificate, type FindAddresses } from './check-site.ts';

const nowhere: FindAddresses = async () => {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};
const at =
  (address: string): FindAddresses =>
  async () => [address];
const parts = { clock: systemClock, isRunning: false };

test('a public address of this machine alone is for trying', async () => {
  for (const url of ['http://localhost:8080', 'http://127.0.0.1:9', 'http://[::1]:8080']) {
    const [only, ...more] = await checkSite(url, { ...parts, findAddresses: nowhere });
    assert.deepEqual([only?.ok, only?.what, more.length], [true, 'public address', 0], url);
  }
});

test('a name without an address is told with the record that is missing', async () => {
  const [only] = await checkSite('https://pay.shop.test', { ...parts, findAddresses: nowhere });
  assert.equal(only?.ok, false);
  assert.match(only?.detail ?? '', /pay\.shop\.test has no address in the DNS: add an A or AAAA/);
});

test('http is well inside, and not where anybody may be on the way', async () => {
  const inside = await checkSite('http://pay.lan', { ...parts, findAddresses: at('10.0.0.7') });
  assert.deepEqual(
    inside.map(({ ok }) => ok),
    [true, true],
  );
  const outside = await checkSite('http://pay.shop.test', {
    ...parts,
    findAddresses: at('1.1.1.1'),
  });
  assert.deepEqual(
    outside.map(({ what, ok }) => [what, ok]),
    [
      ['domain', true],
      ['TLS', false],
    ],
  );
});

async function withTls<T>(
  key: string,
  cert: string,
  act: (port: number) => Promise<T>,
): Promise<T> {
  const server = createServer({ key, cert }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await act((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

test('a certificate that nobody vouches for is refused, one of a known authority taken', async () => {
  await withTls(selfSignedKey, selfSignedCertificate, async (port) => {
    const place = { ...parts, findAddresses: at('127.0.0.1') };
    const refused = await checkSite(`https://shop.test:${port}`, place);
    assert.match(refused[1]?.detail ?? '', /refused by browsers \(.*SELF_SIGNED/);
    const authorities = [selfSignedCertificate];
    const taken = await checkSite(`https://shop.test:${port}`, { ...place, authorities });
    assert.equal(taken[1]?.ok, true, taken[1]?.detail ?? '');
    assert.match(taken[1]?.detail ?? '', /TLSv1\.3, certificate of shop\.test/);
    const other = await checkSite(`https://other.test:${port}`, { ...place, authorities });
    assert.match(other[1]?.detail ?? '', /refused by browsers \(.*ALTNAME/);
  });
  await withTls(loopbackShopKey, loopbackShopCertificate, async (port) => {
    const closed = await checkSite('https://shop.test:1', {
      ...parts,
      findAddresses: at('127.0.0.1'),
    });
    assert.match(closed[1]?.detail ?? '', /nobody speaks TLS at shop\.test port 1/);
    assert.ok(port > 0);
  });
});

test('a certificate that ends within two weeks was not renewed', () => {
  const now = Temporal.Instant.from('2026-11-01T00:00:00Z');
  const shown = { fault: undefined, issuer: 'Somebody', protocol: 'TLSv1.3' };
  const until = (text: string) =>
    decideCertificate(
      'pay.shop.test',
      { ...shown, validTo: Temporal.Instant.from(`${text}T00:00:00Z`) },
      now,
    );
  assert.equal(until('2026-11-15').ok, true);
  assert.equal(until('2026-11-14').ok, false);
  assert.match(until('2026-11-14').detail, /ends on 2026-11-14 and was not renewed/);
});
