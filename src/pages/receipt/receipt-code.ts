// The code on a receipt: the id of its checkout and a seal of it under the key file; on an invoice
// of a shop the same of its own id, sealed as one of an invoice. Guarantees:
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
  return codeOf(checkoutId, sealOf(keyring, checkoutId));
}

/** The same on an invoice of a shop. */
export function billCode(keyring: ReceiptCodeKeys, billId: string): string {
  return codeOf(billId, sealOf(keyring, sealedBill(billId)));
}

function codeOf(id: string, seal: string): string {
  return ((id + seal).match(/.{4}/g) ?? []).join('-');
}

/** No checkout is called like that. */
function sealedBill(billId: string): string {
  return `bill:${billId}`;
}

/** What a code was given for. */
type Coded = { readonly kind: 'receipt' | 'bill'; readonly id: string };

/** As somebody typed it. Undefined: nothing of ours has it. */
export function readReceiptCode(keyring: ReceiptCodeKeys, typed: string): Coded | undefined {
  const signs = typed.toLowerCase().replace(/[\s-]/g, '');
  const id = signs.slice(0, ID_SIGNS);
  if (!WHOLE.test(signs) || !isId(id)) return undefined;
  const seal = signs.slice(ID_SIGNS).replace(/[ilo]/g, (sign) => LIKE_OTHERS[sign] ?? sign);
  const isSealOf = (sealed: string) =>
    timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(keyring, sealed)));
  if (isSealOf(id)) return { kind: 'receipt', id };
  return isSealOf(sealedBill(id)) ? { kind: 'bill', id } : undefined;
}

function sealOf(keyring: ReceiptCodeKeys, sealed: string): string {
  const mac = keyring.mac('receipt', new TextEncoder().encode(sealed)).subarray(0, SEAL_BYTES);
  const bits = Array.from(mac, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const signs = bits.match(new RegExp(`.{${BITS}}`, 'g')) ?? [];
  return signs.map((sign) => SIGNS.charAt(Number.parseInt(sign, 2))).join('');
}
