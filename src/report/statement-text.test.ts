import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readStatements } from '#networks/bank/read-statement.ts';
import { camt053Faults } from '#test/support/camt-053-schema.ts';
import type { AccountStatement } from './account-statement.ts';
import { camt053Text, quickBooksText, xeroText } from './statement-text.ts';

const START = Temporal.Instant.from('2026-01-31T23:30:00Z');

const statements = fc
  .record({
    openingUnits: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    amounts: fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { maxLength: 20 }),
    kind: fc.oneof(fc.constant('checkout-receipt-available'), fc.string({ unit: 'binary' })),
    subjectId: fc.option(fc.string({ unit: 'grapheme' })),
  })
  .map(
    ({ openingUnits, amounts, kind, subjectId }): AccountStatement => ({
      account: 'abcdefghij12',
      assetId: 'EUR:FIAT',
      openingUnits,
      closingUnits: amounts.reduce((sum, units) => sum + units, openingUnits),
      writtenAt: START,
      lines: amounts.map((units, index) => ({
        ...{ entry: BigInt(index + 1), position: 1, kind, subjectId, units },
        occurredAt: START.add({ hours: index }),
      })),
    }),
  );

const encode = (text: string) => new TextEncoder().encode(text);

describe('a statement of an account', () => {
  test('as camt.053 is read back by the reader of banks, and adds up to the cent', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        const [read, other] = readStatements(encode(camt053Text(statement)));
        assert.equal(other, undefined);
        assert.equal(read?.balances?.openingUnits, statement.openingUnits);
        assert.equal(read?.balances?.closingUnits, statement.closingUnits);
        const booked = read?.entries.map(({ side, units }) => (side === 'CRDT' ? units : -units));
        const lines = statement.lines.map(({ units }) => units).filter((units) => units !== 0n);
        assert.deepEqual(booked, lines);
        assert.equal(read?.account, 'ABCDEFGHIJ12EUR');
        assert.deepEqual(camt053Faults(camt053Text(statement)), []);
      }),
    );
  });

  test('as camt.053 the schema would refuse what it does not know', () => {
    const statement = fc.sample(statements, { numRuns: 50, seed: 1 }).find(({ lines }) => lines[0]);
    assert.ok(statement !== undefined);
    const text = camt053Text(statement);
    for (const [from, to] of [
      ['<Sts><Cd>BOOK</Cd></Sts>', ''],
      ['<Cd>OPBD</Cd>', '<Cd>OPENING</Cd>'],
      ['<Ccy>EUR</Ccy>', '<Ccy>Euro</Ccy>'],
      [' Ccy="EUR"', ''],
      ['</Acct>', '</Acct><Ntry/>'],
      ['camt.053.001.08', 'camt.053.001.02'],
    ] as const) {
      assert.notDeepEqual(camt053Faults(text.replace(from, to)), [], to);
    }
  });

  for (const [name, write, column] of [
    ['Xero', xeroText, 1],
    ['QuickBooks', quickBooksText, -1],
  ] as const) {
    test(`as ${name} takes it has a line for each, exact to the cent, whatever the texts hold`, () => {
      fc.assert(
        fc.property(statements, (statement) => {
          const [head, ...rows] = readCsv(write(statement));
          assert.ok(rows.every((row) => row.length === head?.length));
          // What the importers of both refuse: a sign of a currency, thousands, an empty amount.
          assert.ok(rows.every((row) => /^-?\d+\.\d\d$/.test(row.at(column) ?? '')));
          const units = rows.map((row) => BigInt((row.at(column) ?? '').replace('.', '')));
          assert.deepEqual(
            units,
            statement.lines.map((line) => line.units),
          );
        }),
      );
    });
  }

  test('has the columns and the days of the program', () => {
    const statement: AccountStatement = {
      ...{ account: 'abcdefghij12', assetId: 'EUR:FIAT', openingUnits: 0n, closingUnits: -5n },
      writtenAt: START,
      lines: [
        {
          ...{ entry: 7n, position: 2, occurredAt: START, units: -5n },
          ...{ kind: 'transfer-reserved', subjectId: 'bbbbbbbbbbbb' },
        },
      ],
    };
    assert.equal(
      xeroText(statement),
      '*Date,*Amount,Payee,Description,Reference,Check Number\r\n2026-01-31,-0.05,,transfer-reserved,bbbbbbbbbbbb 7-2,\r\n',
    );
    assert.equal(
      quickBooksText(statement),
      'Date,Description,Amount\r\n01/31/2026,transfer-reserved bbbbbbbbbbbb 7-2,-0.05\r\n',
    );
  });
});

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === '\r\n') rows.push([]);
  }
  rows.pop();
  return rows;
}
