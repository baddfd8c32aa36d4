// Statements of a bank that never was, written as ISO 20022 has them: the elements, their order and
// their nesting follow the message definition report (camt.053.001.02 and .08, camt.054.001.08) and
// the implementation guidelines of SIX (Swiss Payment Standards, Cash Management) and STUZZA; names,
// numbers and amounts are our own. The IBANs are the examples of the IBAN registry.

export const OUR_IBAN = 'DE89370400440532013000';
export const OTHER_IBAN = 'FR1420041010050500013M02606';

export type FakeTransaction = {
  /** In cents; left out where only the entry states it. */
  readonly cents?: bigint;
  readonly structured?: string;
  readonly unstructured?: readonly string[];
  readonly endToEndId?: string;
  readonly servicerReference?: string;
  readonly isReturn?: boolean;
  /** In place of a debtor, in `RltdPties`. */
  readonly parties?: string;
  /** Put into the transaction as it is. */
  readonly raw?: string;
};

export type FakeEntry = {
  readonly cents: bigint;
  readonly currency?: string;
  readonly side?: 'CRDT' | 'DBIT';
  readonly isReversal?: boolean;
  readonly status?: string;
  readonly bookedOn?: string;
  readonly servicerReference?: string;
  /** Instead of the amount in cents. */
  readonly amount?: string;
  /** Sub-family of the bank transaction code. */
  readonly code?: string;
  /** Put into the entry as it is. */
  readonly raw?: string;
  /** None: only the sum is shown. */
  readonly transactions?: readonly FakeTransaction[];
};

export type FakeStatement = {
  readonly kind?: '052' | '053' | '054';
  readonly version?: string;
  readonly id?: string;
  readonly sequence?: number;
  readonly iban?: string;
  readonly currency?: string;
  readonly day?: string;
  /** In cents; null: no balances are shown. */
  readonly opening?: bigint | null;
  /** Where it is not what the entries make of the opening balance. */
  readonly closing?: bigint;
  readonly entries: readonly FakeEntry[];
};

const DAY = '2026-01-02';

const FORMS = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

export function statementXml(...statements: readonly FakeStatement[]): string {
  const [first] = statements;
  const kind = first?.kind ?? '053';
  const version = first?.version ?? '08';
  const [message, part] = FORMS[kind];
  const parts = statements.map((statement) => partXml(part, { ...statement, kind, version }));
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}">
 <${message}>
  <GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-01-03T05:00:00Z</CreDtTm></GrpHdr>
${parts.join('\n')}
 </${message}>
</Document>
`;
}

export function statementBytes(...statements: readonly FakeStatement[]): Uint8Array {
  return new TextEncoder().encode(statementXml(...statements));
}

function partXml(part: string, statement: FakeStatement): string {
  const { id = 'S-1', sequence, iban = OUR_IBAN, currency = 'EUR', entries } = statement;
  const number = sequence === undefined ? '' : `<ElctrncSeqNb>${sequence}</ElctrncSeqNb>`;
  return `  <${part}>
   <Id>${id}</Id>${number}<CreDtTm>2026-01-03T05:00:00Z</CreDtTm>
   <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balances(statement)}${entries.map((entry) => entryXml(statement, entry)).join('\n')}
  </${part}>`;
}

function balances(statement: FakeStatement): string {
  const { kind, opening = 100_000n, currency = 'EUR', day = DAY, entries } = statement;
  if (kind !== '053' || opening === null) return '';
  const booked = entries.filter(({ status = 'BOOK' }) => status === 'BOOK');
  const sum = booked.reduce(
    (total, { cents, side = 'CRDT' }) => (side === 'CRDT' ? total + cents : total - cents),
    opening,
  );
  const line = (type: string, cents: bigint) =>
    `   <Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>
    <Amt Ccy="${currency}">${text(cents < 0n ? -cents : cents)}</Amt>
    <CdtDbtInd>${cents < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`;
  return line('OPBD', opening) + line('CLBD', statement.closing ?? sum);
}

function entryXml(statement: FakeStatement, entry: FakeEntry): string {
  const { version = '08', currency = 'EUR', day = DAY } = statement;
  const { cents, status = 'BOOK', side = 'CRDT', transactions = [{}] } = entry;
  const own = entry.currency ?? currency;
  const booked = entry.bookedOn ?? day;
  const reversal = entry.isReversal === undefined ? '' : `<RvslInd>${entry.isReversal}</RvslInd>`;
  const reference = optional('AcctSvcrRef', entry.servicerReference);
  const details = transactions.map((one) => transactionXml(one, own)).join('\n');
  return `   <Ntry>
    <Amt Ccy="${own}">${entry.amount ?? text(cents)}</Amt><CdtDbtInd>${side}</CdtDbtInd>${reversal}
    <Sts>${version === '02' ? status : `<Cd>${status}</Cd>`}</Sts>
    <BookgDt><Dt>${booked}</Dt></BookgDt><ValDt><Dt>${booked}</Dt></ValDt>${reference}
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>${entry.code ?? 'ESCT'}</SubFmlyCd></Fmly></Domn></BkTxCd>${entry.raw ?? ''}
${transactions.length === 0 ? '' : `    <NtryDtls>\n${details}\n    </NtryDtls>\n`}   </Ntry>`;
}

function transactionXml(transaction: FakeTransaction, currency: string): string {
  const { cents, structured, unstructured = [], endToEndId, servicerReference } = transaction;
  const references =
    optional('AcctSvcrRef', servicerReference) + optional('EndToEndId', endToEndId);
  const amount = cents === undefined ? '' : `<Amt Ccy="${currency}">${text(cents)}</Amt>`;
  const lines = unstructured.map((line) => `<Ustrd>${line}</Ustrd>`).join('');
  const reference =
    structured === undefined
      ? ''
      : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${structured}</Ref></CdtrRefInf></Strd>`;
  const remittance = lines + reference;
  return `     <TxDtls>${references === '' ? '' : `<Refs>${references}</Refs>`}${amount}
      <RltdPties>${transaction.parties ?? '<Dbtr><Pty><Nm>Lena Example</Nm></Pty></Dbtr>'}</RltdPties>
      ${remittance === '' ? '' : `<RmtInf>${remittance}</RmtInf>`}${
        transaction.isReturn ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' : ''
      }${transaction.raw ?? ''}
     </TxDtls>`;
}

function optional(name: string, value: string | undefined): string {
  return value === undefined ? '' : `<${name}>${value}</${name}>`;
}

function text(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
