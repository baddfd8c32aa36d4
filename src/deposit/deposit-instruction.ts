// What a payer was told: where to pay, and for whom; and the SQL of its table. Guarantees: a row
// that was changed in the database is never shown (D3: an attacker who can write rows cannot put in
// an address of their own), because the key of its MAC lies outside the database. Not guaranteed:
// anything about a payer who was shown something else by another program.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  flag,
  insertOnly,
  moment,
  optional,
  type Row,
  text,
} from '#db/table.ts';

export type DepositPurpose = 'checkout' | 'deposit-address';
/** What was handed out for, or paid. */
export type AffectedPurpose = { readonly purpose: DepositPurpose; readonly purposeId: string };

export const DEPOSIT_INSTRUCTION = defineTable('deposit_instruction', {
  id: text(),
  chain: text<ChainId>(),
  merchantId: text(),
  purpose: text<DepositPurpose>(),
  purposeId: text(),
  assetId: text(),
  /** Canonical form, what transfers are matched by. */
  destination: text(),
  /** What the customer is shown. */
  address: text(),
  memo: optional(text()),
  memoType: optional(text()),
  destinationTag: optional(bigInteger),
  sourceId: optional(bigInteger),
  sourceIndex: optional(bigInteger),
  integrityMac: bytes,
  createdAt: moment,
  /** One of the many invoices of a Lightning address, which are listed nowhere. */
  isAddressInvoice: insertOnly(flag),
});
export type DepositInstruction = Row<typeof DEPOSIT_INSTRUCTION>;

/**
 * Everything handed out for these things, by the id of each, oldest first; of a Lightning address
 * only itself and not its invoices, of which there may be any number.
 * @throws AssertionFailure when a row was changed since it was written.
 */
export async function listInstructionsByPurpose(
  { keyring }: { readonly keyring: InstructionKeys },
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<ReadonlyMap<string, DepositInstruction[]>> {
  const instructions = await DEPOSIT_INSTRUCTION.select(
    reader,
    sql`where purpose = ${purpose} and purpose_id = any(${purposeIds}::text[])
      and not is_address_invoice
    order by created_at, id`,
  );
  for (const instruction of instructions) verifyInstruction(keyring, instruction);
  return Map.groupBy(instructions, ({ purposeId }) => purposeId);
}

/** The same of one thing. */
export async function listInstructions(
  app: { readonly keyring: InstructionKeys },
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<DepositInstruction[]> {
  const found = await listInstructionsByPurpose(app, reader, purpose, [purposeId]);
  return found.get(purposeId) ?? [];
}

/** The narrow part of the keyring that instructions need. */
export type InstructionKeys = { mac(purpose: 'instruction', bytes: Uint8Array): Uint8Array };

type Unsigned = Omit<DepositInstruction, 'integrityMac'>;

export function signInstruction(keyring: InstructionKeys, unsigned: Unsigned): DepositInstruction {
  return { ...unsigned, integrityMac: keyring.mac('instruction', canonicalBytes(unsigned)) };
}

/** @throws AssertionFailure when the row is not the one that was written. */
function verifyInstruction(keyring: InstructionKeys, instruction: DepositInstruction): void {
  const expected = keyring.mac('instruction', canonicalBytes(instruction));
  const { integrityMac } = instruction;
  const isUnchanged =
    integrityMac.length === expected.length && timingSafeEqual(integrityMac, expected);
  assert(isUnchanged, `deposit instruction ${instruction.id} was changed in the database`);
}

/** A JSON list: no two instructions share a text, whatever their parts contain. */
function canonicalBytes(instruction: Unsigned): Uint8Array {
  const parts = [
    'deposit-instruction/v1',
    instruction.id,
    instruction.chain,
    instruction.merchantId,
    instruction.purpose,
    instruction.purposeId,
    instruction.assetId,
    instruction.destination,
    instruction.address,
    instruction.memo ?? null,
    instruction.memoType ?? null,
    instruction.destinationTag?.toString() ?? null,
  ];
  return new TextEncoder().encode(JSON.stringify(parts));
}
