import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memoFault } from './account-fields.ts';
import { canonicalBic, canonicalIban, IBAN_STRUCTURES, ibanRemainder, isSepaIban } from './iban.ts';
import { canonicalPixKey } from './pix-key.ts';
import {
  canonicalCnpj,
  canonicalCpf,
  canonicalTaxId,
  cnpjCheckDigits,
  cpfCheckDigits,
} from './tax-id.ts';

const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Another character of the alphabet at one place. */
function changed(text: string, place: number, shift: number, alphabet: string): string {
  const at = place % text.length;
  const index = alphabet.indexOf(text.charAt(at));
  const other = alphabet.charAt((index + 1 + (shift % (alphabet.length - 1))) % alphabet.length);
  return text.slice(0, at) + other + text.slice(at + 1);
}

function alphabetAt(text: string, place: number): string {
  return DIGITS.includes(text.charAt(place % text.length)) ? DIGITS : LETTERS;
}

const anyIban = fc.constantFrom(...IBAN_STRUCTURES).chain(([country, structure]) => {
  const classes: Record<string, string> = { n: '[0-9]', a: '[A-Z]', c: '[0-9A-Z]' };
  const pattern = structure.replace(
    /(\d+)([nac])/g,
    (_, length, kind) => `${classes[kind]}{${length}}`,
  );
  return fc.stringMatching(new RegExp(`^${pattern}$`)).map((account) => {
    const digits = 98n - ibanRemainder(`${country}00${account}`);
    return `${country}${String(digits).padStart(2, '0')}${account}`;
  });
});

describe('IBAN', () => {
  test('examples of the registry are accepted, with spaces and in small letters', () => {
    for (const iban of [
      ...['DE89 3704 0044 0532 0130 00', 'GB29 NWBK 6016 1331 9268 19', 'NO93 8601 1117 947'],
      ...['FR14 2004 1010 0505 0001 3M02 606', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
      ...['BR18 0036 0305 0000 1000 9795 493C 1', 'LC55 HEMM 0001 0001 0012 0012 0002 3015'],
    ]) {
      assert.equal(canonicalIban(iban.toLowerCase()), iban.replaceAll(' ', ''), iban);
    }
  });

  test('any account with its check digits is accepted, with one digit or letter changed refused', () => {
    fc.assert(
      fc.property(anyIban, fc.nat(), fc.nat(), (iban, place, shift) => {
        assert.equal(canonicalIban(iban), iban);
        assert.equal(
          canonicalIban(changed(iban, place, shift, alphabetAt(iban, place))),
          undefined,
        );
        assert.equal(canonicalIban(`${iban}0`), undefined);
        assert.equal(canonicalIban(iban.slice(0, -1)), undefined);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('a country without IBANs has none, and only some are in SEPA', () => {
    for (const iban of ['', 'US89370400440532013000', 'DE', 'DE8937040044053201300', 'ÄE89']) {
      assert.equal(canonicalIban(iban), undefined, iban);
    }
    assert.ok(isSepaIban('DE89370400440532013000'));
    assert.ok(!isSepaIban('BR1800360305000010009795493C1'));
  });
});

test('a BIC has 8 or 11 characters and a country', () => {
  for (const bic of ['DEUTDEFF', 'DEUTDEFF500', 'NWBKGB2L', 'deutdeff', 'NCBVXKPR', 'E097AEXX']) {
    assert.equal(canonicalBic(bic), bic.toUpperCase());
  }
  for (const bic of ['', 'DEUTDE', 'DEUTDEF', 'DEUTDEFF5', 'DEUTZZFF', 'DEUTD3FF', 'DEUT DEFF']) {
    assert.equal(canonicalBic(bic), undefined, bic);
  }
});

describe('CPF and CNPJ', () => {
  test('known numbers are accepted with and without punctuation', () => {
    assert.equal(canonicalTaxId('529.982.247-25'), '52998224725');
    assert.equal(canonicalTaxId('11144477735'), '11144477735');
    assert.equal(canonicalTaxId('00.000.000/0001-91'), '00000000000191');
    assert.equal(canonicalTaxId('11222333000181'), '11222333000181');
    // With letters: the example of Receita Federal.
    assert.equal(canonicalTaxId('12.ABC.345/01DE-35'), '12ABC34501DE35');
  });

  test('what has wrong digits, or is of one digit only, is refused', () => {
    for (const text of [
      ...['', '52998224726', '5299822472', '529982247250', '11111111111', '00000000000000'],
      ...['11222333000182', '529-982-247.25', '12ABC34501DE3A', '١٢٣٤٥٦٧٨٩٠١'],
    ]) {
      assert.equal(canonicalTaxId(text), undefined, text);
    }
  });

  test('any CPF with its check digits is accepted, with one digit changed refused', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), fc.nat(), fc.nat(), (base, place, shift) => {
        const cpf = base + cpfCheckDigits(base);
        fc.pre(new Set(cpf).size > 1);
        assert.equal(canonicalCpf(cpf), cpf);
        assert.equal(canonicalCpf(changed(cpf, place, shift, DIGITS)), undefined);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('any CNPJ with its check digits is accepted, with a check digit changed refused', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9A-Z]{12}$/),
        fc.nat(1),
        fc.nat(),
        (base, place, shift) => {
          const cnpj = base + cnpjCheckDigits(base);
          fc.pre(new Set(cnpj).size > 1);
          assert.equal(canonicalCnpj(cnpj), cnpj);
          assert.equal(canonicalCnpj(changed(cnpj, 12 + place, shift, DIGITS)), undefined);
        },
      ),
      { numRuns: 500, seed: 1 },
    );
  });
});

test('a Pix key is a tax number, an e-mail address, a telephone of Brazil or a random key', () => {
  const same = ['52998224725', 'ana@example.com.br', '+5511987654321', '+551132654321'];
  for (const key of [...same, '123e4567-e89b-12d3-a456-426614174000']) {
    assert.equal(canonicalPixKey(key), key);
  }
  assert.equal(canonicalPixKey('529.982.247-25'), '52998224725');
  assert.equal(canonicalPixKey('ANA@example.com.br'), 'ana@example.com.br');
  for (const key of [
    ...['', '52998224726', '11987654321', '+4915112345678', '+5501987654321', '+55119876543'],
    ...['123e4567-e89b-12d3-a456-42661417400', 'ana@', `${'a'.repeat(60)}@${'b'.repeat(20)}.br`],
  ]) {
    assert.equal(canonicalPixKey(key), undefined, key);
  }
});

test('a memo of Stellar fits its type', () => {
  for (const [memo, type] of [
    ['order 12', 'text'],
    ['é'.repeat(14), 'text'],
    ['0', 'id'],
    [String(2n ** 64n - 1n), 'id'],
    ['0a'.repeat(32), 'hash'],
    ['0A'.repeat(32), 'return'],
  ] as const) {
    assert.equal(memoFault(memo, type), undefined, memo);
  }
  for (const [memo, type] of [
    ['', 'text'],
    ['é'.repeat(15), 'text'],
    ['-1', 'id'],
    ['01', 'id'],
    [String(2n ** 64n), 'id'],
    ['0a'.repeat(31), 'hash'],
    ['zz'.repeat(32), 'return'],
  ] as const) {
    assert.ok(memoFault(memo, type) !== undefined, memo);
  }
});
