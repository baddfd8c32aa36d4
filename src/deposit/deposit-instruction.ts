// What a payer was told: where to pay, and for whom. Guarantees: a row that was changed in the
// database is never shown (D3: an attacker who can write rows cannot put in an address of their
// own), because the key of its MAC lies outside the database. Not guaranteed: anything about a
// payer who was shown something else by another program.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';

const DEPOSIT_PURPOSES = ['checkout', 'deposit-address'] as const;
export type DepositPurpose = (typeof DEPOSIT_PURPOSES)[number];

export type DepositInstruction = {
  readonly id: string;
  readonly chain: ChainId;
  readonly merchantId: string;
  readonly purpose: DepositPurpose;
  readonly purposeId: string;
  readonly assetId: string;
  /** Canonical form, what transfers are matched by. */
  readonly destination: string;
  /** What the customer is shown. */
  readonly address: string;
  readonly memo: string | undefined;
  readonly memoType: string | undefined;
  readonly destinationTag: bigint | undefined;
  readonly sourceId: bigint | undefined;
  readonly sourceIndex: bigint | undefined;
  readonly integrityMac: Uint8Array;
  readonly createdAt: Temporal.Instant;
};

/** The narrow part of the keyring that instructions need. */
export type InstructionKeys = { mac(purpose: 'instruction', bytes: Uint8Array): Uint8Array };

type Unsigned = Omit<DepositInstruction, 'integrityMac'>;

export function signInstruction(keyring: InstructionKeys, unsigned: Unsigned): DepositInstruction {
  return { ...unsigned, integrityMac: keyring.mac('instruction', canonicalBytes(unsigned)) };
}

/** @throws AssertionFailure when the row is not the one that was written. */
export function verifyInstruction(keyring: InstructionKeys, instruction: DepositInstruction): void {
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
