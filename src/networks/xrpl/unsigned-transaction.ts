// A payment on the XRP Ledger as an unsigned transaction: as JSON, which every signer takes, as
// bytes, and as a link. Guarantees: exactly this is delivered or nothing (no partial payment), to
// exactly this receiver and tag, and there is a last ledger, after which it can never land. Not
// known here: whether the receiver can take it (decide-delivery.ts). Pure.

import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { notSendable, type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { xrplUri } from '#networks/payment-uri.ts';
import {
  ACCOUNT,
  AMOUNT,
  type BlobFields,
  DESTINATION,
  DESTINATION_TAG,
  FLAGS,
  TRANSACTION_TYPE,
} from './read-blob.ts';
import { writeBlob } from './write-blob.ts';
import { classicAccountId } from './xrpl-address.ts';
import { type XrplAmount, xrplAmount } from './xrpl-amount.ts';

export type XrplOrder = {
  readonly payment: OutgoingPayment;
  /** r...: pays, and has the sequence number or the ticket. */
  readonly source: string;
  readonly turn: { readonly sequence: bigint } | { readonly ticket: bigint };
  /** Most that the network may take, in drops. */
  readonly feeUnits: bigint;
  /** No ledger after it takes it. */
  readonly lastLedger: bigint;
};

type UnsignedXrplTransaction = {
  readonly json: Readonly<Record<string, number | XrplAmount['json']>>;
  /** Without key and signature, in hexadecimal. */
  readonly unsignedTransaction: string;
  /** The wallet makes a transaction of its own; undefined for what is no XRP. */
  readonly paymentUri: string | undefined;
};

export const FEE = '6/8';
const SEQUENCE = '2/4';
const LAST_LEDGER_SEQUENCE = '2/27';
const TICKET_SEQUENCE = '2/41';
const PAYMENT_TYPE = Buffer.alloc(2);

/** @throws Refusal invalid `payment_not_sendable` */
export function unsignedXrplTransaction(order: XrplOrder): UnsignedXrplTransaction {
  const { payment, source, turn, feeUnits, lastLedger } = order;
  // What is wrong with the order is said there, before anything else is made of it.
  const bytes = writeBlob(orderedFields(order));
  const { assetIssuer, decimals } = sentAsset(payment);
  const { account = '', destinationTag: tag } = payment.account;
  const destinationTag = tag === undefined ? undefined : BigInt(tag);
  return {
    json: {
      TransactionType: 'Payment',
      Flags: 0,
      Account: source,
      Destination: account,
      ...(destinationTag === undefined ? {} : { DestinationTag: Number(destinationTag) }),
      Amount: xrplAmount(sentAsset(payment), payment.units).json,
      Fee: `${feeUnits}`,
      ...('ticket' in turn
        ? { Sequence: 0, TicketSequence: Number(turn.ticket) }
        : { Sequence: Number(turn.sequence) }),
      LastLedgerSequence: Number(lastLedger),
    },
    unsignedTransaction: bytes.toString('hex').toUpperCase(),
    paymentUri:
      assetIssuer === NATIVE_ISSUER
        ? xrplUri(account, destinationTag, payment.units, decimals)
        : undefined,
  };
}

/** What the transaction holds, but for key and signature. @throws Refusal */
export function orderedFields(order: XrplOrder): BlobFields {
  const { payment, source, turn, feeUnits, lastLedger } = order;
  const { account = '', destinationTag } = payment.account;
  if (account === source) throw notSendable('the receiver is the account that pays');
  if (feeUnits <= 0n) throw notSendable('the fee is none');
  const own: readonly (readonly [string, Buffer])[] =
    'ticket' in turn
      ? [
          [SEQUENCE, uint32(0n, 'the sequence number')],
          [TICKET_SEQUENCE, positive(turn.ticket, 'the ticket')],
        ]
      : [[SEQUENCE, positive(turn.sequence, 'the sequence number')]];
  return new Map([
    [TRANSACTION_TYPE, PAYMENT_TYPE],
    [FLAGS, uint32(0n, 'no flag')],
    ...own,
    ...(destinationTag === undefined ? [] : [tagField(destinationTag)]),
    [LAST_LEDGER_SEQUENCE, positive(lastLedger, 'the last ledger')],
    [AMOUNT, xrplAmount(sentAsset(payment), payment.units).bytes],
    [FEE, xrplAmount(XRP, feeUnits).bytes],
    [ACCOUNT, accountId(source, 'what pays')],
    [DESTINATION, accountId(account, 'the receiver')],
  ]);
}

const XRP = { assetCode: 'XRP', assetIssuer: NATIVE_ISSUER, decimals: 6 };

function tagField(tag: string): readonly [string, Buffer] {
  const isTag = /^(?:0|[1-9]\d{0,9})$/.test(tag);
  return [DESTINATION_TAG, uint32(isTag ? BigInt(tag) : -1n, 'the destination tag')];
}

function accountId(account: string, what: string): Buffer {
  const id = classicAccountId(account);
  if (id === undefined) throw notSendable(`${what} is no account (r...) with a right checksum`);
  return id;
}

function positive(value: bigint, what: string): Buffer {
  return uint32(value === 0n ? -1n : value, what);
}

function uint32(value: bigint, what: string): Buffer {
  if (value < 0n || value >= 2n ** 32n) throw notSendable(`${what} is no number of 32 bits`);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Number(value));
  return bytes;
}
