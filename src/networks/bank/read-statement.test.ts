import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { statementBytes, statementXml } from '#test/fakes/bank-statement.ts';
import { amountToFixedText } from './fixed-amount.ts';
import { readStatements } from './read-statement.ts';
import { readXml, XML_BYTES_MAX } from './read-xml.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const honest = statementXml({ entries: [{ cents: 12_345n, servicerReference: 'A1' }] });

function readAmount(text: string): bigint | undefined {
  try {
    const entries = [{ cents: 0n, amount: text }];
    return readStatements(statementBytes({ entries }))[0]?.entries[0]?.units;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return undefined;
  }
}

describe('statements', () => {
  test('give every amount exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (cents) => {
        assert.equal(readAmount(amountToFixedText(cents)), cents);
      }),
    );
  });

  test('give amounts with fewer digits, zeros in front and behind, and nothing else', () => {
    const table: readonly (readonly [string, bigint | undefined])[] = [
      ['1', 100n],
      ['1.', 100n],
      ['1.5', 150n],
      ['001.50000', 150n],
      ['.5', undefined],
      ['+1', undefined],
      ['1.505', undefined],
      ['1 000', undefined],
      ['0x10', undefined],
      ['NaN', undefined],
      ['', undefined],
      ['1234567890123456789', undefined],
    ];
    for (const [text, units] of table) assert.equal(readAmount(text), units, text);
  });

  test('that are damaged anywhere are refused or read, and never anything else', () => {
    const at = fc.nat(honest.length);
    const piece = fc.constantFrom(
      '',
      '<',
      '>',
      '&',
      '"',
      '</Ntry>',
      '<Ntry>',
      '<!--',
      ']]>',
      '\0',
      'é',
    );
    fc.assert(
      fc.property(at, fc.nat(30), piece, (start, length, inserted) => {
        const text = honest.slice(0, start) + inserted + honest.slice(start + length);
        try {
          readStatements(encode(text));
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('that are any bytes at all are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.throws(() => readStatements(bytes), Refusal);
      }),
    );
  });

  test('hold no document type, however it is written, and no bomb', () => {
    const bombs = [
      '<!DOCTYPE a [<!ENTITY b "c">]>',
      '<!doctype a>',
      '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd">',
      '<!DOCTYPE a [<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;]>',
    ];
    for (const bomb of bombs) {
      const text = honest.replace('<Document', `${bomb}<Document`);
      assert.throws(() => readStatements(encode(text)), /document type/);
    }
    assert.throws(() => readXml(new Uint8Array(XML_BYTES_MAX + 1)), /longer than/);
    const deep = `<a xmlns="urn:x">${'<b>'.repeat(60)}${'</b>'.repeat(60)}</a>`;
    assert.throws(() => readXml(encode(deep)), /nested too deep/);
  });
});
