// Each thing that must agree before a payment is believed, alone: everything else of it is honest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'ripple-binary-codec';
import { decideIncome } from './decide-income.ts';
import type { SignedTransaction } from './list-transactions.ts';
import { readBlob } from './read-blob.ts';
import type { AccountChange } from './read-change.ts';
import { classicAccountId } from './xrpl-address.ts';

const SENDER = 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4';
const SHOP = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';
const HASH = 'C5'.repeat(32);
const LAST = { transaction: 'AB'.repeat(32), ledger: 9n };
const TOKEN = { currency: 'USD', issuer: SENDER, value: '25000000' };
const PARTIAL = 0x0002_0000;
const accountId = classicAccountId(SHOP);
assert(accountId !== undefined);

const PAYMENT = {
  TransactionType: 'Payment',
  Account: SENDER,
  Destination: SHOP,
  DestinationTag: 7,
  Amount: '25000000',
  Fee: '12',
  Flags: 0,
  Sequence: 7,
  SigningPubKey: 'ED954DCBC5CB557C330BEAB71D36A18DEED0CAA5DE5A8FF8C9589A49D3253B50CF',
};

function signedOf(fields: object, meta: object = {}): SignedTransaction {
  const blobOf = (json: object) => readBlob(Buffer.from(encode(json), 'hex'));
  const metadata = { TransactionIndex: 0, TransactionResult: 'tesSUCCESS', ...meta };
  return { ledger: 10n, transaction: blobOf({ ...PAYMENT, ...fields }), meta: blobOf(metadata) };
}

const CHANGE: AccountChange = {
  hash: HASH,
  ledger: 10n,
  ledgerHash: 'CC'.repeat(32),
  order: 0,
  before: { drops: 1_000n, last: LAST },
  after: { drops: 25_001_000n, isDeleted: false },
  isSuccess: true,
  delivered: '25000000',
};

function decide(
  change: Partial<AccountChange>,
  fields: object = {},
  meta: object = {},
  signed: { readonly ledger?: bigint } = {},
) {
  const made: SignedTransaction = { ...signedOf(fields, meta), ...signed };
  return decideIncome({ ...CHANGE, ...change }, made, accountId ?? Buffer.alloc(0));
}

const INCOME = { transaction: HASH, ledger: 10n, drops: 25_000_000n, tag: 7n };
const UNNAMED = { ...INCOME, tag: undefined };

test('a payment on which everything agrees is an income of its tag', () => {
  assert.deepEqual(decide({}), INCOME);
  assert.deepEqual(decide({}, { DestinationTag: undefined }), UNNAMED);
});

test('a partial payment is worth what the metadata says it delivered', () => {
  const fields = { Flags: PARTIAL, Amount: '999999999' };
  assert.deepEqual(decide({}, fields, { DeliveredAmount: '25000000' }), INCOME);
});

test('what did not rise is nothing', () => {
  for (const after of [1_000n, 999n]) {
    assert.equal(decide({ after: { drops: after, isDeleted: false } }), undefined);
  }
  assert.equal(decide({ before: { drops: undefined, last: LAST } }), undefined);
});

for (const [name, change, fields, meta, signed, sentence] of [
  ['is in one listing only', {}, {}, {}, 'missing', /in one listing and not in the other/],
  ['is in another ledger in the other listing', {}, {}, {}, { ledger: 11n }, /in two ledgers/],
  [
    'failed (tec) and gave something',
    { isSuccess: false },
    {},
    {},
    {},
    /failed and gave something/,
  ],
  ['is partial and states nothing', {}, { Flags: PARTIAL }, {}, {}, /delivered is not known/],
  ['delivered `unavailable`', { delivered: 'unavailable' }, {}, {}, {}, /delivered is not known/],
  ['delivered nothing that is named', { delivered: undefined }, {}, {}, {}, /is not known/],
  ['delivered a number', { delivered: 25_000_000 }, {}, {}, {}, /delivered is not known/],
  ['was signed over more', {}, { Amount: '25000001' }, {}, {}, /one thing in one listing/],
  ['states less', {}, {}, { DeliveredAmount: '1' }, {}, /one thing in one listing/],
  ['was signed over a token', {}, { Amount: TOKEN }, {}, {}, /one thing in one listing/],
  ['is told to be a token', { delivered: TOKEN }, {}, {}, {}, /one thing in one listing/],
  [
    'made the balance rise by more than it delivered',
    { after: { drops: 25_001_001n, isDeleted: false } },
    {},
    {},
    {},
    /delivered 25000000 drops, and the balance rose by 25000001/,
  ],
  [
    'made the balance rise by less than it delivered',
    { after: { drops: 25_000_999n, isDeleted: false } },
    {},
    {},
    {},
    /delivered 25000000 drops, and the balance rose by 24999999/,
  ],
] as const) {
  test(`a payment that ${name} is a lie`, () => {
    const made = { ...signedOf(fields, meta), ...(signed === 'missing' ? {} : signed) };
    assert.throws(
      () =>
        decideIncome(
          { ...CHANGE, ...change },
          signed === 'missing' ? undefined : made,
          accountId ?? Buffer.alloc(0),
        ),
      sentence,
    );
  });
}

for (const [name, fields] of [
  ['by another kind of transaction', { TransactionType: 'CheckCash', CheckID: HASH }],
  ['by a payment to somebody else', { Destination: SENDER, Account: SHOP }],
  ['by a payment of our own to us', { Account: SHOP, SendMax: TOKEN }],
] as const) {
  test(`what arrives ${name} has no tag`, () => assert.deepEqual(decide({}, fields), UNNAMED));
}

test('a payment on whose way offers of ours stood has no tag', () => {
  const after = { drops: 25_000_000n, isDeleted: false };
  const rise = { ...UNNAMED, drops: 24_999_000n };
  assert.deepEqual(decide({ after }, { SendMax: TOKEN }), rise);
});
