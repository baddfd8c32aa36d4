// Takes in what a bank says of a file of orders. Guarantees: read any number of times it happens
// once; a rejected order fails its transfer as every transfer fails, with the words of the bank;
// what contradicts a statement moves nothing. Not guaranteed: that the report is the bank's;
// whoever may run commands on the server may bring any.
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type ConcludeTransferApp, concludeTransfer } from '#transfer/conclude-transfer.ts';
import { listTransfersByIds, noteTransfer, type Transfer } from '#transfer/transfer.ts';
import {
  type BankFileTransfer,
  findBankFile,
  listFileTransfers,
  listReleasedOrders,
  noteVerdict,
} from './bank-file.ts';
import { type BankStatus, decideBankStatus, type StatusDecision } from './decide-bank-status.ts';

type ToldReport = {
  readonly reportId: string;
  readonly messageId: string;
  /** Undefined where nothing is said of the transfer. */
  statusOf(transferId: string): BankStatus | undefined;
  /** Of these transfers those under whose reference a statement booked a payment. */
  listDebited(chain: ChainId, transferIds: readonly string[]): Promise<ReadonlySet<string>>;
};

export type NotedStatus = {
  readonly transfer: Transfer;
  /** Undefined where nothing was said of it. */
  readonly status: BankStatus | undefined;
  readonly decision: StatusDecision;
};

/** @throws Refusal missing of a file that is not ours; conflict of one that was not released. */
export async function noteBankStatus(
  app: ConcludeTransferApp,
  report: ToldReport,
  actor: string,
): Promise<NotedStatus[]> {
  const { messageId } = report;
  const file = await findBankFile(app.db, messageId);
  if (file === undefined) {
    throw new Refusal('missing', 'bank_file_missing', [
      `the report is about the file ${messageId}, which was not drafted here`,
    ]);
  }
  if (file.releasedAt === undefined) {
    throw new Refusal('conflict', 'bank_file_unreleased', [
      `the report is about the file ${messageId}, which nobody released: ask the bank where it has it from`,
    ]);
  }
  const orders = await listFileTransfers(app.db, [messageId]);
  const ids = orders.map(({ transferId }) => transferId);
  const [transfers, debited, released] = await Promise.all([
    listTransfersByIds(app.db, ids),
    report.listDebited(file.chain, ids),
    listReleasedOrders(app.db, ids),
  ]);
  const noted: NotedStatus[] = [];
  for (const order of orders) {
    const transfer = transfers.find(({ id }) => id === order.transferId);
    const status = report.statusOf(order.transferId);
    if (transfer === undefined) continue;
    if (status === undefined) {
      noted.push({ transfer, status, decision: { kind: 'known' } });
      continue;
    }
    const elsewhere = released.filter(
      (one) => one.transferId === order.transferId && one.messageId !== messageId,
    );
    const decision = decideBankStatus(status, {
      state: transfer.state,
      isDebited: debited.has(order.transferId),
      before: order.verdict,
      elsewhere,
    });
    noted.push(await carryOut(app, report, { order, transfer, status, decision, actor }));
  }
  return noted;
}

type Decided = {
  readonly order: BankFileTransfer;
  readonly transfer: Transfer;
  readonly status: BankStatus;
  readonly decision: StatusDecision;
  /** Who brings the report. */
  readonly actor: string;
};

async function carryOut(
  app: ConcludeTransferApp,
  { reportId, messageId }: ToldReport,
  { order, transfer, status, decision, actor }: Decided,
): Promise<NotedStatus> {
  const now = app.clock.now();
  if (decision.kind === 'failed') {
    const said = { actor: 'bank', reason: `status report ${reportId} of the file ${messageId}` };
    const isFailed = await concludeTransfer(app, transfer, { ...decision, said });
    // Something else ended it, or took it up, since it was read: the next reading decides anew.
    if (!isFailed) {
      const why = 'it changed at this moment: read the report again';
      return { transfer, status, decision: { kind: 'contradicts', why } };
    }
  }
  if (decision.kind !== 'known') {
    const { verdict } = status;
    const said = [status.code, ...status.reasons].join(': ');
    const told = { messageId, transferId: order.transferId, verdict, said, reportId };
    const details = { verdict, said, report: reportId, file: messageId };
    await app.db.transact(async (tx) => {
      noteVerdict(tx, told, now);
      noteTransfer(tx, transfer, { verb: 'bank-status', actor, actedAt: now, details });
    });
  }
  return { transfer, status, decision };
}
