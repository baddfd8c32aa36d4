import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StatementBalances } from './bank-statement.ts';
import { listBalanceFaults } from './list-balance-faults.ts';

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
const ofOneDay = Array.from({ length: 12 }, (_, at) => ({
  ...statement(1, BigInt(at) * 500n, BigInt(at + 1) * 500n),
  statementId: `S-${at + 1}`,
}));

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
  ['twelve of one day', ofOneDay, undefined],
  [
    'eleven of twelve of one day',
    ofOneDay.toSpliced(5, 1),
    /missing: S-5 ends with 25.00 EUR, S-7 .* begins with 30.00 EUR/,
  ],
  ['another currency beside', [first, { ...third, currency: 'USD' }], undefined],
  ['another account beside', [first, { ...third, account: 'X' }], undefined],
];

for (const [name, statements, fault] of TABLE) {
  test(`statements: ${name}`, () => {
    const [found] = listBalanceFaults(statements);
    if (fault === undefined) assert.equal(found, undefined);
    else assert.match(found?.reason ?? '', fault);
  });
}

test('statements are of one chain whatever they are called, and one that is missing is missed', () => {
  const balances = fc.uniqueArray(fc.bigInt(-999n, 999n), { minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(balances, fc.infiniteStream(fc.string()), fc.nat(), (list, names, chosen) => {
      const all = list.slice(1).map((to, at) => ({
        ...statement(1 + Math.floor(at / 4), list[at] ?? 0n, to),
        statementId: `${names.next().value} ${at}`,
      }));
      assert.deepEqual(listBalanceFaults(all), []);
      const lost = 1 + (chosen % (all.length - 2));
      const [cause] = listBalanceFaults(all.toSpliced(lost, 1));
      assert.match(cause?.reason ?? '', /^a statement is missing: /);
    }),
  );
});

test('each place where they do not hang together is a cause of its own', () => {
  const other = (one: StatementBalances) => ({ ...one, account: 'X' });
  const causes = listBalanceFaults([first, third, other(first), other(cut), other(third)]);
  assert.deepEqual(
    causes.map(({ kind, what }) => [kind, what]),
    [
      ['missing-statement', `${first.account} EUR S-1 500 ${first.account} EUR S-3 -200`],
      ['wrong-statement', 'X EUR S-2'],
    ],
  );
});
