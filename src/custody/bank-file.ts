// A file of orders for a bank, the transfers in it, and the SQL of both tables. Who drafted it and
// who released it stays; its text is not kept, because it follows from the transfers.
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';

export const BANK_FILE = defineTable('bank_file', {
  /** The bank names the file by it (pain.002). */
  messageId: text(),
  chain: text<ChainId>(),
  assetId: text(),
  units,
  /** Another person than who drafted it has to release it. */
  needsSecond: flag,
  draftedBy: text(),
  draftedAt: moment,
  releasedBy: optional(text()),
  /** From then on the bank may have it. */
  releasedAt: optional(moment),
});
export type BankFile = Row<typeof BANK_FILE>;

export type BankVerdict = 'PENDING' | 'ACCEPTED' | 'EXECUTED' | 'REJECTED';

export const BANK_FILE_TRANSFER = defineTable('bank_file_transfer', {
  messageId: text(),
  transferId: text(),
  /** What a status report says of it; undefined while nothing was said. */
  verdict: selectOnly(optional(text<BankVerdict>())),
  /** Its code and reasons. */
  said: selectOnly(optional(text())),
  reportId: selectOnly(optional(text())),
  toldAt: selectOnly(optional(moment)),
});
export type BankFileTransfer = Row<typeof BANK_FILE_TRANSFER>;

export function insertBankFile(tx: Tx, file: BankFile, transferIds: readonly string[]): void {
  const { messageId } = file;
  tx.send(BANK_FILE.insert([file]));
  tx.send(BANK_FILE_TRANSFER.insert(transferIds.map((transferId) => ({ messageId, transferId }))));
}

export function findBankFile(reader: Reader, messageId: string): Promise<BankFile | undefined> {
  return BANK_FILE.find(reader, sql`where message_id = ${messageId}`);
}

export function lockBankFile(tx: Tx, messageId: string): Promise<BankFile | undefined> {
  return BANK_FILE.find(tx, sql`where message_id = ${messageId} for update`);
}

/** Newest first. */
export function listBankFiles(reader: Reader, most: number): Promise<BankFile[]> {
  return BANK_FILE.select(reader, sql`order by drafted_at desc, message_id limit ${most}`);
}

export function listFileTransfers(
  reader: Reader,
  messageIds: readonly string[],
): Promise<BankFileTransfer[]> {
  return BANK_FILE_TRANSFER.select(
    reader,
    sql`where message_id = any(${messageIds}::text[]) order by message_id, transfer_id`,
  );
}

/** In files that were released: the bank may have each of them. */
export function listReleasedOrders(
  reader: Reader,
  transferIds: readonly string[],
): Promise<BankFileTransfer[]> {
  const released = sql`select message_id from bank_file where released_at is not null`;
  return BANK_FILE_TRANSFER.select(
    reader,
    sql`where transfer_id = any(${transferIds}::text[]) and message_id in (${released})
      order by transfer_id, told_at nulls first, message_id`,
  );
}

export function markReleased(tx: Tx, { messageId, releasedBy, releasedAt }: BankFile): void {
  tx.send(sql`
    update bank_file set released_by = ${releasedBy ?? null}, released_at = ${releasedAt ?? null}
    where message_id = ${messageId}`);
}

type ToldStatus = Pick<BankFileTransfer, 'messageId' | 'transferId'> & {
  readonly verdict: BankVerdict;
  readonly said: string;
  readonly reportId: string;
};

export function noteVerdict(tx: Tx, told: ToldStatus, now: Temporal.Instant): void {
  tx.send(sql`
    update bank_file_transfer set verdict = ${told.verdict}, said = ${told.said},
      report_id = ${told.reportId}, told_at = ${now}
    where message_id = ${told.messageId} and transfer_id = ${told.transferId}`);
}
