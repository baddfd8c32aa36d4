import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { quoteAmounts } from './json-rpc.ts';

test('the number under "value" keeps every digit, other numbers stay numbers', () => {
  const text = '{"value":0.10000000,"n":1,"list":[{"value": 1e-8},{"value":-20999999.9769}]}';
  assert.deepEqual(JSON.parse(quoteAmounts(text)), {
    value: '0.10000000',
    n: 1,
    list: [{ value: '1e-8' }, { value: '-20999999.9769' }],
  });
});

test('the sum of what stands unspent keeps every digit', () => {
  const text = '{"success":true,"txouts":12,"total_amount":20999999.97690001}';
  assert.deepEqual(JSON.parse(quoteAmounts(text)), {
    success: true,
    txouts: 12,
    total_amount: '20999999.97690001',
  });
});

test('what a node says of fees keeps every digit', () => {
  const text = '{"feerate":0.00020431,"blocks":6,"mempoolminfee":0.00001000}';
  assert.deepEqual(JSON.parse(quoteAmounts(text)), {
    feerate: '0.00020431',
    blocks: 6,
    mempoolminfee: '0.00001000',
  });
  const entry =
    '{"ancestorsize":141,"fees":{"base":0.00000141,"ancestor":0.00000141,"descendant":1e-8}}';
  assert.deepEqual(JSON.parse(quoteAmounts(entry)), {
    ancestorsize: 141,
    fees: { base: 0.00000141, ancestor: '0.00000141', descendant: '1e-8' },
  });
});

test('nothing inside a string is changed, whatever it holds', () => {
  const parts = fc.constantFrom('"value":1', '"', '\\', '"value" : 2.5', 'value', ':', '{', 'x');
  fc.assert(
    fc.property(
      fc.array(parts).map((list) => list.join('')),
      (inside) => {
        const json = { text: inside, list: [inside], nested: { [`k${inside}k`]: true } };
        assert.deepEqual(JSON.parse(quoteAmounts(JSON.stringify(json))), json);
      },
    ),
  );
});

test('a value that is no number is not touched', () => {
  for (const value of ['"0.1"', 'null', 'true', '{"value":"x"}', '[1]']) {
    const text = `{"value":${value}}`;
    assert.equal(quoteAmounts(text), text);
  }
});
