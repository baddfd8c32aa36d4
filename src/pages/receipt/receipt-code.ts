// The code on a receipt: the id of its checkout and a seal of it under the key file. Guarantees:
// only this installation makes one (80 bits that nobody guesses); a code is read without asking
// the database, so that whoever tries codes learns nothing, not even which checkouts there are.

import { timingSafeEqual } from 'node:crypto';
import { isId } from '#base/id.ts';

type ReceiptCodeKeys = { mac(purpose: 'receipt', bytes: Uint8Array): Uint8Array };

const ID_SIGNS = 12;
const SEAL_BYTES = 10;
const BITS = 5;
/** Crockford's: no i, l, o, u, so that the seal can be typed from paper. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';
const LIKE_OTHERS: Readonly<Record<string, string>> = { i: '1', l: '1', o: '0' };
const WHOLE = /^[a-z0-9]{28}$/;

/** Seven groups of four signs. */
export function receiptCode(keyring: ReceiptCodeKeys, checkoutId: string): string {
  const signs = checkoutId + sealOf(keyring, checkoutId);
  return (signs.match(/.{4}/g) ?? []).join('-');
}

/** As somebody typed it. Undefined: no receipt of ours has it. */
export function readReceiptCode(keyring: ReceiptCodeKeys, typed: string): string | undefined {
  const signs = typed.toLowerCase().replace(/[\s-]/g, '');
  const id = signs.slice(0, ID_SIGNS);
  if (!WHOLE.test(signs) || !isId(id)) return undefined;
  const seal = signs.slice(ID_SIGNS).replace(/[ilo]/g, (sign) => LIKE_OTHERS[sign] ?? sign);
  const isOurs = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(keyring, id)));
  return isOurs ? id : undefined;
}

function sealOf(keyring: ReceiptCodeKeys, checkoutId: string): string {
  const mac = keyring.mac('receipt', new TextEncoder().encode(checkoutId)).subarray(0, SEAL_BYTES);
  const bits = Array.from(mac, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const signs = bits.match(new RegExp(`.{${BITS}}`, 'g')) ?? [];
  return signs.map((sign) => SIGNS.charAt(Number.parseInt(sign, 2))).join('');
}
