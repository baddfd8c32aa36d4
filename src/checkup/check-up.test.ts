import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidePrices } from './check-up.ts';

test('three sources make a price, whoever else is away', () => {
  const answers = (faults: readonly (string | undefined)[]) =>
    decidePrices(faults.map((fault, index) => ({ name: `source${index}`, fault })));
  const enough = answers([undefined, undefined, undefined, 'kraken: status 500']);
  assert.equal(enough.ok, true);
  assert.match(enough.detail, /source0, source1, source2 answer; away: kraken: status 500$/);
  const tooFew = answers([undefined, undefined, 'kraken: no answer']);
  assert.equal(tooFew.ok, false);
  assert.match(tooFew.detail, /^2 sources of 3 answered and 3 are needed, so nothing is converted/);
});
