import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPayload } from '#charge/checkout-request.ts';
import { decimalToText } from '#money/decimal.ts';
import { BUYER, CHARGE, SENDER } from '#test/support/bill-fixture.ts';
import { ciiFaults, duePayable } from '#test/support/cii-rules.ts';
import type { IssuedBill } from './bill.ts';
import { type CiiFacts, writeCii } from './write-cii.ts';

function bill(charge: object = CHARGE, more: Partial<IssuedBill> = {}): IssuedBill {
  const payload = JSON.stringify({ charge });
  const read = readPayload(payload).charge;
  assert.ok(read !== undefined, payload);
  const at = Temporal.Instant.from('2026-01-01T12:00:00Z');
  return {
    id: 'bill12345678',
    merchantId: 'merchant1234',
    environment: 'live',
    kind: 'INVOICE',
    state: 'ISSUED',
    language: 'de',
    payload,
    billingCurrency: read.billingCurrency,
    total: read.total,
    taxCategory: 'S',
    taxReason: undefined,
    note: 'Danke & <gut>',
    buyer: BUYER,
    seller: SENDER,
    dueDays: 14,
    prefix: 'R-',
    number: 1,
    name: 'R-0001',
    issuedOn: '2026-01-01',
    dueOn: '2026-01-15',
    deliveredOn: '2025-12-30',
    cancels: undefined,
    ...{ hasCode: true, logoHash: undefined, accent: undefined },
    createdAt: at,
    issuedAt: at,
    cancelledAt: undefined,
    ...more,
  };
}

const facts: CiiFacts = {
  cancelled: undefined,
  url: 'https://pay.example/de/invoice/token',
};

function written(one: IssuedBill, more: Partial<CiiFacts> = {}): string {
  const xml = writeCii(one, { ...facts, ...more });
  assert.ok(xml !== undefined);
  return xml;
}

const untaxed = { ...CHARGE, taxItems: [] };
const french = { ...BUYER, vatId: 'FR12345678901' };
const shipped = { ...CHARGE, shippingCostItems: [{ description: 'Parcel', netAmount: '4.90' }] };

const inYen = {
  billingCurrency: 'JPY',
  lineItems: [{ description: 'Tea', netAmount: '1200' }],
};

const KINDS: readonly (readonly [name: string, bill: IssuedBill])[] = [
  ['taxed', bill()],
  ['shipping that is not taxed', bill(shipped)],
  ['exempt', bill(untaxed, { taxCategory: 'E', taxReason: '§ 19 UStG' })],
  ['reverse charge', bill(untaxed, { taxCategory: 'AE', taxReason: 'Art. 196', buyer: french })],
  ['export', bill(untaxed, { taxCategory: 'G', taxReason: 'Export' })],
  ['at zero', bill(untaxed, { taxCategory: 'Z' })],
  ['by a tax number', bill(CHARGE, { seller: { ...SENDER, vatId: '', taxNumber: '205/123' } })],
  ['in yen', bill(inYen, { taxCategory: 'Z' })],
];

for (const [name, one] of KINDS) {
  test(`${name}: the norm takes it, and asks for what the bill asks for`, () => {
    const xml = written(one);
    assert.deepEqual(ciiFaults(xml), []);
    assert.equal(Number(duePayable(xml)), Number(decimalToText(one.total)));
  });
}

test('a cancellation is a credit note that names what it cancels', () => {
  const cancelled = bill();
  const more = { kind: 'CANCELLATION', name: 'R-0002', cancels: cancelled.id } as const;
  const xml = written(bill(CHARGE, more), { cancelled });
  assert.deepEqual(ciiFaults(xml), []);
  assert.match(xml, /<ram:TypeCode>381</);
  assert.match(xml, /<ram:IssuerAssignedID>R-0001</);
});

test('what the norm has no words for is not written', () => {
  const bitcoin = { ...untaxed, billingCurrency: 'BTC', discountItems: [], shippingCostItems: [] };
  const dinar = { ...untaxed, billingCurrency: 'KWD' };
  const exported = { taxCategory: 'G', seller: { ...SENDER, vatId: '', taxNumber: '1' } } as const;
  for (const one of [bill(bitcoin), bill(dinar), bill(untaxed, exported)]) {
    assert.equal(writeCii(one, facts), undefined, one.billingCurrency);
  }
});

test('texts of others stay texts, and what XML cannot hold is left out', () => {
  const hostile = ']]></ram:Name><evil/>&amp;\u0000\u0008\ufffe\ud800"\'';
  const charge = { ...CHARGE, lineItems: [{ description: 'A', netAmount: '1' }] };
  const xml = written(bill(charge, { buyer: { ...BUYER, name: hostile }, note: hostile }));
  assert.deepEqual(ciiFaults(xml), []);
  assert.doesNotMatch(xml, /<evil/);
});

const cents = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((number) => (number / 100).toFixed(2));

test('whatever is billed in whole cents, the sums are those of the norm to the cent', () => {
  const items = fc.array(
    fc.record({
      description: fc.constantFrom('Book', 'Pen & ink', '<b>'),
      netAmount: cents(0, 1_000_000),
      quantity: fc.integer({ min: 1, max: 999 }).map(String),
    }),
    { minLength: 1, maxLength: 20 },
  );
  const charges = fc.record({
    billingCurrency: fc.constantFrom('EUR', 'USD', 'PLN'),
    lineItems: items.map((list) => [{ description: 'One', netAmount: '50.00' }, ...list]),
    discountItems: fc.array(
      fc.record({ description: fc.constant('Off'), netAmount: cents(0, 900) }),
      { maxLength: 3 },
    ),
    shippingCostItems: fc.array(
      fc.record({
        description: fc.constant('Parcel'),
        netAmount: cents(0, 5_000),
        taxable: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    taxItems: fc
      .integer({ min: 1, max: 4_000 })
      .map((basis) => [{ name: 'VAT', percent: (basis / 10_000).toFixed(4) }]),
  });
  fc.assert(
    fc.property(charges, (charge) => {
      const one = bill(charge);
      const xml = written(one);
      assert.deepEqual(ciiFaults(xml), []);
      assert.equal(Number(duePayable(xml)), Number(decimalToText(one.total)));
    }),
    { numRuns: 300 },
  );
});
