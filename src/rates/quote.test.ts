import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Asset, getAsset, listAssets } from '#catalog/asset.ts';
import { createDecimal, type Decimal, parseDecimal } from '#money/decimal.ts';
import { convertUnits } from '#money/rate.ts';
import { createQuoter, currentRate, type Quote, type QuoteRequest, quotePayment } from './quote.ts';
import { type RateBook, REFERENCE_PRICES } from './rate-book.ts';

const now = Temporal.Instant.from('2026-03-01T12:00:00Z');
const ids = new Map([...REFERENCE_PRICES.keys()].map((code, index) => [code, BigInt(index + 1)]));

function bookOf(prices: ReadonlyMap<string, Decimal>): RateBook {
  return {
    price(_environment, code) {
      const usdPrice = code === 'USD' ? parseDecimal('1') : prices.get(code);
      const id = code === 'USD' ? 0n : (ids.get(code) ?? 99n);
      return usdPrice && { id, code, usdPrice, observedAt: now };
    },
  };
}
const reference = bookOf(REFERENCE_PRICES);
const emptyBook = bookOf(new Map());

const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC_ERC20 = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

function quote(change: Partial<QuoteRequest> & { readonly sum?: string }): Quote {
  const { sum = '10', ...rest } = change;
  return quotePayment({
    environment: 'test',
    total: parseDecimal(sum),
    billingCurrency: 'USD',
    paymentAssetId: 'BTC:NATIVE',
    settlementAsset: 'ORIGIN',
    feePartsPerMillion: 10_000,
    book: reference,
    now,
    ...rest,
  });
}

function quoted(change: Parameters<typeof quote>[0]): Extract<Quote, { kind: 'quoted' }> {
  const outcome = quote(change);
  assert.ok(outcome.kind === 'quoted', 'reason' in outcome ? outcome.reason : '');
  return outcome;
}

describe('a quote', () => {
  test('10 USD in bitcoin at 100,000 are 10,000 satoshi, credited as they are less the fee', () => {
    const answer = quoted({});
    assert.equal(answer.arrivingUnits, 10_000n);
    assert.equal(answer.settlementAssetId, 'BTC:NATIVE');
    assert.deepEqual(
      [answer.settlementUnits, answer.netUnits, answer.feeUnits],
      [10_000n, 9_900n, 100n],
    );
    assert.deepEqual(answer.paymentToSettlement, { numerator: 1n, denominator: 1n });
    assert.deepEqual(answer.rateIds, [ids.get('BTC')]);
  });

  test('rounds what the customer pays up and what the merchant is credited down', () => {
    const answer = quoted({ sum: '10.0001', billingCurrency: 'EUR', settlementAsset: USDC });
    // 10.0001 EUR at 1.15 are 11.500115 USD: 11500.115 satoshi and 11.5001150 USDC.
    assert.equal(answer.arrivingUnits, 11_501n);
    assert.equal(answer.settlementUnits, 115_001_150n);
    assert.equal(answer.netUnits, 113_851_138n);
    assert.equal(answer.feeUnits, 1_150_012n);
    assert.deepEqual(answer.rateIds, [ids.get('EUR'), ids.get('BTC'), ids.get('USDC')]);
  });

  test('the full payment converts to the settlement amount exactly', () => {
    const answer = quoted({ sum: '10.0001', settlementAsset: USDC });
    const { arrivingUnits, settlementUnits, paymentToSettlement } = answer;
    assert.equal(convertUnits(arrivingUnits, paymentToSettlement, 'down'), settlementUnits);
    assert.equal(convertUnits(arrivingUnits, paymentToSettlement, 'up'), settlementUnits);
  });

  test('needs no rate when the charge is in the coin that is paid', () => {
    const answer = quoted({
      sum: '0.00000001',
      billingCurrency: 'BTC',
      book: emptyBook,
      feePartsPerMillion: 0,
    });
    assert.deepEqual([answer.arrivingUnits, answer.netUnits, answer.feeUnits], [1n, 1n, 0n]);
    assert.deepEqual(answer.rateIds, []);
    const usdc = quoted({
      billingCurrency: 'USDC',
      paymentAssetId: USDC_ERC20,
      settlementAsset: USDC,
      book: emptyBook,
    });
    assert.deepEqual([usdc.arrivingUnits, usdc.settlementUnits], [10_000_000n, 100_000_000n]);
  });

  test('a dollar is a dollar without a rate, a stablecoin is not', () => {
    const answer = quoted({ paymentAssetId: 'BTC:NATIVE', settlementAsset: 'USD:FIAT' });
    assert.equal(answer.settlementUnits, 1000n);
    assert.deepEqual(answer.rateIds, [ids.get('BTC')]);
    const outcome = quote({ paymentAssetId: USDC, book: emptyBook });
    assert.deepEqual(outcome, { kind: 'unavailable', reason: 'there is no current rate for USDC' });
  });

  test('is unavailable without any of its rates, and says which is missing', () => {
    for (const missing of ['EUR', 'BTC', 'XLM']) {
      const prices = new Map([...REFERENCE_PRICES].filter(([code]) => code !== missing));
      const outcome = quote({
        billingCurrency: 'EUR',
        settlementAsset: 'XLM:NATIVE',
        book: bookOf(prices),
      });
      const reason = `there is no current rate for ${missing}`;
      assert.deepEqual(outcome, { kind: 'unavailable', reason });
    }
  });

  test('is unavailable when nothing would be left for the merchant', () => {
    const reason = 'the amount is too small to credit BTC';
    assert.deepEqual(quote({ sum: '0.001' }), { kind: 'unavailable', reason });
    assert.deepEqual(quote({ feePartsPerMillion: 1_000_000 }), { kind: 'unavailable', reason });
    const usd = 'the amount is too small to credit USD';
    assert.deepEqual(quote({ sum: '0.009', settlementAsset: 'USD:FIAT' }), {
      kind: 'unavailable',
      reason: usd,
    });
  });

  test('is unavailable beyond what an amount can hold', () => {
    const total = createDecimal(10n ** 70n, 0);
    const outcome = quote({ total, paymentAssetId: 'ETH:NATIVE' });
    assert.deepEqual(outcome, { kind: 'unavailable', reason: 'the amount is too large' });
  });

  const spreads: readonly [
    what: string,
    change: Parameters<typeof quote>[0],
    arrivingUnits: bigint,
  ][] = [
    ['is on top of what the customer pays', { settlementAsset: USDC }, 10_100n],
    ['is not taken for ORIGIN', {}, 10_000n],
    [
      'is not taken when the merchant wants that very asset',
      { settlementAsset: 'BTC:NATIVE' },
      10_000n,
    ],
    [
      'is not taken within a group',
      { paymentAssetId: USDC_ERC20, settlementAsset: USDC },
      10_000_000n,
    ],
  ];
  for (const [what, change, arrivingUnits] of spreads) {
    test(`the spread ${what}, and the merchant's amount stays`, () => {
      const plain = quoted(change);
      const spread = quoted({ ...change, spreadPartsPerMillion: 10_000 });
      assert.equal(spread.arrivingUnits, arrivingUnits);
      assert.equal(spread.settlementUnits, plain.settlementUnits);
    });
  }

  test('of several ways at once says of each what it says of that one alone', () => {
    const terms = {
      environment: 'test',
      book: reference,
      now,
      feePartsPerMillion: 10_000,
    } as const;
    const amount = fc.bigInt({ min: 1n, max: 10n ** 16n }).map((cents) => createDecimal(cents, 4));
    const currency = fc.constantFrom('USD', 'EUR', 'BTC', 'JPY');
    const settled = fc.constantFrom('ORIGIN', 'BTC:NATIVE', USDC);
    fc.assert(
      fc.property(amount, currency, settled, (total, billingCurrency, settlementAsset) => {
        const charge = { ...terms, total, billingCurrency, settlementAsset };
        const quoteWay = createQuoter(charge);
        for (const { id: paymentAssetId } of listAssets()) {
          for (const arrivingOf of [undefined, (units: bigint) => units + 7n]) {
            const way = { paymentAssetId, spreadPartsPerMillion: 5_000, arrivingOf };
            assert.deepEqual(quoteWay(way), quotePayment({ ...charge, ...way }));
          }
        }
      }),
    );
  });

  test('of nothing is a bug', () => {
    assert.throws(() => quote({ sum: '0' }), /refused before/);
    assert.throws(() => quote({ feePartsPerMillion: 1.5 }), /not parts/);
  });
});

/** An independent reckoning: fractions of bigints, compared by cross multiplication. */
type Fraction = readonly [above: bigint, below: bigint];
const times = (a: Fraction, b: Fraction): Fraction => [a[0] * b[0], a[1] * b[1]];
const over = (a: Fraction, b: Fraction): Fraction => [a[0] * b[1], a[1] * b[0]];
const isAtMost = (a: Fraction, b: Fraction) => a[0] * b[1] <= b[0] * a[1];
const whole = (n: bigint): Fraction => [n, 1n];
const fraction = ({ coefficient, scale }: Decimal): Fraction => [coefficient, 10n ** BigInt(scale)];
const inUnits = (asset: Asset, coins: Fraction) =>
  times(coins, whole(10n ** BigInt(asset.decimals)));

describe('for any prices, total and fee', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 16n }), fc.nat({ max: 18 }))
    .map(([coefficient, scale]) => createDecimal(coefficient, scale));
  const price = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.nat({ max: 20 }))
    .map(([coefficient, scale]) => createDecimal(coefficient, scale));
  const asset = fc.constantFrom(...listAssets());

  test('amounts are the exact ones, rounded by less than a unit as stated', () => {
    let quotes = 0;
    fc.assert(
      fc.property(
        fc.record({
          total: decimal,
          billing: price,
          paid: price,
          settled: price,
          payment: asset,
          settlement: fc.option(asset),
          fee: fc.nat({ max: 1_000_000 }),
          spread: fc.nat({ max: 50_000 }),
        }),
        ({ total, billing, paid, settled, payment, settlement, fee, spread }) => {
          const credited = settlement ?? payment;
          const codes = new Map([
            [credited.assetCode, settled],
            [payment.assetCode, paid],
            ['JPY', billing],
          ]);
          const book = bookOf(codes);
          const usd = (code: string) => fraction(book.price('live', code, now)?.usdPrice ?? total);
          const outcome = quote({
            total,
            billingCurrency: 'JPY',
            paymentAssetId: payment.id,
            settlementAsset: settlement?.id ?? 'ORIGIN',
            feePartsPerMillion: fee,
            spreadPartsPerMillion: spread,
            book,
          });
          const dollars = times(fraction(total), usd('JPY'));
          const isOrigin = credited.id === payment.id;
          const parts = isOrigin || credited.group === payment.group ? 0 : spread;
          const exactPayment = times(inUnits(payment, over(dollars, usd(payment.assetCode))), [
            1_000_000n + BigInt(parts),
            1_000_000n,
          ]);
          const exactCredit = inUnits(credited, over(dollars, usd(credited.assetCode)));
          if (outcome.kind === 'unavailable') {
            const [above, below] = isOrigin ? exactPayment : exactCredit;
            const gross = isOrigin ? (above + below - 1n) / below : above / below;
            const isNothing = gross * (1_000_000n - BigInt(fee)) < 1_000_000n;
            assert.ok(isNothing || outcome.reason === 'the amount is too large', outcome.reason);
            return;
          }
          quotes += 1;
          const { arrivingUnits, settlementUnits, netUnits, feeUnits } = outcome;
          assert.ok(isAtMost(exactPayment, whole(arrivingUnits)));
          assert.ok(!isAtMost(exactPayment, whole(arrivingUnits - 1n)));
          if (isOrigin) assert.equal(settlementUnits, arrivingUnits);
          else {
            assert.ok(isAtMost(whole(settlementUnits), exactCredit));
            assert.ok(!isAtMost(whole(settlementUnits + 1n), exactCredit));
          }
          assert.equal(netUnits + feeUnits, settlementUnits);
          assert.ok(netUnits > 0n && feeUnits >= 0n);
          const exactNet = times(whole(settlementUnits), [1_000_000n - BigInt(fee), 1_000_000n]);
          assert.ok(isAtMost(whole(netUnits), exactNet));
          assert.ok(!isAtMost(whole(netUnits + 1n), exactNet));
        },
      ),
      { numRuns: 2000 },
    );
    assert.ok(quotes > 500, `the property saw ${quotes} quotes`);
  });

  test('the current rate is the ratio of the prices in units, and its way back undoes it', () => {
    fc.assert(
      fc.property(asset, asset, price, price, (from, to, fromPrice, toPrice) => {
        const book = bookOf(
          new Map([
            [to.assetCode, toPrice],
            [from.assetCode, fromPrice],
          ]),
        );
        const request = { environment: 'live', book, now } as const;
        const there = currentRate({ ...request, fromAssetId: from.id, toAssetId: to.id });
        const back = currentRate({ ...request, fromAssetId: to.id, toAssetId: from.id });
        assert.ok(there && back);
        assert.equal(there.rate.numerator, back.rate.denominator);
        assert.equal(there.rate.denominator, back.rate.numerator);
        const usd = (code: string) =>
          fraction(book.price('live', code, now)?.usdPrice ?? fromPrice);
        const exact = over(
          inUnits(to, over(usd(from.assetCode), usd(to.assetCode))),
          whole(10n ** BigInt(from.decimals)),
        );
        assert.equal(exact[0] * there.rate.denominator, exact[1] * there.rate.numerator);
      }),
    );
  });
});

test('there is a current rate between the same coin on two networks without any price', () => {
  const request = { environment: 'live', book: emptyBook, now } as const;
  const rate = currentRate({ ...request, fromAssetId: USDC_ERC20, toAssetId: USDC });
  assert.deepEqual(rate, { rate: { numerator: 10n, denominator: 1n }, rateIds: [] });
  assert.equal(currentRate({ ...request, fromAssetId: USDC, toAssetId: 'BTC:NATIVE' }), undefined);
  assert.equal(getAsset(USDC).decimals, 7);
});
