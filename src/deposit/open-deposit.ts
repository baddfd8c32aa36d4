// Hands out a destination nobody was given before. Guarantees: no index is given twice (AD2; an
// index whose transaction was rolled back was shown to nobody); a destination belongs to one
// instruction for ever (unique keys of deposit_instruction, R7); what is given out is in the record
// outside the database before it can be shown (given-out.ts). One round trip before the caller's
// last one: the insert travels with COMMIT.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { type Random, randomBigint } from '#base/random.ts';
import type { Db, Tx } from '#db/db.ts';
import { takeIndex } from './address-source.ts';
import {
  DEPOSIT_INSTRUCTION,
  type DepositInstruction,
  type DepositPurpose,
  type InstructionKeys,
  signInstruction,
} from './deposit-instruction.ts';
import type { Destination, Payee } from './network.ts';

type OpenDepositRequest = {
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
  const source = {
    owner: network.addressSourceOwner ?? network.chain,
    descriptor: network.addressSource,
  };
  const first = firstIndexes === undefined ? 0n : drawFrom(app.random, firstIndexes);
  const { sourceId, index } = await takeIndex(tx, source, first, request.createdAt);
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
  const { isAddressInvoice = false } = request;
  tx.send(DEPOSIT_INSTRUCTION.insert([{ ...instruction, isAddressInvoice }]));
  return instruction;
}

function drawFrom(random: Random, { least, below }: NonNullable<Payee['firstIndexes']>): bigint {
  return least + randomBigint(random, below - least);
}

export type OpenAddressInvoiceApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: InstructionKeys;
};

/** A wallet pays at once; what is unpaid afterwards is looked for no longer. */
const MINUTES_VALID = 10;

/**
 * An invoice for one payment to a Lightning address, `units` in satoshi. It is recorded before
 * anybody is shown it, and the node is asked outside of a transaction: an invoice that was made and
 * not recorded (the process ended in between) was shown to nobody.
 * @throws Outage when the node cannot be asked.
 */
export async function openAddressInvoice(
  app: OpenAddressInvoiceApp,
  network: Payee,
  address: DepositInstruction,
  { units, hashedDescription }: { readonly units: bigint; readonly hashedDescription: string },
): Promise<DepositInstruction> {
  const id = newId(app.random);
  const expiresAt = app.clock.now().add({ minutes: MINUTES_VALID });
  const { assetId, merchantId, purpose, purposeId } = address;
  const request = { index: 0n, assetId, units, instructionId: id, expiresAt, hashedDescription };
  const destination = await network.openDestination(request);
  return app.db.transact((tx) =>
    openDeposit(app, tx, network, {
      id,
      merchantId,
      purpose,
      purposeId,
      assetId,
      units,
      createdAt: app.clock.now(),
      expiresAt,
      destination,
      isAddressInvoice: true,
    }),
  );
}
