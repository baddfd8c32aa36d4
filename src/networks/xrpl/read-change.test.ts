// Each check of one transaction alone: the rest of it is honest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChange, readChange } from './read-change.ts';

const ROOT = '62'.repeat(32);
const LAST = { transaction: '56'.repeat(32), ledger: 8n };
const ENTRY = { LedgerEntryType: 'AccountRoot', LedgerIndex: ROOT };
const THREAD = { PreviousTxnID: LAST.transaction, PreviousTxnLgrSeq: 8 };

const MODIFIED = {
  ...ENTRY,
  ...THREAD,
  FinalFields: { Balance: '1500' },
  PreviousFields: { Balance: '1000' },
};
const META = {
  AffectedNodes: [{ ModifiedNode: MODIFIED }] as readonly object[],
  TransactionIndex: 3,
  TransactionResult: 'tesSUCCESS',
  delivered_amount: '500',
};
const RECORD = {
  meta: META,
  hash: 'C5'.repeat(32),
  ledger_index: 10,
  ledger_hash: '3A'.repeat(32),
  validated: true,
};

const withNodes = (...AffectedNodes: readonly object[]) => ({
  ...RECORD,
  meta: { ...META, AffectedNodes },
});

test('a change is what the account held and what it holds', () => {
  assert.deepEqual(readChange(RECORD, ROOT), {
    hash: RECORD.hash,
    ledger: 10n,
    ledgerHash: RECORD.ledger_hash,
    order: 3,
    before: { drops: 1000n, last: LAST },
    after: { drops: 1500n, isDeleted: false },
    isSuccess: true,
    delivered: '500',
  });
});

for (const [result, isSuccess] of [
  ['tesSUCCESS', true],
  ['tecPATH_DRY', false],
  ['tecUNFUNDED_PAYMENT', false],
] as const) {
  test(`${result} is in a ledger, and ${isSuccess ? 'a' : 'no'} success`, () => {
    const record = { ...RECORD, meta: { ...META, TransactionResult: result } };
    assert.equal(readChange(record, ROOT)?.isSuccess, isSuccess);
  });
}

for (const result of [
  'terPRE_SEQ',
  'tefPAST_SEQ',
  'temBAD_FEE',
  'telINSUF_FEE_P',
  'tesPENDING',
  'tessuccess',
  'tec',
  'tecpath dry',
  '',
  ' tesSUCCESS',
]) {
  test(`'${result}' is the result of nothing in a ledger`, () => {
    const record = { ...RECORD, meta: { ...META, TransactionResult: result } };
    assert.throws(() => readChange(record, ROOT), /is in no ledger/);
  });
}

for (const [name, record, sentence] of [
  ['that is not validated', { ...RECORD, validated: false }, /is not validated/],
  ['that says nothing about it', { ...RECORD, validated: undefined }, /is not validated/],
  ['without metadata', { ...RECORD, meta: 'unavailable' }, /the metadata is no object/],
  [
    'that changes the account twice',
    withNodes({ ModifiedNode: MODIFIED }, { ModifiedNode: MODIFIED }),
    /changes the account twice/,
  ],
  [
    'with an entry that is two',
    withNodes({ ModifiedNode: MODIFIED, CreatedNode: MODIFIED }),
    /a changed entry is malformed/,
  ],
  ['with an entry that is none', withNodes({}), /a changed entry is/],
  [
    'in which the account is something else',
    withNodes({ ModifiedNode: { ...MODIFIED, LedgerEntryType: 'Offer' } }),
    /the account is no account/,
  ],
  ['that does something unheard of', withNodes({ MovedNode: MODIFIED }), /MovedNode is no change/],
  [
    'that deletes an account that holds something',
    withNodes({ DeletedNode: { ...MODIFIED, FinalFields: { Balance: '1', ...THREAD } } }),
    /a deleted account still holds something/,
  ],
  [
    'whose balance is a token',
    withNodes({ ModifiedNode: { ...MODIFIED, FinalFields: { Balance: { value: '1' } } } }),
    /Balance is no amount of drops/,
  ],
  [
    'that found a balance beyond all XRP',
    withNodes({ ModifiedNode: { ...MODIFIED, PreviousFields: { Balance: '100000000000000001' } } }),
    /Balance is no amount of drops/,
  ],
  [
    'without a thread',
    withNodes({ ModifiedNode: { ...MODIFIED, PreviousTxnID: undefined } }),
    /PreviousTxnID is no hash/,
  ],
  ['without a place', { ...RECORD, meta: { ...META, TransactionIndex: -1 } }, /TransactionIndex/],
  ['of ledger zero', { ...RECORD, ledger_index: 0 }, /ledger_index is no ledger/],
  ['whose hash is short', { ...RECORD, hash: 'C5' }, /hash is no hash/],
] as const) {
  test(`a transaction ${name} is a lie`, () => {
    assert.throws(() => readChange(record, ROOT), sentence);
  });
}

test('a change begins where the account stood, by its thread and by its balance', () => {
  const change = readChange(RECORD, ROOT);
  assert(change !== undefined);
  const point = { drops: 1000n, last: LAST };
  const end = { drops: 1500n, last: { transaction: RECORD.hash, ledger: 10n } };
  assert.deepEqual(applyChange(point, change), end);
  for (const last of [
    undefined,
    { ...LAST, ledger: 7n },
    { ...LAST, transaction: '57'.repeat(32) },
  ]) {
    assert.throws(() => applyChange({ ...point, last }, change), /that is in no listing/);
  }
  assert.throws(() => applyChange({ ...point, drops: 999n }, change), /held 999 drops, not 1000/);
});

test('a deleted account holds nothing and has no thread', () => {
  const FinalFields = { Balance: '0', ...THREAD };
  const DeletedNode = { ...ENTRY, FinalFields, PreviousFields: { Balance: '1000' } };
  const change = readChange(withNodes({ DeletedNode }), ROOT);
  assert(change !== undefined);
  assert.deepEqual(applyChange({ drops: 1000n, last: LAST }, change), {
    drops: 0n,
    last: undefined,
  });
});
