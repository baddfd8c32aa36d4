// References that tell payers apart: creditor references (ISO 11649), `RF`, two check digits modulo
// 97, the letter Q and the number from the address source in eleven digits. Guarantees: one number
// has one reference; a slip of one character, or two that changed places, is no reference; what is
// found in a text of a bank is exactly one of these. Not guaranteed: that it was handed out.

import { assert } from '#base/assert.ts';

const INDEX_DIGITS = 11;
const indexEnd = 10n ** BigInt(INDEX_DIGITS);

/** The payer's bank may put spaces and line breaks anywhere, but no other digit behind it. */
const REFERENCES = new RegExp(
  `R\\s*F\\s*(\\d\\s*\\d)\\s*Q\\s*((?:\\d\\s*){${INDEX_DIGITS - 1}}\\d)(?!\\s?\\d)`,
  'g',
);

export function creditorReference(index: bigint): string {
  assert(index >= 0n && index < indexEnd, 'the source has no more references');
  const body = `Q${String(index).padStart(INDEX_DIGITS, '0')}`;
  return `RF${checkDigits(body)}${body}`;
}

/** Four characters at a time, as people read and type it (ISO 11649). */
export function groupedByFour(text: string): string {
  return text.replaceAll(/.{4}(?=.)/g, '$& ');
}

/** Every different reference with right check digits that stands in the text. */
export function findCreditorReferences(text: string): string[] {
  const found = new Set<string>();
  for (const [, digits = '', number = ''] of text.toUpperCase().matchAll(REFERENCES)) {
    const reference = creditorReference(BigInt(number.replaceAll(/\s/g, '')));
    if (reference.slice(2, 4) === digits.replaceAll(/\s/g, '')) found.add(reference);
  }
  return [...found];
}

/** ISO 11649 after ISO 7064: with RF00 at the end, letters as 10 to 35, 98 less the remainder. */
function checkDigits(body: string): string {
  const digits = `${body}RF00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}
