import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { listAssets } from '#catalog/asset.ts';
import { parseJournal } from '#test/support/parse-journal.ts';
import type { Journal, JournalLine } from './journal.ts';
import { amountText, beancountText, commodity, hledgerText } from './journal-text.ts';

const ASSETS = [
  'LTC:NATIVE',
  'EUR:FIAT',
  'ETH:NATIVE',
  'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
];
const CODES = [
  ...['merchant:available', 'merchant:pending', 'merchant:reserved', 'merchant:owed', 'fees'],
  ...['network-fees', 'rounding', 'exchange', 'custody:LITECOIN', 'suspense:XRP_LEDGER', 'dust'],
];
const START = Temporal.Instant.from('2026-01-01T12:00:00Z');

const line = fc.record({
  code: fc.constantFrom(...CODES),
  assetId: fc.constantFrom(...ASSETS),
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
});
/** The last line makes it balance. */
const balanced = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => {
  const last = new Map<string, bigint>();
  for (const { assetId, units } of lines) last.set(assetId, (last.get(assetId) ?? 0n) - units);
  const rest = [...last].map(([assetId, units]) => ({ code: 'custody:LITECOIN', assetId, units }));
  return [...lines, ...rest];
});
const entries = fc
  .array(
    fc.record({
      lines: balanced,
      kind: fc.oneof(fc.constant('checkout'), fc.string({ unit: 'binary' })),
      subjectId: fc.option(fc.oneof(fc.string(), fc.constant('"\n  Assets:X  1 EUR ; \\'))),
    }),
    { maxLength: 12 },
  )
  .map((list) =>
    list.map((one, index) => ({
      ...one,
      id: BigInt(index + 1),
      occurredAt: START.add({ hours: 7 * index }),
    })),
  );

function sumsOf(lines: readonly JournalLine[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { code, assetId, units } of lines) {
    const key = `${code} ${assetId}`;
    sums.set(key, (sums.get(key) ?? 0n) + units);
  }
  return sums;
}

const NAMES = new Map([
  ['merchant:available', 'Assets:Quittance:Available'],
  ['merchant:pending', 'Assets:Quittance:Pending'],
  ['merchant:reserved', 'Assets:Quittance:Reserved'],
  ['merchant:owed', 'Liabilities:Quittance:Owed'],
  ['fees', 'Expenses:Quittance:Fees'],
  ['network-fees', 'Expenses:Quittance:Network-Fees'],
  ['rounding', 'Expenses:Quittance:Rounding'],
  ['exchange', 'Equity:Quittance:Exchange'],
  ['dust', 'Equity:Quittance:Dust'],
  ['custody:LITECOIN', 'Equity:Quittance:Custody:LITECOIN'],
  ['suspense:XRP_LEDGER', 'Equity:Quittance:Suspense:XRP-LEDGER'],
  ['opening-balances', 'Equity:Quittance:Opening-balances'],
]);
const DECIMALS = new Map([
  ['LTC', 8n],
  ['EUR', 2n],
  ['ETH', 18n],
  ['USDC.A0B86991', 6n],
]);

for (const [name, write] of Object.entries({ beancount: beancountText, hledger: hledgerText })) {
  describe(`a journal of ${name}`, () => {
    test('read back says of every account what the entries say, whatever the texts hold', () => {
      fc.assert(
        fc.property(entries, fc.array(line, { maxLength: 3 }), (given, had) => {
          const before = [...sumsOf(had)].map(([key, units]) => {
            const [code = '', asset = ''] = key.split(/ /);
            return { code, assetId: asset, units };
          });
          const all = [...before, ...given.flatMap(({ lines }) => lines)];
          const closing = [...sumsOf(all)].map(([key, units]) => {
            const [code = '', assetId = ''] = key.split(' ');
            return { code, assetId, units };
          });
          const journal: Journal = {
            opening: { at: START, lines: before },
            entries: given,
            closing: { at: START.add({ hours: 1000 }), lines: closing },
          };
          const { sums, asserted, days } = parseJournal(write(journal));
          assert.equal(days.length >= given.length, true);
          for (const { code, assetId, units } of closing) {
            const key = `${NAMES.get(code)} ${commodity(assetId)}`;
            const scale = 10n ** (18n - (DECIMALS.get(commodity(assetId)) ?? 0n));
            assert.equal(sums.get(key), units * scale, key);
            assert.equal(asserted.get(key), units * scale, key);
          }
          const total = new Map<string, bigint>();
          for (const [key, units] of sums) {
            const [, unit = ''] = key.split(' ');
            total.set(unit, (total.get(unit) ?? 0n) + units);
          }
          assert.deepEqual(
            [...total.values()].filter((units) => units !== 0n),
            [],
          );
        }),
        { numRuns: 300 },
      );
    });
  });
}

test('a journal is read by people as well', () => {
  const journal: Journal = {
    opening: undefined,
    entries: [
      {
        ...{
          id: 7n,
          occurredAt: START,
          kind: 'checkout-receipt-available',
          subjectId: 'abcdefghij12',
        },
        lines: [
          { code: 'merchant:available', assetId: 'LTC:NATIVE', units: 150_000_000n },
          { code: 'fees', assetId: 'LTC:NATIVE', units: 1n },
          { code: 'custody:LITECOIN', assetId: 'LTC:NATIVE', units: -150_000_001n },
        ],
      },
    ],
    closing: {
      at: START,
      lines: [{ code: 'merchant:available', assetId: 'LTC:NATIVE', units: 150_000_000n }],
    },
  };
  assert.equal(
    beancountText(journal),
    `plugin "beancount.plugins.auto_accounts"

2026-01-01 * "checkout-receipt-available" "abcdefghij12"
  entry: "7"
  time: "2026-01-01T12:00:00Z"
  Assets:Quittance:Available  1.50000000 LTC
  Expenses:Quittance:Fees  0.00000001 LTC
  Equity:Quittance:Custody:LITECOIN  -1.50000001 LTC

2026-01-02 balance Assets:Quittance:Available  1.50000000 LTC
`,
  );
  assert.equal(
    hledgerText(journal),
    `decimal-mark .

2026-01-01 * (7) checkout-receipt-available abcdefghij12
    ; time: 2026-01-01T12:00:00Z
    Assets:Quittance:Available  1.50000000 "LTC"
    Expenses:Quittance:Fees  0.00000001 "LTC"
    Equity:Quittance:Custody:LITECOIN  -1.50000001 "LTC"

2026-01-02 * closing balances
    Assets:Quittance:Available  0.00000000 "LTC" = 1.50000000 "LTC"
`,
  );
});

test('every asset has a name of its own that beancount takes', () => {
  const names = listAssets().map(({ id }) => commodity(id));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/);
});

test('amounts have every digit of their asset', () => {
  const texts = [0n, 1n, -1n, 12_345n, -100n].map((units) => amountText('EUR:FIAT', units));
  assert.deepEqual(texts, ['0.00', '0.01', '-0.01', '123.45', '-1.00']);
});
