// Reads the fields of Horizon's JSON. Whatever is not as the API says is a lie: such an answer is
// not used at all. Names and forms: protocols/horizon/main.go of go-stellar-sdk.
import { NATIVE_ISSUER } from '#catalog/asset.ts';
import {
  type Fields,
  NodeLie,
  requireFields,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';

const NATIVE_ASSET_ID = `XLM:${NATIVE_ISSUER}`;
const INT64_MAX = 2n ** 63n - 1n;

/** A ledger sequence: a JSON number. */
export function requireSequence(fields: Fields, name: string): bigint {
  const value = fields[name];
  requireThat(
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 32,
    `${name} is no ledger`,
  );
  return BigInt(value);
}

/** 64-bit numbers come as decimal text. */
export function requireInteger(fields: Fields, name: string): bigint {
  return integerFrom(requireText(fields, name), name);
}

export function integerFrom(text: string, name: string): bigint {
  requireThat(/^(?:0|[1-9]\d{0,18})$/.test(text), `${name} is no number`);
  const value = BigInt(text);
  requireThat(value <= INT64_MAX, `${name} is too large`);
  return value;
}

/** An amount with its seven digits, in units of 10^-7; may be zero. */
export function requireUnits(fields: Fields, name: string): bigint {
  const text = requireText(fields, name);
  requireThat(/^(?:0|[1-9]\d{0,11})\.\d{7}$/.test(text), `${name} is no amount`);
  const units = BigInt(text.replace('.', ''));
  requireThat(units <= INT64_MAX, `${name} is too large`);
  return units;
}

export function requireTime(fields: Fields, name: string): Temporal.Instant {
  const text = requireText(fields, name);
  requireThat(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text), `${name} is no time`);
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new NodeLie(`${name} is no time`);
  }
}

/** `<code>:<issuer>` as in the catalog; the issuer is never left out and never guessed. */
export function requireAssetId(fields: Fields, prefix = ''): string {
  const type = requireText(fields, `${prefix}asset_type`);
  if (type === 'native') return NATIVE_ASSET_ID;
  requireThat(type === 'credit_alphanum4' || type === 'credit_alphanum12', `${type} is no asset`);
  const code = requireText(fields, `${prefix}asset_code`);
  const issuer = requireText(fields, `${prefix}asset_issuer`);
  const [least, most] = type === 'credit_alphanum4' ? [1, 4] : [5, 12];
  requireThat(
    /^[A-Za-z0-9]+$/.test(code) && code.length >= least && code.length <= most,
    'an asset code is malformed',
  );
  requireThat(/^G[A-Z2-7]{55}$/.test(issuer), 'an issuer is malformed');
  return `${code}:${issuer}`;
}

/** The records of a page; more than were asked for are a lie. */
export function requireRecords(answer: unknown, most: number): readonly Fields[] {
  const embedded = requireFields(requireFields(answer, 'a page')._embedded, 'a page');
  const { records } = embedded;
  requireThat(Array.isArray(records) && records.length <= most, 'a page has no records');
  return records.map((record) => requireFields(record, 'a record'));
}

/** Ledger of an operation or transaction: the upper half of its id (SEP-35, TOID). */
export function ledgerOf(id: bigint): bigint {
  return id >> 32n;
}

/**
 * Where a listing of ledgers begins that is to start with this one. The place of the ledger before
 * it will not do: a Horizon whose oldest that is begins with its oldest.
 */
export function cursorBeforeLedger(sequence: bigint): string {
  return ((sequence << 32n) - 1n).toString();
}

/** Where a listing begins that is to start after this ledger. */
export function cursorAfterLedger(sequence: bigint): string {
  return ((sequence + 1n) << 32n).toString();
}
