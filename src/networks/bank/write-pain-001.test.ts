import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { OTHER_IBAN, OUR_IBAN } from '#test/fakes/bank-statement.ts';
import { pain001Faults } from '#test/support/pain-001-schema.ts';
import type { BankAccount } from './bank-account.ts';
import { transferReference } from './bank-references.ts';
import { type BankOrder, type BankOrderFile, sepaText, writePain001 } from './write-pain-001.ts';

const FROM: BankAccount = {
  network: 'SEPA',
  account: OUR_IBAN,
  holder: 'Quittance Test GmbH',
  bic: 'COBADEFFXXX',
  currencies: ['EUR'],
  pix: undefined,
};

const ORDER: BankOrder = {
  transferId: 'abcdefghij12',
  units: 1050n,
  currency: 'EUR',
  account: { iban: OTHER_IBAN, holder: 'Léna Exámple' },
  text: 'Refund of order 7',
};

const FILE: BankOrderFile = {
  messageId: 'QT-m1',
  createdAt: Temporal.Instant.from('2026-11-22T10:11:12.345Z'),
  executeOn: Temporal.PlainDate.from('2026-11-23'),
  from: FROM,
  orders: [ORDER],
};

const write = (order: Partial<BankOrder>) =>
  writePain001({ ...FILE, orders: [{ ...ORDER, ...order }] });

const ids = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 12,
  maxLength: 12,
});
/** Mostly such as a bank can be told. */
const texts = fc.oneof(
  { weight: 40, arbitrary: fc.string({ minLength: 1, maxLength: 100 }) },
  { weight: 40, arbitrary: fc.constantFrom('Müller & Söhne', 'Παπαδόπουλος', 'Щерев', ']]></Nm>') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 140 }) },
);
const orders = fc.uniqueArray(
  fc.record({
    transferId: ids,
    units: fc.bigInt({ min: 1n, max: 99_999_999_999n }),
    currency: fc.constant('EUR'),
    account: fc.record(
      {
        iban: fc.constantFrom(OTHER_IBAN, 'NL91ABNA0417164300', 'MT84MALT011000012345MTLCAST001S'),
        holder: texts,
        bic: fc.constantFrom('ABNANL2A', 'BNPAFRPPXXX'),
      },
      { requiredKeys: ['iban', 'holder'] },
    ),
    text: fc.option(texts, { nil: undefined }),
  }),
  { selector: ({ transferId }) => transferId, minLength: 1, maxLength: 8 },
);

describe('a file of orders', () => {
  test('is one payment of many transfers, each with its reference, exact to the cent', () => {
    const second = { ...ORDER, transferId: 'bbbbbbbbbbbb', units: 1n, text: undefined };
    const xml = writePain001({ ...FILE, orders: [ORDER, second] });
    assert.deepEqual(pain001Faults(xml), []);
    const text = (name: string) =>
      [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, one]) => one);
    const references = [ORDER, second].map(({ transferId }) => transferReference(transferId));
    assert.deepEqual(text('EndToEndId'), references);
    assert.deepEqual(text('InstdAmt'), ['10.50', '0.01']);
    assert.deepEqual(text('CtrlSum'), ['10.51', '10.51']);
    assert.deepEqual(text('NbOfTxs'), ['2', '2']);
    assert.deepEqual(text('IBAN'), [OUR_IBAN, OTHER_IBAN, OTHER_IBAN]);
    assert.deepEqual(text('BICFI'), ['COBADEFFXXX']);
    assert.deepEqual(text('Nm'), [FROM.holder, FROM.holder, 'Lena Example', 'Lena Example']);
    assert.deepEqual(text('Ustrd'), [`${references[0]} Refund of order 7`, references[1]]);
    assert.deepEqual([text('MsgId'), text('PmtInfId')], [['QT-m1'], ['QT-m1']]);
    assert.deepEqual([text('CreDtTm'), text('Dt')], [['2026-11-22T10:11:12Z'], ['2026-11-23']]);
    assert.deepEqual(text('BtchBookg'), ['false']);
  });

  test('is what the schema asks for, whatever the names and texts are, or is refused', () => {
    let written = 0;
    fc.assert(
      fc.property(orders, fc.boolean(), (given, hasBic) => {
        const from = { ...FROM, bic: hasBic ? FROM.bic : undefined };
        try {
          const xml = writePain001({ ...FILE, from, orders: given });
          assert.deepEqual(pain001Faults(xml), []);
          const sum = given.reduce((total, { units }) => total + units, 0n);
          const digits = String(sum).padStart(3, '0');
          const shown = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
          assert.ok(xml.includes(`<CtrlSum>${shown}</CtrlSum>`));
          written += 1;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(written > 100, `${written} files were written`);
  });

  test('of the same transfers says the same but for its name: a bank knows the references again', () => {
    const again = writePain001({ ...FILE, messageId: 'QT-m2' });
    assert.equal(again.replaceAll('QT-m2', 'QT-m1'), writePain001(FILE));
  });

  const refused: readonly (readonly [string, Partial<BankOrder>, RegExp])[] = [
    ['nothing', { units: 0n }, /abcdefghij12: the amount is not between 0.01 and/],
    ['a billion', { units: 100_000_000_000n }, /the amount is not between/],
    ['dollars', { currency: 'USD' }, /SEPA sends euro alone/],
    ['no IBAN', { account: { holder: 'Lena' } }, /no IBAN of a SEPA country/],
    [
      'an IBAN with a slip',
      { account: { iban: OTHER_IBAN.replace('41', '14'), holder: 'Lena' } },
      /no IBAN/,
    ],
    [
      'an IBAN outside SEPA',
      { account: { iban: 'BR1800360305000010009795493C1', holder: 'Lena' } },
      /no IBAN of a SEPA/,
    ],
    ['no holder', { account: { iban: OTHER_IBAN, holder: ' ' } }, /no holder/],
    ['no BIC', { account: { iban: OTHER_IBAN, holder: 'L', bic: 'X' } }, /the BIC is none/],
    ['a long text', { text: 'x'.repeat(124) }, /the text has more than 123 characters/],
    [
      'a name in Han',
      { account: { iban: OTHER_IBAN, holder: '山田' } },
      /transfer abcdefghij12: holder: banks have no letter for/,
    ],
  ];
  for (const [name, order, sentence] of refused) {
    test(`with ${name} is refused with a sentence that names the transfer`, () => {
      assert.throws(
        () => write(order),
        (error) => error instanceof Refusal && sentence.test(error.details.join()),
      );
    });
  }

  test('names every fault together, and cuts a long name only', () => {
    const bad = { ...ORDER, units: 0n, account: { holder: 'L' } };
    assert.throws(
      () => writePain001({ ...FILE, orders: [bad, { ...bad, transferId: 'bbbbbbbbbbbb' }] }),
      (error) => error instanceof Refusal && error.details.length === 4,
    );
    const xml = write({
      account: { iban: OTHER_IBAN, holder: 'n'.repeat(140) },
      text: 'x'.repeat(123),
    });
    assert.deepEqual(pain001Faults(xml), []);
    assert.ok(xml.includes(`<Nm>${'n'.repeat(70)}</Nm>`));
  });

  test('cannot be broken out of by a name or a text', () => {
    const evil = '</Nm></Cdtr><Cdtr>&amp;<![CDATA[]]><!-- " \'';
    const xml = write({ account: { iban: OTHER_IBAN, holder: evil }, text: evil });
    assert.deepEqual(pain001Faults(xml), []);
    assert.equal(xml.match(/<Cdtr>/g)?.length, 1);
  });
});

describe('the table of the schema', () => {
  const xml = writePain001(FILE);
  const changes: readonly (readonly [string, string, string])[] = [
    [
      'an element in another place',
      '<PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>',
      '<BtchBookg>false</BtchBookg><PmtMtd>TRF</PmtMtd>',
    ],
    ['one that is missing', '<PmtMtd>TRF</PmtMtd>', ''],
    ['one twice', '<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><PmtMtd>TRF</PmtMtd>'],
    ['one that is unknown', '<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><Odd/>'],
    [
      'the date of the version before',
      '<ReqdExctnDt><Dt>2026-11-23</Dt></ReqdExctnDt>',
      '<ReqdExctnDt>2026-11-23</ReqdExctnDt>',
    ],
    ['the BIC of the version before', 'BICFI>', 'BIC>'],
    ['a float', '10.50', '10.499999'],
    ['a name that is too long', 'Lena Example', 'n'.repeat(71)],
    ['another version', 'pain.001.001.09', 'pain.001.001.03'],
  ];
  for (const [name, one, other] of changes) {
    test(`sees ${name}`, () => {
      assert.ok(xml.includes(one), one);
      assert.notDeepEqual(pain001Faults(xml.replaceAll(one, other)), []);
    });
  }
});

describe('a file of orders by SWIFT', () => {
  const from: BankAccount = { ...FROM, network: 'SWIFT', currencies: ['USD', 'EUR'] };
  const account = {
    accountNumber: '12345678',
    bic: 'CHASUS33',
    holder: 'Ann Example',
    address: '1 Main Street, Floor 2, Springfield, us',
  };
  const order: BankOrder = { ...ORDER, currency: 'USD', account };
  const swift = (changes: Partial<BankOrder>) =>
    writePain001({ ...FILE, from, orders: [{ ...order, ...changes }] });

  test('is of no service level of SEPA, we bear the charges, town and country stand apart', () => {
    const xml = swift({});
    assert.deepEqual(pain001Faults(xml), []);
    for (const part of [
      '<SvcLvl><Cd>NURG</Cd></SvcLvl>',
      '<ChrgBr>DEBT</ChrgBr>',
      '<InstdAmt Ccy="USD">10.50</InstdAmt>',
      '<CdtrAgt><FinInstnId><BICFI>CHASUS33</BICFI></FinInstnId></CdtrAgt>',
      '<Cdtr><Nm>Ann Example</Nm><PstlAdr><TwnNm>Springfield</TwnNm><Ctry>US</Ctry><AdrLine>1 Main Street, Floor 2</AdrLine></PstlAdr></Cdtr>',
      '<CdtrAcct><Id><Othr><Id>12345678</Id></Othr></Id></CdtrAcct>',
    ]) {
      assert.ok(xml.includes(part), part);
    }
  });

  test('names an IBAN as one', () => {
    const { accountNumber: _, ...more } = account;
    const xml = swift({ account: { ...more, iban: OTHER_IBAN }, currency: 'EUR' });
    assert.deepEqual(pain001Faults(xml), []);
    assert.ok(xml.includes(`<CdtrAcct><Id><IBAN>${OTHER_IBAN}</IBAN></Id></CdtrAcct>`));
  });

  const { bic: _, ...withoutBic } = account;
  const refused: readonly (readonly [string, Partial<BankOrder>, RegExp])[] = [
    ['with no country', { account: { ...account, address: '1 Main St, Town' } }, /send show$/],
    ['with a country that is none', { account: { ...account, address: 'Town, XX' } }, /send show$/],
    ['with no BIC', { account: withoutBic }, /has no BIC$/],
    ['in a currency that the account has not', { currency: 'GBP' }, /SWIFT sends USD, EUR alone$/],
  ];
  for (const [name, changes, expected] of refused) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => swift(changes),
        (error: unknown) =>
          error instanceof Refusal && error.details.some((detail) => expected.test(detail)),
      );
    });
  }

  test('is what the schema asks for, whatever the address is, or is refused', () => {
    fc.assert(
      fc.property(texts, texts, fc.constantFrom('US', 'de', 'ZZ', ''), (street, town, country) => {
        const address = [street, town, country].join(', ');
        try {
          assert.deepEqual(pain001Faults(swift({ account: { ...account, address } })), []);
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});

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
