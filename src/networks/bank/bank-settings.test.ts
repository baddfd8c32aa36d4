import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { readConfig } from '#server/config.ts';
import { statementBytes } from '#test/fakes/bank-statement.ts';
import { readStatements } from './read-statement.ts';

function read(environment: Record<string, string>) {
  return readConfig({ environment, file: undefined, directory: '/tmp' }).networks.bank;
}

function faultsOf(environment: Record<string, string>): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  return '';
}

const SEPA = { SEPA_IBAN: 'de89 3704 0044 0532 0130 00', SEPA_HOLDER: 'Fern' };
const SWIFT = { SWIFT_ACCOUNT: '000-123 456', SWIFT_BIC: 'chasus33', SWIFT_HOLDER: 'Fern' };
const PIX = {
  PIX_KEY: 'Loja@Exemplo.com.br',
  PIX_ACCOUNT: '0001/123456-7',
  PIX_HOLDER: 'Loja',
  PIX_CITY: 'Recife',
};

test('the accounts of banks are read in one spelling', () => {
  const more = { SWIFT_CURRENCIES: 'USD, CHF,USD' };
  const [sepa, swift, pix] = read({ ...SEPA, ...SWIFT, ...more, ...PIX });
  assert.equal(sepa?.account, 'DE89370400440532013000');
  assert.deepEqual([sepa?.bic, sepa?.currencies], [undefined, ['EUR']]);
  assert.deepEqual([swift?.account, swift?.bic], ['000123456', 'CHASUS33']);
  assert.deepEqual(swift?.currencies, ['USD', 'CHF']);
  assert.deepEqual([pix?.account, pix?.pix?.key], ['00011234567', 'loja@exemplo.com.br']);
  assert.deepEqual(read({}), []);
});

const FAULTS: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ['a wrong IBAN', { ...SEPA, SEPA_IBAN: 'DE88370400440532013000' }, /SEPA_IBAN: must be an IBAN/],
  ['an IBAN from elsewhere', { ...SEPA, SEPA_IBAN: 'BR1800360305000010009795493C1' }, /of a SEPA/],
  ['no holder', { SEPA_IBAN: SEPA.SEPA_IBAN }, /SEPA_HOLDER: missing, while SEPA_IBAN is set/],
  ['a holder of two lines', { ...SEPA, SEPA_HOLDER: 'A\nB' }, /SEPA_HOLDER: must be 1 to 70/],
  ['a wrong BIC', { ...SEPA, SEPA_BIC: 'COBA' }, /SEPA_BIC: must be a BIC/],
  ['a slip in an IBAN', { ...SWIFT, SWIFT_ACCOUNT: 'DE88370400440532013000' }, /SWIFT_ACCOUNT/],
  ['a currency nobody has', { ...SWIFT, SWIFT_CURRENCIES: 'USD,XAU' }, /SWIFT_CURRENCIES: must/],
  ['a wrong key', { ...PIX, PIX_KEY: '111.111.111-11' }, /PIX_KEY: must be/],
  ['one account twice', { ...SEPA, ...SWIFT, SWIFT_ACCOUNT: SEPA.SEPA_IBAN }, /count twice/],
  ['a name that is none', { SEPA_IBANS: 'x' }, /SEPA_IBANS: unknown setting/],
];

for (const [name, environment, fault] of FAULTS) {
  test(`${name} is refused`, () => assert.match(faultsOf(environment), fault));
}

test('settings of other programs are none of ours', () => {
  assert.deepEqual(read({ SWIFT_VERSION: '6.0', BANK_URL: 'x' }), []);
});

test('statements of several versions, prefixes and forms of the status say the same', () => {
  const entries = [{ cents: 123n, servicerReference: 'A1' }];
  const [plain] = readStatements(statementBytes({ entries }));
  const [old] = readStatements(statementBytes({ entries, version: '02' }));
  assert.deepEqual(old, plain);
  const text = new TextDecoder().decode(statementBytes({ entries, version: '13' }));
  const prefixed = text.replaceAll(/<(\/?)([A-Z])/g, '<$1camt:$2').replace('xmlns=', 'xmlns:camt=');
  assert.deepEqual(readStatements(new TextEncoder().encode(`\uFEFF${prefixed}`)), [plain]);
  assert.equal(plain?.entries[0]?.units, 123n);
  assert.equal(plain?.balances?.closingUnits, 100_123n);
});
