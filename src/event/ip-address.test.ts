import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { classifyAddress, isInRange, parseAddress, parseRange } from './ip-address.ts';

const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.ipV6().map((text) => text.toUpperCase()),
);

test('an IPv6 text is read as the reference parsers read it', () => {
  fc.assert(
    fc.property(ipv6, (text) => {
      if (isIP(text) !== 6) return;
      const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
      assert.deepEqual(parseAddress(text), parseAddress(canonical), text);
      // The library takes ::1.2.3.4 for ::ffff:1.2.3.4.
      if (text.includes('.')) return;
      const expected = Uint8Array.from(ipaddr.IPv6.parse(text).toByteArray());
      assert.deepEqual(parseAddress(text), expected, text);
    }),
    { numRuns: 2000 },
  );
});

test('odd spellings of addresses are not addresses', () => {
  const texts = ['', ' ', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '1.2.3.4.5', '1.2.3'];
  const others = [
    '1.2.3.256',
    '127.0.0.1 ',
    '①②⑦.0.0.1',
    'fe80::1%eth0',
    '::1%1',
    ':::',
    '1::2::3',
  ];
  for (const text of [...texts, ...others, '[::1]', '::ffff:127.1', 'localhost', '12345::']) {
    assert.equal(parseAddress(text), undefined, text);
  }
});

test('a range holds its first and last address and not its neighbours', () => {
  const range = parseRange('172.16.0.0/12');
  assert.ok(range);
  const isIn = (text: string) => isInRange(parseAddress(text) as Uint8Array, range);
  assert.deepEqual(
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0', '::ffff:ac10:1'].map(isIn),
    [false, true, true, false, false],
  );
});

test('malformed ranges are refused', () => {
  for (const text of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/08', '::/129', 'a/8']) {
    assert.equal(parseRange(text), undefined, text);
  }
});

test('what the reference library calls special is never public', () => {
  const address = fc.oneof(fc.ipV4(), ipv6);
  fc.assert(
    fc.property(address, (text) => {
      const bytes = parseAddress(text);
      if (bytes === undefined) return;
      const reference = ipaddr.process(text).range();
      if (reference === 'unicast' || wrappers.has(reference)) return;
      // AS112 is a public service with registered addresses.
      if (reference === 'as112' || reference === 'as112v6') return;
      assert.notEqual(classifyAddress(bytes), 'public', `${text} is ${reference}`);
    }),
    { numRuns: 5000 },
  );
});

const wrappers = new Set(['rfc6052', '6to4', 'teredo', 'ipv4Mapped', 'rfc6145']);
