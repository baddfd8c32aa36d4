// What a QR code for a transfer in euro holds (European Payments Council, EPC069-12, version 002):
// lines of text, the last of which is the creditor reference.

import { amountToFixedText } from './fixed-amount.ts';

type EpcPayment = {
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | undefined;
  /** Cents; undefined: the payer chooses. */
  readonly units: bigint | undefined;
  readonly reference: string;
};

export const EPC_HOLDER_LENGTH = 70;
const UNITS_MOST = 99_999_999_999n;

/** Undefined for an amount that no such code can hold (0.01 to 999999999.99). */
export function epcCode(payment: EpcPayment): string | undefined {
  const { holder, iban, bic = '', units, reference } = payment;
  if (units !== undefined && (units < 1n || units > UNITS_MOST)) return undefined;
  const amount = units === undefined ? '' : `EUR${amountToFixedText(units)}`;
  // Version, UTF-8, credit transfer; no purpose between amount and reference.
  return ['BCD', '002', '1', 'SCT', bic, holder, iban, amount, '', reference].join('\n');
}
