import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAllowed, parseAllowedRange } from './ip-allow-list.ts';

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
