// A payment on the XRP Ledger as an unsigned transaction: as JSON, which every signer takes, as
// bytes, and as a link. Guarantees: exactly this is delivered or nothing (no partial payment), to
// exactly this receiver and tag, and there is a last ledger, after which it can never land. Not
// known here: whether the receiver can take it (decide-delivery.ts). Pure.

import { assert } from '#base/assert.ts';
import { type Asset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { notSendable, type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import { xrplUri } from '#networks/payment-uri.ts';
import {
  ACCOUNT,
  AMOUNT,
  type BlobFields,
  COUNTED_TYPES,
  DESTINATION,
  DESTINATION_TAG,
  FLAGS,
  TRANSACTION_TYPE,
} from './read-blob.ts';
import { classicAccountId } from './xrpl-address.ts';
import { DROPS_MOST } from './xrpl-fields.ts';

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

// An amount as transactions of the XRP Ledger hold it (xrpl.org, Serialization Format, Amount
// Fields): drops, or a decimal of 16 digits in a currency of an issuer. Pure.
export type XrplAmount = {
  /** Text in drops, or an object. */
  readonly json: string | { readonly currency: string; readonly issuer: string; value: string };
  readonly bytes: Buffer;
};

const POSITIVE = 1n << 62n;
const ISSUED = 1n << 63n;
const MANTISSA_LEAST = 10n ** 15n;
const MANTISSA_BITS = 54n;
const EXPONENT_BASE = 97;
const CURRENCY_BYTES = 20;
/** Where the three letters of an ordinary code stand. */
const CODE_AT = 12;

/** @throws Refusal invalid `payment_not_sendable` */
export function xrplAmount(
  asset: Pick<Asset, 'assetCode' | 'assetIssuer' | 'decimals'>,
  units: bigint,
): XrplAmount {
  if (asset.assetIssuer === NATIVE_ISSUER) {
    if (units > DROPS_MOST) throw notSendable('the amount is more XRP than there ever were');
    return { json: `${units}`, bytes: word(POSITIVE | units) };
  }
  const issuer = classicAccountId(asset.assetIssuer);
  if (issuer === undefined) throw notSendable(`${asset.assetIssuer} issues nothing here`);
  const currency = currencyOf(asset.assetCode);
  const value = amountToText(units, asset.decimals);
  return {
    json: { currency: currency.text, issuer: asset.assetIssuer, value },
    bytes: Buffer.concat([issuedWord(units, asset.decimals), currency.bytes, issuer]),
  };
}

/** The mantissa has 16 digits; what has more cannot be sent exactly. */
function issuedWord(units: bigint, decimals: number): Buffer {
  let [mantissa, exponent] = [units, -decimals];
  for (; mantissa < MANTISSA_LEAST; exponent -= 1) mantissa *= 10n;
  for (; mantissa >= MANTISSA_LEAST * 10n; exponent += 1) {
    if (mantissa % 10n !== 0n) throw notSendable('the amount has more than 16 digits that count');
    mantissa /= 10n;
  }
  const shifted = BigInt(exponent + EXPONENT_BASE) << MANTISSA_BITS;
  return word(ISSUED | POSITIVE | shifted | mantissa);
}

/** Three letters, or as many as fit, in hexadecimal. */
function currencyOf(code: string): { readonly text: string; readonly bytes: Buffer } {
  const bytes = Buffer.alloc(CURRENCY_BYTES);
  if (/^[A-Za-z0-9]{3}$/.test(code) && code !== 'XRP') {
    bytes.write(code, CODE_AT, 'latin1');
    return { text: code, bytes };
  }
  if (!/^[A-Za-z0-9]{4,20}$/.test(code)) throw notSendable(`${code} is no currency here`);
  bytes.write(code, 'latin1');
  return { text: bytes.toString('hex').toUpperCase(), bytes };
}

function word(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

// Writes the binary form of a transaction (xrpl.org, Serialization Format): fields in the order of
// type and number, each in its shortest form. What read-blob.ts has read is written as the same
// bytes exactly when it was in that one form, which is the one that is hashed. Pure.

/** Bytes whose length fits into one byte (Length Prefixing). */
const SHORT_MOST = 192;
const MIDDLE_MOST = 12_480;

export function writeBlob(fields: BlobFields): Buffer {
  const parts = [...fields].map(([name, value]) => {
    const [type = 0, number = 0] = name.split('/').map(Number);
    return { type, number, value };
  });
  parts.sort((one, other) => one.type - other.type || one.number - other.number);
  return Buffer.concat(
    parts.flatMap(({ type, number, value }) => [
      header(type, number),
      COUNTED_TYPES.has(type) ? lengthOf(value) : Buffer.alloc(0),
      value,
    ]),
  );
}

/** Four bits each, or a byte of its own from 16 on; the type first. */
function header(type: number, number: number): Buffer {
  const [high, low] = [type < 16 ? type : 0, number < 16 ? number : 0];
  const long = [type, number].filter((part) => part >= 16);
  return Buffer.from([(high << 4) | low, ...long]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length <= SHORT_MOST) return Buffer.of(length);
  assert(length <= MIDDLE_MOST, 'a field of what was read from a short text is short');
  const rest = length - SHORT_MOST - 1;
  return Buffer.of(SHORT_MOST + 1 + (rest >> 8), rest & 0xff);
}
