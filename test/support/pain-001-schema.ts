// What the schema of ISO 20022 for pain.001.001.09 asks of the elements that we write, in a table of
// our own: which may stand in which, in which order, how often, and what a text may be. The elements
// that we never write are left out: one that stands where the table has none is a fault.

import { faultsOfXml } from './xml-faults.ts';

const CHILDREN: { readonly [path: string]: string } = {
  Document: 'CstmrCdtTrfInitn',
  CstmrCdtTrfInitn: 'GrpHdr PmtInf+',
  GrpHdr: 'MsgId CreDtTm NbOfTxs CtrlSum? InitgPty',
  InitgPty: 'Nm?',
  PmtInf:
    'PmtInfId PmtMtd BtchBookg? NbOfTxs? CtrlSum? PmtTpInf? ReqdExctnDt Dbtr DbtrAcct DbtrAgt ChrgBr? CdtTrfTxInf+',
  PmtTpInf: 'SvcLvl?',
  SvcLvl: 'Cd|Prtry',
  ReqdExctnDt: 'Dt|DtTm',
  Dbtr: 'Nm?',
  DbtrAcct: 'Id Ccy?',
  'DbtrAcct/Id': 'IBAN|Othr',
  DbtrAgt: 'FinInstnId',
  FinInstnId: 'BICFI? Othr?',
  'FinInstnId/Othr': 'Id',
  CdtTrfTxInf: 'PmtId Amt CdtrAgt? Cdtr? CdtrAcct? RmtInf?',
  PmtId: 'InstrId? EndToEndId',
  Amt: 'InstdAmt|EqvtAmt',
  CdtrAgt: 'FinInstnId',
  Cdtr: 'Nm? PstlAdr?',
  PstlAdr: 'TwnNm? Ctry? AdrLine*',
  CdtrAcct: 'Id Ccy?',
  'CdtrAcct/Id': 'IBAN|Othr',
  'Id/Othr': 'Id',
  RmtInf: 'Ustrd',
};

/** Of the schema; the letters and the length of a name after the guidelines of SEPA. */
const sepa = (length: number) => new RegExp(`^[A-Za-z0-9/\\-?:().,'+ ]{1,${length}}$`);
/** No slash at either end, no two in a row (guidelines of SEPA, 1.4). */
const ID = /^(?!\/)(?!.*\/\/)(?!.*\/$)[A-Za-z0-9/\-?:().,'+ ]{1,35}$/;
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
const AMOUNT = /^(?!0+\.00$)\d{1,16}\.\d{2}$/;

const TEXTS: { readonly [path: string]: RegExp } = {
  MsgId: ID,
  PmtInfId: ID,
  InstrId: ID,
  EndToEndId: ID,
  CreDtTm: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  NbOfTxs: /^[0-9]{1,15}$/,
  CtrlSum: AMOUNT,
  Nm: sepa(70),
  PmtMtd: /^TRF$/,
  BtchBookg: /^(?:true|false)$/,
  Cd: /^(?:SEPA|NURG)$/,
  TwnNm: sepa(35),
  Ctry: /^[A-Z]{2}$/,
  AdrLine: sepa(70),
  Dt: /^\d{4}-\d\d-\d\d$/,
  IBAN: /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/,
  Ccy: /^[A-Z]{3}$/,
  BICFI: BIC,
  'Othr/Id': /^(?:NOTPROVIDED|[A-Z0-9]{1,34})$/,
  ChrgBr: /^(?:SLEV|DEBT)$/,
  InstdAmt: AMOUNT,
  Ustrd: sepa(140),
};

/** One sentence a fault; none for a file that the schema takes. */
export function pain001Faults(xml: string): string[] {
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
  return faultsOfXml(xml, { namespace, children: CHILDREN, texts: TEXTS });
}
