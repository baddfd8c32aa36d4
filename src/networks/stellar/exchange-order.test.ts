// An exchange with ourselves as a transaction: what is signed sells exactly so much, brings at least
// what was ordered, and comes back to the account that pays; anything else is another one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Keypair,
  Networks,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import fc from 'fast-check';
import type { Refusal } from '#base/refusal.ts';
import type { StellarExchange } from './decide-delivery.ts';
import { readSignedStellarPayment } from './signed-transaction.ts';
import {
  buildTransaction,
  type StellarOrder,
  unsignedStellarTransaction,
} from './unsigned-transaction.ts';

const pair = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1));
const source = pair.publicKey();
const other = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2)).publicKey();
const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const PATH = [`EURC:${other}`, 'XLM:NATIVE', `LONGERCODE12:${other}`];
const INT64_MAX = 2n ** 63n - 1n;

function orderOf(
  units: bigint,
  leastUnits: bigint,
  path: readonly string[] = [],
): StellarOrder & { readonly delivery: StellarExchange } {
  return {
    payment: { network: 'STELLAR', assetId: 'XLM:NATIVE', units, account: { account: source } },
    delivery: { by: 'exchange', assetId: USDC, leastUnits, path },
    chain: { passphrase: Networks.PUBLIC, uriPassphrase: undefined },
    ...{ source, sequence: 7n, feeUnits: 100n },
    expiresAt: Temporal.Instant.from('2026-01-01T12:00:00Z'),
  };
}

function signed(order: StellarOrder): string {
  const transaction = buildTransaction(order);
  transaction.sign(pair);
  return transaction.toEnvelope().toXDR('base64');
}

const amount = fc.bigInt({ min: 1n, max: INT64_MAX });

test('whatever is sold and wanted for it, the operation says exactly that, and is read again', () => {
  fc.assert(
    fc.property(amount, amount, fc.subarray(PATH), (units, least, path) => {
      const order = orderOf(units, least, path);
      const { unsignedTransaction, paymentUri } = unsignedStellarTransaction(order);
      assert.equal(paymentUri, undefined, 'no wallet could make it by itself');
      const built = TransactionBuilder.fromXDR(unsignedTransaction, Networks.PUBLIC) as Transaction;
      const [operation, ...more] = built.operations;
      assert(operation?.type === 'pathPaymentStrictSend' && more.length === 0);
      const unitsIn = (text: string) => BigInt(text.replace('.', ''));
      assert.equal(unitsIn(operation.sendAmount), units);
      assert.equal(unitsIn(operation.destMin), least);
      assert.equal(operation.destination, source);
      assert.deepEqual(
        operation.path.map((one) => (one.isNative() ? 'XLM:NATIVE' : one.toString())),
        path,
      );
      const read = readSignedStellarPayment(signed(order), order, [source]);
      assert.equal(read.transaction, built.hash().toString('hex'));
    }),
    { numRuns: 50 },
  );
});

const ORDER = orderOf(50n, 20n, [PATH[0] ?? '']);
const changed = (delivery: Partial<StellarExchange>) =>
  signed({ ...ORDER, delivery: { ...ORDER.delivery, ...delivery } });
const elsewhere = Operation.pathPaymentStrictSend({
  ...(TransactionBuilder.fromXDR(signed(ORDER), Networks.PUBLIC)
    .operations[0] as Operation.PathPaymentStrictSend),
  destination: other,
});

function signedElsewhere(): string {
  const built = buildTransaction(ORDER);
  const envelope = built.toEnvelope();
  envelope.v1().tx().operations([elsewhere]);
  const transaction = TransactionBuilder.fromXDR(envelope, Networks.PUBLIC);
  transaction.sign(pair);
  return transaction.toEnvelope().toXDR('base64');
}

for (const [what, text, sentence] of [
  ['wants a unit less', changed({ leastUnits: 19n }), /destMin/],
  ['wants another asset', changed({ assetId: `USDC:${other}` }), /destAsset/],
  ['goes over other assets', changed({ path: [] }), /path/],
  ['sells more', signed({ ...ORDER, payment: { ...ORDER.payment, units: 51n } }), /sendAmount/],
  ['pays somebody else', signedElsewhere(), /destination/],
  ['is a payment', signed({ ...ORDER, delivery: { by: 'payment' } }), /type of the operation/],
] as const) {
  test(`what ${what} is not what was ordered`, () => {
    assert.throws(
      () => readSignedStellarPayment(text, ORDER, [source]),
      (error: Refusal) => {
        assert.equal(error.code, 'signed_transaction_differs');
        assert.match(error.details.join(), sentence);
        return true;
      },
    );
  });
}

for (const [what, order] of [
  ['to somebody else', { ...ORDER, payment: { ...ORDER.payment, account: { account: other } } }],
  ['of an asset for itself', orderWith({ assetId: 'XLM:NATIVE' })],
  ['for nothing', orderWith({ leastUnits: 0n })],
  ['for more than 63 bits', orderWith({ leastUnits: INT64_MAX + 1n })],
  ['over six assets', orderWith({ path: Array.from({ length: 6 }, () => USDC) })],
  ['over what is no asset', orderWith({ path: ['USDC:somebody'] })],
  ['for what is no asset', orderWith({ assetId: 'USDC' })],
] as const) {
  test(`an exchange ${what} is never put together`, () => {
    assert.throws(() => buildTransaction(order), { code: 'payment_not_sendable' });
  });
}

function orderWith(delivery: Partial<StellarExchange>): StellarOrder {
  return { ...ORDER, delivery: { ...ORDER.delivery, ...delivery } };
}
