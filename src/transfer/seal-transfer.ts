// Where money on its way out goes and how much, sealed. Guarantees: nothing is signed for a row
// that was changed in the database, because the key of the seal lies outside it (D3). Not
// guaranteed: anything about a row that was taken away, put back as it once was, or signed already.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Db, Reader } from '#db/db.ts';
import type { Transfer } from './transfer.ts';
import {
  findSealOfTransfer,
  listUnsealedTransfers,
  setSealOfTransfer,
  setTransfersSealedAt,
} from './transfer-store.ts';

/** The narrow part of the keyring that seals of transfers need. */
export type TransferSealKeys = { mac(purpose: 'transfer', bytes: Uint8Array): Uint8Array };

export function sealOfTransfer(keyring: TransferSealKeys, transfer: Transfer): Uint8Array {
  const parts = [
    'transfer/v1',
    transfer.id,
    transfer.merchantId,
    transfer.environment,
    transfer.kind,
    transfer.beneficiaryId ?? null,
    transfer.network,
    transfer.assetId,
    transfer.account === undefined ? null : JSON.stringify(transfer.account),
    String(transfer.units),
    String(transfer.networkFeeUnits),
    String(transfer.feeUnits),
    String(transfer.targetUnits),
    transfer.source,
  ];
  return keyring.mac('transfer', new TextEncoder().encode(JSON.stringify(parts)));
}

/** Of what was read before: that is what the seal is compared with, whatever stands there now. */
export async function isTransferSealed(
  reader: Reader,
  keyring: TransferSealKeys,
  transfer: Transfer,
): Promise<boolean> {
  const seal = await findSealOfTransfer(reader, transfer.id);
  const expected = sealOfTransfer(keyring, transfer);
  return seal?.length === expected.length && timingSafeEqual(seal, expected);
}

/** @throws AssertionFailure when the row is not the one that was written. */
export async function verifyTransfer(
  reader: Reader,
  keyring: TransferSealKeys,
  transfer: Transfer,
): Promise<void> {
  const isSealed = await isTransferSealed(reader, keyring, transfer);
  assert(isSealed, `transfer ${transfer.id} was changed in the database`);
}

/** Open rows from before seals, once for each installation: later ones without one are forged. */
export async function sealOldTransfers(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: TransferSealKeys;
}): Promise<void> {
  await app.db.transact(async (tx) => {
    if (!(await setTransfersSealedAt(tx, app.clock.now()))) return;
    for (const transfer of await listUnsealedTransfers(tx)) {
      setSealOfTransfer(tx, transfer.id, sealOfTransfer(app.keyring, transfer));
    }
  });
}
