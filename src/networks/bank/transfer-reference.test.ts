import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCreditorReferences } from './creditor-reference.ts';
import { findTransferIds, transferReference } from './transfer-reference.ts';

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
