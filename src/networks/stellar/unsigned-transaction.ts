// A payment on Stellar as an unsigned transaction, and as links of SEP-7. Guarantees: one operation
// that gives exactly this to exactly this receiver, one memo, one sequence number, and an end,
// after which it can never land. How it is delivered: decide-delivery.ts. Pure.

import type { Asset, Memo, Transaction, xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { notSendable, type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { stellarTransactionUri, stellarUri } from '#networks/payment-uri.ts';
import { memoFault, memoTypeOf, type ReceivingAccount } from '#people/account-fields.ts';
import { CLAIMABLE_ID } from './claimable-balance.ts';
import type { StellarDelivery, StellarExchange } from './decide-delivery.ts';
import type { StellarChain } from './stellar-chain.ts';

export type StellarOrder = {
  readonly payment: OutgoingPayment;
  readonly delivery: StellarDelivery;
  readonly chain: Pick<StellarChain, 'passphrase' | 'uriPassphrase'>;
  /** G...: pays, and has the sequence number. */
  readonly source: string;
  /** Of the transaction: one above the account's. */
  readonly sequence: bigint;
  /** Most that the network may take, in stroops. */
  readonly feeUnits: bigint;
  /** No ledger that closes later takes it. */
  readonly expiresAt: Temporal.Instant;
};

type UnsignedStellarTransaction = {
  /** The envelope without a signature: XDR in base64. */
  readonly unsignedTransaction: string;
  /** Its hash, when it is signed as it is. */
  readonly transaction: string;
  /** SEP-7: the wallet signs just this and sends it. */
  readonly transactionUri: string;
  /**
   * SEP-7: the wallet makes a transaction of its own; undefined where it could not know how it is
   * delivered.
   */
  readonly paymentUri: string | undefined;
};

/** What a wallet makes by itself of receiver, asset and amount. */
const KNOWN_TO_WALLETS: readonly string[] = ['payment', 'create-account'];
const INT64_MAX = 2n ** 63n - 1n;
/** Of a path, beside its two ends (CAP-2, PathPaymentStrictSendOp). */
const PATH_MOST = 5;
const UINT32_MAX = 2n ** 32n - 1n;

/** @throws Refusal invalid `payment_not_sendable` */
export function unsignedStellarTransaction(order: StellarOrder): UnsignedStellarTransaction {
  const { chain, source } = order;
  const transaction = buildTransaction(order);
  const unsignedTransaction = transaction.toEnvelope().toXDR('base64');
  return {
    unsignedTransaction,
    transaction: transaction.hash().toString('hex'),
    transactionUri: stellarTransactionUri(unsignedTransaction, source, chain.uriPassphrase),
    paymentUri: KNOWN_TO_WALLETS.includes(order.delivery.by) ? paymentUri(order) : undefined,
  };
}

/** @throws Refusal invalid `payment_not_sendable` */
export function buildTransaction(order: StellarOrder): Transaction {
  const { source, sequence, feeUnits, chain } = order;
  if (!stellar.base.StrKey.isValidEd25519PublicKey(source))
    throw notSendable('what pays is no account (G...)');
  if (sequence <= 0n || sequence > INT64_MAX) throw notSendable('the sequence number is none');
  if (feeUnits <= 0n || feeUnits > UINT32_MAX) throw notSendable('the fee is none');
  return new stellar.base.TransactionBuilder(new stellar.base.Account(source, `${sequence - 1n}`), {
    // For each operation, of which there is one.
    fee: `${feeUnits}`,
    networkPassphrase: chain.passphrase,
    timebounds: { minTime: 0, maxTime: secondsOf(order.expiresAt) },
    memo: memoOf(order.payment.account),
  })
    .addOperation(operationOf(order))
    .build();
}

function operationOf({ payment, delivery, source }: StellarOrder): xdr.Operation {
  const { assetIssuer, assetCode, decimals } = sentAsset(payment);
  const { account: destination = '' } = payment.account;
  if (!stellar.base.StrKey.isValidEd25519PublicKey(destination)) {
    throw notSendable('the receiver is no account (G...) with a right checksum');
  }
  if (payment.units > INT64_MAX) throw notSendable('the amount has more than 63 bits');
  const isNative = assetIssuer === NATIVE_ISSUER;
  const asset = isNative
    ? stellar.base.Asset.native()
    : new stellar.base.Asset(assetCode, assetIssuer);
  const amount = amountToText(payment.units, decimals);
  if (delivery.by === 'exchange') {
    if (destination !== source) throw notSendable('an exchange pays the account that sells');
    return exchangeOf(delivery, { destination, asset, amount });
  }
  if (delivery.by === 'fetch') {
    if (destination !== source) throw notSendable('what is taken back is taken by us');
    if (!CLAIMABLE_ID.test(delivery.balanceId)) throw notSendable('there is no such balance');
    return stellar.base.Operation.claimClaimableBalance({ balanceId: delivery.balanceId });
  }
  if (delivery.by === 'payment')
    return stellar.base.Operation.payment({ destination, asset, amount });
  if (delivery.by === 'claimable-balance') {
    const claimants = claimantsOf(destination, source, delivery.reclaimableAt);
    return stellar.base.Operation.createClaimableBalance({ asset, amount, claimants });
  }
  if (isNative)
    return stellar.base.Operation.createAccount({ destination, startingBalance: amount });
  throw notSendable('an account begins with lumens, and with nothing else');
}

type Sold = {
  readonly destination: string;
  readonly asset: Asset;
  readonly amount: string;
};

function exchangeOf(
  { assetId, leastUnits, path }: StellarExchange,
  { destination, asset: sendAsset, amount: sendAmount }: Sold,
): xdr.Operation {
  const destAsset = assetOf(assetId);
  if (destAsset.equals(sendAsset)) throw notSendable('what is bought is what is sold');
  if (leastUnits <= 0n || leastUnits > INT64_MAX) throw notSendable('the least that is bought');
  if (path.length > PATH_MOST) throw notSendable(`a path has at most ${PATH_MOST} assets`);
  const destMin = amountToText(leastUnits, STELLAR_DECIMALS);
  const ends = { sendAsset, sendAmount, destination, destAsset, destMin };
  return stellar.base.Operation.pathPaymentStrictSend({ ...ends, path: path.map(assetOf) });
}

/** Of every asset of the network. */
const STELLAR_DECIMALS = 7;

/** Also of one that nobody here knows: a path may go over it. */
function assetOf(assetId: string): Asset {
  const [code = '', issuer = ''] = assetId.split(':');
  if (issuer === NATIVE_ISSUER) return stellar.base.Asset.native();
  try {
    return new stellar.base.Asset(code, issuer);
  } catch (error) {
    throw notSendable(`${assetId} is no asset of the network`, { cause: error });
  }
}

/** The receiver at any time, and we from then on. */
function claimantsOf(receiver: string, source: string, reclaimableAt: Temporal.Instant) {
  if (receiver === source) throw notSendable('the receiver is the account that pays');
  const before = stellar.base.Claimant.predicateBeforeAbsoluteTime(`${secondsOf(reclaimableAt)}`);
  return [
    new stellar.base.Claimant(receiver),
    new stellar.base.Claimant(source, stellar.base.Claimant.predicateNot(before)),
  ];
}

function memoOf(account: ReceivingAccount): Memo {
  const { memo } = account;
  if (memo === undefined) return stellar.base.Memo.none();
  const memoType = memoTypeOf(account);
  if (memoType === undefined) throw notSendable('the memo is of no type');
  // A text that is not well-formed would be sent as another one.
  const fault = memo.isWellFormed() ? memoFault(memo, memoType) : 'is no text';
  if (fault !== undefined) throw notSendable(`the memo ${fault}`);
  switch (memoType) {
    case 'text':
      return stellar.base.Memo.text(memo);
    case 'id':
      return stellar.base.Memo.id(memo);
    case 'hash':
      return stellar.base.Memo.hash(memo);
    case 'return':
      return stellar.base.Memo.return(memo);
  }
}

function paymentUri({ payment, chain }: StellarOrder): string {
  const { assetIssuer, assetCode, decimals } = sentAsset(payment);
  const { account = '', memo } = payment.account;
  return stellarUri({
    destination: account,
    units: payment.units,
    decimals,
    memo,
    memoType: memoTypeOf(payment.account),
    asset: assetIssuer === NATIVE_ISSUER ? undefined : { code: assetCode, issuer: assetIssuer },
    networkPassphrase: chain.uriPassphrase,
  });
}

/** Whole seconds, rounded down. */
function secondsOf(moment: Temporal.Instant): number {
  const seconds = Number(moment.epochNanoseconds / 10n ** 9n);
  if (seconds <= 0) throw notSendable('the time at which it ends is none');
  return seconds;
}
