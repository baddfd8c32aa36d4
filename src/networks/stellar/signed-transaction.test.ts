import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Account,
  Address,
  Asset,
  Claimant,
  FeeBumpTransaction,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import { readSignedStellarPayment } from './signed-transaction.ts';
import { STELLAR_CHAINS } from './stellar-chain.ts';
import { type StellarOrder, unsignedStellarTransaction } from './unsigned-transaction.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const source = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7));
const second = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 8));
const RECEIVER = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 9)).publicKey();
const OTHER = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 10)).publicKey();
const signers = [second.publicKey(), source.publicKey(), 'XDNG'];
const expiresAt = Temporal.Instant.from('2030-01-01T00:05:00Z');
const END = 1893456300;
const PASSPHRASE = STELLAR_CHAINS.test.passphrase;

const order: StellarOrder = {
  payment: {
    network: 'STELLAR',
    assetId: 'XLM:NATIVE',
    account: { account: RECEIVER, memo: '12345', memoType: 'text' },
    units: 15_000_000n,
  },
  delivery: { by: 'payment' },
  chain: STELLAR_CHAINS.test,
  source: source.publicKey(),
  sequence: 4_294_967_298n,
  feeUnits: 1_000n,
  expiresAt,
};

function withPayment(payment: Partial<OutgoingPayment>, rest: Partial<StellarOrder> = {}) {
  return { ...order, ...rest, payment: { ...order.payment, ...payment } };
}

function sign(ordered: StellarOrder, ...keys: Keypair[]): string {
  const { unsignedTransaction } = unsignedStellarTransaction(ordered);
  const transaction = new Transaction(unsignedTransaction, ordered.chain.passphrase);
  transaction.sign(...(keys.length === 0 ? [source] : keys));
  return transaction.toEnvelope().toXDR('base64');
}

type Changed = {
  readonly from?: Account | MuxedAccount;
  readonly options?: object;
  readonly operations?: readonly xdr.Operation[];
  readonly passphrase?: string;
};

const paid = { destination: RECEIVER, asset: Asset.native(), amount: '1.5' };

/** The ordered transaction as another program makes it, and what it changed. */
function changedBy({ from, options = {}, operations, passphrase = PASSPHRASE }: Changed): string {
  const account = from ?? new Account(source.publicKey(), `${order.sequence - 1n}`);
  const builder = new TransactionBuilder(account as Account, {
    fee: '1000',
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: END },
    memo: Memo.text('12345'),
    ...options,
  });
  for (const one of operations ?? [Operation.payment(paid)]) builder.addOperation(one);
  const transaction = builder.build();
  transaction.sign(source);
  return transaction.toEnvelope().toXDR('base64');
}

function refusalOf(text: string, ordered: StellarOrder = order): Refusal {
  try {
    readSignedStellarPayment(text, ordered, signers);
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    return error;
  }
  throw new Error('it was taken');
}

const memos = fc.oneof(
  fc.constant({}),
  fc
    .string({ minLength: 1, maxLength: 9, unit: 'grapheme' })
    .filter((memo) => Buffer.byteLength(memo) <= 28)
    .map((memo) => ({ memo, memoType: 'text' })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => ({ memo: `${id}`, memoType: 'id' })),
  fc
    .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom('hash', 'return'))
    .map(([bytes, memoType]) => ({ memo: Buffer.from(bytes).toString('hex'), memoType })),
);
const deliveries: fc.Arbitrary<StellarOrder['delivery']> = fc.constantFrom(
  { by: 'payment' },
  { by: 'create-account' },
  { by: 'claimable-balance', reclaimableAt: expiresAt.add({ hours: 24 }) },
);
const orders: fc.Arbitrary<StellarOrder> = fc
  .record({
    memo: memos,
    delivery: deliveries,
    isToken: fc.boolean(),
    units: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    sequence: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    feeUnits: fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }),
    chain: fc.constantFrom(STELLAR_CHAINS.main, STELLAR_CHAINS.test),
  })
  .map(({ memo, isToken, units, delivery, ...rest }) => ({
    ...order,
    ...rest,
    delivery,
    payment: {
      network: 'STELLAR',
      assetId: isToken && delivery.by !== 'create-account' ? `USDC:${ISSUER}` : 'XLM:NATIVE',
      account: { account: RECEIVER, ...memo },
      units,
    },
  }));

test('what is signed for an order is read, whatever is ordered, with its hash', () => {
  fc.assert(
    fc.property(orders, (ordered) => {
      const text = sign(ordered);
      const unsigned = unsignedStellarTransaction(ordered);
      assert.deepEqual(readSignedStellarPayment(`${text}\n`, ordered, signers), {
        signedTransaction: text,
        transaction: unsigned.transaction,
        feeUnits: ordered.feeUnits,
      });
      const { timeBounds, memo, operations } = new Transaction(text, ordered.chain.passphrase);
      assert.deepEqual(timeBounds, { minTime: '0', maxTime: `${END}` });
      assert.equal(memo.type, ordered.payment.account.memoType ?? 'none');
      assert.equal(operations.length, 1);
    }),
    { numRuns: 60 },
  );
});

test('another program makes the same transaction, byte for byte', () => {
  assert.equal(changedBy({}), sign(order));
  const asset = new Asset('USDC', ISSUER);
  const at = expiresAt.add({ hours: 24 });
  const token = withPayment(
    { assetId: `USDC:${ISSUER}` },
    { delivery: { by: 'claimable-balance', reclaimableAt: at } },
  );
  const predicate = Claimant.predicateNot(
    Claimant.predicateBeforeAbsoluteTime(`${at.epochMilliseconds / 1000}`),
  );
  const claimants = [new Claimant(RECEIVER), new Claimant(source.publicKey(), predicate)];
  const operations = [Operation.createClaimableBalance({ asset, amount: '1.5', claimants })];
  assert.equal(changedBy({ operations }), sign(token));
});

test('links of SEP-7: sign just this, or pay this much', () => {
  const unsigned = unsignedStellarTransaction(order);
  const { unsignedTransaction, transactionUri } = unsigned;
  const network = `network_passphrase=${encodeURIComponent(PASSPHRASE)}`;
  assert.equal(
    transactionUri,
    `web+stellar:tx?xdr=${encodeURIComponent(unsignedTransaction)}&pubkey=${source.publicKey()}&${network}`,
  );
  assert.equal(
    unsigned.paymentUri,
    `web+stellar:pay?destination=${RECEIVER}&amount=1.5&memo=12345&memo_type=MEMO_TEXT&${network}`,
  );
  const chain = STELLAR_CHAINS.main;
  const account = { account: RECEIVER, memo: 'fb'.repeat(32), memoType: 'hash' };
  const live = unsignedStellarTransaction(withPayment({ account }, { chain }));
  assert.match(live.transactionUri, /pubkey=G[A-Z2-7]{55}$/);
  const memo = encodeURIComponent(Buffer.alloc(32, 0xfb).toString('base64'));
  assert(live.paymentUri?.endsWith(`&memo=${memo}&memo_type=MEMO_HASH`));
  const delivery = { by: 'claimable-balance', reclaimableAt: expiresAt } as const;
  assert.equal(unsignedStellarTransaction({ ...order, delivery }).paymentUri, undefined);
});

const key = source.publicKey();
const differing: readonly (readonly [Changed, string | RegExp])[] = [
  [
    { from: new Account(OTHER, `${order.sequence - 1n}`) },
    `the source is ${OTHER}; ordered is ${key}`,
  ],
  [
    { from: new MuxedAccount(new Account(key, `${order.sequence - 1n}`), '9') },
    `the source is ${key} with the number 9; ordered is ${key}`,
  ],
  [
    { from: new Account(key, `${order.sequence}`) },
    'the sequence number is 4294967299; ordered is 4294967298',
  ],
  [{ options: { fee: '1001' } }, 'the fee in stroops is 1001; ordered are at most 1000'],
  [
    { options: { timebounds: { minTime: 0, maxTime: END + 1 } } },
    `the time is from 0 to ${END + 1}; ordered is from 0 to ${END}`,
  ],
  [
    { options: { timebounds: { minTime: 0, maxTime: 0 } } },
    `the time is from 0 to 0; ordered is from 0 to ${END}`,
  ],
  [
    { options: { extraSigners: [], ledgerbounds: { minLedger: 1, maxLedger: 2 } } },
    `the time is under other conditions than an end (CAP-21); ordered is from 0 to ${END}`,
  ],
  [
    { options: { memo: Memo.id('12345') } },
    'the memo is the number 12345; ordered is the text "12345"',
  ],
  [{ options: { memo: Memo.none() } }, 'the memo is none; ordered is the text "12345"'],
  [
    { options: { fee: '500' }, operations: [Operation.payment(paid), Operation.payment(paid)] },
    'it has 2 operations; ordered is 1',
  ],
  [
    { operations: [Operation.payment({ ...paid, destination: OTHER })] },
    `destination of the operation is ${OTHER}; ordered is ${RECEIVER}`,
  ],
  [
    { operations: [Operation.payment({ ...paid, amount: '1.6' })] },
    'amount of the operation is 1.6000000; ordered is 1.5000000',
  ],
  [
    { operations: [Operation.payment({ ...paid, asset: new Asset('XLM', ISSUER) })] },
    `asset of the operation is XLM:${ISSUER}; ordered is native`,
  ],
  [
    { operations: [Operation.payment({ ...paid, source: OTHER })] },
    `source of the operation is ${OTHER}; ordered is none`,
  ],
  [
    { operations: [Operation.accountMerge({ destination: RECEIVER })] },
    'type of the operation is accountMerge; ordered is payment',
  ],
  [
    { operations: [Operation.createAccount({ destination: RECEIVER, startingBalance: '1.5' })] },
    'type of the operation is createAccount; ordered is payment',
  ],
];

test('each difference from the order is a sentence of its own', () => {
  for (const [changed, sentence] of differing) {
    const refusal = refusalOf(changedBy(changed));
    assert.equal(refusal.code, 'signed_transaction_differs');
    assert.deepEqual(refusal.details, [sentence]);
  }
  const many = { options: { fee: '1001', memo: Memo.none() }, operations: [] };
  assert.equal(
    refusalOf(changedBy({ ...many, operations: [Operation.bumpSequence({ bumpTo: '9' })] })).details
      .length,
    3,
  );
});

test('a memo that only looks the same is another one', () => {
  const account = { account: RECEIVER, memo: '\ufffd', memoType: 'text' };
  const options = { memo: Memo.text(Buffer.of(0xff) as unknown as string) };
  const { message } = refusalOf(changedBy({ options }), withPayment({ account }));
  assert.equal(message, 'it has more in it than was ordered');
});

test('operations deep within each other are refused as another kind', () => {
  let deep = xdr.ScVal.scvVoid();
  for (let depth = 0; depth < 40; depth += 1) deep = xdr.ScVal.scvVec([deep]);
  const invoked = new xdr.InvokeContractArgs({
    contractAddress: new Address(RECEIVER).toScAddress(),
    functionName: 'pay',
    args: [deep],
  });
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invoked);
  const text = changedBy({ operations: [Operation.invokeHostFunction({ func, auth: [] })] });
  assert.deepEqual(refusalOf(text).details, [
    'type of the operation is invokeHostFunction; ordered is payment',
  ]);
});

test('another claimant of a claimable balance is seen', () => {
  const at = expiresAt.add({ hours: 1 });
  const delivery = { by: 'claimable-balance', reclaimableAt: at } as const;
  const claimants = [new Claimant(RECEIVER), new Claimant(source.publicKey())];
  const operations = [
    Operation.createClaimableBalance({ asset: Asset.native(), amount: '1.5', claimants }),
  ];
  const { details } = refusalOf(changedBy({ operations }), { ...order, delivery });
  assert.equal(details.length, 1);
  assert.match(details[0] ?? '', /^claimants of the operation is G/);
});

test('a lower fee than ordered is taken, and given back; none is not', () => {
  const text = changedBy({ options: { fee: '100' } });
  const read = readSignedStellarPayment(text, order, signers);
  assert.equal(read.feeUnits, 100n);
  assert.equal(read.transaction, new Transaction(text, PASSPHRASE).hash().toString('hex'));
  assert.match(refusalOf(changedBy({ options: { fee: '0' } })).message, /no fee/);
});

test('signatures are by keys of the account, each once', () => {
  assert(readSignedStellarPayment(sign(order, source, second), order, signers).transaction);
  assert(readSignedStellarPayment(sign(order, second), order, signers).transaction);
  const stranger = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 99));
  for (const text of [
    sign(order, stranger),
    sign(order, source, stranger),
    sign(order, source, source),
    changedBy({ passphrase: STELLAR_CHAINS.main.passphrase }),
  ]) {
    assert.match(refusalOf(text).message, /signature that is none of the account/);
  }
  const short = new Transaction(sign(order), PASSPHRASE).toEnvelope();
  for (const length of [0, 10, 63]) {
    short.v1().signatures()[0]?.signature(Buffer.alloc(length));
    assert.match(refusalOf(short.toXDR('base64')).message, /signature that is none of/);
  }
  const { unsignedTransaction } = unsignedStellarTransaction(order);
  assert.equal(refusalOf(unsignedTransaction).message, 'it is not signed yet');
});

test('other kinds of envelopes are refused by name', () => {
  const inner = new Transaction(sign(order), PASSPHRASE);
  const bump = TransactionBuilder.buildFeeBumpTransaction(second, '1000', inner, PASSPHRASE);
  assert(bump instanceof FeeBumpTransaction);
  bump.sign(second);
  assert.match(refusalOf(bump.toEnvelope().toXDR('base64')).message, /CAP-15/);
  const v1 = inner.toEnvelope().v1().tx();
  const v0 = new xdr.TransactionV0({
    sourceAccountEd25519: source.rawPublicKey(),
    fee: v1.fee(),
    seqNum: v1.seqNum(),
    timeBounds: v1.cond().timeBounds(),
    memo: v1.memo(),
    operations: v1.operations(),
    ext: new xdr.TransactionV0Ext(0),
  });
  const envelope = new xdr.TransactionV0Envelope({ tx: v0, signatures: inner.signatures });
  const old = xdr.TransactionEnvelope.envelopeTypeTxV0(envelope);
  assert.match(refusalOf(old.toXDR('base64')).message, /version 0/);
});

test('no changed byte ends as another payment: it is refused, and never fails otherwise', () => {
  const bytes = Buffer.from(sign(order), 'base64');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
      (edits) => {
        const changed = Buffer.from(bytes);
        for (const [place, byte] of edits) changed[place % changed.length] = byte;
        fc.pre(!changed.equals(bytes));
        const read = readOrRefuse(changed.toString('base64'));
        // The hint of a signature says nothing that is signed.
        const hintAt = bytes.length - 72;
        if (read === undefined) return;
        assert.equal(read.transaction, unsignedStellarTransaction(order).transaction);
        const isHint = changed.every(
          (byte, at) => byte === bytes[at] || (at >= hintAt && at < hintAt + 4),
        );
        assert(isHint, 'only the hint was changed');
      },
    ),
    { numRuns: 400 },
  );
  for (let length = 0; length < bytes.length; length += 1) {
    refusalOf(bytes.subarray(0, length).toString('base64'));
  }
});

function readOrRefuse(text: string) {
  try {
    return readSignedStellarPayment(text, order, signers);
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    return undefined;
  }
}

test('no text fails otherwise than as a refusal, and no long one is read', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some));
  const envelopes = bytes.map((some) => Buffer.concat([Buffer.of(0, 0, 0, 2), some]));
  fc.assert(
    fc.property(fc.oneof(fc.string(), bytes, envelopes), (given) => {
      const text = typeof given === 'string' ? given : given.toString('base64');
      assert.equal(refusalOf(text).code, 'signed_transaction_invalid');
    }),
    { numRuns: 300 },
  );
  const [text, line] = [sign(order), /must be a signed envelope/];
  for (const other of [`${text}=`, `${text.slice(0, 9)}\n${text.slice(9)}`]) {
    assert.match(refusalOf(other).message, line);
  }
  assert.match(refusalOf('A'.repeat(8196)).message, /of at most 8192 characters/);
});

const impossible: readonly (readonly [
  string,
  Partial<OutgoingPayment>,
  Partial<StellarOrder>,
  RegExp,
])[] = [
  ['to no account', { account: { account: 'GABC' } }, {}, /no account \(G...\)/],
  ['without a receiver', { account: {} }, {}, /no account \(G...\)/],
  ['of nothing', { units: 0n }, {}, /above zero/],
  ['of more than 63 bits', { units: 2n ** 63n }, {}, /63 bits/],
  ['of an asset of another network', { assetId: 'XRP:NATIVE' }, {}, /does not carry/],
  [
    'with a memo that is too long',
    { account: { account: RECEIVER, memo: 'x'.repeat(29), memoType: 'text' } },
    {},
    /the memo must have 1 to 28 bytes/,
  ],
  [
    'with half a character as memo',
    { account: { account: RECEIVER, memo: '\ud800', memoType: 'text' } },
    {},
    /the memo is no text/,
  ],
  [
    'that begins an account with a token',
    { assetId: `USDC:${ISSUER}` },
    { delivery: { by: 'create-account' } },
    /begins with lumens/,
  ],
  ['with a fee of nothing', {}, { feeUnits: 0n }, /fee is none/],
  ['from no account', {}, { source: 'G' }, /what pays is no account/],
  ['with a fee of 33 bits', {}, { feeUnits: 2n ** 32n }, /the fee is none/],
  ['with a sequence number of 64 bits', {}, { sequence: 2n ** 63n }, /sequence number is none/],
  [
    'that is left for itself to fetch',
    { account: { account: source.publicKey() } },
    { delivery: { by: 'claimable-balance', reclaimableAt: expiresAt } },
    /the receiver is the account that pays/,
  ],
  ['without a sequence number', {}, { sequence: 0n }, /sequence number is none/],
  [
    'that never ends',
    {},
    { expiresAt: Temporal.Instant.fromEpochMilliseconds(0) },
    /the time at which it ends is none/,
  ],
];
for (const [what, payment, rest, sentence] of impossible) {
  test(`a payment on Stellar ${what} is never made`, () => {
    assert.throws(
      () => unsignedStellarTransaction(withPayment(payment, rest)),
      (error) => {
        assert(error instanceof Refusal);
        assert.equal(error.code, 'payment_not_sendable');
        assert.match(error.message, sentence);
        return true;
      },
    );
  });
}
