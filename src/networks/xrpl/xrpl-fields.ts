// Reads the fields of answers of the XRP Ledger's API, version 2. Whatever is not as the API says
// is a lie: such an answer is not used at all. Names and forms: xrpl.org, HTTP / WebSocket APIs.

import { type Fields, requireThat } from '#networks/answer-fields.ts';

/** All XRP there ever were: 10^11 of 10^6 drops. */
export const DROPS_MOST = 10n ** 17n;

export function requireUint32(fields: Fields, name: string): number {
  const value = fields[name];
  requireThat(
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 32,
    `${name} is no number of 32 bits`,
  );
  return value;
}

/** Number of a ledger. */
export function requireLedgerIndex(fields: Fields, name = 'ledger_index'): bigint {
  const value = requireUint32(fields, name);
  requireThat(value > 0, `${name} is no ledger`);
  return BigInt(value);
}

/** XRP is text in drops; an object would be an issued currency, a number nothing at all. */
export function requireDrops(fields: Fields, name: string): bigint {
  const drops = dropsFrom(fields[name]);
  requireThat(drops !== undefined, `${name} is no amount of drops`);
  return drops;
}

/** Undefined where it is anything but drops. */
export function dropsFrom(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,17})$/.test(value)) return undefined;
  const drops = BigInt(value);
  return drops <= DROPS_MOST ? drops : undefined;
}

/** Nothing but what is in a validated ledger counts. */
export function requireValidated(fields: Fields, what: string): void {
  requireThat(fields.validated === true, `${what} is not validated`);
}
