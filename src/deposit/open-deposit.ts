// Hands out a destination nobody was given before. Guarantees: no index is given twice (AD2; an
// index whose transaction was rolled back was shown to nobody); a destination belongs to one
// instruction for ever (unique keys of deposit_instruction, R7); what is given out is in the record
// outside the database before it can be shown (given-out.ts). One round trip before the caller's
// last one: the insert travels with COMMIT.

import { assert } from '#base/assert.ts';
import { type Random, randomBigint } from '#base/random.ts';
import type { Tx } from '#db/db.ts';
import {
  type DepositInstruction,
  type DepositPurpose,
  type InstructionKeys,
  signInstruction,
} from './deposit-instruction.ts';
import { insertInstructionRow, takeIndex } from './instruction-store.ts';
import type { Destination, Payee } from './network.ts';

export type OpenDepositRequest = {
  readonly id: string;
  readonly merchantId: string;
  readonly purpose: DepositPurpose;
  readonly purposeId: string;
  readonly assetId: string;
  /** What will be asked for, in smallest units; an invoice states it. */
  readonly units: bigint;
  readonly createdAt: Temporal.Instant;
  /** End of validity of an invoice; other destinations are watched for ever. */
  readonly expiresAt: Temporal.Instant;
  /** What the node answered, where one had to be asked before the transaction opened. */
  readonly destination?: Destination | undefined;
  /** One of the many invoices of a Lightning address. */
  readonly isAddressInvoice?: boolean;
};

export async function openDeposit(
  app: { readonly keyring: InstructionKeys; readonly random: Random },
  tx: Tx,
  network: Pick<
    Payee,
    | 'chain'
    | 'addressSource'
    | 'addressSourceOwner'
    | 'firstIndexes'
    | 'asksNode'
    | 'openDestination'
    | 'keepIndex'
  >,
  request: OpenDepositRequest,
): Promise<DepositInstruction> {
  const { firstIndexes } = network;
  const { sourceId, index } = await takeIndex(tx, {
    chain: network.addressSourceOwner ?? network.chain,
    descriptor: network.addressSource,
    first: firstIndexes === undefined ? 0n : drawFrom(app.random, firstIndexes),
    now: request.createdAt,
  });
  // Before anybody can be shown it; what fails here was given to nobody.
  if (!network.asksNode) await network.keepIndex?.(index);
  const asked = request.destination;
  assert(asked !== undefined || !network.asksNode, 'no node is asked inside a transaction');
  const destination =
    asked ??
    (await network.openDestination({
      index,
      assetId: request.assetId,
      units: request.units,
      instructionId: request.id,
      expiresAt: request.expiresAt,
    }));
  const instruction = signInstruction(app.keyring, {
    id: request.id,
    chain: network.chain,
    merchantId: request.merchantId,
    purpose: request.purpose,
    purposeId: request.purposeId,
    assetId: request.assetId,
    destination: destination.destination,
    address: destination.address,
    memo: destination.memo,
    memoType: destination.memoType,
    destinationTag: destination.destinationTag,
    sourceId,
    sourceIndex: index,
    createdAt: request.createdAt,
  });
  insertInstructionRow(tx, instruction, request.isAddressInvoice ?? false);
  return instruction;
}

function drawFrom(random: Random, { least, below }: NonNullable<Payee['firstIndexes']>): bigint {
  return least + randomBigint(random, below - least);
}
