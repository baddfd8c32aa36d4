import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OTHER_IBAN, OUR_IBAN } from '#test/fakes/bank-statement.ts';
import type { BankAccount } from './bank-account.ts';
import { bankInstruction } from './bank-payee.ts';
import { transferReference } from './bank-references.ts';
import type { BankOrder } from './write-pain-001.ts';

const ID = 'abcdefghij12';
const FROM: BankAccount = {
  network: 'SWIFT',
  account: OUR_IBAN,
  holder: 'Fern & Folio',
  bic: 'COBADEFFXXX',
  currencies: ['USD', 'EUR', 'BRL'],
  pix: undefined,
};
const order = (account: BankOrder['account'], more: Partial<BankOrder> = {}): BankOrder => ({
  ...{ transferId: ID, units: 105_000n, currency: 'USD', account, text: 'Refund' },
  ...more,
});
const told = (from: BankAccount, given: BankOrder) =>
  bankInstruction(from, given)
    .map(({ label, value }) => `${label}: ${value}\n`)
    .join('');

test('a transfer by SWIFT is told with account, bank, charges and the reference in its text', () => {
  const account = { accountNumber: '12345', bic: 'CHASUS33', holder: 'Ann', address: '1 Main St' };
  assert.equal(
    told(FROM, order(account)),
    `From account: ${OUR_IBAN}
Receiver: Ann
Address: 1 Main St
Account number: 12345
BIC: CHASUS33
Charges: OUR
Amount: 1050.00
Currency: USD
Text: ${transferReference(ID)} Refund
`,
  );
});

test('a transfer by Pix is told with the key, one by SEPA with the IBAN', () => {
  const pix = order({ pixKey: 'ann@example.com', taxId: '52998224725' }, { currency: 'BRL' });
  assert.match(
    told({ ...FROM, network: 'PIX' }, pix),
    /\nPix key: ann@example.com\nCPF or CNPJ of the receiver: 52998224725\nAmount: 1050.00\n/,
  );
  const sepa = order({ iban: OTHER_IBAN, holder: 'Ann' }, { currency: 'EUR', text: undefined });
  assert.equal(
    told({ ...FROM, network: 'SEPA' }, sepa),
    `From account: ${OUR_IBAN}\nReceiver: Ann\nIBAN: ${OTHER_IBAN}\nAmount: 1050.00\nCurrency: EUR\nText: ${transferReference(ID)}\n`,
  );
});

test('no text adds a line or turns what is shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (holder, text) => {
      const account = { iban: OTHER_IBAN, bic: 'CHASUS33', holder: `A${holder}`, address: 'B' };
      const lines = told(FROM, order(account, { text })).split('\n');
      assert.equal(lines.length, 10);
      assert.deepEqual(
        lines.map((line) => line.split(':')[0]),
        [
          'From account',
          'Receiver',
          'Address',
          'IBAN',
          'BIC',
          'Charges',
          'Amount',
          'Currency',
          'Text',
          '',
        ],
      );
      assert.doesNotMatch(lines.join(''), /[\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
    }),
  );
  const turned = order({ bic: 'CHASUS33', holder: 'A\u202e\u200bB\nAmount: 1', address: 'B' });
  assert.match(told(FROM, turned), /^Receiver: AB Amount: 1$/m);
});
