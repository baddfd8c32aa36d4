import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import {
  type DepositInstruction,
  type InstructionKeys,
  listInstructionsByPurpose,
} from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import type { DepositAddress, DepositAddressRecord } from './deposit-address.ts';
import { findDepositAddressRow, listDepositAddressRows } from './deposit-address-store.ts';

export type FindDepositAddressApp = {
  readonly db: Reader;
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

type Owner = { readonly merchantId: string; readonly environment: Environment };

/** Undefined also for one of another merchant or environment (E9). */
export async function findDepositAddress(
  app: FindDepositAddressApp,
  owner: Owner,
  id: string,
): Promise<DepositAddressRecord | undefined> {
  const found = await findDepositAddressRow(app.db, owner, id);
  return found === undefined ? undefined : (await withInstructions(app, [found]))[0];
}

/** Newest first. */
export async function listDepositAddresses(
  app: FindDepositAddressApp,
  owner: Owner,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{
  readonly depositAddresses: readonly DepositAddressRecord[];
  readonly nextCursor: string | null;
}> {
  const rows = await listDepositAddressRows(app.db, owner, { cursor, most: limit + 1 });
  const place = ({ createdAt, id }: DepositAddress) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, place);
  return { depositAddresses: await withInstructions(app, shown), nextCursor };
}

export async function withInstructions(
  app: FindDepositAddressApp,
  found: readonly DepositAddress[],
): Promise<DepositAddressRecord[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const instructions = await listInstructionsByPurpose(app, app.db, 'deposit-address', ids);
  return found.map((one) => joinInstruction(app, one, instructions.get(one.id) ?? []));
}

export function joinInstruction(
  { networks }: Pick<FindDepositAddressApp, 'networks'>,
  address: DepositAddress,
  instructions: readonly DepositInstruction[],
): DepositAddressRecord {
  const instruction = instructions.find(({ id }) => id === address.instructionId);
  assert(instruction !== undefined, 'a deposit address has its instruction');
  const network = networks.get(chainOf(address.environment, address.network));
  // A network that was taken out of the configuration still shows where to pay, without a link.
  const paymentUri = network?.paymentUri(instruction, address.assetId, undefined) ?? '';
  return { ...address, instruction, paymentUri };
}
