import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  addressAllowed,
  canonicalIp,
  classifyAddress,
  isInRange,
  parseAddress,
  parseAllowedRange,
  parseRange,
} from './ip-address.ts';

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

const table: readonly (readonly [readonly string[], string, boolean])[] = [
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['198.51.100.1', '192.0.2.0/25'], '192.0.2.127', true],
  [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.9', true],
  [['::ffff:192.0.2.9'], '192.0.2.9', true],
  [['0.0.0.0/0'], '203.0.113.5', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '2001:db8::1', true],
  [['::/0'], '192.0.2.1', false],
  [['2001:db8::/32'], '2001:DB8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
  [[], '192.0.2.1', false],
  [['nonsense', '192.0.2.1/33', '192.0.2.1/-1', '/'], '192.0.2.1', false],
  [['0.0.0.0/0'], 'nonsense', false],
  [['0.0.0.0/0'], '0300.0.2.1', false],
  [['0.0.0.0/0'], '3221225985', false],
  [['::/0'], 'fe80::1%eth0', false],
];
for (const [list, address, isAllowed] of table) {
  test(`${address} is ${isAllowed ? '' : 'not '}in [${list.join(', ')}]`, () => {
    assert.equal(addressAllowed(list, address), isAllowed);
  });
}

const ranges: readonly (readonly [string, string | undefined])[] = [
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.255/25', '192.0.2.128/25'],
  [' 192.0.2.1 ', '192.0.2.1/32'],
  ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
  ['2001:DB8:0:0::1/33', '2001:db8::/33'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['192.0.2.1/33', undefined],
  ['192.0.2.1/024', undefined],
  ['192.0.2.1/', undefined],
  ['192.0.2/24', undefined],
  ['010.0.0.1', undefined],
  ['example.com', undefined],
  ['', undefined],
];
for (const [text, canonical] of ranges) {
  test(`the range ${JSON.stringify(text)} is ${canonical ?? 'refused'}`, () => {
    assert.equal(parseAllowedRange(text), canonical);
  });
}

test('an address is spelled as the reference library spells it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), ipv6), (text) => {
      const canonical = canonicalIp(text);
      if (canonical === undefined) return assert.equal(isIP(text), 0);
      // The library takes ::1.2.3.4 for ::ffff:1.2.3.4.
      if (text.includes(':') && text.includes('.')) return;
      assert.equal(canonical, ipaddr.process(text).toString(), text);
      assert.equal(canonicalIp(canonical), canonical);
    }),
    { numRuns: 2000 },
  );
  assert.equal(canonicalIp('::ffff:c000:201'), '192.0.2.1');
  assert.equal(canonicalIp('::192.0.2.1'), '::c000:201', 'another place than 192.0.2.1');
});

test('an address is in a range when the reference library says so', () => {
  const pure = ipv6.filter((text) => isIP(text) === 6 && !text.includes('.'));
  const cases = fc.oneof(
    fc.tuple(fc.ipV4(), fc.nat(32), fc.ipV4()),
    fc.tuple(pure, fc.nat(128), pure),
  );
  fc.assert(
    fc.property(cases, ([base, bits, other]) => {
      for (const one of [base, other]) {
        const expected = ipaddr.parse(one).match(ipaddr.parse(base) as never, bits);
        assert.equal(
          addressAllowed([`${base}/${bits}`], one),
          expected,
          `${one} in ${base}/${bits}`,
        );
      }
    }),
    { numRuns: 2000 },
  );
});
