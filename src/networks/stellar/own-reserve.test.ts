import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NodeLie } from '#networks/answer-fields.ts';
import { againstOwnReserve, readOwnLumens } from './own-reserve.ts';

const BASE = 5_000_000n;
const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const ACCOUNT = { account: 'GDLG3QKZMX4EC5EXQRTZOTNTFCQUYBFPLVKAFKKHATBQCENPNU7MFC5U' };

function answer(changes: object = {}, balance = '100.0000000', selling = '0.0000000') {
  return {
    subentry_count: 0,
    num_sponsoring: 0,
    num_sponsored: 0,
    balances: [
      { asset_type: 'credit_alphanum4', asset_code: 'USDC', balance: '7.0000000' },
      { asset_type: 'native', balance, selling_liabilities: selling },
    ],
    ...changes,
  };
}

test('two base reserves stay, and one for each entry, sponsored ones aside, and what offers sell', () => {
  const table: readonly (readonly [object, string, bigint])[] = [
    [{}, '0.0000000', 10_000_000n],
    [{ subentry_count: 3 }, '0.0000000', 25_000_000n],
    [{ subentry_count: 3, num_sponsored: 2 }, '0.0000000', 15_000_000n],
    [{ num_sponsoring: 4 }, '0.0000000', 30_000_000n],
    [{ num_sponsored: 2 }, '0.0000000', 0n],
    [{ subentry_count: 1 }, '2.5000000', 40_000_000n],
  ];
  for (const [changes, selling, keptUnits] of table) {
    const read = readOwnLumens(answer(changes, '100.0000000', selling), BASE);
    assert.deepEqual(read, { heldUnits: 1_000_000_000n, keptUnits });
  }
});

test('an answer that cannot be so is a lie', () => {
  const bad: readonly unknown[] = [
    undefined,
    answer({ subentry_count: -1 }),
    answer({ subentry_count: 1.5 }),
    answer({ num_sponsoring: '0' }),
    answer({ num_sponsored: 3 }),
    answer({ balances: [] }),
    answer({ balances: 'all' }),
    answer({}, '1e9'),
    answer({}, '100.0000000', ''),
  ];
  for (const one of bad) assert.throws(() => readOwnLumens(one, BASE), NodeLie);
});

test('what is paid never takes of the reserve, to the unit, nor does the fee of a token', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(units, units, units, fc.bigInt({ min: 100n, max: 100_000n }), (...facts) => {
      const [heldUnits, keptUnits, asked, feeUnits] = facts;
      const lumens = { network: 'STELLAR', assetId: 'XLM:NATIVE', account: ACCOUNT, units: asked };
      const held = { heldUnits, keptUnits, feeUnits };
      const isPaid = againstOwnReserve({ payment: lumens, ...held }) === undefined;
      assert.equal(isPaid, heldUnits - asked - feeUnits >= keptUnits);
      const token = { ...lumens, assetId: USDC };
      const isFeePaid = againstOwnReserve({ payment: token, ...held }) === undefined;
      assert.equal(isFeePaid, heldUnits - feeUnits >= keptUnits);
      const lockedUnits = asked;
      const isLeft = againstOwnReserve({ payment: token, ...held, lockedUnits }) === undefined;
      assert.equal(isLeft, heldUnits - feeUnits - lockedUnits >= keptUnits);
    }),
  );
});

test('the refusal says how much can be paid, and what stays', () => {
  const payment = { network: 'STELLAR', assetId: 'XLM:NATIVE', account: ACCOUNT, units: 10n ** 9n };
  const held = { heldUnits: 10n ** 9n, keptUnits: 15_000_000n, feeUnits: 100n };
  assert.equal(
    againstOwnReserve({ payment, ...held }),
    'the account can pay at most 98.49999 XLM: 1.5 XLM of its 100 are its reserve, which stays',
  );
  assert.match(
    againstOwnReserve({ payment: { ...payment, assetId: USDC }, ...held, heldUnits: 1n }) ?? '',
    /cannot pay the fee of 0\.00001 XLM/,
  );
});
