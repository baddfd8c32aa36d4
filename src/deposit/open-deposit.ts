// Hands out a destination nobody was given before. Guarantees: no index is given twice (AD2; an
// index whose transaction was rolled back was shown to nobody); a destination belongs to one
// instruction for ever (unique keys of deposit_instruction, R7). One round trip before the caller's
// last one: the insert travels with COMMIT.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Tx } from '#db/db.ts';
import {
  type DepositInstruction,
  type DepositPurpose,
  type InstructionKeys,
  signInstruction,
} from './deposit-instruction.ts';
import { insertInstructionRow, takeIndex } from './instruction-store.ts';
import type { Destination, Network } from './network.ts';

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

/** The next number of a source, registering the source when it is new. Never given twice. */
export function takeSourceIndex(
  tx: Tx,
  chain: ChainId,
  descriptor: string,
  now: Temporal.Instant,
): Promise<{ sourceId: bigint; index: bigint }> {
  return takeIndex(tx, { chain, descriptor, now });
}

export async function openDeposit(
  app: { readonly keyring: InstructionKeys },
  tx: Tx,
  network: Pick<
    Network,
    'chain' | 'addressSource' | 'addressSourceOwner' | 'asksNode' | 'openDestination'
  >,
  request: OpenDepositRequest,
): Promise<DepositInstruction> {
  const { sourceId, index } = await takeSourceIndex(
    tx,
    network.addressSourceOwner ?? network.chain,
    network.addressSource,
    request.createdAt,
  );
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
