import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import type { JournalEntry } from './journal.ts';
import { type DatevOptions, datevText, readDatevSettings } from './write-datev.ts';

const GIVEN: DatevOptions = {
  consultant: '29098',
  client: '55003',
  chart: 'SKR04',
  fiscalYear: '2026-01-01',
  accounts: undefined,
};
const SETTINGS = readDatevSettings(GIVEN);
const DAY = Temporal.PlainDate.from('2026-01-01');
const EUR = 'EUR:FIAT';

function batch(entries: readonly JournalEntry[]): string {
  return datevText({
    settings: SETTINGS,
    assetId: EUR,
    from: DAY,
    until: Temporal.PlainDate.from('2026-12-31'),
    entries,
    writtenAt: Temporal.Instant.from('2027-01-02T03:04:05.678Z'),
  });
}

const CODES = ['merchant:available', 'merchant:pending', 'merchant:reserved', 'merchant:owed'];
const line = fc.record({
  code: fc.constantFrom(...CODES, 'fees', 'network-fees', 'custody:SEPA', 'exchange', 'dust'),
  assetId: fc.constantFrom(EUR, 'LTC:NATIVE'),
  units: fc.bigInt({ min: -(10n ** 11n), max: 10n ** 11n }),
});
/** The last lines make it balance. */
const entries = fc
  .array(fc.record({ lines: fc.array(line, { maxLength: 4 }), kind: fc.string(), id: fc.string() }))
  .map((list) =>
    list.map(({ lines, kind, id }, index): JournalEntry => {
      const rest = new Map<string, bigint>();
      for (const { assetId, units } of lines) {
        rest.set(assetId, (rest.get(assetId) ?? 0n) - units);
      }
      const last = [...rest].map(([assetId, units]) => ({ code: 'custody:SEPA', assetId, units }));
      return {
        id: BigInt(index + 1),
        occurredAt: Temporal.Instant.from('2026-01-01T00:00Z').add({ hours: 24 * (index % 365) }),
        kind,
        subjectId: id,
        lines: [...lines, ...last],
      };
    }),
  );

/** What each account moved by, as DATEV would book the rows. */
function read(text: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (account: string, units: bigint) =>
    sums.set(account, (sums.get(account) ?? 0n) + units);
  for (const row of text.split('\r\n').slice(2, -1)) {
    const [amount = '', side = '', currency, , , , account = '', contra = ''] = row.split(';');
    assert.match(amount, /^\d{1,10},\d{2}$/);
    assert.equal(currency, '"EUR"');
    assert.notEqual(account, contra);
    const units = BigInt(amount.replace(',', '')) * (side === '"S"' ? 1n : -1n);
    add(account, units);
    add(contra, -units);
  }
  return sums;
}

describe('a batch for DATEV', () => {
  test('moves every account by what the ledger says, and clearing by the rest', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const text = batch(given);
        const sums = read(text);
        const expected = new Map<string, bigint>();
        for (const { code, assetId, units } of given.flatMap(({ lines }) => lines)) {
          if (assetId !== EUR) continue;
          const account = SETTINGS.accounts.get(code) ?? SETTINGS.clearing;
          expected.set(account, (expected.get(account) ?? 0n) + units);
        }
        for (const account of new Set([...sums.keys(), ...expected.keys()])) {
          assert.equal(sums.get(account) ?? 0n, expected.get(account) ?? 0n, account);
        }
        const columns = text.split('\r\n').slice(1, -1);
        assert.ok(columns.every((row) => row.split(';').length === 125));
        assert.match(text, /^[ -~\r\näöüÄÖÜß]*$/);
      }),
      { numRuns: 200 },
    );
  });

  test('has the header that DATEV publishes', () => {
    const [header, , row] = batch([
      {
        id: 7n,
        occurredAt: Temporal.Instant.from('2026-05-03T23:59:59Z'),
        kind: 'checkout-receipt-available',
        subjectId: 'abcdefghij12',
        lines: [
          { code: 'merchant:available', assetId: EUR, units: 119_05n },
          { code: 'custody:SEPA', assetId: EUR, units: -119_05n },
        ],
      },
    ]).split('\r\n');
    assert.equal(
      header,
      '"EXTF";700;21;"Buchungsstapel";13;20270102030405678;;"QT";"";"";29098;55003;20260101;4;' +
        '20260101;20261231;"Quittance";"";1;0;0;"EUR";;"";;;"04";;;"";""',
    );
    assert.equal(
      row?.slice(0, 100).replace(/;+$/, ''),
      '119,05;"S";"EUR";;;"";1301;1370;"";0305;"7";"";;"checkout-receipt-available abcdefghij12"',
    );
  });

  test('has two digits after the point, also of money that has none', () => {
    const lines = [
      { code: 'merchant:available', assetId: 'JPY:FIAT', units: 119n },
      { code: 'custody:SWIFT', assetId: 'JPY:FIAT', units: -119n },
    ];
    const entry = { id: 7n, occurredAt: Temporal.Instant.from('2026-05-03T00:00Z') };
    const [, , row] = datevText({
      ...{ settings: SETTINGS, assetId: 'JPY:FIAT', from: DAY, until: DAY },
      entries: [{ ...entry, kind: 'x', subjectId: null, lines }],
      writtenAt: Temporal.Instant.from('2027-01-02T03:04:05.678Z'),
    }).split('\r\n');
    assert.match(row ?? '', /^119,00;"S";"JPY";/);
  });

  test('refuses an amount that DATEV has no room for', () => {
    const lines = [{ code: 'fees', assetId: EUR, units: 10n ** 12n }];
    const entry = { id: 1n, occurredAt: Temporal.Instant.from('2026-05-03T00:00Z') };
    assert.throws(
      () => batch([{ ...entry, kind: 'x', subjectId: null, lines }]),
      (error: unknown) => error instanceof Refusal && error.code === 'validation_failed',
    );
  });
});

describe('the settings of a batch', () => {
  const table: readonly (readonly [string, Partial<DatevOptions>, RegExp])[] = [
    ['without an adviser', { consultant: undefined }, /^--consultant: .*1001 to 9999999$/],
    ['with a small adviser', { consultant: '1000' }, /^--consultant/],
    ['without a client', { client: '0' }, /^--client/],
    ['of another chart', { chart: 'SKR49' }, /^--chart: SKR03 or SKR04$/],
    ['of a day that is none', { fiscalYear: '2026-02-30' }, /^--fiscal-year/],
    ['with an account of no name', { accounts: 'sales=8400' }, /^--accounts: sales=8400/],
    ['with longer accounts beside others', { accounts: 'fees=68550' }, /same number of digits/],
    ['with one account for two', { accounts: 'fees=1301' }, /1301 stands for two/],
  ];
  for (const [name, changes, expected] of table) {
    test(`${name} are refused`, () => {
      assert.throws(
        () => readDatevSettings({ ...GIVEN, ...changes }),
        (error: unknown) => error instanceof Refusal && expected.test(error.details.join('\n')),
      );
    });
  }

  test('name accounts of any length, where each is named', () => {
    const accounts =
      'available=13010,pending=13020,reserved=14600,owed=35010,fees=68550,clearing=13700';
    const { accountLength, clearing } = readDatevSettings({ ...GIVEN, accounts });
    assert.deepEqual([accountLength, clearing], [5, '13700']);
  });
});
