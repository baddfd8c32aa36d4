import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { creditorReference } from './bank-references.ts';
import { brCode, crc16, epcCode } from './payment-codes.ts';

const reference = creditorReference(42n);
const iban = 'DE89370400440532013000';

describe('the code for a transfer in euro (EPC069-12)', () => {
  test('has its lines in order: version 002, UTF-8, amount with cents, structured reference', () => {
    const holder = 'Fërn & Folio';
    const code = epcCode({ holder, iban, bic: 'COBADEFFXXX', units: 1_230n, reference });
    assert.deepEqual(code?.split('\n'), [
      ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', holder, iban, 'EUR12.30', '', reference],
    ]);
  });

  test('leaves out what is not known, and never an amount that does not fit', () => {
    const code = (units: bigint | undefined) =>
      epcCode({ holder: 'Fern', iban, bic: undefined, units, reference })?.split('\n');
    assert.deepEqual([code(undefined)?.[4], code(undefined)?.[7]], ['', '']);
    assert.equal(code(1n)?.[7], 'EUR0.01');
    assert.equal(code(99_999_999_999n)?.[7], 'EUR999999999.99');
    assert.deepEqual([code(0n), code(100_000_000_000n)], [undefined, undefined]);
  });

  test('holds every amount exactly, in 331 bytes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), (units) => {
        const holder = 'ß'.repeat(70);
        const code = epcCode({
          holder,
          iban: 'X'.repeat(34),
          bic: 'B'.repeat(11),
          units,
          reference,
        });
        const [, euros, cents] = /EUR(\d+)\.(\d\d)\n/.exec(code ?? '') ?? [];
        assert.equal(BigInt(`${euros}${cents}`), units);
        assert.ok(new TextEncoder().encode(code).length <= 331);
      }),
    );
  });
});

/** Fields of a BR Code, read as EMV QRCPS-MPM says. */
function readFields(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    const value = text.slice(at + 4, at + 4 + length);
    assert.equal(value.length, length, text);
    found.set(text.slice(at, at + 2), value);
    at += 4 + length;
  }
  return found;
}

describe('the code for a Pix (BR Code)', () => {
  test('ends with the checksum of the manual of the Banco Central do Brasil', () => {
    const manual =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR' +
      '5913Fulano de Tal6008BRASILIA62070503***6304';
    assert.equal(crc16(manual), '1D3D');
    // Catalogue of CRC algorithms: CRC-16/IBM-3740 (CCITT-FALSE).
    assert.equal(crc16('123456789'), '29B1');
  });

  test('says key, amount, holder, city and reference, and no more than has room', () => {
    const holder = 'José & Filhos Comércio de Livros Ltda';
    fc.assert(
      fc.property(fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n - 1n })), (units) => {
        const key = 'loja@exemplo.com.br';
        const amount = units ?? undefined;
        const code = brCode({ key, holder, city: 'São Paulo', units: amount, reference });
        assert(code !== undefined);
        assert.equal(crc16(code.slice(0, -4)), code.slice(-4));
        const found = readFields(code);
        assert.equal(readFields(found.get('26') ?? '').get('01'), key);
        assert.equal(readFields(found.get('62') ?? '').get('05'), reference);
        assert.deepEqual([found.get('53'), found.get('58')], ['986', 'BR']);
        assert.deepEqual(
          [found.get('59'), found.get('60')],
          ['Jose  Filhos Comercio de', 'Sao Paulo'],
        );
        assert.equal(found.get('54')?.replace('.', ''), units?.toString().padStart(3, '0'));
      }),
    );
  });

  test('is none for an amount that has no room', () => {
    const code = (units: bigint) =>
      brCode({ key: 'a@b.br', holder: 'A', city: 'B', units, reference });
    assert.deepEqual([code(0n), code(10n ** 13n)], [undefined, undefined]);
  });
});
