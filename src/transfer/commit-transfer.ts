// Commits a quote: the money is out of the merchant's reach before anything is sent. Two commits of
// one transfer reserve it once; commits of several reserve no more than there is.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import { leavesDebtCovered } from '#ledger/account.ts';
import { findBeneficiary, type SealKeys } from '#people/beneficiary.ts';
import type { Wake } from '#runtime/loop.ts';
import { requireWithinLimits, type SpendingApp } from '#spending/require-within-limits.ts';
import { ensureTransferAccounts, refuseOverdraft, reserveTransfer } from './book-transfer.ts';
import { type Executors, requireExecutor } from './executor.ts';
import {
  findTransfer,
  lockTransfer,
  makerOf,
  noteTransfer,
  type Transfer,
  type TransferSealKeys,
  verifyTransfer,
} from './transfer.ts';

export type CommitTransferApp = SpendingApp & {
  readonly db: Db;
  readonly clock: Clock;
  readonly executors: Executors;
  readonly keyring: SealKeys & TransferSealKeys;
  readonly wakes?: { readonly transfer?: Wake | undefined } | undefined;
};

/**
 * Repeating it answers with the transfer as it stands. What a person was quoted he orders himself,
 * so that who made it is who wanted it sent. Refuses: missing; conflict when the quote is over or
 * another one's, the beneficiary is gone, a limit is reached or the balance is too low; unavailable
 * without an executor.
 */
export async function commitTransfer(
  app: CommitTransferApp,
  owner: Owner & Partial<Pick<Transfer, 'maker'>>,
  transferId: string,
): Promise<Transfer> {
  const quoted = await findTransfer(app, owner, transferId);
  if (quoted === undefined) {
    throw new Refusal('missing', 'transfer_missing', 'transferId: no such transfer');
  }
  if (quoted.state !== 'QUOTED') return committed(quoted);
  if (quoted.maker !== owner.maker) {
    const message = 'another one asked for this quote: ask for one of your own';
    throw new Refusal('conflict', 'quote_of_another', message);
  }
  requireExecutor(app.executors, chainOf(quoted.environment, quoted.network));
  await ensureTransferAccounts(app.db, quoted);
  const now = app.clock.now();
  const transfer = await refuseOverdraft(
    app.db.transact(async (tx): Promise<Transfer> => {
      const [locked, receiver] = await Promise.all([
        lockTransfer(tx, transferId),
        findBeneficiary({ ...app, db: tx }, owner, quoted.beneficiaryId ?? ''),
      ]);
      if (locked === undefined || locked.state !== 'QUOTED') return locked ?? quoted;
      await verifyTransfer(tx, app.keyring, locked);
      if (Temporal.Instant.compare(locked.expiresAt, now) <= 0) throw expired();
      if (receiver === undefined) {
        throw new Refusal('conflict', 'beneficiary_deleted', 'the beneficiary was deleted');
      }
      await requireWithinLimits(app, tx, locked, { ...locked, isConversion: false }, now);
      if (!(await leavesDebtCovered(tx, locked))) throw owed();
      tx.send(sql`
        update transfer set state = 'RESERVED', committed_at = ${now}, next_step_at = ${now}
        where id = ${transferId}`);
      noteTransfer(tx, locked, { verb: 'transfer-commit', actor: makerOf(locked), actedAt: now });
      reserveTransfer(tx, locked, now);
      return { ...locked, state: 'RESERVED', committedAt: now, nextStepAt: now };
    }),
  );
  app.wakes?.transfer?.wake();
  return committed(transfer);
}

function committed(transfer: Transfer): Transfer {
  if (transfer.state === 'EXPIRED') throw expired();
  return transfer;
}

function owed(): Refusal {
  return new Refusal('conflict', 'balance_too_low', [
    'the balance is too low for this amount: what is owed for refunds whose payments were lost ' +
      'is not available for transfers',
  ]);
}

function expired(): Refusal {
  return new Refusal('conflict', 'transfer_expired', 'the quote is over: ask for another one');
}
