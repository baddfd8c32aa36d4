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
import { type SourceName, takeIndexes } from './address-source.ts';
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

type OpenDepositApp = { readonly keyring: InstructionKeys; readonly random: Random };
type DepositNetwork = Pick<
  Payee,
  | 'chain'
  | 'addressSource'
  | 'addressSourceOwner'
  | 'firstIndexes'
  | 'asksNode'
  | 'openDestination'
  | 'keepIndex'
>;
type Asked = { readonly network: DepositNetwork; readonly request: OpenDepositRequest };

export async function openDeposit(
  app: OpenDepositApp,
  tx: Tx,
  network: DepositNetwork,
  request: OpenDepositRequest,
): Promise<DepositInstruction> {
  const [instruction] = await openDeposits(app, tx, [{ network, request }]);
  assert(instruction !== undefined, 'one is asked for and one is opened');
  return instruction;
}

/** In the order in which they are asked for: a source is asked once for all of its own. */
export async function openDeposits(
  app: OpenDepositApp,
  tx: Tx,
  asked: readonly Asked[],
): Promise<DepositInstruction[]> {
  if (asked.length === 0) return [];
  const taken = await takeNumbers(app, tx, asked);
  const instructions = await Promise.all(
    asked.map(async (one) => {
      const number = taken.get(one);
      assert(number !== undefined, 'each has its number');
      return signInstruction(app.keyring, await instructionOf(one, number));
    }),
  );
  const rows = instructions.map((instruction, at) => {
    return { ...instruction, isAddressInvoice: asked[at]?.request.isAddressInvoice ?? false };
  });
  tx.send(DEPOSIT_INSTRUCTION.insert(rows));
  return instructions;
}

type Taken = { readonly sourceId: bigint; readonly index: bigint };

async function takeNumbers(
  { random }: Pick<OpenDepositApp, 'random'>,
  tx: Tx,
  asked: readonly Asked[],
): Promise<ReadonlyMap<Asked, Taken>> {
  const bySource = Map.groupBy(asked, ({ network }) => JSON.stringify(sourceOf(network)));
  // In one order, so that two who need the same sources do not wait for each other crosswise.
  const sources = [...bySource].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const taken = await Promise.all(
    sources.map(async ([, [first, ...others]]) => {
      assert(first !== undefined, 'a source is there since somebody asks for it');
      const { network, request } = first;
      const begin =
        network.firstIndexes === undefined ? 0n : drawFrom(random, network.firstIndexes);
      const range = { first: begin, count: BigInt(1 + others.length) };
      const { sourceId, index } = await takeIndexes(
        tx,
        sourceOf(network),
        range,
        request.createdAt,
      );
      return [first, ...others].map(
        (one, at) => [one, { sourceId, index: index + BigInt(at) }] as const,
      );
    }),
  );
  return new Map(taken.flat());
}

function sourceOf({ chain, addressSource, addressSourceOwner }: DepositNetwork): SourceName {
  return { owner: addressSourceOwner ?? chain, descriptor: addressSource };
}

async function instructionOf({ network, request }: Asked, { sourceId, index }: Taken) {
  // Before anybody can be shown it; what fails here was given to nobody.
  if (!network.asksNode) await network.keepIndex?.(index);
  const asked = request.destination;
  assert(asked !== undefined || !network.asksNode, 'no node is asked inside a transaction');
  const { destination, address, memo, memoType, destinationTag } =
    asked ??
    (await network.openDestination({
      index,
      assetId: request.assetId,
      units: request.units,
      instructionId: request.id,
      expiresAt: request.expiresAt,
    }));
  const { id, merchantId, purpose, purposeId, assetId, createdAt } = request;
  return {
    ...{ id, chain: network.chain, merchantId, purpose, purposeId, assetId },
    ...{ destination, address, memo, memoType, destinationTag },
    ...{ sourceId, sourceIndex: index, createdAt },
  };
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
