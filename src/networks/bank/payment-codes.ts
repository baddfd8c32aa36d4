// BR Code of a static Pix (Banco Central do Brasil, Manual do BR Code and Manual de Padroes para
// Iniciacao do Pix; EMV QRCPS-MPM): fields of two digits id, two digits length, value; the last
// field is CRC-16/CCITT-FALSE over everything before its value.

import { assert } from '#base/assert.ts';
import { canonicalPixKey } from '#people/pix-key.ts';

type PixPayment = {
  readonly key: string;
  readonly holder: string;
  readonly city: string;
  /** Centavos; undefined: the payer chooses. */
  readonly units: bigint | undefined;
  /** Letters and digits, 25 at most. */
  readonly reference: string;
};

const HOLDER_LENGTH = 25;
const CITY_LENGTH = 15;
const AMOUNT_LENGTH = 13;

/** Undefined for an amount that no such code can hold. */
export function brCode(payment: PixPayment): string | undefined {
  const { key, holder, city, units, reference } = payment;
  const amount = units === undefined ? undefined : amountToFixedText(units);
  if (amount !== undefined && (units === 0n || amount.length > AMOUNT_LENGTH)) return undefined;
  const text = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    amount === undefined ? '' : field('54', amount),
    field('58', 'BR'),
    field('59', plainText(holder, HOLDER_LENGTH)),
    field('60', plainText(city, CITY_LENGTH)),
    field('62', field('05', reference)),
    '6304',
  ].join('');
  return text + crc16(text);
}

/**
 * The Pix key that somebody gave: itself, or in a code to copy ("copia e cola") whose check is
 * right. Undefined when it is neither; a code of one payment alone (a web address in it) has none.
 */
export function pixKeyIn(text: string): string | undefined {
  if (!/^000201.*6304[0-9A-F]{4}$/is.test(text)) return canonicalPixKey(text);
  const checked = text.slice(0, -4);
  if (crc16(checked) !== text.slice(-4).toUpperCase()) return undefined;
  const account = fieldsOf(text)?.find(({ id, value }) => {
    const gui = fieldsOf(value)?.find((inner) => inner.id === '00')?.value;
    return id >= '26' && id <= '51' && gui?.toLowerCase() === 'br.gov.bcb.pix';
  });
  const key = account && fieldsOf(account.value)?.find(({ id }) => id === '01')?.value;
  return key === undefined ? undefined : canonicalPixKey(key);
}

type Field = { readonly id: string; readonly value: string };

/** Undefined where the lengths do not come out even. */
function fieldsOf(text: string): Field[] | undefined {
  const found: Field[] = [];
  let at = 0;
  while (at < text.length) {
    const [, id = '', digits = ''] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const end = at + 4 + Number(digits);
    if (id === '' || end > text.length) return undefined;
    found.push({ id, value: text.slice(at + 4, end) });
    at = end;
  }
  return found;
}

/** Letters without accents, digits and spaces; may come out empty. */
export function plainText(text: string, length: number): string {
  const plain = text.normalize('NFD').replaceAll(/[^A-Za-z0-9 ]/g, '');
  return plain.trim().slice(0, length).trim();
}

function field(id: string, value: string): string {
  assert(value.length > 0 && value.length < 100, `field ${id} of a BR Code has no room`);
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Polynomial 1021, beginning with FFFF, in four capital hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

// What a QR code for a transfer in euro holds (European Payments Council, EPC069-12, version 002):
// lines of text, the last of which is the creditor reference.
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

/** Hundredths with both digits after the point: forms of banks ask for them. */
export function amountToFixedText(units: bigint): string {
  const digits = String(units).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
