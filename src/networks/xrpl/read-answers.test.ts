// Checks of headers, accounts, what a server says of itself and of bytes, each alone and by its sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAccountRoot } from './read-account-root.ts';
import { readBlob } from './read-blob.ts';
import { readLedgerHeader } from './read-header.ts';
import { readServerInfo } from './read-server-info.ts';

const ACCOUNT = 'rG1QQv2nh2gr7RCZ1P8YYcBUKCCN633jCn';
const ROOT = '92FA6A9FC8EA6018D5D16532D7795C91BFB0831355BDFDA177E86C8BF997985F';
const HASH = '81'.repeat(32);
const DATA = {
  Account: ACCOUNT,
  Balance: '9986',
  Flags: 0,
  LedgerEntryType: 'AccountRoot',
  PreviousTxnID: '07'.repeat(32),
  PreviousTxnLgrSeq: 5,
  index: ROOT,
};
const STATE = { account_data: DATA, ledger_hash: HASH, ledger_index: 10, validated: true };

for (const [name, answer, sentence] of [
  ['that is not validated', { ...STATE, validated: false }, /the account is not validated/],
  ['of another ledger', { ...STATE, ledger_index: 11 }, /the account is of another ledger/],
  ['of a fork', { ...STATE, ledger_hash: 'BB'.repeat(32) }, /the account is of a fork/],
  [
    'that is something else',
    { ...STATE, account_data: { ...DATA, LedgerEntryType: 'Offer' } },
    /the entry is no account/,
  ],
  [
    'of somebody else',
    { ...STATE, account_data: { ...DATA, Account: 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w' } },
    /the answer is of another account/,
  ],
  [
    'in another place',
    { ...STATE, account_data: { ...DATA, index: 'AA'.repeat(32) } },
    /the answer is of another account/,
  ],
] as const) {
  test(`an account ${name} is a lie`, () => {
    const asked = { account: ACCOUNT, rootIndex: ROOT };
    const ledger = { height: 10n, hash: HASH };
    assert.equal(readAccountRoot(STATE, asked, ledger).point.drops, 9986n);
    assert.throws(() => readAccountRoot(answer, asked, ledger), sentence);
  });
}

const INFO = { build_version: '3.0.0', complete_ledgers: '1-2', network_id: 0 };

for (const [name, info, sentence] of [
  ['no version', { ...INFO, build_version: undefined }, /the server has no version/],
  ['a version without end', { ...INFO, build_version: '3'.repeat(100) }, /has no version/],
  [
    'ledgers without end',
    { ...INFO, complete_ledgers: `1${',2'.repeat(50_000)}` },
    /complete_ledgers is too long/,
  ],
  ['ledgers that are none', { ...INFO, complete_ledgers: '1-x' }, /is no list of ranges/],
] as const) {
  test(`a server of ${name} is not believed`, () => {
    assert.equal(readServerInfo({ info: INFO }).version, '3.0.0');
    assert.throws(() => readServerInfo({ info }), sentence);
  });
}

test('a server whose database is damaged is not used', () => {
  const { fault } = readServerInfo({ info: { ...INFO, corruption_detected: true } });
  assert.match(fault ?? '', /damaged/);
});

for (const [name, hex, sentence] of [
  ['ends an object that it has not begun', 'E1', /ends what it has not begun/],
  ['ends a list that it has not begun', 'F1', /ends what it has not begun/],
  ['has a length that is none', '71FF', /a length that is none/],
  ['has a field of a type that does not exist', 'D100', /a field of type 13, which needs a newer/],
  ['ends within the name of a field', '00', /a blob is cut off/],
  ['ends within a number', '220000', /a blob is cut off/],
  ['ends within a path', '011201', /a blob is cut off/],
  ['ends before its paths do', '0112', /a blob is cut off/],
  ['has a field twice', '2200000001'.repeat(2), /has field 2\/2 twice/],
  ['is too deep', 'EA'.repeat(12), /a blob is too deep/],
] as const) {
  test(`a blob that ${name} is a lie`, () => {
    assert.throws(() => readBlob(Buffer.from(hex, 'hex')), sentence);
  });
}

for (const name of ['close_time_resolution', 'close_flags']) {
  test(`a ${name} beyond a byte is in no header`, () => {
    const ledger = {
      account_hash: HASH,
      close_flags: 0,
      close_time: 1,
      close_time_resolution: 10,
      ledger_hash: HASH,
      parent_close_time: 1,
      parent_hash: HASH,
      total_coins: '1',
      transaction_hash: HASH,
      ledger_index: 10,
      closed: true,
      [name]: 256,
    };
    const answer = { ledger, ledger_hash: HASH, ledger_index: 10, validated: true };
    assert.throws(() => readLedgerHeader(answer, 10n), new RegExp(`${name} is no byte`));
  });
}
