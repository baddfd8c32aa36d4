// References that tell payers apart: creditor references (ISO 11649), `RF`, two check digits modulo
// 97, the letter Q and the number from the address source in fifteen digits, or in eleven where the
// source is from a time when it began at 0: twenty characters at most, which a Pix holds.
// Guarantees: one number has one reference; a slip of one character, or two that changed places, is
// no reference; what is found in a text of a bank is exactly one of these. Not guaranteed: that it
// was handed out.

import { assert } from '#base/assert.ts';
import { isId } from '#base/id.ts';

const SHORT_DIGITS = 11;
const LONG_DIGITS = 15;
const SHORT_END = 10n ** BigInt(SHORT_DIGITS);
const LONG_START = 10n ** BigInt(LONG_DIGITS - 1);
const LONG_END = 10n ** BigInt(LONG_DIGITS);

/** Where a new source begins (firstIndexes). */
export const REFERENCES_BEGIN = { least: LONG_START, below: 9n * LONG_START };

/** The payer's bank may put spaces and line breaks anywhere, but no other digit behind it. */
function referenceOf(length: number): RegExp {
  const number = `(?:\\d\\s*){${length - 1}}\\d`;
  return new RegExp(`R\\s*F\\s*(\\d\\s*\\d)\\s*Q\\s*(${number})(?!\\s?\\d)`, 'g');
}
const LONG = referenceOf(LONG_DIGITS);
const SHORT = referenceOf(SHORT_DIGITS);

export function creditorReference(index: bigint): string {
  const isShort = index >= 0n && index < SHORT_END;
  assert(isShort || (index >= LONG_START && index < LONG_END), 'the source has no more references');
  const body = `Q${String(index).padStart(SHORT_DIGITS, '0')}`;
  return `RF${checkDigits(body)}${body}`;
}

/** Every different reference with right check digits that stands in the text. */
export function findCreditorReferences(text: string): string[] {
  const upper = text.toUpperCase();
  // The beginning of a long one is no short one, wherever the bank broke the line.
  const found = new Map([...validIn(upper, SHORT), ...validIn(upper, LONG)]);
  return [...new Set(found.values())];
}

/** By where they begin. */
function* validIn(text: string, references: RegExp): Iterable<[number, string]> {
  for (const { 1: digits = '', 2: number = '', index } of text.matchAll(references)) {
    const value = BigInt(withoutSpaces(number));
    if (references === LONG && value < LONG_START) continue;
    const reference = creditorReference(value);
    if (reference.slice(2, 4) === withoutSpaces(digits)) yield [index, reference];
  }
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** ISO 11649 after ISO 7064: with RF00 at the end, letters as 10 to 35, 98 less the remainder. */
function checkDigits(body: string): string {
  const digits = `${body}RF00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

// What we call a transfer towards banks: `QT`, the id of the transfer in capitals, two check
// characters (ISO 7064, MOD 1271-36); sixteen in all, which the end-to-end id of ISO 20022 (35),
// field 20 of a SWIFT message (16) and the identifier of a Pix (25) hold. Guarantees: one transfer
// has one reference, however often its file is written; a slip of one character, or two neighbours
// that changed places, is no reference. Not guaranteed: that the transfer exists; whoever reads it
// compares amount, currency and account too.

/** A bank may put spaces and line breaks anywhere, but no other letter or digit beside it. */
const REFERENCE = /(?<![A-Z0-9])Q\s*T\s*((?:[A-Z0-9]\s*){13}[A-Z0-9])(?![A-Z0-9])/g;

export function transferReference(transferId: string): string {
  assert(isId(transferId), 'the id of a transfer has twelve letters and digits');
  const body = transferId.toUpperCase();
  return `QT${body}${checkCharacters(body)}`;
}

/** Ids of every different transfer whose reference, with right check digits, is in the text. */
export function findTransferIds(text: string): string[] {
  const ids = text
    .toUpperCase()
    .matchAll(REFERENCE)
    .flatMap(([, found = '']) => {
      const plain = found.replaceAll(/\s/g, '');
      const body = plain.slice(0, 12);
      return plain.slice(12) === checkCharacters(body) ? [body.toLowerCase()] : [];
    });
  return [...new Set(ids)];
}

/** With them behind it, as a number of base 36, the remainder of a division by 1271 is one. */
function checkCharacters(body: string): string {
  let remainder = 0;
  for (const letter of `${body}00`) remainder = (remainder * 36 + parseInt(letter, 36)) % 1271;
  const check = (1272 - remainder) % 1271;
  return check.toString(36).toUpperCase().padStart(2, '0');
}
