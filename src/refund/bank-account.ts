// Where a refund by bank goes, as a payer or a shop wrote it in one line. Nobody is asked whose
// account it is where the network does not need it: who sends it compares names at the bank.

import type { ReceivingAccount } from '#people/account-fields.ts';
import { canonicalBic } from '#people/bic.ts';
import { canonicalIban, IBAN_STRUCTURES, isSepaIban } from '#people/iban.ts';

type Read =
  | { readonly account: ReceivingAccount }
  /** Begins with `address`. */
  | { readonly fault: string };

export function readSepaAccount(text: string): Read {
  const iban = canonicalIban(text);
  if (iban !== undefined && isSepaIban(iban)) return { account: { iban } };
  return { fault: 'address: is not an IBAN of a SEPA country with right check digits' };
}

/** `pixKey`: reads a key, or a code "copia e cola" that has one. */
export function readPixAccount(text: string, pixKey: (text: string) => string | undefined): Read {
  const key = pixKey(text.trim());
  if (key !== undefined) return { account: { pixKey: key } };
  return {
    fault:
      'address: is not a Pix key (CPF, CNPJ, e-mail address, telephone with +55, random key), ' +
      'nor a code "copia e cola" that holds one',
  };
}

const SWIFT_FORM = 'IBAN or account number; BIC; name of the holder; street, town, country code';

/** Four parts: a transfer by SWIFT names its receiver and where the receiver lives. */
export function readSwiftAccount(text: string): Read {
  const [given = '', bank = '', holder = '', address = '', ...more] = text
    .split(';')
    .map((part) => part.replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ').trim());
  if (holder === '' || address === '' || more.length > 0) {
    return { fault: `address: by SWIFT write four parts with ; between them: ${SWIFT_FORM}` };
  }
  const bic = canonicalBic(bank);
  if (bic === undefined) return { fault: `address: ${bank} is not a BIC (8 or 11 characters)` };
  const plain = given.replaceAll(/[ -]/g, '').toUpperCase();
  // What looks like an IBAN has to be one.
  if (IBAN_STRUCTURES.has(plain.slice(0, 2)) && /^..\d\d/.test(plain)) {
    const iban = canonicalIban(plain);
    if (iban === undefined) return { fault: 'address: the check digits of the IBAN are not right' };
    return { account: { iban, bic, holder, address } };
  }
  if (!/^[A-Z0-9]{1,34}$/.test(plain)) {
    return { fault: 'address: the account must be an IBAN, or 1 to 34 letters and digits' };
  }
  return { account: { accountNumber: plain, bic, holder, address } };
}
