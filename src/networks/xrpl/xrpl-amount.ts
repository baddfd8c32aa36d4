// An amount as transactions of the XRP Ledger hold it (xrpl.org, Serialization Format, Amount
// Fields): drops, or a decimal of 16 digits in a currency of an issuer. Pure.

import { type Asset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { notSendable } from '#networks/outgoing-payment.ts';
import { classicAccountId } from './xrpl-address.ts';
import { DROPS_MOST } from './xrpl-fields.ts';

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
