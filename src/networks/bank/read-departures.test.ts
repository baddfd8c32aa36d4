import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import {
  type FakeEntry,
  type FakeStatement,
  OTHER_IBAN,
  OUR_IBAN,
  statementBytes,
  statementXml,
} from '#test/fakes/bank-statement.ts';
import { transferReference } from './bank-references.ts';
import type { Debit } from './read-departures.ts';
import { readStatements } from './read-statement.ts';

const ID = 'abcdefghij12';
const REFERENCE = transferReference(ID);
const TO_LENA = `<Dbtr><Pty><Nm>Us</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${OUR_IBAN}</IBAN></Id></DbtrAcct><Cdtr><Pty><Nm>Lena</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>${OTHER_IBAN}</IBAN></Id></CdtrAcct>`;

const read = (entries: readonly FakeEntry[], more: Partial<FakeStatement> = {}) =>
  readStatements(statementBytes({ ...more, entries })).flatMap(({ departures }) => departures);
const shown = ({ kind, units, chargeUnits, transferId }: Debit) => [
  kind,
  units,
  chargeUnits,
  transferId,
];
const charge = (text: string, more = '') =>
  `<Chrgs><Rcrd><Amt Ccy="EUR">${text}</Amt><CdtDbtInd>DBIT</CdtDbtInd>${more}</Rcrd></Chrgs>`;
const INCLUDED = '<ChrgInclInd>true</ChrgInclInd>';

describe('what left an account', () => {
  test('is told with everything that it can be held against', () => {
    const transactions = [
      {
        endToEndId: REFERENCE,
        servicerReference: 'T-1',
        unstructured: ['Refund', 'of 7'],
        parties: TO_LENA,
      },
    ];
    const [payment, other] = read([
      { cents: 1050n, side: 'DBIT', servicerReference: 'B-1', code: 'ESCT', transactions },
    ]);
    assert.equal(other, undefined);
    assert.deepEqual(payment, {
      kind: 'PAYMENT',
      entry: 0,
      position: 0,
      account: OUR_IBAN,
      currency: 'EUR',
      units: 1050n,
      chargeUnits: 0n,
      endToEndId: REFERENCE,
      transferId: ID,
      entryReference: 'B-1',
      bookedOn: Temporal.PlainDate.from('2026-01-02'),
      valueOn: Temporal.PlainDate.from('2026-01-02'),
      counterparty: { account: OTHER_IBAN, name: 'Lena' },
      text: 'Refund of 7',
      reason: undefined,
      unusual: undefined,
    });
  });

  const table: readonly (readonly [string, FakeEntry, readonly unknown[]])[] = [
    ['a credit of a customer', { cents: 5n, transactions: [{ endToEndId: REFERENCE }] }, []],
    ['a debit that is not booked', { cents: 5n, side: 'DBIT', status: 'PDNG' }, []],
    ['a debit that takes a credit back', { cents: 5n, side: 'DBIT', isReversal: true }, []],
    [
      'a debit that returns what came',
      { cents: 5n, side: 'DBIT', transactions: [{ isReturn: true }] },
      [],
    ],
    ['a debit of somebody', { cents: 5n, side: 'DBIT' }, [['PAYMENT', 5n, 0n, undefined]]],
    [
      'a debit whose reference stands in the text alone',
      {
        cents: 5n,
        side: 'DBIT',
        transactions: [
          { endToEndId: 'NOTPROVIDED', unstructured: [REFERENCE.slice(0, 9), REFERENCE.slice(9)] },
        ],
      },
      [['PAYMENT', 5n, 0n, ID]],
    ],
    [
      'a debit that names two transfers',
      {
        cents: 5n,
        side: 'DBIT',
        transactions: [{ unstructured: [REFERENCE, transferReference('bbbbbbbbbbbb')] }],
      },
      [['PAYMENT', 5n, 0n, undefined]],
    ],
    [
      'a debit of which only the sum is shown',
      {
        cents: 5n,
        side: 'DBIT',
        transactions: [],
        raw: `<AddtlNtryInf>${REFERENCE} transfer</AddtlNtryInf>`,
      },
      [['PAYMENT', 5n, 0n, ID]],
    ],
    [
      'a batch of transfers',
      {
        cents: 15n,
        side: 'DBIT',
        transactions: [
          { cents: 5n, endToEndId: REFERENCE },
          { cents: 10n, endToEndId: transferReference('bbbbbbbbbbbb') },
        ],
      },
      [
        ['PAYMENT', 5n, 0n, ID],
        ['PAYMENT', 10n, 0n, 'bbbbbbbbbbbb'],
      ],
    ],
    [
      'a batch that its charges were added to',
      {
        cents: 17n,
        side: 'DBIT',
        raw: charge('0.02', INCLUDED),
        transactions: [{ cents: 5n, endToEndId: REFERENCE }, { cents: 10n }],
      },
      [
        ['PAYMENT', 5n, 0n, ID],
        ['PAYMENT', 10n, 0n, undefined],
        ['CHARGE', 2n, 0n, undefined],
      ],
    ],
    [
      'a batch that does not add up',
      {
        cents: 18n,
        side: 'DBIT',
        raw: charge('0.02'),
        transactions: [{ cents: 5n, endToEndId: REFERENCE }, { cents: 10n }],
      },
      [['PAYMENT', 18n, 0n, undefined]],
    ],
    [
      'charges of the bank',
      { cents: 990n, side: 'DBIT', code: 'CHRG', transactions: [] },
      [['CHARGE', 990n, 0n, undefined]],
    ],
    [
      'charges that name a transfer',
      { cents: 20n, side: 'DBIT', code: 'COMM', transactions: [{ endToEndId: REFERENCE }] },
      [['CHARGE', 20n, 0n, ID]],
    ],
    [
      'a transfer with its charges in the amount',
      {
        cents: 1070n,
        side: 'DBIT',
        transactions: [{ endToEndId: REFERENCE, raw: charge('0.20', INCLUDED) }],
      },
      [['PAYMENT', 1050n, 20n, ID]],
    ],
    [
      'a transfer whose charges are booked by themselves',
      {
        cents: 1050n,
        side: 'DBIT',
        transactions: [
          { endToEndId: REFERENCE, raw: charge('0.20', '<ChrgInclInd>false</ChrgInclInd>') },
        ],
      },
      [['PAYMENT', 1050n, 0n, ID]],
    ],
    [
      'a transfer with charges of which the bank says nothing, and the amount that was ordered',
      {
        cents: 1070n,
        side: 'DBIT',
        transactions: [
          {
            endToEndId: REFERENCE,
            raw: `<Chrgs><Amt Ccy="EUR">0.20</Amt></Chrgs><AmtDtls><InstdAmt><Amt Ccy="EUR">10.50</Amt></InstdAmt></AmtDtls>`,
          },
        ],
      },
      [['PAYMENT', 1050n, 20n, ID]],
    ],
    [
      'a transfer with charges and amounts in money that is not kept here',
      {
        cents: 1070n,
        side: 'DBIT',
        transactions: [
          {
            endToEndId: REFERENCE,
            raw: '<Chrgs><Rcrd><Amt Ccy="KWD">0.123</Amt></Rcrd></Chrgs><AmtDtls><InstdAmt><Amt Ccy="KWD">1.123</Amt></InstdAmt></AmtDtls>',
          },
        ],
      },
      [['PAYMENT', 1070n, 0n, ID]],
    ],
    [
      'charges as large as the booking',
      { cents: 20n, side: 'DBIT', transactions: [{ raw: charge('0.20', INCLUDED) }] },
      [['PAYMENT', 20n, 0n, undefined]],
    ],
    [
      'a transfer that came back',
      { cents: 1050n, transactions: [{ endToEndId: REFERENCE, isReturn: true }] },
      [['RETURN', 1050n, 0n, ID]],
    ],
    [
      'a transfer that came back less the charge for it',
      {
        cents: 1000n,
        transactions: [{ endToEndId: REFERENCE, isReturn: true, raw: charge('0.50', INCLUDED) }],
      },
      [['RETURN', 1050n, 50n, ID]],
    ],
    [
      'a booking that the bank undid',
      { cents: 1050n, isReversal: true, transactions: [{ endToEndId: REFERENCE }] },
      [['RETURN', 1050n, 0n, ID]],
    ],
    [
      'a batch of credits with one that came back',
      {
        cents: 15n,
        transactions: [{ cents: 5n, endToEndId: REFERENCE, isReturn: true }, { cents: 10n }],
      },
      [['RETURN', 5n, 0n, ID]],
    ],
  ];
  for (const [name, entry, expected] of table) {
    test(`${name}: ${expected.length === 0 ? 'nothing of ours left' : 'as it is'}`, () => {
      assert.deepEqual(read([entry]).map(shown), expected);
    });
  }

  test('of a return it is told why and from whom', () => {
    const [back] = read([
      { cents: 5n, transactions: [{ endToEndId: REFERENCE, isReturn: true, parties: TO_LENA }] },
    ]);
    assert.deepEqual(
      [back?.reason, back?.counterparty],
      [
        { code: 'AC04', text: '' },
        { account: OTHER_IBAN, name: 'Lena' },
      ],
    );
  });

  test('in another currency than the account it is for nobody', () => {
    const [odd] = read(
      [{ cents: 5n, currency: 'CHF', side: 'DBIT', transactions: [{ endToEndId: REFERENCE }] }],
      { currency: 'EUR' },
    );
    assert.deepEqual(odd && [...shown(odd), odd.currency, odd.unusual], [
      'PAYMENT',
      5n,
      0n,
      undefined,
      'CHF',
      'it is in CHF, the account in EUR',
    ]);
  });
});

test('whatever is booked, what left and what came back is what the bookings say, to the cent', () => {
  const money = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const entries = fc.array(
    fc.record({
      side: fc.constantFrom('CRDT' as const, 'DBIT' as const),
      isReversal: fc.boolean(),
      code: fc.constantFrom('ESCT', 'CHRG'),
      parts: fc.array(money, { minLength: 1, maxLength: 4 }),
      kept: fc.nat(50),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(entries, (given) => {
      let expected = 0n;
      const list = given.map(({ side, isReversal, code, parts, kept }): FakeEntry => {
        const sum = parts.reduce((total, one) => total + one, BigInt(kept));
        if (side === 'DBIT' && !isReversal) expected -= sum;
        if (side === 'CRDT' && isReversal) expected += sum;
        const single = parts.length === 1;
        const digits = String(kept).padStart(2, '0');
        return {
          ...{ side, isReversal, code, cents: sum },
          raw: kept === 0 ? '' : charge(`0.${digits}`, INCLUDED),
          transactions: parts.map((cents) => (single ? {} : { cents })),
        };
      });
      const total = read(list).reduce(
        (sum, { kind, units, chargeUnits }) =>
          kind === 'RETURN' ? sum + units - chargeUnits : sum - units - chargeUnits,
        0n,
      );
      assert.equal(total, expected);
    }),
  );
});

test('a damaged statement is refused or read, and never anything else', () => {
  const entry: FakeEntry = {
    cents: 1070n,
    side: 'DBIT',
    transactions: [
      { endToEndId: REFERENCE, isReturn: false, parties: TO_LENA, raw: charge('0.20', INCLUDED) },
    ],
  };
  const honest = statementXml({ entries: [entry] });
  const piece = fc.constantFrom('', '<', '>', '&', '</Amt>', '<Chrgs>', '-', '\0', 'é');
  fc.assert(
    fc.property(fc.nat(honest.length), fc.nat(30), piece, (start, length, inserted) => {
      const text = honest.slice(0, start) + inserted + honest.slice(start + length);
      try {
        readStatements(new TextEncoder().encode(text));
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
