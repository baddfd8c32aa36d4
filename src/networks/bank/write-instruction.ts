// A transfer that a person types into the pages of a bank, field by field, each to be copied by
// itself. For SWIFT and Pix this is the only way: a file for a bank asks for the town and
// country of the receiver in fields of their own (since November 2026 for all, decision 42), and
// Pix has no file that banks share. Guarantees: each value is one line, without signs that
// nobody sees.

import { assert } from '#base/assert.ts';
import type { InstructionField } from '#deposit/network.ts';
import type { BankAccount, BankNetwork } from './bank-account.ts';
import { amountToFixedText } from './fixed-amount.ts';
import { transferReference } from './transfer-reference.ts';
import type { BankOrder } from './write-pain-001.ts';

type Lines = readonly (readonly [label: string, value: string | undefined])[];

const RECEIVERS: Readonly<Record<BankNetwork, (account: BankOrder['account']) => Lines>> = {
  SEPA: ({ holder, iban, bic }) => [
    ['Receiver', holder],
    ['IBAN', iban],
    ['BIC', bic],
  ],
  SWIFT: ({ holder, address, iban, accountNumber, bic }) => [
    ['Receiver', holder],
    ['Address', address],
    ['IBAN', iban],
    ['Account number', accountNumber],
    ['BIC', bic],
    // The receiver gets what was ordered: what banks on the way take is booked as our charge.
    ['Charges', 'OUR'],
  ],
  PIX: ({ pixKey, taxId }) => [
    ['Pix key', pixKey],
    ['CPF or CNPJ of the receiver', taxId],
  ],
};

/** The reference stands first in the text: by it a statement tells which transfer was sent. */
export function bankInstruction(from: BankAccount, order: BankOrder): InstructionField[] {
  const { transferId, units, currency, account, text = '' } = order;
  assert(from.currencies.includes(currency), `${from.network} here does not send ${currency}`);
  const lines: Lines = [
    ['From account', from.account],
    ...RECEIVERS[from.network](account),
    ['Amount', amountToFixedText(units)],
    ['Currency', currency],
    ['Text', `${transferReference(transferId)} ${text}`],
  ];
  return lines.flatMap(([label, value]) => {
    const line = oneLine(value ?? '');
    return line === '' ? [] : [{ label, value: line }];
  });
}

/** Without line ends, and without signs that turn the direction of what stands beside them. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}
