import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import {
  type DepositInstruction,
  type DepositPurpose,
  type InstructionKeys,
  verifyInstruction,
} from './deposit-instruction.ts';
import {
  findInstructionRow,
  listInstructionRows,
  listInstructionRowsOf,
} from './instruction-store.ts';

type InstructionApp = { readonly keyring: InstructionKeys };

/**
 * Everything handed out for one thing, oldest first; of a Lightning address only itself and not
 * its invoices, of which there may be any number.
 * @throws AssertionFailure when a row was changed since it was written.
 */
export async function listInstructions(
  app: InstructionApp,
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<DepositInstruction[]> {
  const instructions = await listInstructionRows(reader, purpose, purposeId);
  for (const instruction of instructions) verifyInstruction(app.keyring, instruction);
  return instructions;
}

/** The same for several things, by the id of each. @throws AssertionFailure likewise. */
export async function listInstructionsByPurpose(
  app: InstructionApp,
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<ReadonlyMap<string, DepositInstruction[]>> {
  const instructions = await listInstructionRowsOf(reader, purpose, purposeIds);
  for (const instruction of instructions) verifyInstruction(app.keyring, instruction);
  return Map.groupBy(instructions, ({ purposeId }) => purposeId);
}

/** What was handed out for one thing on one chain in one asset, if it was. */
export async function findInstruction(
  app: InstructionApp,
  reader: Reader,
  wanted: {
    readonly purpose: DepositPurpose;
    readonly purposeId: string;
    readonly chain: ChainId;
    readonly assetId: string;
  },
): Promise<DepositInstruction | undefined> {
  const instructions = await listInstructions(app, reader, wanted.purpose, wanted.purposeId);
  return instructions.find(
    ({ chain, assetId }) => chain === wanted.chain && assetId === wanted.assetId,
  );
}

/** For the operator: who was given this destination (canonical form). */
export async function findInstructionByDestination(
  app: InstructionApp,
  reader: Reader,
  chain: ChainId,
  destination: string,
): Promise<DepositInstruction | undefined> {
  const instruction = await findInstructionRow(reader, chain, destination);
  if (instruction !== undefined) verifyInstruction(app.keyring, instruction);
  return instruction;
}
