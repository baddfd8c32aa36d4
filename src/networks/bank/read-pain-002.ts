// What a bank says of a file of orders: an ISO 20022 payment status report (pain.002), every
// version of it. Guarantees: the three places that a status can stand in (file, payment,
// transfer) are each kept; what is not understood is refused as a whole. Not guaranteed: that a
// transfer was executed; that is told by a booking of a statement alone. Structure after the
// message definition report CustomerPaymentStatusReport (V03 and V10); what SEPA asks of it:
// EPC132-08, chapter 2.2.

import { findTransferIds } from './bank-references.ts';
import { allOf, findOnly, findText, getText, readXml, type XmlNode, xmlFault } from './read-xml.ts';

type StatusReason = {
  /** Of the external code set (AC04: closed account, AM04: insufficient funds …), or the bank's. */
  readonly code: string | undefined;
  readonly text: string | undefined;
};

type Status = {
  /** External code of ISO 20022: ACTC, ACCP, ACSP, ACSC, PDNG, PART, RJCT … */
  readonly code: string;
  readonly reasons: readonly StatusReason[];
};

type StatusReport = {
  readonly id: string;
  /** Name of the file that it is about. */
  readonly originalMessageId: string;
  /** Of the file as a whole; undefined where only transfers are told. */
  readonly status: Status | undefined;
  readonly payments: readonly PaymentReport[];
};

type PaymentReport = {
  readonly originalPaymentId: string;
  readonly status: Status | undefined;
  readonly transfers: readonly TransferReport[];
};

type TransferReport = {
  /** As the bank repeats it; undefined where it repeats none. */
  readonly endToEndId: string | undefined;
  readonly transferId: string | undefined;
  readonly status: Status | undefined;
};

type TransferStatus = Status & {
  /**
   * REJECTED: the bank will not send it. EXECUTED: the bank says that it left. ACCEPTED: so far.
   * PENDING: nothing decided, or a code that is not known.
   */
  readonly verdict: 'REJECTED' | 'EXECUTED' | 'ACCEPTED' | 'PENDING';
};

const REASONS_MOST = 20;
const TRANSFERS_MOST = 50_000;

/** External code sets, ExternalPaymentTransactionStatus1Code and its kind for group and payment. */
const VERDICTS: Readonly<Record<string, TransferStatus['verdict']>> = {
  RJCT: 'REJECTED',
  CANC: 'REJECTED',
  ACSC: 'EXECUTED',
  ACCC: 'EXECUTED',
  ACCP: 'ACCEPTED',
  ACFC: 'ACCEPTED',
  ACSP: 'ACCEPTED',
  ACTC: 'ACCEPTED',
  ACWC: 'ACCEPTED',
  ACWP: 'ACCEPTED',
};

/** @throws Refusal (invalid, `xml`) that says what is wrong with the file. */
export function readPain002(bytes: Uint8Array): StatusReport {
  const { namespace, root } = readXml(bytes);
  if (
    root.name !== 'Document' ||
    !/^urn:iso:std:iso:20022:tech:xsd:pain\.002\.00[13]\.\d{2}$/.test(namespace)
  ) {
    throw xmlFault('no pain.002 of ISO 20022');
  }
  const report = findOnly(root, 'CstmrPmtStsRpt');
  if (report === undefined) throw xmlFault('<CstmrPmtStsRpt> is missing');
  const group = findOnly(report, 'OrgnlGrpInfAndSts');
  if (group === undefined) throw xmlFault('<OrgnlGrpInfAndSts> is missing');
  const kind = findText(group, 'OrgnlMsgNmId') ?? 'pain.001';
  if (!/pain\.001/i.test(kind)) throw xmlFault(`about ${kind.slice(0, 35)}, not pain.001`);
  const payments = allOf(report, 'OrgnlPmtInfAndSts').map(readPayment);
  const count = payments.reduce((sum, { transfers }) => sum + transfers.length, 0);
  if (count > TRANSFERS_MOST) throw xmlFault(`more than ${TRANSFERS_MOST} transfers`);
  return {
    id: getText(report, 'GrpHdr', 'MsgId').slice(0, 140),
    originalMessageId: getText(group, 'OrgnlMsgId').slice(0, 140),
    status: readStatus(group, 'GrpSts'),
    payments,
  };
}

/**
 * What a report says of one transfer of the file `messageId` (writePain001), whose only payment has
 * the file's name. What is told of the transfer goes before what is told of all; PART is said of
 * nobody in particular. Undefined where nothing is said, or of another file. @throws Refusal
 * (invalid, `xml`) where it is told twice.
 */
export function statusOfTransfer(
  { originalMessageId, status, payments }: StatusReport,
  messageId: string,
  transferId: string,
): TransferStatus | undefined {
  if (originalMessageId !== messageId) return undefined;
  const own = payments.flatMap(({ transfers }) =>
    transfers.filter((transfer) => transfer.transferId === transferId),
  );
  if (own.length > 1) throw xmlFault(`transfer ${transferId} is told twice`);
  const payment = payments.find(({ originalPaymentId }) => originalPaymentId === messageId);
  const said = [own[0]?.status, payment?.status, status].find(
    (one) => one !== undefined && one.code !== 'PART',
  );
  return said && { ...said, verdict: VERDICTS[said.code] ?? 'PENDING' };
}

function readPayment(node: XmlNode): PaymentReport {
  return {
    originalPaymentId: getText(node, 'OrgnlPmtInfId').slice(0, 140),
    status: readStatus(node, 'PmtInfSts'),
    transfers: allOf(node, 'TxInfAndSts').map((transfer) => {
      const endToEndId = findText(transfer, 'OrgnlEndToEndId')?.slice(0, 140);
      const instruction = findText(transfer, 'OrgnlInstrId')?.slice(0, 140);
      const [transferId, other] = findTransferIds(`${endToEndId ?? ''} , ${instruction ?? ''}`);
      if (other !== undefined) throw xmlFault(`ids of two transfers in one <${transfer.name}>`);
      return { endToEndId, transferId, status: readStatus(transfer, 'TxSts') };
    }),
  };
}

function readStatus(node: XmlNode, name: string): Status | undefined {
  const code = findText(node, name);
  if (code === undefined) return undefined;
  if (!/^[A-Z0-9]{1,4}$/.test(code)) throw xmlFault(`<${name}> is no code`);
  const reasons = allOf(node, 'StsRsnInf').slice(0, REASONS_MOST).map(readReason);
  return { code, reasons };
}

function readReason(node: XmlNode): StatusReason {
  const code = findText(node, 'Rsn', 'Cd') ?? findText(node, 'Rsn', 'Prtry');
  const lines = allOf(node, 'AddtlInf').map((line) => findText(line) ?? '');
  const text = lines.join(' ').trim().slice(0, 500);
  return { code: code?.slice(0, 35), text: text === '' ? undefined : text };
}
