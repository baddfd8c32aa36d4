// What the schema of ISO 20022 for camt.053.001.08 asks of the elements that we write, in tables of our
// own. The elements that we never write are left out: one that stands there is a fault.
import { faultsOfXml } from './xml-faults.ts';

const CHILDREN = {
  Document: 'BkToCstmrStmt',
  BkToCstmrStmt: 'GrpHdr Stmt+',
  GrpHdr: 'MsgId CreDtTm',
  Stmt: 'Id CreDtTm FrToDt? Acct Bal+ Ntry*',
  FrToDt: 'FrDtTm ToDtTm',
  Acct: 'Id Ccy?',
  'Acct/Id': 'IBAN|Othr',
  'Id/Othr': 'Id',
  Bal: 'Tp Amt CdtDbtInd Dt',
  'Bal/Tp': 'CdOrPrtry',
  CdOrPrtry: 'Cd|Prtry',
  'Bal/Dt': 'Dt|DtTm',
  Ntry: 'Amt CdtDbtInd Sts BookgDt? ValDt? AcctSvcrRef? BkTxCd AddtlNtryInf?',
  Sts: 'Cd|Prtry',
  BookgDt: 'Dt|DtTm',
  ValDt: 'Dt|DtTm',
  BkTxCd: 'Prtry',
  'BkTxCd/Prtry': 'Cd',
};

const max = (length: number) => new RegExp(`^[^\\u0000-\\u0008]{1,${length}}$`, 'u');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const TEXTS = {
  MsgId: max(35),
  Id: max(35),
  'Othr/Id': max(34),
  CreDtTm: TIME,
  FrDtTm: TIME,
  ToDtTm: TIME,
  Ccy: /^[A-Z]{3}$/,
  'CdOrPrtry/Cd': /^(?:OPBD|CLBD)$/,
  'Sts/Cd': /^BOOK$/,
  'Prtry/Cd': max(35),
  /** 18 digits, 5 of them after the point. */
  Amt: /^(?=(?:\d\.?){1,18}$)\d+(?:\.\d{1,5})?$/,
  CdtDbtInd: /^(?:CRDT|DBIT)$/,
  Dt: /^\d{4}-\d\d-\d\d$/,
  AcctSvcrRef: max(35),
  AddtlNtryInf: max(500),
};

/** One sentence a fault; none for a file that the schema takes. */
export function camt053Faults(xml: string): string[] {
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
  const currencies = [...xml.matchAll(/<Amt([^>]*)>/g)].flatMap(([, attribute = '']) =>
    /^ Ccy="[A-Z]{3}"$/.test(attribute) ? [] : [`<Amt${attribute}>`],
  );
  return [...currencies, ...faultsOfXml(xml, { namespace, children: CHILDREN, texts: TEXTS })];
}
