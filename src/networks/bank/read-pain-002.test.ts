import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { transferReference } from './bank-references.ts';
import { readPain002, statusOfTransfer } from './read-pain-002.ts';

const ONE = 'aaaaaaaaaaaa';
const OTHER = 'bbbbbbbbbbbb';
const FILE = 'QT-m1';

type Said = {
  readonly code?: string;
  readonly reason?: string;
  readonly lines?: readonly string[];
};

function reasonXml({ reason, lines = [] }: Said): string {
  if (reason === undefined && lines.length === 0) return '';
  const code = reason === undefined ? '' : `<Rsn><Cd>${reason}</Cd></Rsn>`;
  return `<StsRsnInf>${code}${lines.map((line) => `<AddtlInf>${line}</AddtlInf>`).join('')}</StsRsnInf>`;
}

function reportXml({
  version = '10',
  messageId = FILE,
  group = {},
  payment,
  transfers = [],
}: {
  readonly version?: string;
  readonly messageId?: string;
  readonly group?: Said;
  readonly payment?: Said;
  readonly transfers?: readonly (Said & { readonly id: string })[];
}): string {
  const status = (name: string, { code, ...said }: Said) =>
    (code === undefined ? '' : `<${name}>${code}</${name}>`) + reasonXml(said);
  const list = transfers.map(
    ({ id, ...said }) =>
      `<TxInfAndSts><StsId>1</StsId><OrgnlInstrId>${transferReference(id)}</OrgnlInstrId><OrgnlEndToEndId>${transferReference(id)}</OrgnlEndToEndId>${status('TxSts', said)}</TxInfAndSts>`,
  );
  const inner =
    payment === undefined && list.length === 0
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${status('PmtInfSts', payment ?? {})}${list.join('')}</OrgnlPmtInfAndSts>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>
 <GrpHdr><MsgId>B-1</MsgId><CreDtTm>2026-11-23T10:00:00Z</CreDtTm></GrpHdr>
 <OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
  ${status('GrpSts', group)}</OrgnlGrpInfAndSts>
 ${inner}
</CstmrPmtStsRpt></Document>`;
}

const read = (xml: string) => readPain002(new TextEncoder().encode(xml));
const said = (xml: string, id = ONE) => {
  const found = statusOfTransfer(read(xml), FILE, id);
  return (
    found && [
      found.verdict,
      found.code,
      ...found.reasons.map(({ code, text }) => `${code} ${text}`),
    ]
  );
};

describe('a status report', () => {
  const table: readonly (readonly [string, Parameters<typeof reportXml>[0], unknown])[] = [
    ['of a file that was read', { group: { code: 'ACTC' } }, ['ACCEPTED', 'ACTC']],
    ['of a file whose customer is known', { group: { code: 'ACCP' } }, ['ACCEPTED', 'ACCP']],
    ['of a file that waits', { group: { code: 'PDNG' } }, ['PENDING', 'PDNG']],
    [
      'of a file that was refused',
      { group: { code: 'RJCT', reason: 'DU01', lines: ['Duplicate', 'file'] } },
      ['REJECTED', 'RJCT', 'DU01 Duplicate file'],
    ],
    [
      'of a payment that was refused',
      { group: { code: 'PART' }, payment: { code: 'RJCT', reason: 'AM04' } },
      ['REJECTED', 'RJCT', 'AM04 undefined'],
    ],
    [
      'of a transfer that was refused in a file that was accepted in part',
      {
        group: { code: 'PART' },
        payment: { code: 'PART' },
        transfers: [{ id: ONE, code: 'RJCT', reason: 'AC04', lines: ['closed'] }],
      },
      ['REJECTED', 'RJCT', 'AC04 closed'],
    ],
    [
      'of a transfer that left',
      { group: { code: 'PART' }, transfers: [{ id: ONE, code: 'ACSC' }] },
      ['EXECUTED', 'ACSC'],
    ],
    [
      'of another transfer in a file that was accepted in part',
      {
        group: { code: 'PART' },
        payment: { code: 'PART' },
        transfers: [{ id: OTHER, code: 'RJCT' }],
      },
      undefined,
    ],
    [
      'of another transfer in a file that was accepted',
      { group: { code: 'ACCP' }, transfers: [{ id: OTHER, code: 'RJCT' }] },
      ['ACCEPTED', 'ACCP'],
    ],
    ['of nothing', {}, undefined],
    ['with a code that nobody knows', { group: { code: 'ZZZZ' } }, ['PENDING', 'ZZZZ']],
    ['of another file', { messageId: 'QT-m2', group: { code: 'RJCT' } }, undefined],
    ['of the version before', { version: '03', group: { code: 'RJCT' } }, ['REJECTED', 'RJCT']],
  ];
  for (const [name, report, expected] of table) {
    test(`${name} says ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(said(reportXml(report)), expected);
    });
  }

  test('gives every transfer with its own status and reasons', () => {
    const xml = reportXml({
      group: { code: 'PART' },
      transfers: [
        { id: ONE, code: 'ACSP' },
        { id: OTHER, code: 'RJCT', reason: 'BE04', lines: ['no town'] },
      ],
    });
    const [payment] = read(xml).payments;
    assert.deepEqual(
      payment?.transfers.map(({ endToEndId, transferId, status }) => [
        endToEndId,
        transferId,
        status?.code,
      ]),
      [
        [transferReference(ONE), ONE, 'ACSP'],
        [transferReference(OTHER), OTHER, 'RJCT'],
      ],
    );
    assert.deepEqual(payment?.transfers[1]?.status?.reasons, [{ code: 'BE04', text: 'no town' }]);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'that tells a transfer twice',
      reportXml({
        transfers: [
          { id: ONE, code: 'RJCT' },
          { id: ONE, code: 'ACSC' },
        ],
      }),
      /told twice/,
    ],
    [
      'of direct debits',
      reportXml({ group: { code: 'RJCT' } }).replace('pain.001.001.09<', 'pain.008.001.08<'),
      /about pain.008/,
    ],
    ['that is a statement', reportXml({}).replace('pain.002', 'camt.053'), /no pain.002/],
    [
      'without its file',
      reportXml({}).replace(/<OrgnlMsgId>.*?<\/OrgnlMsgId>/, ''),
      /<OrgnlMsgId> is missing/,
    ],
    [
      'with two states of one thing',
      reportXml({ group: { code: 'RJCT' } }).replace('<GrpSts>', '<GrpSts>ACCP</GrpSts><GrpSts>'),
      /stands twice/,
    ],
    [
      'with a document type',
      reportXml({}).replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'),
      /document type/,
    ],
    ['whose state is a text', reportXml({ group: { code: 'rejected, sorry' } }), /is no code/],
  ];
  for (const [name, xml, sentence] of refused) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => said(xml),
        (error) => error instanceof Refusal && sentence.test(error.details.join()),
      );
    });
  }

  test('that is damaged anywhere is refused or read, and never anything else', () => {
    const honest = reportXml({
      group: { code: 'PART' },
      transfers: [{ id: ONE, code: 'RJCT', reason: 'AC04' }],
    });
    const piece = fc.constantFrom(
      '',
      '<',
      '>',
      '&',
      '"',
      '</TxSts>',
      '<TxInfAndSts>',
      ']]>',
      '\0',
      'é',
    );
    fc.assert(
      fc.property(fc.nat(honest.length), fc.nat(30), piece, (start, length, inserted) => {
        const text = honest.slice(0, start) + inserted + honest.slice(start + length);
        try {
          statusOfTransfer(read(text), FILE, ONE);
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});
