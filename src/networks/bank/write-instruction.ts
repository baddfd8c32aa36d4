// A transfer that a person types into the pages of a bank, field by field, each to be copied by
// itself. For Pix this is the only way, since no file is shared by its banks; there is a code for
// the app of a bank as well. By SWIFT it is the way where a file could not say where the receiver
// lives (readReceiverAddress). Guarantees: each value is one line, without signs that nobody sees.

import { assert } from '#base/assert.ts';
import type { InstructionField } from '#deposit/money-out.ts';
import type { BankAccount, BankNetwork } from './bank-account.ts';
import { brCode } from './br-code.ts';
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
    ['Copia e cola', from.network === 'PIX' ? codeOf(order) : undefined],
  ];
  return lines.flatMap(([label, value]) => {
    const line = oneLine(value ?? '');
    return line === '' ? [] : [{ label, value: line }];
  });
}

/** For the app of a bank: key, amount and reference. Who has the key is told by the directory. */
function codeOf({ transferId, units, account: { pixKey: key } }: BankOrder): string | undefined {
  if (key === undefined) return undefined;
  const reference = transferReference(transferId);
  return brCode({ key, holder: 'RECEBEDOR', city: 'BRASIL', units, reference });
}

/** Without line ends, and without signs that turn the direction of what stands beside them. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}
