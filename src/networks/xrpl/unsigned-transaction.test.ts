import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from 'ripple-binary-codec';
import { Refusal } from '#base/refusal.ts';
import { readBlob } from './read-blob.ts';
import { type XrplAmount, xrplAmount } from './unsigned-transaction.ts';

const ISSUER = 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De';

function judged(json: XrplAmount['json']): Buffer | undefined {
  return readBlob(Buffer.from(encode({ Amount: json }), 'hex')).get('6/1');
}

test('drops and issued currencies are written as the official library writes them', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.nat({ max: 15 }),
      fc.constantFrom('USD', 'RLUSD', 'a1b', 'SOLO'),
      (units, decimals, assetCode) => {
        const issued = xrplAmount({ assetCode, assetIssuer: ISSUER, decimals }, units);
        assert.deepEqual(issued.bytes, judged(issued.json));
        const xrp = xrplAmount({ assetCode: 'XRP', assetIssuer: 'NATIVE', decimals: 6 }, units);
        assert.deepEqual(xrp.bytes, judged(xrp.json));
      },
    ),
  );
});

test('large amounts are exact while they have 16 digits that count', () => {
  const dollar = { assetCode: 'USD', assetIssuer: ISSUER, decimals: 2 };
  const { bytes, json } = xrplAmount(dollar, 12_345n * 10n ** 20n);
  assert.deepEqual(bytes, judged(json));
  for (const [asset, units, sentence] of [
    [dollar, 10n ** 16n + 1n, /16 digits/],
    [{ ...dollar, assetCode: 'XRP' }, 1n, /XRP is no currency here/],
    [{ ...dollar, assetCode: 'US' }, 1n, /US is no currency here/],
    [{ ...dollar, assetIssuer: 'rNobody' }, 1n, /rNobody issues nothing/],
    [{ assetCode: 'XRP', assetIssuer: 'NATIVE', decimals: 6 }, 10n ** 17n + 1n, /than there ever/],
  ] as const) {
    assert.throws(
      () => xrplAmount(asset, units),
      (error) => {
        assert(error instanceof Refusal);
        assert.match(error.message, sentence);
        return true;
      },
    );
  }
});
