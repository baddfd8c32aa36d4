import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCharge } from '#charge/charge.ts';
import type { Reader } from '#db/db.ts';
import { add, decimalToText, parseWideDecimal, ZERO } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { ReportRow } from './report.ts';
import { taxesReport } from './taxes-report.ts';

const completedAt = Temporal.Instant.from('2026-11-21T10:00:00Z');

/** The rows of one checkout whose charge is this. */
async function rowsOf(charge: object): Promise<readonly ReportRow[]> {
  const payload = JSON.stringify({ charge });
  const answers = [[{ id: 'c00000000001', completedAt, customerId: null, payload, tip: '0' }]];
  // Nothing of it was refunded.
  const reader: Reader = { query: async <Row>() => (answers.shift() ?? []) as Row[] };
  const request = { merchantId: 'm00000000001', environment: 'live', limit: 10 } as const;
  const page = await taxesReport.read(reader, {
    ...request,
    ...{ from: undefined, to: undefined, cursor: undefined },
  });
  return page.rows;
}

function amounts({ netTotal, taxAmount, total }: ReportRow): (string | null | undefined)[] {
  return [netTotal, taxAmount, total];
}

function sumOf(rows: readonly ReportRow[], column: string): string {
  const texts = rows.map((row) => parseWideDecimal(row[column] ?? ''));
  return decimalToText(texts.reduce(add, ZERO));
}

const lineItems = [{ description: 'Book', netAmount: '105' }];
const vat = { name: 'VAT', percent: '0.19' };
const city = { name: 'City', percent: '0.005' };

test('net and taxes are rounded so that they add up to what the customer was charged', async () => {
  const rows = await rowsOf({ billingCurrency: 'USD', lineItems, taxItems: [vat, city] });
  assert.deepEqual(rows.map(amounts), [
    ['105', '19.95', '124.95'],
    ['0', '0.53', '0.53'],
  ]);
});

test('a checkout without taxes is a row too, so that the totals are those of all sales', async () => {
  const [row, ...others] = await rowsOf({ billingCurrency: 'USD', lineItems, taxItems: [] });
  assert.deepEqual(others, []);
  assert.deepEqual(row && amounts(row), ['105', '0', '105']);
  assert.deepEqual([row?.taxName, row?.percent, row?.taxableAmount], [null, null, '0']);
});

const amountText = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 99_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(5, '0')}`);
const percentText = fc
  .integer({ min: 0, max: 20_000 })
  .map((value) => `0.${String(value).padStart(5, '0')}`);
const anyCharge = fc.record({
  billingCurrency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  lineItems: fc.array(fc.record({ description: fc.constant('Thing'), netAmount: amountText }), {
    minLength: 1,
    maxLength: 4,
  }),
  shippingCostItems: fc.array(
    fc.record({ description: fc.constant('Post'), netAmount: amountText, taxable: fc.boolean() }),
    { maxLength: 2 },
  ),
  taxItems: fc.array(fc.record({ name: fc.constant('VAT'), percent: percentText }), {
    maxLength: 4,
  }),
});

test('whatever is charged, net and tax add up to total in every row and in the sum', async () => {
  await fc.assert(
    fc.asyncProperty(anyCharge, async (written) => {
      const parsed = parseExactJson(JSON.stringify(written));
      const charge = parsed.ok ? readCharge(parsed.value, []) : undefined;
      fc.pre(charge !== undefined);
      const { total, decimals } = charge;
      const rows = await rowsOf(written);
      assert.equal(rows.length, Math.max(1, written.taxItems.length));
      for (const row of rows) {
        const [net = '', taxed = '', sum] = amounts(row);
        const added = add(parseWideDecimal(net ?? ''), parseWideDecimal(taxed ?? ''));
        assert.equal(decimalToText(added), sum);
        for (const amount of [net, taxed, sum]) {
          assert.ok((amount?.split('.')[1] ?? '').length <= decimals, `${amount}`);
        }
      }
      assert.equal(sumOf(rows, 'total'), decimalToText(total));
    }),
  );
});
