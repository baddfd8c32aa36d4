import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ibanRemainder } from '#people/iban.ts';
import {
  creditorReference,
  findCreditorReferences,
  findTransferIds,
  transferReference,
} from './bank-references.ts';

const short = fc.bigInt({ min: 0n, max: 10n ** 11n - 1n });
const long = fc.bigInt({ min: 10n ** 14n, max: 10n ** 15n - 1n });
const index = fc.oneof(short, long);

describe('references of payments by bank', () => {
  test('are creditor references of ISO 11649, whose remainder is 1 as that of its example', () => {
    assert.equal(ibanRemainder('RF18539007547034'), 1n);
    fc.assert(
      fc.property(index, (number) => {
        const reference = creditorReference(number);
        assert.match(reference, number < 10n ** 11n ? /^RF\d{2}Q\d{11}$/ : /^RF\d{2}Q\d{15}$/);
        assert.equal(ibanRemainder(reference), 1n);
      }),
    );
  });

  test('are found in any case, with spaces anywhere, between other words', () => {
    const gap = fc.constantFrom('', '', ' ', '\n', '  ');
    const words = fc.constantFrom('', 'Order 7 ', 'SVWZ+', 'RF ', 'invoice Q12, ');
    fc.assert(
      fc.property(
        fc.tuple(index, fc.array(gap, { minLength: 20, maxLength: 20 }), words),
        ([number, gaps, before]) => {
          const reference = creditorReference(number);
          const spread = Array.from(reference, (letter, at) => letter + gaps[at]).join('');
          const text = `${before}${spread.toLowerCase()} thanks`;
          assert.deepEqual(findCreditorReferences(text), [reference]);
        },
      ),
    );
  });

  test('are not found when one digit is another, or two have changed places', () => {
    fc.assert(
      fc.property(short, fc.nat(12), fc.integer({ min: 1, max: 9 }), (number, place, step) => {
        const digits = [...creditorReference(number).replaceAll(/\D/g, '')].map(Number);
        const wrong = digits.with(place, ((digits[place] ?? 0) + step) % 10);
        const text = (all: readonly number[]) =>
          `RF${all.slice(0, 2).join('')}Q${all.slice(2).join('')}`;
        assert.deepEqual(findCreditorReferences(text(wrong)), []);
        const next = (place + 1) % 13;
        const swapped = digits.with(place, digits[next] ?? 0).with(next, digits[place] ?? 0);
        const isSame = swapped.join('') === digits.join('');
        if (next > place)
          assert.equal(findCreditorReferences(text(swapped)).length, isSame ? 1 : 0);
      }),
    );
  });

  test('of fifteen digits are not found either when one is another or two changed places', () => {
    fc.assert(
      fc.property(long, fc.nat(16), fc.integer({ min: 1, max: 9 }), (number, place, step) => {
        const digits = [...creditorReference(number).replaceAll(/\D/g, '')].map(Number);
        const wrong = digits.with(place, ((digits[place] ?? 0) + step) % 10);
        const text = `RF${wrong.slice(0, 2).join('')}Q${wrong.slice(2).join('')}`;
        assert.deepEqual(findCreditorReferences(text), []);
        const next = (place + 1) % 17;
        const swapped = digits.with(place, digits[next] ?? 0).with(next, digits[place] ?? 0);
        const other = `RF${swapped.slice(0, 2).join('')}Q${swapped.slice(2).join('')}`;
        if (swapped.join('') !== digits.join(''))
          assert.deepEqual(findCreditorReferences(other), []);
      }),
    );
  });

  test('are never the beginning of longer ones, and numbers after them do not hide them', () => {
    fc.assert(
      fc.property(long, fc.bigInt({ min: 0n, max: 10n ** 10n - 1n }), (number, other) => {
        const reference = creditorReference(number);
        const broken = `${reference.slice(0, 16)}\n  ${reference.slice(16)}`;
        assert.deepEqual(findCreditorReferences(broken), [reference]);
        const old = creditorReference(other);
        assert.deepEqual(findCreditorReferences(`${old}\n  2026`), [old]);
        assert.deepEqual(findCreditorReferences(`${old} 2026`), []);
      }),
    );
  });

  test('are all found, each once', () => {
    const [one, other] = [creditorReference(1n), creditorReference(2n)];
    assert.deepEqual(findCreditorReferences(`${one} ${other} ${one}`), [one, other]);
    assert.deepEqual(findCreditorReferences(`${one}1`), []);
    assert.deepEqual(findCreditorReferences(''), []);
  });
});

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const ids = fc.string({ unit: fc.constantFrom(...letters), minLength: 12, maxLength: 12 });

test('the reference of a transfer has sixteen capitals and digits and names it again', () => {
  assert.equal(transferReference('abcdefghij12'), 'QTABCDEFGHIJ12YS');
  fc.assert(
    fc.property(ids, (id) => {
      const reference = transferReference(id);
      assert.match(reference, /^QT[A-Z0-9]{14}$/);
      for (const text of [reference, reference.toLowerCase(), `(${reference}) refund`]) {
        assert.deepEqual(findTransferIds(text), [id]);
      }
      assert.deepEqual(findCreditorReferences(reference), []);
    }),
  );
});

test('it is found wherever a bank breaks the line, and not with another character beside it', () => {
  fc.assert(
    fc.property(ids, fc.nat(15), fc.constantFrom(' ', '\n', '  '), (id, at, gap) => {
      const reference = transferReference(id);
      const broken = reference.slice(0, at) + gap + reference.slice(at);
      assert.deepEqual(findTransferIds(`Refund, ${broken}.`), [id]);
      assert.deepEqual(findTransferIds(`X${reference}`), []);
      assert.deepEqual(findTransferIds(`${reference}X`), []);
    }),
  );
});

test('a slip of one character, or two that changed places, is no reference', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 2, max: 15 }), fc.nat(35), (id, at, other) => {
      const reference = transferReference(id);
      const slip = (letters[other] ?? '').toUpperCase();
      const changed = reference.slice(0, at) + slip + reference.slice(at + 1);
      if (changed !== reference) assert.deepEqual(findTransferIds(changed), []);
      const [one = '', two = ''] = [reference[at], reference[at + 1]];
      const turned = reference.slice(0, at) + two + one + reference.slice(at + 2);
      if (two !== '' && turned !== reference) assert.deepEqual(findTransferIds(turned), []);
    }),
    { numRuns: 1000 },
  );
});

test('two transfers in one text are two', () => {
  const text = `${transferReference('aaaaaaaaaaaa')} ${transferReference('bbbbbbbbbbbb')}`;
  assert.deepEqual(findTransferIds(text), ['aaaaaaaaaaaa', 'bbbbbbbbbbbb']);
});
