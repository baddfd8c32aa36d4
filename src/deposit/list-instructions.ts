import type { Reader } from '#db/db.ts';
import {
  type DepositInstruction,
  type DepositPurpose,
  type InstructionKeys,
  verifyInstruction,
} from './deposit-instruction.ts';
import { listInstructionRows, listInstructionRowsOf } from './instruction-store.ts';

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
