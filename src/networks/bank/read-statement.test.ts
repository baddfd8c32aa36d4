import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { statementBytes, statementXml } from '#test/fakes/bank-statement.ts';
import { amountToFixedText } from './payment-codes.ts';
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

describe('a booking of which it cannot be told what each transaction is worth', () => {
  const inFrancs = { raw: '<Amt Ccy="CHF">1.00</Amt>' };
  const returned = { raw: '<CdtDbtInd>DBIT</CdtDbtInd><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' };
  const table = [
    [
      'whose fees the bank kept',
      [{ cents: 150n }, { cents: 50n }],
      'its transactions do not add up to it',
    ],
    ['without amounts of their own', [{}, {}], 'a transaction of it has no amount'],
    ['of another currency', [{ cents: 95n }, inFrancs], 'it holds CHF beside EUR'],
    [
      'of both sides',
      [{ cents: 295n }, { cents: 100n, ...returned }],
      'it holds credits and debits',
    ],
  ] as const;
  for (const [name, transactions, unusual] of table) {
    test(`transactions ${name}: it is taken whole, for nobody, and the rest as ever`, () => {
      const reference = 'RF18Q000000000000000';
      const named = transactions.map((one) => ({ structured: reference, endToEndId: 'E', ...one }));
      const entries = [{ cents: 195n, transactions: named }, { cents: 7n }];
      const [odd, plain] = readStatements(statementBytes({ entries }))[0]?.entries ?? [];
      assert.equal(odd?.unusual, unusual);
      assert.deepEqual(
        odd?.transactions.map(({ units, reference: found, endToEndId, isReturn }) => [
          units,
          found,
          endToEndId,
          isReturn,
        ]),
        [[195n, undefined, undefined, false]],
      );
      assert.equal(plain?.unusual, undefined);
      assert.deepEqual(
        plain?.transactions.map(({ units }) => units),
        [7n],
      );
    });
  }

  test('a debit with a return in it is told as one, never as a payment of ours', () => {
    const transactions = [{ isReturn: true }, {}];
    const entries = [{ cents: 195n, side: 'DBIT' as const, transactions }];
    const [odd] = readStatements(statementBytes({ entries }))[0]?.entries ?? [];
    assert.deepEqual(
      odd?.transactions.map(({ isReturn }) => isReturn),
      [true],
    );
  });
});

describe('files', () => {
  const plain = readStatements(encode(honest));

  test('in an envelope of another namespace are read, and two documents in one are not', () => {
    const document = honest.replace(/^<\?xml.*\n/, '');
    const wrap = (inner: string) =>
      `<e:BizMsg xmlns:e="urn:example:envelope"><e:AppHdr/>${inner}</e:BizMsg>`;
    assert.deepEqual(readStatements(encode(wrap(document))), plain);
    assert.deepEqual(readStatements(encode(wrap(`<e:Body>${document}</e:Body>`))), plain);
    assert.throws(() => readStatements(encode(wrap(document + document))), /more than one/);
    assert.throws(() => readStatements(encode(wrap(''))), /none of camt/);
  });

  test('are of the letters that they declare', () => {
    const entries = [{ cents: 1n, transactions: [{ raw: '<AddtlTxInf>Café ÄÖ</AddtlTxInf>' }] }];
    const text = statementXml({ entries });
    for (const name of ['ISO-8859-1', 'iso-8859-15', 'windows-1252', 'latin1']) {
      const declared = text.replace('UTF-8', name);
      const read = readStatements(Buffer.from(declared, 'latin1'));
      assert.deepEqual(read, readStatements(encode(text)), name);
    }
    assert.throws(() => readStatements(Buffer.from(text, 'latin1')), /not UTF-8/);
    for (const name of ['UTF-16', 'EBCDIC', 'utf-7']) {
      assert.throws(() => readStatements(encode(text.replace('UTF-8', name))), /not UTF-8/);
    }
  });

  test('in a ZIP archive are read in order of their names, packed or not', () => {
    const second = statementXml({ id: 'S-2', entries: [{ cents: 5n }] });
    const archive = zip([
      { name: 'b.xml', content: encode(second), isPacked: true },
      { name: 'folder/', content: encode(''), isPacked: false },
      { name: 'a.xml', content: encode(honest), isPacked: false },
    ]);
    assert.deepEqual(readStatements(archive), [...plain, ...readStatements(encode(second))]);
  });

  test('in a damaged, too large or lying ZIP archive are refused, or read as they were', () => {
    const packed = { name: 'a.xml', content: encode(honest), isPacked: true };
    const archive = zip([packed]);
    fc.assert(
      fc.property(fc.nat(archive.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(archive);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        try {
          assert.deepEqual(readStatements(damaged), plain);
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      }),
      { numRuns: 300 },
    );
    for (let length = 4; length < archive.length; length += 7) {
      assert.throws(() => readStatements(archive.subarray(0, length)), Refusal);
    }
    const bomb = new Uint8Array(XML_BYTES_MAX + 1);
    assert.throws(() => readStatements(zip([{ ...packed, content: bomb }])), /more than may/);
    const lying = zip([{ ...packed, content: bomb }], 100);
    assert.throws(() => readStatements(lying), /damaged/);
    assert.throws(() => readStatements(zip(Array(201).fill(packed))), /201 files/);
  });
});

type Packed = { readonly name: string; readonly content: Uint8Array; readonly isPacked: boolean };

/** As the sender of a bank packs it; the length may be a lie. */
function zip(files: readonly Packed[], lengthSaid?: number): Uint8Array {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content, isPacked } of files) {
    const data = isPacked ? deflateRawSync(content) : Buffer.from(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(isPacked ? 8 : 0, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(lengthSaid ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.from('PK\x01\x02'), Buffer.of(20, 0), facts, rest, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
