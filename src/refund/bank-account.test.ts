import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pixKeyIn } from '#networks/bank/br-code.ts';
import { OTHER_IBAN, OUR_IBAN } from '#test/fakes/bank-statement.ts';
import { readPixAccount, readSepaAccount, readSwiftAccount } from './bank-account.ts';

/** The example of the manual of the Banco Central for a static code. */
const STATIC_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const KEY = '123e4567-e12b-12d1-a456-426655440000';

describe('where a refund by bank goes', () => {
  test('SEPA: an IBAN of a SEPA country, in any spelling', () => {
    assert.deepEqual(readSepaAccount('fr14 2004 1010 0505 0001 3M02 606'), {
      account: { iban: OTHER_IBAN },
    });
    for (const text of ['', OTHER_IBAN.replace('FR14', 'FR15'), 'BR1800360305000010009795493C1']) {
      assert.ok('fault' in readSepaAccount(text), text);
    }
  });

  test('Pix: a key, or a code to copy that holds one', () => {
    for (const text of [KEY, STATIC_CODE, ` ${STATIC_CODE}\n`]) {
      assert.deepEqual(readPixAccount(text, pixKeyIn), { account: { pixKey: KEY } });
    }
    const wrong = STATIC_CODE.replace('1D3D', '1D3E');
    for (const text of ['', 'ann', wrong, STATIC_CODE.replace('a456', 'a457')]) {
      assert.ok('fault' in readPixAccount(text, pixKeyIn), text);
    }
  });

  test('Pix: a code with one sign changed is no code', () => {
    const position = fc.integer({ min: 0, max: STATIC_CODE.length - 1 });
    fc.assert(
      fc.property(position, fc.constantFrom(...'0123456789AZaz'), (at, sign) => {
        const changed = STATIC_CODE.slice(0, at) + sign + STATIC_CODE.slice(at + 1);
        // Hexadecimal digits of the check may be small letters.
        fc.pre(changed.toUpperCase() !== STATIC_CODE.toUpperCase());
        assert.equal(pixKeyIn(changed), undefined);
      }),
    );
  });

  test('SWIFT: account, BIC, holder and address in one line', () => {
    const rest = 'chasus33 ; Ann Example;1 Main Street, Springfield, US';
    const more = {
      bic: 'CHASUS33',
      holder: 'Ann Example',
      address: '1 Main Street, Springfield, US',
    };
    assert.deepEqual(readSwiftAccount(`1234 5678; ${rest}`), {
      account: { accountNumber: '12345678', ...more },
    });
    assert.deepEqual(readSwiftAccount(`${OUR_IBAN}; ${rest}`), {
      account: { iban: OUR_IBAN, ...more },
    });
  });

  const table: readonly (readonly [string, RegExp])[] = [
    ['12345678', /four parts/],
    ['12345678; CHASUS33; Ann', /four parts/],
    ['12345678; CHASUS33; Ann; Street; Town', /four parts/],
    ['12345678; CHASUS3; Ann; Street, Town, US', /not a BIC/],
    [`${OUR_IBAN.replace('DE89', 'DE88')}; CHASUS33; Ann; Street, Town, US`, /check digits/],
    ['12/34; CHASUS33; Ann; Street, Town, US', /1 to 34 letters/],
  ];
  for (const [text, expected] of table) {
    test(`SWIFT: ${text} is refused`, () => {
      const read = readSwiftAccount(text);
      assert.match('fault' in read ? read.fault : '', expected);
    });
  }
});
