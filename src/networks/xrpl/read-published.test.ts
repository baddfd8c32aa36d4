// Answers of real servers as xrpl.org publishes them (XRPLF/xrpl-dev-portal: _api-examples and the
// pages of account_tx and account_info), read as the adapter reads them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLie } from '#networks/answer-fields.ts';
import { NO_ACCOUNT_ROOT, readAccountRoot } from './read-account-root.ts';
import { applyChange, readChange } from './read-change.ts';
import { readLedgerHeader } from './read-header.ts';
import { firstMissing, readServerInfo } from './read-server-info.ts';
import { accountRootIndex, classicAccountId } from './xrpl-address.ts';

const LEDGER = {
  ledger_hash: '9D346B0C050C6C5C5172BD731063C33A50C4E1D89EB51F47BBE73E4DA340A684',
  ledger_index: 100972403,
  validated: true,
  ledger: {
    account_hash: '3227B0AE820CA0C7B96A761942912785A27CFC5F3407A39AF03DA0BE9C6A4298',
    close_flags: 0,
    close_time: 819429112,
    close_time_human: '2025-Dec-19 03:11:52.000000000 UTC',
    close_time_resolution: 10,
    close_time_iso: '2025-12-19T03:11:52Z',
    ledger_hash: '9D346B0C050C6C5C5172BD731063C33A50C4E1D89EB51F47BBE73E4DA340A684',
    parent_close_time: 819429111,
    parent_hash: '667CE88E45EC7E9C71436A93970437F2F1C14D5A367F24BE3B571A27846C1EF3',
    total_coins: '99985738468528946',
    transaction_hash: 'BC2E8BC91AF126D924CD4C43F0A28DF0DF5DE271A11A781516697C56488F03F7',
    ledger_index: 100972403,
    closed: true,
  },
};

test('the hash of a ledger of the main network is the one computed from its header', () => {
  const { height, hash, parentHash, minedAt } = readLedgerHeader(LEDGER, 100972403n);
  assert.equal(height, 100972403n);
  assert.equal(hash, LEDGER.ledger_hash);
  assert.equal(parentHash, LEDGER.ledger.parent_hash);
  assert.equal(minedAt.toString(), LEDGER.ledger.close_time_iso);
});

test('no field of the header can be another', () => {
  const { close_time_human, close_time_iso, ...hashed } = LEDGER.ledger;
  assert(close_time_human !== close_time_iso);
  for (const [name, value] of Object.entries(hashed)) {
    const changed =
      typeof value === 'number'
        ? value + 1
        : typeof value === 'string'
          ? value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
          : false;
    const ledger = { ...LEDGER.ledger, [name]: changed };
    assert.throws(() => readLedgerHeader({ ...LEDGER, ledger }, undefined), NodeLie, name);
    assert.throws(
      () => readLedgerHeader({ ...LEDGER, ledger: { ...LEDGER.ledger, [name]: null } }, undefined),
      NodeLie,
      name,
    );
  }
  assert.throws(() => readLedgerHeader({ ...LEDGER, validated: false }, undefined), NodeLie);
  assert.throws(() => readLedgerHeader(LEDGER, 100972404n), /not the one asked for/);
});

test('a server of the main network says what it has', () => {
  const info = {
    build_version: '1.12.0',
    complete_ledgers: '32570-82521701',
    hostid: 'LEST',
    network_id: 0,
    server_state: 'full',
    validated_ledger: { age: 4, base_fee_xrp: 0.00001, seq: 82521701 },
    validation_quorum: 28,
  };
  assert.deepEqual(readServerInfo({ info }), {
    networkId: 0n,
    version: '1.12.0',
    fault: undefined,
    isCatchingUp: false,
    complete: [[32570n, 82521701n]],
  });
  const { build_version: _, server_state: __, ...rest } = info;
  const clio = readServerInfo({ info: { ...rest, clio_version: '2.3.0' } });
  assert.equal(clio.version, '2.3.0');
  assert.equal(clio.fault, undefined);
  for (const server_state of ['disconnected', 'connected', 'syncing', 'tracking', 7]) {
    assert.match(readServerInfo({ info: { ...info, server_state } }).fault ?? '', /server_state/);
  }
  const blocked = readServerInfo({ info: { ...info, amendment_blocked: true } });
  assert.match(blocked.fault ?? '', /amendment blocked/);
  for (const complete_ledgers of ['', '1-', '1-2,', 'all', 7]) {
    assert.throws(() => readServerInfo({ info: { ...info, complete_ledgers } }), NodeLie);
  }
});

for (const [text, from, upTo, missing] of [
  ['10-20', 10n, 20n, undefined],
  ['10-20', 9n, 20n, 9n],
  ['10-20', 15n, 21n, 21n],
  ['10-14,16-20', 12n, 18n, 15n],
  ['16-20,10-15', 12n, 18n, undefined],
  ['10,11,12', 10n, 12n, undefined],
  ['empty', 10n, 10n, 10n],
  ['1-4294967295', 10n, 10n, undefined],
] as const) {
  test(`of ${text}, from ${from} to ${upTo}, ${missing ?? 'nothing'} is missing`, () => {
    const { complete } = readServerInfo({ info: { build_version: '3', complete_ledgers: text } });
    assert.equal(firstMissing(complete, from, upTo), missing);
  });
}

const ACCOUNT = 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4';
const ROOT = rootIndexOf(ACCOUNT);
const TOUCHED = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';

function rootIndexOf(account: string): string {
  const accountId = classicAccountId(account);
  assert(accountId !== undefined);
  return accountRootIndex(accountId);
}

/** account_tx: somebody opens a trust line to another; both are threaded, one pays the fee. */
const TRUST_SET = {
  meta: {
    AffectedNodes: [
      {
        ModifiedNode: {
          LedgerEntryType: 'AccountRoot',
          LedgerIndex: '140FA03FE8C39540CA8189BC7A7956795C712BC0A542C6409C041150703C8574',
          PreviousTxnID: '33BD699AEFAC9B5CEE05495FE7590F71B58BAC8BCFB70A9E5FAF149EF9D2E116',
          PreviousTxnLgrSeq: 98918099,
        },
      },
      {
        ModifiedNode: {
          FinalFields: {
            Account: ACCOUNT,
            Balance: '24799961',
            Flags: 0,
            OwnerCount: 4,
            Sequence: 98916980,
          },
          LedgerEntryType: 'AccountRoot',
          LedgerIndex: '6221E36CC407593A1E74EC8BDCEF82BFF1C4275B92FC4D6877AA9013214133CA',
          PreviousFields: { Balance: '24799971', OwnerCount: 3, Sequence: 98916979 },
          PreviousTxnID: '565B7B3D2DBE8EF1206A195965DC82413C7D0EE81CFAA99F79EE419217237F7C',
          PreviousTxnLgrSeq: 98918107,
        },
      },
      {
        CreatedNode: {
          LedgerEntryType: 'RippleState',
          LedgerIndex: 'BCDE567C108FB674AA379BCDBEFF705899B38A39535A1EFA23E9906F96403A9F',
          NewFields: { Flags: 1179648 },
        },
      },
    ],
    TransactionIndex: 68,
    TransactionResult: 'tesSUCCESS',
  },
  tx_json: { Account: ACCOUNT, Fee: '10', TransactionType: 'TrustSet' },
  ledger_index: 98918111,
  hash: 'C58EB987B4AC3AE984ADF70DE375AD9B8A180569C30072DE57D6E17EFC69E7F0',
  ledger_hash: '3A134DDA87A60A2531B9B9D504FA6EBDAC99738B0DB20C476BCD6196592B08B2',
  close_time_iso: '2025-09-17T17:50:52Z',
  validated: true,
};
const BEFORE = {
  drops: 24799971n,
  last: {
    transaction: '565B7B3D2DBE8EF1206A195965DC82413C7D0EE81CFAA99F79EE419217237F7C',
    ledger: 98918107n,
  },
};
const AFTER = {
  drops: 24799961n,
  last: { transaction: TRUST_SET.hash, ledger: 98918111n },
};

test('a fee is a link of the chain of what happened to an account', () => {
  const change = readChange(TRUST_SET, ROOT);
  assert(change !== undefined);
  assert.deepEqual(applyChange(BEFORE, change), AFTER);
  assert.throws(() => applyChange({ ...BEFORE, drops: 5n }, change), NodeLie);
  assert.throws(() => applyChange(AFTER, change), /in no listing/);
});

test('a transaction that only threads an account is a link as well', () => {
  assert.equal(rootIndexOf(TOUCHED), TRUST_SET.meta.AffectedNodes[0]?.ModifiedNode?.LedgerIndex);
  const change = readChange(TRUST_SET, rootIndexOf(TOUCHED));
  assert(change !== undefined);
  const last = {
    transaction: '33BD699AEFAC9B5CEE05495FE7590F71B58BAC8BCFB70A9E5FAF149EF9D2E116',
    ledger: 98918099n,
  };
  assert.deepEqual(applyChange({ drops: 5n, last }, change), { ...AFTER, drops: 5n });
  assert.equal(readChange(TRUST_SET, 'AB'.repeat(32)), undefined);
});

test('an account is read with its flags, and only of the ledger that was asked for', () => {
  // The command-line example of account_info.
  const account = 'rG1QQv2nh2gr7RCZ1P8YYcBUKCCN633jCn';
  const answer = {
    account_data: {
      Account: account,
      Balance: '9986',
      Flags: 1114112,
      LedgerEntryType: 'AccountRoot',
      OwnerCount: 0,
      PreviousTxnID: '0705FE3F52057924C288296EF0EBF668E0C1A3646FBA8FAF9B73DCC0A797B4B2',
      PreviousTxnLgrSeq: 51948740,
      RegularKey: 'rhLkGGNZdjSpnHJw4XAFw1Jy7PD8TqxoET',
      Sequence: 192220,
      index: '92FA6A9FC8EA6018D5D16532D7795C91BFB0831355BDFDA177E86C8BF997985F',
    },
    ledger_hash: '8169428EDF7F046F817CE44F5F1DF23AD9FAEFFA2CBA7645C3254D66AA79B46E',
    ledger_index: 56843712,
    status: 'success',
    validated: true,
  };
  const asked = { account, rootIndex: rootIndexOf(account) };
  const ledger = { height: 56843712n, hash: answer.ledger_hash };
  assert.deepEqual(readAccountRoot(answer, asked, ledger), {
    point: {
      drops: 9986n,
      last: { transaction: answer.account_data.PreviousTxnID, ledger: 51948740n },
    },
    exists: true,
    requiresTag: false,
    refusesDeposits: false,
    disallowsXrp: false,
  });
  assert.equal(readAccountRoot(undefined, asked, ledger), NO_ACCOUNT_ROOT);
  for (const lie of [
    { ...answer, validated: false },
    { ...answer, ledger_index: 56843713 },
    { ...answer, ledger_hash: 'AB'.repeat(32) },
    { ...answer, account_data: { ...answer.account_data, Account: ACCOUNT } },
    { ...answer, account_data: { ...answer.account_data, Balance: 9986 } },
    { ...answer, account_data: { ...answer.account_data, Balance: '9986.0' } },
    { ...answer, account_data: { ...answer.account_data, Balance: '100000000000000001' } },
    { ...answer, account_data: { ...answer.account_data, index: ROOT } },
  ]) {
    assert.throws(() => readAccountRoot(lie, asked, ledger), NodeLie);
  }
});
