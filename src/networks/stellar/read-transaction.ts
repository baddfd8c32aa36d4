// What a transaction did, read from its own XDR and not from Horizon's words about it. Guarantees:
// the envelope has the hash that is claimed under this network's passphrase (so memo, destinations
// and assets are what was signed), and the result says that it succeeded; anything else is a lie.
// Not guaranteed: that the result belongs to the hash. What arrived is therefore compared with the
// effects and with the balance (reconcile-income.ts).

import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import { NATIVE_ISSUER } from '#catalog/asset.ts';
import type { ClaimableLeft } from '#deposit/network.ts';
import {
  type Fields,
  NodeLie,
  requireHash,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { balanceFetched, balanceLeft } from './claimable-balance.ts';
import { requireSequence } from './horizon-fields.ts';
import type { ReadMemo } from './memo-number.ts';
import { readMemo } from './read-memo.ts';

/** Money that an operation of a successful transaction gave to an account. */
export type OperationDelivery = {
  /** G... of the receiver; the id when it was written as a muxed account. */
  readonly destination: string;
  readonly muxedId: bigint | undefined;
  readonly source: string;
  readonly assetId: string;
  /** What arrived, whatever was sent (path payments). */
  readonly units: bigint;
};

export type ReadTransaction = {
  /** The outer hash where it is a fee-bump transaction. */
  readonly hash: string;
  /**
   * False for one that was signed as claimed and is written in a newer way than is known here: what
   * it gave cannot be told apart by customers, but it must not hold up everybody else (C21).
   */
  readonly isReadable: boolean;
  readonly memo: ReadMemo;
  /** What the operation with that number gave; undefined when it gave nothing by itself. */
  deliveryAt(index: number): OperationDelivery | undefined;
  /** The same, and a balance that was left for one receiver to claim. */
  sentAt(index: number): OperationDelivery | undefined;
  /** The balance that the operation with that number left to be claimed. */
  claimableAt(index: number): ClaimableLeft | undefined;
  /** The id of the balance that it fetched, and for whom. */
  fetchedAt(index: number): { readonly id: string; readonly source: string } | undefined;
  /** Whether that operation, as it was signed, holds the number (64 bits) anywhere. */
  names(index: number, number: bigint): boolean;
};

type Opened = {
  readonly hash: string;
  readonly innerHash: string;
  readonly source: string;
  readonly feeSource: string;
  readonly sequence: xdr.SequenceNumber;
  readonly memo: xdr.Memo;
  readonly operations: readonly xdr.Operation[];
};

/** @throws NodeLie when record, envelope and result do not fit together. */
export function readTransaction(
  record: Fields,
  ledger: bigint,
  networkId: string,
): ReadTransaction {
  const claimed = requireHash(record.hash, 'hash');
  const what = `transaction ${claimed}`;
  requireThat(record.successful === true, `${what} did not succeed`);
  requireThat(requireSequence(record, 'ledger') === ledger, `${what} is of another ledger`);
  const text = requireText(record, 'envelope_xdr');
  const bytes = Buffer.from(text, 'base64');
  const envelope = decode(bytes);
  if (envelope === undefined) {
    requireThat(isSignedAs(record, bytes, networkId), `${what} has another hash than its envelope`);
    return unreadable(claimed);
  }
  try {
    const opened = openEnvelope(envelope, bytes, networkId);
    requireThat(
      opened.hash === claimed || opened.innerHash === claimed,
      `${what} has another hash than its envelope`,
    );
    const results = openResult(requireText(record, 'result_xdr'), opened, what);
    return {
      hash: opened.hash,
      isReadable: true,
      memo: readMemo(opened.memo),
      deliveryAt: (index) => delivery(opened, results, index, what, deliveredBy),
      sentAt: (index) => delivery(opened, results, index, what, sentBy),
      claimableAt: (index) => claimableLeft(opened, results, index, what),
      fetchedAt: (index) => {
        const operation = opened.operations[index];
        const id = operation && balanceFetched(operation.body());
        return id === undefined || operation === undefined
          ? undefined
          : { id, source: sourceOf(operation, opened) };
      },
      names: (index, number) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64BE(number);
        return opened.operations[index]?.toXDR().includes(bytes) === true;
      },
    };
  } catch (error) {
    throw asLie(error, what);
  }
}

type Charged = { readonly account: string; readonly units: bigint; readonly ledger: bigint };

/**
 * Gives the hash under which the account was charged so much, also for a transaction that failed.
 * @throws NodeLie when record, envelope and result do not fit together.
 */
export function readFeeCharge(record: Fields, charged: Charged, networkId: string): string {
  const claimed = requireHash(record.hash, 'hash');
  const what = `transaction ${claimed}`;
  requireThat(requireSequence(record, 'ledger') === charged.ledger, `${what} is of another ledger`);
  const bytes = Buffer.from(requireText(record, 'envelope_xdr'), 'base64');
  const envelope = decode(bytes);
  if (envelope === undefined) {
    requireThat(isSignedAs(record, bytes, networkId), `${what} has another hash than its envelope`);
    return claimed;
  }
  try {
    const opened = openEnvelope(envelope, bytes, networkId);
    requireThat(
      opened.hash === claimed || opened.innerHash === claimed,
      `${what} has another hash than its envelope`,
    );
    requireThat(opened.feeSource === charged.account, `${what} is paid by somebody else`);
    const result = stellar.base.xdr.TransactionResult.fromXDR(
      requireText(record, 'result_xdr'),
      'base64',
    );
    requireThat(
      result.feeCharged().toBigInt() === charged.units,
      `${what} has another fee than its result`,
    );
    return opened.hash;
  } catch (error) {
    throw asLie(error, what);
  }
}

function decode(bytes: Buffer): xdr.TransactionEnvelope | undefined {
  try {
    return stellar.base.xdr.TransactionEnvelope.fromXDR(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(hash: string): ReadTransaction {
  const memo = { kind: 'other' } as const;
  const deliveryAt = () => undefined;
  return {
    ...{ hash, isReadable: false, memo, deliveryAt, sentAt: deliveryAt, names: () => false },
    ...{ claimableAt: deliveryAt, fetchedAt: deliveryAt },
  };
}

/** Whether the envelope, without as many signatures as Horizon shows, has the hash it claims. */
function isSignedAs(record: Fields, envelope: Buffer, networkId: string): boolean {
  const { signatures } = record;
  if (!Array.isArray(signatures) || signatures.length > 20) return false;
  const lengths = signatures.map((one) => Buffer.from(String(one), 'base64').length);
  const signed = withoutTail(envelope, lengths);
  return hashOf(networkId, signed) === record.hash;
}

function openEnvelope(envelope: xdr.TransactionEnvelope, bytes: Buffer, networkId: string): Opened {
  const arm = envelope.switch().name;
  if (arm === 'envelopeTypeTxFeeBump') {
    const bump = envelope.feeBump();
    const tx = bump.tx().innerTx().v1().tx();
    const innerHash = hashOf(networkId, typed(ORDINARY, tx.toXDR()));
    const hash = hashOf(networkId, withoutSignatures(bytes, bump.signatures()));
    const feeSource = accountOf(bump.tx().feeSource()).account;
    return { ...contentOf(tx), feeSource, hash, innerHash };
  }
  if (arm === 'envelopeTypeTx') {
    const hash = hashOf(networkId, withoutSignatures(bytes, envelope.v1().signatures()));
    return { ...contentOf(envelope.v1().tx()), hash, innerHash: hash };
  }
  const old = envelope.v0().tx();
  // Signed as the newer form, in which a key is preceded by its type.
  const hash = hashOf(networkId, typed(ORDINARY, Buffer.concat([ED25519, old.toXDR()])));
  const source = stellar.base.StrKey.encodeEd25519PublicKey(old.sourceAccountEd25519());
  const sequence = old.seqNum();
  const content = { memo: old.memo(), operations: old.operations() };
  return { source, feeSource: source, sequence, ...content, hash, innerHash: hash };
}

function contentOf(tx: xdr.Transaction): Omit<Opened, 'hash' | 'innerHash'> {
  const source = accountOf(tx.sourceAccount()).account;
  const sequence = tx.seqNum();
  return { source, feeSource: source, sequence, memo: tx.memo(), operations: tx.operations() };
}

/** An envelope is what was signed, its type first, and then the signatures. */
function withoutSignatures(
  envelope: Buffer,
  signatures: readonly xdr.DecoratedSignature[],
): Buffer {
  return withoutTail(
    envelope,
    signatures.map((one) => one.signature().length),
  );
}

/** Each signature has four bytes of a hint and four of its length, and is filled up to words. */
function withoutTail(envelope: Buffer, signatureLengths: readonly number[]): Buffer {
  const lengths = signatureLengths.map((length) => 8 + 4 * Math.ceil(length / 4));
  const tail = lengths.reduce((sum, length) => sum + length, 4);
  return envelope.subarray(0, Math.max(0, envelope.length - tail));
}

const ORDINARY = 2;
const ED25519 = Buffer.alloc(4);

function typed(envelopeType: number, body: Buffer): Buffer {
  const type = Buffer.alloc(4);
  type.writeUInt32BE(envelopeType);
  return Buffer.concat([type, body]);
}

/** TransactionSignaturePayload of Stellar-transaction.x. */
function hashOf(networkId: string, signed: Buffer): string {
  return createHash('sha256').update(networkId, 'hex').update(signed).digest('hex');
}

function openResult(text: string, opened: Opened, what: string): readonly xdr.OperationResult[] {
  const result = stellar.base.xdr.TransactionResult.fromXDR(text, 'base64').result();
  let results: readonly xdr.OperationResult[];
  if (result.switch().name === 'txFeeBumpInnerSuccess') {
    const pair = result.innerResultPair();
    requireThat(
      pair.transactionHash().toString('hex') === opened.innerHash &&
        opened.innerHash !== opened.hash,
      `${what} has the result of another transaction`,
    );
    requireThat(
      pair.result().result().switch().name === 'txSuccess',
      `${what} failed by its own result`,
    );
    results = pair.result().result().results();
  } else {
    requireThat(result.switch().name === 'txSuccess', `${what} failed by its own result`);
    requireThat(opened.innerHash === opened.hash, `${what} lacks the result of its fee bump`);
    results = result.results();
  }
  requireThat(results.length === opened.operations.length, `${what} lacks a result`);
  return results;
}

function delivery(
  opened: Opened,
  results: readonly xdr.OperationResult[],
  index: number,
  what: string,
  givenBy: typeof sentBy,
): OperationDelivery | undefined {
  const operation = opened.operations[index];
  const result = results[index];
  requireThat(operation !== undefined && result !== undefined, `${what} has no operation ${index}`);
  try {
    const source = sourceOf(operation, opened);
    const given = givenBy(operation.body(), result.tr(), source);
    return given === undefined ? undefined : { ...given, source };
  } catch (error) {
    throw asLie(error, what);
  }
}

function sourceOf(operation: xdr.Operation, { source }: Pick<Opened, 'source'>): string {
  const own = operation.sourceAccount();
  return own ? accountOf(own).account : source;
}

function claimableLeft(
  opened: Opened,
  results: readonly xdr.OperationResult[],
  index: number,
  what: string,
): ClaimableLeft | undefined {
  const operation = opened.operations[index];
  const result = results[index];
  requireThat(operation !== undefined && result !== undefined, `${what} has no operation ${index}`);
  const { source, sequence } = opened;
  const operationSource = sourceOf(operation, opened);
  try {
    return balanceLeft(operation.body(), result.tr(), { source, sequence, index, operationSource });
  } catch (error) {
    throw asLie(error, what);
  }
}

type Given = Omit<OperationDelivery, 'source'>;

function deliveredBy(body: xdr.OperationBody, result: xdr.OperationResultTr): Given | undefined {
  switch (body.switch().name) {
    case 'createAccount': {
      const { destination, startingBalance } = attributesOf(body.createAccountOp());
      const account = stellar.base.StrKey.encodeEd25519PublicKey(destination.ed25519());
      return delivered({ account, muxedId: undefined }, NATIVE, startingBalance.toBigInt());
    }
    case 'payment': {
      const payment = body.paymentOp();
      const units = payment.amount().toBigInt();
      return delivered(accountOf(payment.destination()), assetIdOf(payment.asset()), units);
    }
    case 'pathPaymentStrictReceive': {
      const payment = body.pathPaymentStrictReceiveOp();
      const units = payment.destAmount().toBigInt();
      return delivered(accountOf(payment.destination()), assetIdOf(payment.destAsset()), units);
    }
    case 'pathPaymentStrictSend': {
      const payment = body.pathPaymentStrictSendOp();
      // At least destMin was asked for; what came is in the result alone.
      const last = result.pathPaymentStrictSendResult().success().last();
      const units = last.amount().toBigInt();
      requireThat(units >= payment.destMin().toBigInt(), 'a path payment gave less than its least');
      return delivered(accountOf(payment.destination()), assetIdOf(payment.destAsset()), units);
    }
    case 'accountMerge': {
      const units = result.accountMergeResult().sourceAccountBalance().toBigInt();
      return delivered(accountOf(body.destination()), NATIVE, units);
    }
    default:
      return undefined;
  }
}

/** A balance to be claimed (CAP-23) has a receiver when one beside us may claim it at any time. */
function sentBy(
  body: xdr.OperationBody,
  result: xdr.OperationResultTr,
  source: string,
): Given | undefined {
  if (body.switch().name !== 'createClaimableBalance') return deliveredBy(body, result);
  const balance = body.createClaimableBalanceOp();
  const [only, ...others] = balance
    .claimants()
    .map((one) => one.v0())
    .map((one) => ({
      account: stellar.base.StrKey.encodeEd25519PublicKey(one.destination().ed25519()),
      isFree: one.predicate().switch().name === 'claimPredicateUnconditional',
    }))
    .filter(({ account }) => account !== source);
  if (only === undefined || !only.isFree || others.length > 0) return undefined;
  const receiver = { account: only.account, muxedId: undefined };
  return delivered(receiver, assetIdOf(balance.asset()), balance.amount().toBigInt());
}

const NATIVE = `XLM:${NATIVE_ISSUER}`;

function attributesOf(operation: xdr.CreateAccountOp) {
  return { destination: operation.destination(), startingBalance: operation.startingBalance() };
}

type Receiver = { readonly account: string; readonly muxedId: bigint | undefined };

function delivered({ account, muxedId }: Receiver, assetId: string, units: bigint): Given {
  requireThat(units >= 0n, 'an amount is below zero');
  return { destination: account, muxedId, assetId, units };
}

function accountOf(muxed: xdr.MuxedAccount): Receiver {
  if (muxed.switch().name !== 'keyTypeMuxedEd25519') {
    return {
      account: stellar.base.StrKey.encodeEd25519PublicKey(muxed.ed25519()),
      muxedId: undefined,
    };
  }
  const inner = muxed.med25519();
  const account = stellar.base.StrKey.encodeEd25519PublicKey(inner.ed25519());
  return { account, muxedId: inner.id().toBigInt() };
}

function assetIdOf(asset: xdr.Asset): string {
  if (asset.switch().name === 'assetTypeNative') return NATIVE;
  const issued =
    asset.switch().name === 'assetTypeCreditAlphanum4' ? asset.alphaNum4() : asset.alphaNum12();
  // Unused bytes of a code are zero; a zero inside is another code, never cut off.
  const code = issued.assetCode().toString('latin1').replace(/\0+$/, '');
  return `${code}:${stellar.base.StrKey.encodeEd25519PublicKey(issued.issuer().ed25519())}`;
}

function asLie(error: unknown, what: string): NodeLie {
  if (error instanceof NodeLie) return error;
  return new NodeLie(`${what} cannot be read (a newer protocol needs a newer version of this)`);
}
