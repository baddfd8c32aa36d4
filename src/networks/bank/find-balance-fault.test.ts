import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatementBalances } from './bank-statement.ts';
import { findBalanceFault } from './find-balance-fault.ts';

function statement(day: number, from: bigint, to: bigint, booked = to - from): StatementBalances {
  return {
    account: 'DE89370400440532013000',
    currency: 'EUR',
    statementId: `S-${day}`,
    sequence: undefined,
    openingUnits: from,
    closingUnits: to,
    closingOn: `2026-01-0${day}`,
    bookedUnits: booked,
  };
}

const first = statement(1, 0n, 500n);
const second = statement(2, 500n, -200n);
const third = statement(3, -200n, 100n);
const cut = statement(2, 500n, -200n, 40n);

const TABLE: readonly (readonly [string, readonly StatementBalances[], RegExp | undefined])[] = [
  ['none', [], undefined],
  ['one', [first], undefined],
  ['all in order', [first, second, third], undefined],
  ['all, in another order', [third, first, second], undefined],
  ['one that is missing', [first, third], /missing: S-1 ends with 5.00 EUR, S-3 .* with -2.00 EUR/],
  [
    'one that does not add up',
    [first, cut, third],
    /S-2 of 2026-01-02 ends with -2.00 EUR, .* 5.40/,
  ],
  ['one that was sent again whole', [first, cut, second, third], undefined],
  ['one that was sent again cut', [first, second, cut, third], undefined],
  ['another currency beside', [first, { ...third, currency: 'USD' }], undefined],
  ['another account beside', [first, { ...third, account: 'X' }], undefined],
];

for (const [name, statements, fault] of TABLE) {
  test(`statements: ${name}`, () => {
    const found = findBalanceFault(statements);
    if (fault === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', fault);
  });
}
