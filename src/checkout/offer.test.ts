import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createRate } from '#money/rate.ts';
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
const others: readonly Offer[] = [
  { ...asPaid, rateIds: [] },
  { ...asPaid, rateIds: [7n] },
  { ...asPaid, settlementAssetId: 'EUR:FIAT', settlementUnits: 9_425n, netUnits: 9_425n },
  { ...asPaid, paymentToSettlement: createRate(9_425n, 108_388n) },
  { ...asPaid, askedUnits: 108_390n, network: 'A "network"' },
  { ...asPaid, arrivingUnits: 2n ** 90n, settlementUnits: 2n ** 90n, netUnits: 2n ** 89n },
  asPaid,
];

const inBitcoin =
  '{"network":"BITCOIN","assetId":"BTC:NATIVE","paymentUnits":"108388",' +
  '"settlementAssetId":"BTC:NATIVE","settlementUnits":"108388","netUnits":"107304",' +
  '"feeUnits":"1084","rateIds":["25","1"],"paymentToSettlement":["1","1"]}';

test('offers are stored as JSON.stringify would write them, whatever was written before', () => {
  for (const offer of others) {
    const { askedUnits, arrivingUnits, paymentToSettlement, rateIds } = offer;
    const expected = {
      network: offer.network,
      assetId: offer.assetId,
      paymentUnits: String(arrivingUnits),
      ...(askedUnits !== arrivingUnits && { sentUnits: String(askedUnits) }),
      settlementAssetId: offer.settlementAssetId,
      settlementUnits: String(offer.settlementUnits),
      netUnits: String(offer.netUnits),
      feeUnits: String(offer.feeUnits),
      rateIds: rateIds.map(String),
      paymentToSettlement: [
        String(paymentToSettlement.numerator),
        String(paymentToSettlement.denominator),
      ],
    };
    equal(
      offeredText({ offers: [asPaid, offer], withheld }),
      `{"offers":[${inBitcoin},${JSON.stringify(expected)}],"withheld":${JSON.stringify(withheld)}}`,
    );
  }
});

test('what was stored is read as it was offered', () => {
  const offered = { offers: [asPaid, ...others], withheld };
  deepEqual(parseOffered(offeredText(offered)), offered);
});

test('an offer without what follows from its other half is read as if it stood there', () => {
  const { network, assetId } = asPaid;
  const short = {
    network,
    assetId,
    paymentUnits: '108388',
    netUnits: '107304',
    rateIds: ['25', '1'],
  };
  const text = JSON.stringify({ offers: [short, { ...short, sentUnits: '108390' }], withheld });
  deepEqual(parseOffered(text), {
    offers: [asPaid, { ...asPaid, askedUnits: 108_390n }],
    withheld,
  });
});
