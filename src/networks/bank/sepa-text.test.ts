import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { sepaText } from './sepa-text.ts';

const table: readonly (readonly [given: string, written: string])[] = [
  ['Müller & Söhne GmbH', 'Muller + Sohne GmbH'],
  ['Łódź Ægir Œuvre Straße', 'Lodz AEgir OEuvre Strasse'],
  ['Þór Guðmundsson', 'Thor Gudmundsson'],
  ['Παπαδόπουλος Θάνος', 'Papadopoulos Thanos'],
  ['Георги Йорданов Щерев', 'Georgi Iordanov Shterev'],
  ['O’Brien “Bar” – shop@example', "O'Brien 'Bar' - shop(at)example"],
  ['two\nlines\t and   spaces ', 'two lines and spaces'],
  ['€ 5_x [a] {b} <c> ; \\', 'E 5-x (a) (b) (c) , /'],
  ['ﬁne Ⅳ', 'fine IV'],
];
for (const [given, written] of table) {
  test(`${JSON.stringify(given)} is told to banks as ${JSON.stringify(written)}`, () => {
    assert.equal(sepaText(given, 'holder'), written);
  });
}

test('what has no form in Latin letters is refused with the letters and what to do', () => {
  for (const text of ['山田太郎', 'محمد', 'a\u0000b', '😀 shop', 'שלום']) {
    assert.throws(() => sepaText(text, 'holder'), /holder: banks have no letter for .*Latin/);
  }
});

test('whatever is given is written in the letters of SEPA or refused, and stays as it is', () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const written = sepaText(text, 'text');
        assert.match(written, /^[A-Za-z0-9/\-?:().,'+ ]*$/);
        assert.equal(sepaText(written, 'text'), written);
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
      }
    }),
    { numRuns: 1000 },
  );
});
