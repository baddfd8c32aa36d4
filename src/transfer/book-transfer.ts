// What a transfer makes of the ledger when it is committed. Guarantees: one that is not covered by
// the balance fails the transaction whole, whoever else is spending at the same time.

import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { ConstraintViolation, type Db, sql, type Tx } from '#db/db.ts';
import type { Account } from '#ledger/account.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { ActToApprove } from '#spending/approval.ts';
import { sealOfTransfer } from './seal-of-transfer.ts';
import { lockTransfer, type Transfer, type TransferSealKeys, verifyTransfer } from './transfer.ts';
import { requoteEntry, reserveEntry } from './transfer-entries.ts';

/** Accounts of the merchant that a transfer touches; to be awaited before the transaction. */
export function ensureTransferAccounts(
  db: Db,
  { merchantId, environment, assetId }: Pick<Transfer, 'merchantId' | 'environment' | 'assetId'>,
): Promise<void> {
  const codes = ['merchant:available', 'merchant:pending', 'merchant:reserved'] as const;
  const accounts = codes.map((code): Account => ({ environment, merchantId, code, assetId }));
  return ensureAccounts(db, accounts);
}

/** Takes the money out of reach. The last of an act: it waits for the accounts until COMMIT. */
export function reserveTransfer(tx: Tx, transfer: Transfer, now: Temporal.Instant): void {
  postEntries(tx, [reserveEntry(transfer, now)]);
}

/** The same, of what the network takes more or less by then. */
export function requoteTransfer(tx: Tx, transfer: Transfer, now: Temporal.Instant): void {
  if (transfer.requotedUnits !== 0n) postEntries(tx, [requoteEntry(transfer, now)]);
}

/** The person or key that made it, unless somebody else is known. */
export function transferToApprove(
  keyring: TransferSealKeys,
  transfer: Transfer,
  maker = transfer.maker ?? (transfer.apiKey && `key ${transfer.apiKey}`),
): ActToApprove {
  const { id, environment, merchantId, assetId, units, targetUnits, account = {} } = transfer;
  const { decimals, assetCode } = getAsset(assetId);
  const receiver = Object.values(account).join(' ');
  const amount = `${amountToText(targetUnits, decimals)} ${assetCode}`;
  return {
    ...{ subject: `transfer:${id}`, environment, merchantId, maker },
    about: `${transfer.kind} ${amount} on ${transfer.network} to ${receiver}`,
    digest: sealOfTransfer(keyring, transfer),
    amount: { assetId, units },
  };
}

/**
 * The payer of a refund said where it goes: it is due now, or when it has rested. Answers it as it
 * is then; what the network takes more or less is posted by requoteTransfer.
 * @throws AssertionFailure when the row was changed since it was written.
 */
export async function directTransfer(
  { keyring }: { readonly keyring: TransferSealKeys },
  tx: Tx,
  id: string,
  { requotedUnits, ...where }: Pick<Transfer, 'account' | 'restsUntil' | 'requotedUnits'>,
  now: Temporal.Instant,
): Promise<Transfer> {
  const locked = await lockTransfer(tx, id);
  assert(locked !== undefined, 'a refund has a transfer');
  await verifyTransfer(tx, keyring, locked);
  const { account, restsUntil } = where;
  const units = locked.units + requotedUnits;
  const networkFeeUnits = locked.networkFeeUnits + requotedUnits;
  const directed = { ...locked, ...where, requotedUnits, units, networkFeeUnits };
  tx.send(sql`
    update transfer set account = ${JSON.stringify(account)}, rests_until = ${restsUntil ?? null},
      units = ${units}, network_fee_units = ${networkFeeUnits}, requoted_units = ${requotedUnits},
      seal = ${sealOfTransfer(keyring, directed)}::bytea, parked_reason = null,
      next_step_at = ${restsUntil ?? now}
    where id = ${id}`);
  return directed;
}

/** @throws Refusal conflict `balance_too_low` in place of the constraint that found it out. */
export async function refuseOverdraft<T>(act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    const isOverdraft =
      error instanceof ConstraintViolation && error.constraint === 'ledger_account_not_overdrawn';
    if (!isOverdraft) throw error;
    throw new Refusal(
      'conflict',
      'balance_too_low',
      'the balance is too low for this amount and its fees',
    );
  }
}
