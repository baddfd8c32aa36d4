import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db, Reader } from '#db/db.ts';
import { parseAllowedRange } from './ip-allow-list.ts';
import { findAllowedAddresses, updateAllowedRange } from './merchant-store.ts';

type Owner = { readonly merchantId: string; readonly environment: Environment };

/**
 * Adds an address or CIDR range, kept in canonical form, and returns the list as it is then.
 * @throws Refusal `invalid` for what is neither, `missing` for an unknown merchant.
 */
export function allowAddress(
  app: { readonly db: Db },
  owner: Owner,
  address: string,
): Promise<readonly string[]> {
  return changeRange(app, owner, address, true);
}

/** Removes it again; what is not on the list changes nothing. Returns the list. */
export function forbidAddress(
  app: { readonly db: Db },
  owner: Owner,
  address: string,
): Promise<readonly string[]> {
  return changeRange(app, owner, address, false);
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function listAllowedAddresses(
  reader: Reader,
  owner: Owner,
): Promise<readonly string[]> {
  return (await findAllowedAddresses(reader, owner)) ?? refuseUnknown(owner);
}

async function changeRange(
  { db }: { readonly db: Db },
  owner: Owner,
  address: string,
  isAllowed: boolean,
): Promise<readonly string[]> {
  const range = parseAllowedRange(address);
  if (range === undefined) {
    const fault = `${JSON.stringify(address)} is neither an address nor a range.`;
    throw new Refusal('invalid', 'allowed_addresses', fault);
  }
  const list = await db.single((tx) => updateAllowedRange(tx, owner, range, isAllowed));
  return list ?? refuseUnknown(owner);
}

function refuseUnknown({ merchantId }: Owner): never {
  throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}
