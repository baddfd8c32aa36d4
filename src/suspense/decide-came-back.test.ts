import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Transfer } from '#transfer/transfer.ts';
import { decideCameBack } from './decide-came-back.ts';

const MONEY = {
  environment: 'live',
  network: 'SEPA',
  assetId: 'EUR:FIAT',
  units: 700n,
} as const;
const ARRIVED = {
  environment: 'live',
  network: 'SEPA',
  assetId: 'EUR:FIAT',
  state: 'COMPLETED',
  source: 'merchant:available',
  units: 700n,
  targetUnits: 700n,
} as Transfer;

describe('money that a bank calls a transfer of ours sent back', () => {
  const table: readonly (readonly [string, Partial<Transfer>, bigint, string])[] = [
    ['whole goes back to the merchant', {}, 700n, 'book'],
    ['less a charge goes back to the merchant', {}, 690n, 'book'],
    ['more than was sent is for a person', {}, 701n, 'person'],
    ['of a checkout pays it again', { source: 'merchant:pending' }, 700n, 'book'],
    [
      'of a checkout, less a charge, is for a person',
      { source: 'merchant:pending' },
      690n,
      'person',
    ],
    ['that was taken from suspense stays there', { source: 'suspense:SEPA' }, 700n, 'stays'],
    ['before its debit was read waits', { state: 'TO_SEND' }, 700n, 'wait'],
    ['before its debit was booked waits', { state: 'SUBMITTED' }, 700n, 'wait'],
    ['of one that failed is for a person', { state: 'FAILED' }, 700n, 'person'],
    ['of one that came back before is for a person', { state: 'RETURNED' }, 700n, 'person'],
    ['in another currency is for a person', { assetId: 'USD:FIAT' }, 700n, 'person'],
    ['of another network is for a person', { network: 'SWIFT' }, 700n, 'person'],
    ['of a test is for a person', { environment: 'test' }, 700n, 'person'],
  ];
  for (const [name, changes, units, expected] of table) {
    test(name, () => {
      const decided = decideCameBack({ ...MONEY, units }, { ...ARRIVED, ...changes });
      assert.equal(decided.kind, expected);
    });
  }

  test('of a transfer that nobody knows is for a person', () => {
    assert.equal(decideCameBack(MONEY, undefined).kind, 'person');
  });
});
