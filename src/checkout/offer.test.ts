import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRate, EQUAL } from '#money/rate.ts';
import { type Offer, offeredText, parseOffered } from './offer.ts';

const withheld = [{ network: 'STELLAR', assetId: 'XLM:NATIVE', reason: 'a "reason"' }];

const asPaid: Offer = {
  network: 'BITCOIN',
  assetId: 'BTC:NATIVE',
  askedUnits: 108_388n,
  arrivingUnits: 108_388n,
  settlementAssetId: 'BTC:NATIVE',
  settlementUnits: 108_388n,
  netUnits: 107_304n,
  feeUnits: 1_084n,
  rateIds: [25n, 1n],
  paymentToSettlement: createRate(108_388n, 108_388n),
};
/** Of each something is other than what follows from the rest. */
const SAID: readonly Offer[] = [
  { ...asPaid, settlementAssetId: 'EUR:FIAT', settlementUnits: 9_425n, netUnits: 9_425n },
  { ...asPaid, settlementAssetId: 'BTC:TEST' },
  { ...asPaid, settlementUnits: 108_387n },
  { ...asPaid, feeUnits: 1_083n },
  { ...asPaid, netUnits: 108_389n },
  { ...asPaid, paymentToSettlement: createRate(9_425n, 108_388n) },
];
const UNSAID: readonly Offer[] = [
  { ...asPaid, rateIds: [] },
  { ...asPaid, rateIds: [7n] },
  { ...asPaid, askedUnits: 108_390n, network: 'A "network"' },
  {
    ...asPaid,
    arrivingUnits: 2n ** 90n,
    settlementUnits: 2n ** 90n,
    feeUnits: 2n ** 90n - 107_304n,
  },
  { ...asPaid, netUnits: 108_388n, feeUnits: 0n },
  asPaid,
];

/** What every version has read since 0.1.0, in its order. */
function longText({ askedUnits, arrivingUnits, paymentToSettlement, ...offer }: Offer) {
  return {
    network: offer.network,
    assetId: offer.assetId,
    paymentUnits: String(arrivingUnits),
    ...(askedUnits !== arrivingUnits && { sentUnits: String(askedUnits) }),
    settlementAssetId: offer.settlementAssetId,
    settlementUnits: String(offer.settlementUnits),
    netUnits: String(offer.netUnits),
    feeUnits: String(offer.feeUnits),
    rateIds: offer.rateIds.map(String),
    paymentToSettlement: [
      String(paymentToSettlement.numerator),
      String(paymentToSettlement.denominator),
    ],
  };
}

const inBitcoin =
  '{"network":"BITCOIN","assetId":"BTC:NATIVE","paymentUnits":"108388",' +
  '"netUnits":"107304","rateIds":["25","1"]}';

test('offers are stored as JSON.stringify would write them, whatever was written before', () => {
  for (const offer of [...SAID, ...UNSAID]) {
    const { settlementAssetId, settlementUnits, feeUnits, paymentToSettlement, ...short } =
      longText(offer);
    const expected = SAID.includes(offer) ? longText(offer) : short;
    equal(
      offeredText({ offers: [asPaid, offer], withheld }),
      `{"offers":[${inBitcoin},${JSON.stringify(expected)}],"withheld":${JSON.stringify(withheld)}}`,
    );
  }
});

test('what was stored is read as it was offered', () => {
  const offered = { offers: [asPaid, ...SAID, ...UNSAID], withheld };
  deepEqual(parseOffered(offeredText(offered)), offered);
});

const units = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 64n), fc.bigInt(0n, 10n ** 38n));
const rate = fc
  .tuple(fc.bigInt(1n, 10n ** 20n), fc.bigInt(1n, 10n ** 20n))
  .map(([numerator, denominator]) => createRate(numerator, denominator));
const asset = fc.constantFrom('BTC:NATIVE', 'EUR:FIAT', 'a "name"');

/** Hardly ever: most of an offer follows from the rest of it. */
const seldom = <Value>(other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: other });

const anyOffer = fc
  .record({
    ...{ network: fc.constantFrom('BITCOIN', 'ETHEREUM'), assetId: asset, arrivingUnits: units },
    ...{ kept: fc.bigInt(0n, 100n), net: seldom(units), asked: seldom(units) },
    ...{ settled: seldom(units), settledIn: seldom(asset), fee: seldom(units), rate: seldom(rate) },
    rateIds: fc.array(fc.bigInt(1n, 2n ** 62n), { maxLength: 4 }),
  })
  .map((of): Offer => {
    const { network, assetId, arrivingUnits, rateIds, settled = arrivingUnits } = of;
    const { net = (settled * of.kept) / 100n } = of;
    return {
      ...{ network, assetId, arrivingUnits, rateIds, settlementUnits: settled, netUnits: net },
      askedUnits: of.asked ?? arrivingUnits,
      settlementAssetId: of.settledIn ?? assetId,
      feeUnits: of.fee ?? (net > settled ? 0n : settled - net),
      paymentToSettlement: of.rate ?? EQUAL,
    };
  });

test('whatever is offered is read as it was written, in the longer text and in the shorter', () => {
  const seen = { short: 0, long: 0 };
  fc.assert(
    fc.property(anyOffer, (offer) => {
      const offered = { offers: [asPaid, offer], withheld };
      const long = JSON.stringify({ offers: [asPaid, offer].map(longText), withheld });
      const written = offeredText(offered);
      deepEqual(parseOffered(long), offered);
      deepEqual(parseOffered(written), offered);
      seen[written.includes('settlementUnits') ? 'long' : 'short'] += 1;
    }),
    { numRuns: 1_000 },
  );
  equal(seen.short > 100 && seen.long > 100, true, JSON.stringify(seen));
});

const { settlementAssetId: _, ...withoutAsset } = longText(asPaid);
const short = JSON.parse(inBitcoin) as object;
const UNREADABLE: readonly (readonly [what: string, stored: object, field: string])[] = [
  ['no amount', { ...short, paymentUnits: undefined }, 'paymentUnits'],
  ['an amount of no digits', { ...short, paymentUnits: '' }, 'paymentUnits'],
  ['an amount below zero', { ...short, netUnits: '-1' }, 'netUnits'],
  ['an amount that is no text', { ...short, netUnits: 107_304 }, 'netUnits'],
  ['an amount with a point', { ...short, sentUnits: '1.5' }, 'sentUnits'],
  ['more for the merchant than arrives', { ...short, netUnits: '108389' }, 'netUnits'],
  ['no rates', { ...short, rateIds: undefined }, 'rateIds'],
  ['what is credited, and not in what', withoutAsset, 'settlementAssetId'],
  [
    'in what is credited, and not how much',
    { ...longText(asPaid), settlementUnits: undefined },
    'settlementUnits',
  ],
  ['what is credited, and no fee', { ...longText(asPaid), feeUnits: undefined }, 'feeUnits'],
  [
    'what is credited, and no rate',
    { ...longText(asPaid), paymentToSettlement: undefined },
    'paymentToSettlement',
  ],
  ['half a rate', { ...longText(asPaid), paymentToSettlement: ['1'] }, 'paymentToSettlement'],
  [
    'a rate of nothing',
    { ...longText(asPaid), paymentToSettlement: ['0', '1'] },
    'paymentToSettlement',
  ],
  ['an asset of nothing', { ...short, settlementAssetId: null }, 'settlementAssetId'],
  [
    'the amount that is credited alone',
    { ...short, settlementUnits: '108388' },
    'settlementAssetId',
  ],
  ['a fee alone', { ...short, feeUnits: '1084' }, 'settlementAssetId'],
  ['a rate alone', { ...short, paymentToSettlement: ['1', '1'] }, 'settlementAssetId'],
  ['an asset alone', { ...short, settlementAssetId: 'BTC:NATIVE' }, 'paymentToSettlement'],
];

for (const [what, stored, field] of UNREADABLE) {
  test(`a stored offer with ${what} is not read, and the error says which`, () => {
    throws(() => parseOffered(JSON.stringify({ offers: [short, stored], withheld })), {
      message: `the stored offer of BTC:NATIVE on BITCOIN cannot be read: ${field}`,
    });
  });
}
