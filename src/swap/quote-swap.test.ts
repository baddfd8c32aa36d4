import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UNITS_MAX } from '#money/asset-amount.ts';
import { createRate, type Rate } from '#money/rate.ts';
import { quoteSwap } from './quote-swap.ts';

const units = fc.bigInt({ min: 1n, max: 10n ** 24n });
const part = fc.bigInt({ min: 1n, max: 10n ** 30n });
const rates = fc.tuple(part, part).map(([above, below]) => createRate(above, below));
const inverse = ({ numerator, denominator }: Rate) => createRate(denominator, numerator);
const fees = fc.integer({ min: 0, max: 999_999 });

const given = (sourceUnits: bigint, rate: Rate, feePartsPerMillion = 0) =>
  quoteSwap({ sourceUnits, rate, feePartsPerMillion });
const wanted = (targetUnits: bigint, rate: Rate, feePartsPerMillion = 0) =>
  quoteSwap({ targetUnits, rate, feePartsPerMillion });
const targetOf = (quote: ReturnType<typeof quoteSwap>) => quote?.targetUnits ?? 0n;

describe('a swap', () => {
  test('rounds what is received down and what is given up', () => {
    const third = createRate(1n, 3n);
    assert.deepEqual(given(10n, third), { sourceUnits: 10n, targetUnits: 3n, feeUnits: 0n });
    const three = createRate(3n, 1n);
    assert.deepEqual(wanted(10n, three), { sourceUnits: 4n, targetUnits: 10n, feeUnits: 2n });
  });

  test('takes its fee out of what is received', () => {
    const rate = createRate(2n, 1n);
    const amounts = { sourceUnits: 1000n, targetUnits: 1990n, feeUnits: 10n };
    assert.deepEqual(given(1000n, rate, 5000), amounts);
    assert.deepEqual(wanted(1990n, rate, 5000), amounts);
  });

  test('of which nothing would be left is none', () => {
    assert.equal(given(1n, createRate(1n, 2n)), undefined);
    assert.equal(given(1n, createRate(1n, 1n), 1_000_000), undefined);
    assert.equal(given(1n, createRate(1n, 1n), 1), undefined);
  });

  test('that keeps everything as a fee gives nothing, whichever amount is named', () => {
    assert.equal(wanted(1n, createRate(1n, 1n), 1_000_000), undefined);
  });

  test('of nothing is none', () => {
    const one = createRate(1n, 1n);
    assert.equal(given(0n, one), undefined);
    assert.equal(wanted(0n, one), undefined);
    assert.equal(given(-1n, createRate(1n, 1n)), undefined);
  });

  test('with a fee below nothing or above everything is a bug of ours', () => {
    for (const parts of [-1, 1_000_001]) {
      assert.throws(() => given(10n, createRate(1n, 1n), parts), new RegExp(`not parts: ${parts}`));
    }
  });

  test('of all that a column holds is one', () => {
    const all = { sourceUnits: UNITS_MAX, targetUnits: UNITS_MAX, feeUnits: 0n };
    assert.deepEqual(given(UNITS_MAX, createRate(1n, 1n)), all);
    assert.equal(given(UNITS_MAX + 1n, createRate(1n, 2n)), undefined);
    assert.equal(wanted(UNITS_MAX + 1n, createRate(2n, 1n)), undefined);
  });

  test('beyond what a column holds is none', () => {
    assert.equal(given(10n ** 40n, createRate(10n ** 40n, 1n)), undefined);
    assert.equal(wanted(10n ** 40n, createRate(1n, 10n ** 40n)), undefined);
  });

  test('there and back never gains, whichever amounts are named', () => {
    fc.assert(
      fc.property(units, rates, fees, (start, rate, fee) => {
        const there = given(start, rate, fee);
        if (there === undefined) return;
        assert.ok(targetOf(given(there.targetUnits, inverse(rate), fee)) <= start);
        const back = wanted(start, inverse(rate), fee);
        // What gives the start back costs at least what the start gave.
        assert.ok(back === undefined || back.sourceUnits >= there.targetUnits);
      }),
    );
  });

  test('in parts never beats the whole', () => {
    fc.assert(
      fc.property(
        fc.array(units, { minLength: 2, maxLength: 8 }),
        rates,
        fees,
        (parts, rate, fee) => {
          const whole = parts.reduce((sum, one) => sum + one, 0n);
          const inParts = parts.reduce((sum, one) => sum + targetOf(given(one, rate, fee)), 0n);
          assert.ok(inParts <= targetOf(given(whole, rate, fee)));
          const costs = parts.map((one) => wanted(one, rate, fee)?.sourceUnits);
          const cost = wanted(whole, rate, fee)?.sourceUnits;
          const sum = costs.reduce<bigint>((total, one) => total + (one ?? 0n), 0n);
          assert.ok(cost === undefined || sum >= cost);
        },
      ),
    );
  });

  test('for what it needs gives at least what was wanted, and a unit less would not', () => {
    fc.assert(
      fc.property(units, rates, fees, (target, rate, fee) => {
        const quote = wanted(target, rate, fee);
        if (quote === undefined) return;
        assert.ok(targetOf(given(quote.sourceUnits, rate, fee)) >= target);
        assert.ok(targetOf(given(quote.sourceUnits - 1n, rate, fee)) < target);
        assert.ok(quote.feeUnits >= 0n);
      }),
    );
  });

  test('never pays out more than its rate, fee included', () => {
    fc.assert(
      fc.property(units, rates, fees, (source, rate, fee) => {
        const quote = given(source, rate, fee);
        if (quote === undefined) return;
        const gross = quote.targetUnits + quote.feeUnits;
        assert.ok(gross * rate.denominator <= source * rate.numerator);
        assert.ok((gross + 1n) * rate.denominator > source * rate.numerator);
        const kept = 1_000_000n - BigInt(fee);
        const { targetUnits } = quote;
        assert.ok(targetUnits * rate.denominator * 1_000_000n <= source * rate.numerator * kept);
      }),
    );
  });
});
