import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type BankStatus, decideBankStatus, type StatusFacts } from './decide-bank-status.ts';

const REJECTED: BankStatus = {
  verdict: 'REJECTED',
  code: 'RJCT',
  reasons: ['AC04 closed account number'],
  isDuplicate: false,
};
const ACCEPTED: BankStatus = { ...REJECTED, verdict: 'ACCEPTED', code: 'ACCP', reasons: [] };
const EXECUTED: BankStatus = { ...ACCEPTED, verdict: 'EXECUTED', code: 'ACSC' };
const WAITING: StatusFacts = {
  state: 'TO_SEND',
  isDebited: false,
  before: undefined,
  elsewhere: [],
};
const OTHER = { messageId: 'QT-OTHER', verdict: undefined };

describe('the word of a bank', () => {
  const table: readonly (readonly [string, BankStatus, Partial<StatusFacts>, string])[] = [
    ['accepted is noted', ACCEPTED, {}, 'noted'],
    ['accepted a second time is known', ACCEPTED, { before: 'ACCEPTED' }, 'known'],
    ['accepted after it was executed is known', ACCEPTED, { before: 'EXECUTED' }, 'known'],
    ['executed completes nothing', EXECUTED, { before: 'ACCEPTED' }, 'noted'],
    ['rejected fails it', REJECTED, {}, 'failed'],
    ['rejected after it was accepted fails it', REJECTED, { before: 'ACCEPTED' }, 'failed'],
    ['rejected a second time is known', REJECTED, { state: 'FAILED', before: 'REJECTED' }, 'known'],
    ['rejected after a person gave it back is noted', REJECTED, { state: 'FAILED' }, 'noted'],
    ['rejected, and a statement has the debit', REJECTED, { isDebited: true }, 'contradicts'],
    ['rejected, and it was seen to leave', REJECTED, { state: 'SUBMITTED' }, 'contradicts'],
    ['rejected, and it is completed', REJECTED, { state: 'COMPLETED' }, 'contradicts'],
    ['rejected for being there already', { ...REJECTED, isDuplicate: true }, {}, 'contradicts'],
    ['rejected, and open in another file', REJECTED, { elsewhere: [OTHER] }, 'contradicts'],
    [
      'rejected in both files',
      REJECTED,
      { elsewhere: [{ ...OTHER, verdict: 'REJECTED' }] },
      'failed',
    ],
    ['accepted after it was given back', ACCEPTED, { state: 'FAILED' }, 'contradicts'],
    ['executed after it was given back', EXECUTED, { state: 'FAILED' }, 'contradicts'],
  ];
  for (const [name, status, facts, expected] of table) {
    test(`${name}: ${expected}`, () => {
      assert.equal(decideBankStatus(status, { ...WAITING, ...facts }).kind, expected);
    });
  }

  test('the reason of the bank is that of the failure', () => {
    assert.deepEqual(decideBankStatus(REJECTED, WAITING), {
      kind: 'failed',
      reason: 'rejected by the bank: AC04 closed account number',
    });
    assert.deepEqual(decideBankStatus({ ...REJECTED, reasons: [] }, WAITING), {
      kind: 'failed',
      reason: 'rejected by the bank, which does not say why',
    });
  });

  test('money never goes back while anything says that it left, or may leave', () => {
    const verdicts = ['PENDING', 'ACCEPTED', 'EXECUTED', 'REJECTED'] as const;
    const verdict = fc.constantFrom(...verdicts);
    const facts = fc.record({
      state: fc.constantFrom('TO_SEND', 'SUBMITTED', 'COMPLETED', 'FAILED'),
      isDebited: fc.boolean(),
      before: fc.option(verdict, { nil: undefined }),
      elsewhere: fc.array(
        fc.record({
          messageId: fc.constant('QT-OTHER'),
          verdict: fc.option(verdict, { nil: undefined }),
        }),
        { maxLength: 2 },
      ),
    });
    const status = fc.record({
      verdict,
      code: fc.constant('RJCT'),
      reasons: fc.constant([]),
      isDuplicate: fc.boolean(),
    });
    fc.assert(
      fc.property(status, facts, (said, known) => {
        if (decideBankStatus(said, known).kind !== 'failed') return;
        assert.equal(said.verdict, 'REJECTED');
        assert.deepEqual([said.isDuplicate, known.isDebited], [false, false]);
        assert.equal(known.state, 'TO_SEND');
        assert.ok(known.elsewhere.every((one) => one.verdict === 'REJECTED'));
      }),
    );
  });
});
