import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db, Reader } from '#db/db.ts';
import { parseAllowedRange } from './ip-allow-list.ts';
import {
  type AllowLists,
  clearCallAddresses,
  findAllowLists,
  updateCallRange,
  updateWithdrawalRange,
} from './merchant-store.ts';

export type { AllowLists } from './merchant-store.ts';

type Owner = { readonly merchantId: string; readonly environment: Environment };

/** What an address is listed for: to call at all, or to move money out. */
export const ALLOW_LIST_USES = ['calls', 'withdrawals'] as const;
export type AllowListUse = (typeof ALLOW_LIST_USES)[number];

export type ListedAddress = { readonly use: AllowListUse; readonly address: string };

/**
 * Adds an address or CIDR range, kept in canonical form, and returns the lists as they are then.
 * The first one that is listed for calls closes them to any other address; one listed for
 * withdrawals closes nothing.
 * @throws Refusal `invalid` for what is neither, `missing` for an unknown merchant.
 */
export function allowAddress(
  app: { readonly db: Db },
  owner: Owner,
  listed: ListedAddress,
): Promise<AllowLists> {
  return changeRange(app, owner, listed, true);
}

/**
 * Removes it again; what is not listed changes nothing. Calls stay closed when nothing is left:
 * `allowAnyCaller` opens them.
 */
export function forbidAddress(
  app: { readonly db: Db },
  owner: Owner,
  listed: ListedAddress,
): Promise<AllowLists> {
  return changeRange(app, owner, listed, false);
}

/** Forgets the addresses listed for calls: any may call. Withdrawals stay as they are. */
export async function allowAnyCaller(
  { db }: { readonly db: Db },
  owner: Owner,
): Promise<AllowLists> {
  return (await db.single((tx) => clearCallAddresses(tx, owner))) ?? refuseUnknown(owner);
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function listAllowedAddresses(reader: Reader, owner: Owner): Promise<AllowLists> {
  return (await findAllowLists(reader, owner)) ?? refuseUnknown(owner);
}

async function changeRange(
  { db }: { readonly db: Db },
  owner: Owner,
  { use, address }: ListedAddress,
  isAllowed: boolean,
): Promise<AllowLists> {
  const range = parseAllowedRange(address);
  if (range === undefined) {
    const fault = `${JSON.stringify(address)} is neither an address nor a range.`;
    throw new Refusal('invalid', 'allowed_addresses', fault);
  }
  const update = use === 'calls' ? updateCallRange : updateWithdrawalRange;
  return (await db.single((tx) => update(tx, owner, range, isAllowed))) ?? refuseUnknown(owner);
}

function refuseUnknown({ merchantId }: Owner): never {
  throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}
