// What a payer was told: where to pay, and for whom; and the SQL of its table. Guarantees: a row
// that was changed in the database is never shown (D3: an attacker who can write rows cannot put in
// an address of their own), because the key of its MAC lies outside the database. Not guaranteed:
// anything about a payer who was shown something else by another program.
// Whether destinations were ever handed out is asked by what a chain shows, or by what a node has
// to be asked about: the price is that of the list that is looked up, not of what is watched.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
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
import { listLeftOut } from './given-out.ts';

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
  /** Canonical form, what arrivals are matched by. */
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

/** What others join with what arrived and what left: `from ${HANDED_OUT} i`. */
export const HANDED_OUT = sql`(
  select id, chain, merchant_id, purpose, purpose_id, destination, source_index, created_at,
    is_address_invoice
  from deposit_instruction)`;

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

/** In no destination: one long text travels faster than an array of many. */
const SEPARATOR = '\u001f';

/**
 * Of rows of deposit_instruction: one of many destinations, or one with the same hash. By the hash,
 * because the many of a block are mostly nobody's, and its index is small enough to be read whole.
 */
function hasHashOf(destinations: readonly string[]): Statement {
  return sql`hashtextextended(destination, 0) = any(array(
    select hashtextextended(wanted, 0)
    from string_to_table(${destinations.join(SEPARATOR)}, ${SEPARATOR}) wanted))`;
}

export type InstructionMatch = {
  readonly instructionId: string;
  readonly merchantId: string;
  readonly purpose: DepositPurpose;
  readonly purposeId: string;
};

type Handed = InstructionMatch & { readonly chain: ChainId; readonly destination: string };

/** Of these destinations those that were handed out; for several things, named for each. */
async function listHanded(
  reader: Reader,
  chains: readonly ChainId[],
  destinations: readonly string[],
): Promise<Handed[]> {
  if (destinations.length === 0) return [];
  const rows = await reader.query<Handed>(sql`
    select chain, destination, id as "instructionId", merchant_id as "merchantId", purpose,
      purpose_id as "purposeId"
    from deposit_instruction where chain = any(${chains}::text[]) and ${hasHashOf(destinations)}`);
  // Two destinations may have one hash.
  const wanted = new Set(destinations);
  return rows.filter(({ destination }) => wanted.has(destination));
}

/** By destination. */
export async function matchInstructions(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
): Promise<ReadonlyMap<string, InstructionMatch>> {
  const handed = await listHanded(reader, [chain], destinations);
  return new Map(handed.map(({ destination, chain: _, ...match }) => [destination, match]));
}

export type SiblingMatch = Pick<Handed, 'destination' | 'purpose' | 'purposeId'>;

/** Who was given one of these destinations on a sibling chain. */
export async function matchSiblings(
  reader: Reader,
  siblings: readonly ChainId[],
  destinations: readonly string[],
): Promise<readonly SiblingMatch[]> {
  return siblings.length === 0 ? [] : listHanded(reader, siblings, destinations);
}

/** Those of the given destinations that were, or may have been, handed out on one of the chains. */
export async function findWatched(
  reader: Reader,
  chains: readonly ChainId[],
  destinations: readonly string[],
): Promise<{ readonly chain: ChainId; readonly destination: string }[]> {
  if (destinations.length === 0) return [];
  const [handed, leftOut] = await Promise.all([
    listHanded(reader, chains, destinations),
    listLeftOut(reader, chains),
  ]);
  if (leftOut.length === 0) return handed;
  const wanted = new Set(destinations);
  return [...handed, ...leftOut.filter(({ destination }) => wanted.has(destination))];
}

/**
 * The number of an address of ours below its extended key; undefined of an account that has none.
 * Chains that share a key share its addresses.
 */
export async function findSourceIndex(
  reader: Reader,
  chain: ChainId,
  address: string,
): Promise<bigint | undefined> {
  const [row] = await reader.query<{ index: bigint }>(sql`
    select source_index as index from deposit_instruction
    where hashtextextended(destination, 0) = hashtextextended(${address}, 0)
      and destination = ${address} and chain like ${`${environmentOf(chain)}:%`} limit 1`);
  return row?.index;
}

/** Of these destinations, the ones handed out to a merchant, or for one thing of his. */
export async function findOwned(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
  owner: { readonly merchantId: string; readonly purposeId?: string | undefined },
): Promise<ReadonlySet<string>> {
  const handed = await listHanded(reader, [chain], destinations);
  const owned = handed.filter(
    ({ merchantId, purposeId }) =>
      merchantId === owner.merchantId &&
      (owner.purposeId === undefined || owner.purposeId === purposeId),
  );
  return new Set(owned.map(({ destination }) => destination));
}

/** Things of an owner for which one of these destinations was handed out, on whichever chain. */
export async function listPurposeIds(
  reader: Reader,
  { merchantId, environment }: Owner,
  {
    purpose,
    destinations,
  }: Pick<AffectedPurpose, 'purpose'> & {
    readonly destinations: readonly string[];
  },
): Promise<string[]> {
  const rows = await reader.query<Pick<Handed, 'chain' | 'destination' | 'purposeId'>>(sql`
    select chain, destination, purpose_id as "purposeId" from deposit_instruction
    where ${hasHashOf(destinations)} and merchant_id = ${merchantId} and purpose = ${purpose}`);
  const own = rows.filter(
    ({ chain, destination }) =>
      environmentOf(chain) === environment && destinations.includes(destination),
  );
  return own.map(({ purposeId }) => purposeId);
}

type InspectionPage = {
  readonly chain: ChainId;
  /** Whose destinations are newest, or were never looked at. */
  readonly source: { readonly owner: ChainId; readonly descriptor: string };
  readonly newest: number;
  /** In order of the destination, those behind it: to go round all of them in turns. */
  readonly after: string;
  readonly inTurn: number;
  /** In order of the index, those behind it: to leave none of them out. */
  readonly afterIndex: bigint;
  readonly inOrder: number;
};

/** The newest of a source, which are being paid, some of all in turns, some in order. */
export async function listInspected(
  reader: Reader,
  { chain, source, newest, after, inTurn, afterIndex, inOrder }: InspectionPage,
): Promise<
  {
    readonly destination: string;
    readonly sourceIndex: bigint | null;
    readonly why: 'newest' | 'inTurn' | 'inOrder';
  }[]
> {
  const sourceId = sql`(
    select id from address_source
    where chain = ${source.owner} and descriptor = ${source.descriptor})`;
  return reader.query(sql`
    (select destination, source_index as "sourceIndex", 'newest' as why from deposit_instruction
      where chain = ${chain} and source_id = ${sourceId}
      order by source_index desc limit ${newest})
    union all
    (select destination, source_index, 'inTurn' from deposit_instruction
      where chain = ${chain} and destination > ${after} order by destination limit ${inTurn})
    union all
    (select destination, source_index, 'inOrder' from deposit_instruction
      where chain = ${chain} and source_id = ${sourceId} and source_index > ${afterIndex}
      order by source_index limit ${inOrder})`);
}

/** Whether an instruction has this id, which the statement around has. */
export function isInstruction(id: Statement): Statement {
  return sql`exists (select from deposit_instruction i where i.id = ${id})`;
}

/**
 * `in ${…}`: ids of what was asked for things of this purpose; `areThey` goes on after their id,
 * as in `= any(…)`.
 */
export function instructionIds(purpose: DepositPurpose, areThey: Statement): Statement {
  return sql`(
    select i.id from deposit_instruction i
    where i.purpose = ${purpose} and i.purpose_id ${areThey} and not i.is_address_invoice)`;
}
