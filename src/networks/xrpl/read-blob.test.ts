import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from 'ripple-binary-codec';
import { NodeLie } from '#networks/answer-fields.ts';
import {
  ACCOUNT,
  AMOUNT,
  DELIVERED_AMOUNT,
  DESTINATION,
  DESTINATION_TAG,
  dropsIn,
  FLAGS,
  PATHS,
  readBlob,
  SEND_MAX,
  TRANSACTION_TYPE,
  UnknownField,
} from './read-blob.ts';
import { classicAccountId, classicAddress } from './xrpl-address.ts';

const sender = 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4';
const receiver = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';
const issued = { currency: 'USD', issuer: sender, value: '12.5' };

function read(json: object) {
  return readBlob(Buffer.from(encode(json), 'hex'));
}

const payment = {
  TransactionType: 'Payment',
  Account: sender,
  Destination: receiver,
  Amount: '25000000',
  Fee: '12',
  Flags: 131072,
  Sequence: 7,
  SigningPubKey: 'ED954DCBC5CB557C330BEAB71D36A18DEED0CAA5DE5A8FF8C9589A49D3253B50CF',
};

test('what the official library wrote is read, whatever the tag and the amount', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 2 ** 32 - 1 }),
      fc.bigInt({ min: 0n, max: 10n ** 17n }),
      (tag, drops) => {
        const fields = read({ ...payment, DestinationTag: tag, Amount: `${drops}` });
        assert.equal(fields.get(DESTINATION_TAG)?.readUInt32BE(0), tag);
        assert.equal(dropsIn(fields.get(AMOUNT)), drops);
        assert.equal(fields.get(TRANSACTION_TYPE)?.readUInt16BE(0), 0);
        assert.equal(fields.get(FLAGS)?.readUInt32BE(0), 131072);
        assert.deepEqual(fields.get(DESTINATION), classicAccountId(receiver));
        assert.deepEqual(fields.get(ACCOUNT), classicAccountId(sender));
      },
    ),
  );
});

test('memos, signers and paths are walked over, and hide nothing behind them', () => {
  const rich = {
    ...payment,
    Amount: issued,
    DeliverMin: issued,
    SendMax: '30000000',
    InvoiceID: 'AB'.repeat(32),
    Paths: [
      [{ currency: 'USD', issuer: sender }, { account: receiver }],
      [{ currency: 'EUR', issuer: receiver }],
    ],
    Memos: [
      { Memo: { MemoType: '61'.repeat(300), MemoData: '2E00000001' } },
      { Memo: { MemoData: 'FF'.repeat(700) } },
    ],
    Signers: [{ Signer: { Account: receiver, SigningPubKey: '', TxnSignature: 'AA'.repeat(70) } }],
    DestinationTag: 5,
  };
  const fields = read(rich);
  assert.equal(fields.get(DESTINATION_TAG)?.readUInt32BE(0), 5);
  assert.equal(dropsIn(fields.get(AMOUNT)), undefined, 'an issued currency is no XRP');
  assert.equal(dropsIn(fields.get(SEND_MAX)), 30_000_000n);
  assert(fields.has(PATHS));
});

test('tokens, pools, bridges and lists of hashes are walked over', () => {
  const mpt = { mpt_issuance_id: '00000003430427B80BD2D09D36B70B969E12801065F22308', value: '5' };
  for (const json of [
    { ...payment, Amount: mpt },
    {
      ...payment,
      TransactionType: 'AMMDeposit',
      Asset: { currency: 'XRP' },
      Asset2: { currency: 'USD', issuer: sender },
    },
    { ...payment, TransactionType: 'NFTokenCancelOffer', NFTokenOffers: ['AB'.repeat(32)] },
    {
      ...payment,
      XChainBridge: {
        LockingChainDoor: sender,
        LockingChainIssue: { currency: 'XRP' },
        IssuingChainDoor: receiver,
        IssuingChainIssue: { currency: 'USD', issuer: sender },
      },
    },
  ]) {
    assert.deepEqual(read(json).get(DESTINATION), classicAccountId(receiver));
  }
});

test('the delivered amount is read from metadata, behind everything that was changed', () => {
  const meta = {
    AffectedNodes: [
      {
        ModifiedNode: {
          LedgerEntryType: 'AccountRoot',
          LedgerIndex: 'AB'.repeat(32),
          FinalFields: { Account: receiver, Balance: '5', Flags: 0, Sequence: 1 },
          PreviousFields: { Balance: '4' },
        },
      },
    ],
    DeliveredAmount: '1',
    TransactionIndex: 3,
    TransactionResult: 'tesSUCCESS',
  };
  assert.equal(dropsIn(read(meta).get(DELIVERED_AMOUNT)), 1n);
});

test('a blob that is cut off anywhere, or goes on, is refused or lacks its end', () => {
  const blob = Buffer.from(encode({ ...payment, Memos: [{ Memo: { MemoData: 'AABB' } }] }), 'hex');
  const whole = readBlob(blob).size;
  for (let length = 1; length < blob.length; length += 1) {
    try {
      assert(readBlob(blob.subarray(0, length)).size < whole);
    } catch (error) {
      assert(error instanceof NodeLie, String(error));
    }
  }
  assert.throws(() => readBlob(Buffer.concat([blob, blob])), NodeLie);
});

/** In hex; the number of the field is one that nobody has taken. */
const NEW_FIELDS = {
  UInt16: '10C80001',
  UInt32: '20C800000001',
  UInt64: '30C80000000000000001',
  Hash256: `50C8${'AB'.repeat(32)}`,
  Amount: '60C84000000000000001',
  'Amount of a token': `60C8D4838D7EA4C680${'00'.repeat(41)}`,
  Blob: '70C802AABB',
  AccountID: `80C814${'01'.repeat(20)}`,
  Object: 'E0C82400000001E1',
  List: 'F0C8EA2400000001E1F1',
  UInt8: '0010C801',
};

test('a new field of a kind that is known hides nothing, before or behind the others', () => {
  const blob = encode({ ...payment, DestinationTag: 5 });
  for (const [kind, field] of Object.entries(NEW_FIELDS)) {
    for (const text of [blob + field, field + blob]) {
      const fields = readBlob(Buffer.from(text, 'hex'));
      assert.equal(fields.get(DESTINATION_TAG)?.readUInt32BE(0), 5, kind);
      assert.equal(dropsIn(fields.get(AMOUNT)), 25_000_000n, kind);
      assert.deepEqual(fields.get(DESTINATION), classicAccountId(receiver), kind);
    }
  }
});

test('a new kind of field says that it is one', () => {
  const blob = encode(payment);
  for (const field of ['011B00', 'C1', 'D1', '0063C8']) {
    assert.throws(() => readBlob(Buffer.from(blob + field, 'hex')), UnknownField, field);
  }
});

for (const [what, change, sentence] of [
  ['has a tag twice', (blob: string) => `${blob}2E00000006`, /field 2\/14 twice/],
  ['has an amount twice', (blob: string) => `${blob}614000000000000001`, /field 6\/1 twice/],
  ['is there twice', (blob: string) => blob + blob, /twice/],
  ['ends before its end', (blob: string) => `${blob}E1`, /ends what it has not begun/],
  ['ends a list that is none', (blob: string) => `${blob}F1`, /ends what it has not begun/],
  ['has zeros at its end', (blob: string) => `${blob}0000`, /field that is none/],
  ['writes a type in the long form', (blob: string) => `${blob}0E0200000006`, /field that is none/],
  [
    'writes a number in the long form',
    (blob: string) => `${blob}200E00000006`,
    /field that is none/,
  ],
  ['has an object that never ends', (blob: string) => `${blob}EA2400000001`, /cut off/],
  ['has a length that is none', (blob: string) => `${blob}7DFF`, /length that is none/],
  ['has less than it counts', (blob: string) => `${blob}7DFEFFFF00`, /cut off/],
  ['has paths that never end', (blob: string) => `${blob}0112${'FF'.repeat(40)}`, /cut off/],
] as const) {
  test(`a blob that ${what} is a lie`, () => {
    const blob = encode({ ...payment, DestinationTag: 5 });
    const read = () => readBlob(Buffer.from(change(blob), 'hex'));
    assert.throws(read, (error) => error instanceof NodeLie && sentence.test(error.message));
  });
}

test('an amount of XRP is at least zero and at most all there ever were', () => {
  const amountOf = (hex: string) => dropsIn(Buffer.from(hex, 'hex'));
  assert.equal(amountOf('4000000000000000'), 0n);
  assert.equal(amountOf('416345785D8A0000'), 10n ** 17n);
  assert.throws(() => amountOf('416345785D8A0001'), NodeLie);
  assert.throws(() => amountOf('7FFFFFFFFFFFFFFF'), NodeLie);
  assert.equal(amountOf('0000000000000001'), undefined, 'below zero');
  assert.equal(amountOf('C1'), undefined);
});

test('anything at all ends: read, or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        readBlob(Buffer.from(bytes));
      } catch (error) {
        assert(error instanceof NodeLie, String(error));
      }
    }),
  );
  const deep = Buffer.alloc(5_000, 0xe9);
  assert.throws(() => readBlob(deep), /too deep/);
  assert.equal(classicAddress(Buffer.alloc(20)), 'rrrrrrrrrrrrrrrrrrrrrhoLvTp');
});
