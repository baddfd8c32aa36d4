// What we call a transfer towards banks: `QT`, the id of the transfer in capitals, two check
// characters (ISO 7064, MOD 1271-36); sixteen in all, which the end-to-end id of ISO 20022 (35),
// field 20 of a SWIFT message (16) and the identifier of a Pix (25) hold. Guarantees: one transfer
// has one reference, however often its file is written; a slip of one character, or two neighbours
// that changed places, is no reference. Not guaranteed: that the transfer exists; whoever reads it
// compares amount, currency and account too.

import { assert } from '#base/assert.ts';
import { isId } from '#base/id.ts';

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
