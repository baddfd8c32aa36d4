// What anchors say about payments that go through them (SEP-6). Beside our own facts: it is shown,
// and never decides whether anything was paid.

import type { Db, Reader } from '#db/db.ts';
import {
  type AnchorDeposit,
  findRow,
  listOpenRows,
  listRowsOfPurpose,
  type OpenAnchorDeposits,
  upsertAnchorDeposit,
} from './anchor-deposit-store.ts';
import type { DepositPurpose } from './deposit-instruction.ts';

export type { AnchorDeposit } from './anchor-deposit-store.ts';

/** Asked again for the same instruction, an anchor may name another transfer: the last holds. */
export function recordAnchorDeposit(db: Db, deposit: AnchorDeposit): Promise<void> {
  return db.transact(async (tx) => upsertAnchorDeposit(tx, deposit));
}

/** Whether or not the instruction was recorded. */
export function findAnchorDeposit(
  reader: Reader,
  instructionId: string,
): Promise<AnchorDeposit | undefined> {
  return findRow(reader, instructionId);
}

/** Recorded instructions whose transfer may still change, those looked at longest ago first. */
export function listOpenAnchorDeposits(
  reader: Reader,
  wanted: OpenAnchorDeposits,
): Promise<AnchorDeposit[]> {
  return listOpenRows(reader, wanted);
}

export function listAnchorDepositsByPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<AnchorDeposit[]> {
  return listRowsOfPurpose(reader, purpose, purposeIds);
}
