import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { decode, encode, encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs';
import { Refusal } from '#base/refusal.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import { readBlob } from './read-blob.ts';
import { readSignedXrplPayment } from './signed-transaction.ts';
import { unsignedXrplTransaction, writeBlob, type XrplOrder } from './unsigned-transaction.ts';
import { sha512Half } from './xrpl-address.ts';

type KeyPair = ReturnType<typeof deriveKeypair>;
type Algorithm = 'ed25519' | 'ecdsa-secp256k1';

function keyOf(byte: number, algorithm: Algorithm): KeyPair & { readonly address: string } {
  const pair = deriveKeypair(generateSeed({ entropy: new Uint8Array(16).fill(byte), algorithm }));
  return { ...pair, address: deriveAddress(pair.publicKey) };
}

const KEYS = [keyOf(1, 'ecdsa-secp256k1'), keyOf(2, 'ed25519')] as const;
const [own] = KEYS;
const regular = keyOf(3, 'ed25519');
const stranger = keyOf(4, 'ecdsa-secp256k1');
const RECEIVER = 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w';
const OTHER = 'r48QyLLbot7VCfw325LrXAUtP6CRfU3tb4';

const order: XrplOrder = {
  payment: {
    network: 'XRP_LEDGER',
    assetId: 'XRP:NATIVE',
    account: { account: RECEIVER, destinationTag: '7' },
    units: 25_000_000n,
  },
  source: own.address,
  turn: { sequence: 9n },
  feeUnits: 20n,
  lastLedger: 80_000_000n,
};

/** As a wallet does it: from the JSON alone. */
function signJson(json: object, key: KeyPair = own): string {
  const keyed = { ...json, SigningPubKey: key.publicKey };
  return encode({ ...keyed, TxnSignature: sign(encodeForSigning(keyed), key.privateKey) });
}

function changedBy(changes: Readonly<Record<string, unknown>>, key: KeyPair = own): string {
  const json = Object.entries({ ...unsignedXrplTransaction(order).json, ...changes });
  return signJson(Object.fromEntries(json.filter(([, value]) => value !== undefined)), key);
}

function read(text: string, ordered: XrplOrder = order) {
  return readSignedXrplPayment(text, ordered, [ordered.source, regular.address]);
}

function refusalOf(text: string, ordered: XrplOrder = order): Refusal {
  try {
    read(text, ordered);
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    return error;
  }
  throw new Error('it was taken');
}

const uint32 = fc.bigInt({ min: 1n, max: 2n ** 32n - 1n });
const orders: fc.Arbitrary<XrplOrder> = fc
  .record({
    tag: fc.option(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), { nil: undefined }),
    units: fc.bigInt({ min: 1n, max: 10n ** 17n }),
    turn: fc.oneof(
      uint32.map((sequence) => ({ sequence })),
      uint32.map((ticket) => ({ ticket })),
    ),
    feeUnits: fc.bigInt({ min: 1n, max: 10n ** 8n }),
    lastLedger: uint32,
    key: fc.constantFrom(...KEYS),
  })
  .map(({ tag, units, key, ...rest }) => ({
    ...rest,
    source: key.address,
    payment: {
      ...order.payment,
      units,
      account: { account: RECEIVER, ...(tag === undefined ? {} : { destinationTag: `${tag}` }) },
    },
  }));

test('the unsigned bytes are those that the official library makes of the JSON', () => {
  fc.assert(
    fc.property(orders, (ordered) => {
      const { unsignedTransaction, json } = unsignedXrplTransaction(ordered);
      assert.equal(unsignedTransaction, encode(json));
      assert.deepEqual(decode(unsignedTransaction), json);
    }),
  );
});

test('what the official library signs for the order is read, with its hash', () => {
  fc.assert(
    fc.property(orders, (ordered) => {
      const key = KEYS.find(({ address }) => address === ordered.source) ?? own;
      const text = signJson(unsignedXrplTransaction(ordered).json, key);
      assert.deepEqual(read(` ${text.toLowerCase()}\n`, ordered), {
        signedTransaction: text,
        transaction: sha512Half(Buffer.from(`54584E00${text}`, 'hex')),
        feeUnits: ordered.feeUnits,
      });
    }),
    { numRuns: 60 },
  );
});

test('forms for a wallet: JSON with an end, and a link', () => {
  const { json, paymentUri } = unsignedXrplTransaction(order);
  assert.deepEqual(json, {
    TransactionType: 'Payment',
    Flags: 0,
    Account: own.address,
    Destination: RECEIVER,
    DestinationTag: 7,
    Amount: '25000000',
    Fee: '20',
    Sequence: 9,
    LastLedgerSequence: 80_000_000,
  });
  assert.equal(paymentUri, `ripple:${RECEIVER}?to=${RECEIVER}&dt=7&amount=25`);
  const ticket = unsignedXrplTransaction({ ...order, turn: { ticket: 5n } }).json;
  assert.deepEqual([ticket.Sequence, ticket.TicketSequence], [0, 5]);
});

const issued = { currency: 'USD', issuer: OTHER, value: '1' };
const differing: readonly (readonly [Readonly<Record<string, unknown>>, string | RegExp])[] = [
  [{ Destination: OTHER }, `Destination is ${OTHER}; ordered is ${RECEIVER}`],
  [{ DestinationTag: 8 }, 'DestinationTag is 8; ordered is 7'],
  [{ DestinationTag: undefined }, 'DestinationTag is none; ordered is 7'],
  [{ SourceTag: 8 }, 'SourceTag is 8; ordered is none'],
  [{ Amount: '25000001' }, 'Amount is 25000001 drops; ordered is 25000000 drops'],
  [{ Amount: issued }, /^Amount is D[0-9A-F]+; ordered is 25000000 drops$/],
  [{ Fee: '21' }, 'Fee is 21 drops; ordered are at most 20'],
  [{ Sequence: 10 }, 'Sequence is 10; ordered is 9'],
  [{ LastLedgerSequence: 80_000_001 }, 'LastLedgerSequence is 80000001; ordered is 80000000'],
  [{ LastLedgerSequence: undefined }, 'LastLedgerSequence is none; ordered is 80000000'],
  [{ Flags: 0x0002_0000 }, 'Flags is 131072; ordered is 0'],
  [{ SendMax: '30000000' }, 'SendMax is 30000000 drops; ordered is none'],
  [{ InvoiceID: 'AB'.repeat(32) }, `InvoiceID is ${'AB'.repeat(32)}; ordered is none`],
  [{ NetworkID: 21_338 }, 'NetworkID is 21338; ordered is none'],
  [{ Memos: [{ Memo: { MemoData: 'FF' } }] }, /^Memos is [0-9A-F]+; ordered is none$/],
  [{ Account: stranger.address }, `Account is ${stranger.address}; ordered is ${own.address}`],
];

test('each difference from the order is a sentence of its own', () => {
  for (const [changes, sentence] of differing) {
    const { code, details } = refusalOf(changedBy(changes));
    assert.equal(code, 'signed_transaction_differs');
    assert.equal(details.length, 1);
    if (typeof sentence === 'string') assert.equal(details[0], sentence);
    else assert.match(details[0] ?? '', sentence);
  }
  const ticket = refusalOf(changedBy({ Sequence: 0, TicketSequence: 9 }));
  assert.deepEqual(ticket.details, [
    'Sequence is 0; ordered is 9',
    'TicketSequence is 9; ordered is none',
  ]);
  const escrow = { TransactionType: 'EscrowCreate', FinishAfter: 533257958 };
  assert.deepEqual(refusalOf(changedBy(escrow)).details, [
    'TransactionType is 1; ordered is 0',
    'field 2/37 is 533257958; ordered is none',
  ]);
});

test('a lower fee, no flags, and the flag that changes nothing are taken', () => {
  assert.equal(read(changedBy({ Fee: '10' })).feeUnits, 10n);
  assert.equal(read(changedBy({ Flags: undefined })).feeUnits, 20n);
  assert.equal(read(changedBy({ Flags: 0x8000_0000 })).feeUnits, 20n);
  assert.equal(refusalOf(changedBy({ Fee: '0' })).code, 'signed_transaction_invalid');
  assert.match(refusalOf(changedBy({ Fee: undefined })).message, /no fee in XRP/);
});

test('the signature is by a key of the account', () => {
  assert.equal(read(changedBy({}, regular)).feeUnits, 20n);
  assert.match(refusalOf(changedBy({}, stranger)).message, /by the key of r\w+, which is none of/);
  const { json } = unsignedXrplTransaction(order);
  const keyed = { ...json, SigningPubKey: own.publicKey };
  const bad = encode({ ...keyed, TxnSignature: sign(encodeForSigning(json), own.privateKey) });
  assert.match(refusalOf(bad).message, /signature is none of that key/);
  assert.equal(refusalOf(encode(keyed)).message, 'it is not signed yet');
  assert.equal(refusalOf(encode(json)).message, 'it is not signed yet');
});

test('a transaction that several signed is refused by name', () => {
  const signer = { Account: OTHER, SigningPubKey: own.publicKey, TxnSignature: 'AA'.repeat(70) };
  const json = { ...unsignedXrplTransaction(order).json, SigningPubKey: '' };
  const text = encode({ ...json, Signers: [{ Signer: signer }] });
  assert.match(refusalOf(text).message, /signed by several \(Signers\)/);
});

test('a signature with a high s, which says the same, is refused', () => {
  const fields = new Map(readBlob(Buffer.from(changedBy({}), 'hex')));
  const { r, s } = secp256k1.Signature.fromBytes(fields.get('7/4') ?? Buffer.alloc(0), 'der');
  const { n } = secp256k1.Point.CURVE();
  const high = new secp256k1.Signature(r, n - s).toBytes('der');
  fields.set('7/4', Buffer.from(high));
  assert.match(refusalOf(writeBlob(fields).toString('hex')).message, /none of that key/);
});

test('fields in another order, which have another hash, are refused', () => {
  const bytes = Buffer.from(changedBy({}), 'hex');
  const turned = Buffer.concat([bytes.subarray(3), bytes.subarray(0, 3)]);
  assert.match(refusalOf(turned.toString('hex')).message, /one spelling that is hashed/);
});

test('no changed byte ends as a payment: it is refused, and never fails otherwise', () => {
  for (const key of [own, regular]) {
    const bytes = Buffer.from(changedBy({}, key), 'hex');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        (edits) => {
          const changed = Buffer.from(bytes);
          for (const [place, byte] of edits) changed[place % changed.length] = byte;
          fc.pre(!changed.equals(bytes));
          refusalOf(changed.toString('hex'));
        },
      ),
      { numRuns: 500 },
    );
    for (let length = 0; length < bytes.length; length += 1) {
      refusalOf(bytes.subarray(0, length).toString('hex'));
    }
    refusalOf(`${bytes.toString('hex')}E1`);
  }
});

test('no text fails otherwise than as a refusal, and no long one is read', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some).toString('hex'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        bytes,
        bytes.map((some) => `120000${some}`),
      ),
      (text) => {
        const { code } = refusalOf(text);
        assert.match(code, /^signed_transaction_(?:invalid|differs)$/);
      },
    ),
    { numRuns: 300 },
  );
  assert.match(refusalOf('AB'.repeat(2049)).message, /of at most 4096 characters/);
});

test('what was read is written as the same bytes, whatever the kind of transaction', () => {
  for (const json of [
    { ...unsignedXrplTransaction(order).json, Memos: [{ Memo: { MemoData: 'AB'.repeat(300) } }] },
    { TransactionType: 'NFTokenCancelOffer', Account: OTHER, NFTokenOffers: ['AB'.repeat(32)] },
    { TransactionType: 'TicketCreate', Account: OTHER, TicketCount: 3, Fee: '1' },
    { TransactionType: 'SignerListSet', Account: OTHER, SignerQuorum: 1, TickSize: 5 },
  ]) {
    const bytes = Buffer.from(encode(json), 'hex');
    assert.deepEqual(writeBlob(readBlob(bytes)), bytes);
  }
});

const impossible: readonly (readonly [
  string,
  Partial<OutgoingPayment>,
  Partial<XrplOrder>,
  RegExp,
])[] = [
  ['to no account', { account: { account: 'rNobody' } }, {}, /the receiver is no account/],
  ['without a receiver', { account: {} }, {}, /the receiver is no account/],
  ['to itself', { account: { account: own.address } }, {}, /is the account that pays/],
  ['from no account', {}, { source: 'r' }, /what pays is no account/],
  ['of nothing', { units: 0n }, {}, /above zero/],
  ['of more than there ever were', { units: 10n ** 17n + 1n }, {}, /than there ever were/],
  ['of an asset of another network', { assetId: 'XLM:NATIVE' }, {}, /does not carry/],
  [
    'with a tag of 33 bits',
    { account: { account: RECEIVER, destinationTag: '4294967296' } },
    {},
    /the destination tag is no number of 32 bits/,
  ],
  [
    'with a tag that is no number',
    { account: { account: RECEIVER, destinationTag: '1e3' } },
    {},
    /the destination tag is no number/,
  ],
  ['without an end', {}, { lastLedger: 0n }, /the last ledger is no number/],
  ['with ticket 0', {}, { turn: { ticket: 0n } }, /the ticket is no number/],
  ['with a fee of nothing', {}, { feeUnits: 0n }, /the fee is none/],
  ['with a fee beyond all XRP', {}, { feeUnits: 10n ** 17n + 1n }, /than there ever were/],
];
for (const [what, payment, rest, sentence] of impossible) {
  test(`a payment on the XRP Ledger ${what} is never made`, () => {
    const wrong = { ...order, ...rest, payment: { ...order.payment, ...payment } };
    assert.throws(
      () => unsignedXrplTransaction(wrong),
      (error) => {
        assert(error instanceof Refusal);
        assert.equal(error.code, 'payment_not_sendable');
        assert.match(error.message, sentence);
        return true;
      },
    );
  });
}
