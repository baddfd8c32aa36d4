import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { add, decimalToText } from '#money/decimal.ts';
import { type Charge, readCharge } from './charge.ts';

type Written = {
  readonly lines: readonly (readonly [netAmount: string, quantity: string])[];
  readonly discounts: readonly string[];
  readonly shipping: readonly (readonly [netAmount: string, taxable: boolean])[];
  readonly percents: readonly string[];
};

/** A currency for every number of decimals that there is. */
const CODES: Record<number, string> = { 0: 'JPY', 2: 'EUR', 3: 'KWD', 8: 'BTC', 18: 'ETH' };

type Read = { readonly charge: Charge | undefined; readonly faults: readonly string[] };

function read({ lines, discounts, shipping, percents }: Written, decimals = 2): Read {
  const description = 'Something';
  const faults: string[] = [];
  const given = {
    billingCurrency: CODES[decimals],
    lineItems: lines.map(([netAmount, quantity]) => ({ description, netAmount, quantity })),
    discountItems: discounts.map((netAmount) => ({ description, netAmount })),
    shippingCostItems: shipping.map(([netAmount, taxable]) => ({
      description,
      netAmount,
      taxable,
    })),
    taxItems: percents.map((percent) => ({ name: 'VAT', percent })),
  };
  return { charge: readCharge(given, faults), faults };
}

const plain: Written = { lines: [['100.00', '1']], discounts: [], shipping: [], percents: [] };

function chargeOf(written: Written, decimals = 2): Charge {
  const { charge, faults } = read(written, decimals);
  assert.ok(charge !== undefined, faults.join());
  return charge;
}

function totalText(written: Partial<Written>, decimals = 2): string {
  return decimalToText(chargeOf({ ...plain, ...written }, decimals).total);
}

test('the total is net plus the taxable sum times the sum of the percents', () => {
  const parts = chargeOf({
    lines: [
      ['19.99', '3'],
      ['5', '0.5'],
    ],
    discounts: ['2.47'],
    shipping: [
      ['4.90', true],
      ['10', false],
    ],
    percents: ['0.0825', '0.01'],
  });
  // net 59.97 + 2.5 - 2.47 + 14.9 = 74.9; taxable 64.9; tax 64.9 * 0.0925 = 6.00325
  assert.deepEqual(
    [parts.netTotal, parts.taxTotal, parts.discountTotal, parts.shippingTotal].map(decimalToText),
    ['74.9', '6.00325', '2.47', '14.9'],
  );
  assert.equal(decimalToText(parts.total), '80.9');
  assert.equal(parts.decimals, 2);
});

test('the total is rounded once, to the nearest unit of the currency, halves up', () => {
  const cases: [netAmount: string, decimals: number, total: string][] = [
    ['10.004', 2, '10'],
    ['10.005', 2, '10.01'],
    ['10.015', 2, '10.02'],
    ['10.0049999', 2, '10'],
    ['0.5', 0, '1'],
    ['1499.5', 0, '1500'],
    ['0.0005', 3, '0.001'],
    ['0.000000005', 8, '0.00000001'],
    ['0.000000000000000001', 18, '0.000000000000000001'],
  ];
  for (const [netAmount, decimals, total] of cases) {
    assert.equal(totalText({ lines: [[netAmount, '1']] }, decimals), total, netAmount);
  }
});

test('nothing is rounded before the total', () => {
  // Three lines of a third of a cent each are a cent; each alone would be nothing.
  const third = ['0.003333333333333334', '1'] as const;
  assert.equal(totalText({ lines: [third, third, third] }), '0.01');
});

test('a charge that adds up to nothing or less is refused', () => {
  const refused: [Partial<Written>, RegExp][] = [
    [{ lines: [['0', '1']] }, /charge: the total is 0,/],
    [{ lines: [['0.004', '1']] }, /charge: the total is 0,/],
    [{ discounts: ['100'] }, /charge: the total is 0,/],
    [{ discounts: ['100.01'] }, /the total is -0.01/],
    [{ lines: [['999999999999999999', '2']] }, /at most 18 digits/],
  ];
  for (const [written, message] of refused) {
    const { charge, faults } = read({ ...plain, ...written });
    assert.equal(charge, undefined);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? '', message);
  }
});

test('whatever the formula allows is charged while the total is above zero', () => {
  const allowed: [Partial<Written>, string][] = [
    [{ discounts: ['150'], shipping: [['80', true]] }, '30'],
    // The taxable sum is -50: the tax is given back as well.
    [{ discounts: ['150'], shipping: [['80', false]], percents: ['0.2'] }, '20'],
    [
      {
        lines: [
          ['100', '1'],
          ['-30', '1'],
        ],
      },
      '70',
    ],
    [
      {
        lines: [
          ['100', '1'],
          ['5', '0'],
        ],
      },
      '100',
    ],
    [{ discounts: ['-5'] }, '105'],
    [{ shipping: [['-5', false]] }, '95'],
    [{ percents: ['1', '1'] }, '300'],
  ];
  for (const [written, total] of allowed) {
    assert.equal(totalText(written), total, JSON.stringify(written));
  }
});

// The oracle shares no code with the service: fractions of bigints over the written texts.
type Fraction = readonly [above: bigint, below: bigint];

function fractionOf(text: string): Fraction {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const above = BigInt(whole + part);
  return [text.startsWith('-') ? -above : above, 10n ** BigInt(part.length)];
}
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const minus = (left: Fraction, [c, d]: Fraction): Fraction => plus(left, [-c, d]);
const sumOf = (list: readonly Fraction[]) => list.reduce(plus, [0n, 1n]);

function oracle(written: Written): Fraction {
  const shipping = (only: (taxable: boolean) => boolean) =>
    sumOf(written.shipping.filter(([, t]) => only(t)).map(([amount]) => fractionOf(amount)));
  const lines = sumOf(written.lines.map(([a, q]) => times(fractionOf(a), fractionOf(q))));
  const all = shipping(() => true);
  const net = plus(minus(lines, sumOf(written.discounts.map(fractionOf))), all);
  const taxable = plus(
    minus(net, all),
    shipping((t) => t),
  );
  const percent = sumOf(written.percents.map(fractionOf));
  return plus(net, times(taxable, percent));
}

const digits = (most: number) =>
  fc
    .tuple(fc.bigInt(0n, 10n ** 18n - 1n), fc.integer({ min: 0, max: most }))
    .map(([value, places]) => {
      const padded = value.toString().padStart(places + 1, '0');
      const at = padded.length - places;
      return places === 0 ? padded : `${padded.slice(0, at)}.${padded.slice(at)}`;
    });
const positive = fc.oneof(digits(18), fc.constantFrom('0', '0.01', '1', '19.99', '0.005'));
const amount = fc.oneof(positive, positive, positive, fc.constantFrom('-0.01', '-7.5', '-1'));
const percent = fc.constantFrom('0', '0.0825', '0.19', '0.333333333333333333', '0.5', '1');

const written: fc.Arbitrary<Written> = fc.record({
  lines: fc.array(fc.tuple(amount, positive), { minLength: 1, maxLength: 5 }),
  discounts: fc.array(amount, { maxLength: 3 }),
  shipping: fc.array(fc.tuple(amount, fc.boolean()), { maxLength: 3 }),
  percents: fc.array(percent, { maxLength: 3 }),
});

test('the total is the exact formula, rounded once, or a refusal that is due', () => {
  let chargeable = 0;
  fc.assert(
    fc.property(written, fc.constantFrom(0, 2, 3, 8, 18), (sample, decimals) => {
      const total = oracle(sample);
      const scaled: Fraction = [total[0] * 10n ** BigInt(decimals) * 2n + total[1], total[1] * 2n];
      const units = scaled[0] < 0n ? -1n : scaled[0] / scaled[1];
      const isDue = units <= 0n || units >= 10n ** BigInt(18 + decimals);
      const { charge: parts, faults } = read(sample, decimals);
      assert.equal(faults.length > 0, isDue, faults.join());
      if (isDue) return;
      chargeable += 1;
      assert.ok(parts !== undefined);
      const [above, below] = fractionOf(decimalToText(parts.total));
      assert.equal(above * 10n ** BigInt(decimals), units * below);
      const exact = plus(
        fractionOf(decimalToText(parts.netTotal)),
        fractionOf(decimalToText(parts.taxTotal)),
      );
      assert.equal(exact[0] * total[1], total[0] * exact[1]);
      const charged = [parts.netCharged, ...parts.taxItems.map((tax) => tax.charged)];
      assert.deepEqual(charged.reduce(add), parts.total);
    }),
    { numRuns: 3000 },
  );
  assert.ok(chargeable > 500, `only ${chargeable} samples were chargeable`);
});
