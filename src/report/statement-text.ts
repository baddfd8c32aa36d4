// The statement of an account for programs that take statements of banks: CSV as Xero and
// QuickBooks Online have it, and camt.053 of ISO 20022 (version 8). Only money of banks, whose
// amounts those programs keep exactly. Lines are told by kind and id, which are ours. Columns
// after the templates of Xero ("Import a bank statement") and of QuickBooks Online (three
// columns, a minus for money that left); elements after BankToCustomerStatementV08.

import { getAsset } from '#catalog/asset.ts';
import type { AccountStatement } from './account-statement.ts';
import { csvText } from './csv-text.ts';
import { amountText } from './journal-text.ts';
import { columns } from './report.ts';

/** Max35Text of the schema. */
const ID_LENGTH_MOST = 35;

export function xeroText({ assetId, lines }: AccountStatement): string {
  const rows = lines.map(({ occurredAt, units, kind, subjectId, entry, position }) => ({
    '*Date': dayOf(occurredAt),
    '*Amount': amountText(assetId, units),
    Payee: '',
    Description: kind,
    Reference: `${subjectId ?? ''} ${entry}-${position}`.trim(),
    'Check Number': '',
  }));
  const amounts = columns('*Date', '*Amount*', 'Payee', 'Description', 'Reference', 'Check Number');
  return csvText(amounts, rows);
}

export function quickBooksText({ assetId, lines }: AccountStatement): string {
  const rows = lines.map(({ occurredAt, units, kind, subjectId, entry, position }) => {
    const [year, month, day] = dayOf(occurredAt).split('-');
    return {
      Date: `${month}/${day}/${year}`,
      Description: [kind, subjectId, `${entry}-${position}`]
        .filter((one) => one !== null)
        .join(' '),
      Amount: amountText(assetId, units),
    };
  });
  return csvText(columns('Date', 'Description', 'Amount*'), rows);
}

export function camt053Text(statement: AccountStatement): string {
  const { account, assetId, openingUnits, closingUnits, lines, writtenAt } = statement;
  const { assetCode } = getAsset(assetId);
  const money = (units: bigint) =>
    `<Amt Ccy="${assetCode}">${amountText(assetId, units < 0n ? -units : units)}</Amt>` +
    `<CdtDbtInd>${units < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (type: string, units: bigint, at: Temporal.Instant) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(units)}${date('Dt', at)}</Bal>`;
  const first = lines[0]?.occurredAt ?? writtenAt;
  const last = lines.at(-1)?.occurredAt ?? writtenAt;
  // Of two that begin alike each has an id of its own: whoever imports them tells them apart by it.
  const numbers = `${lines[0]?.entry ?? 0n}-${lines.at(-1)?.entry ?? 0n}`;
  const id = `${account}-${assetCode}-${numbers}`.slice(0, ID_LENGTH_MOST);
  const created = `<CreDtTm>${writtenAt.round('second')}</CreDtTm>`;
  const entries = lines
    .filter(({ units }) => units !== 0n)
    .map(({ entry, position, occurredAt, kind, subjectId, units }) => {
      const booked = `<Sts><Cd>BOOK</Cd></Sts>${date('BookgDt', occurredAt)}${date('ValDt', occurredAt)}`;
      const text = plain([kind, subjectId].filter((one) => one !== null).join(' '));
      return `<Ntry>${money(units)}${booked}<AcctSvcrRef>${entry}-${position}</AcctSvcrRef>
<BkTxCd><Prtry><Cd>${plain(kind).slice(0, 35)}</Cd></Prtry></BkTxCd>
<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>${id}</MsgId>${created}</GrpHdr>
<Stmt><Id>${id}</Id>${created}
<Acct><Id><Othr><Id>${account}-${assetCode}</Id></Othr></Id><Ccy>${assetCode}</Ccy></Acct>
${balance('OPBD', openingUnits, first)}
${balance('CLBD', closingUnits, last)}
${entries.map((one) => `${one}\n`).join('')}</Stmt>
</BkToCstmrStmt></Document>
`;
}

function date(name: string, at: Temporal.Instant): string {
  return `<${name}><Dt>${dayOf(at)}</Dt></${name}>`;
}

function dayOf(at: Temporal.Instant): string {
  return at.toString().slice(0, 10);
}

/** Kinds and ids are letters, digits and hyphens: nothing else can stand in a tag's text. */
function plain(text: string): string {
  const words = text.replaceAll(/[^A-Za-z0-9 -]/g, ' ').slice(0, 500);
  // The schema wants a character at least.
  return words === '' ? '-' : words;
}
