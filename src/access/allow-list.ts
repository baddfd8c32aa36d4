// From which addresses an account may be called, and from which it may move money out.
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { type AllowedAddresses, changeEnvironment, readAllowed } from '#merchant/merchant.ts';
import { parseAllowedRange } from './ip-address.ts';

export type AllowLists = {
  /** CIDR ranges that may call; undefined: any address may, empty: none. */
  readonly calls: readonly string[] | undefined;
  /** CIDR ranges that may move money out. */
  readonly withdrawals: readonly string[];
};

/** What an address is listed for: to call at all, or to move money out. */
export const ALLOW_LIST_USES = ['calls', 'withdrawals'] as const;
export type AllowListUse = (typeof ALLOW_LIST_USES)[number];

type ListedAddress = { readonly use: AllowListUse; readonly address: string };

/**
 * Adds an address or CIDR range, kept in canonical form, and returns the lists as they are then.
 * Once an address is listed for calls, no other address may call; an address listed for withdrawals
 * closes nothing. @throws Refusal `invalid` for what is neither address nor range, `missing` for an
 * unknown merchant.
 */
export async function allowAddress(
  app: { readonly db: Db },
  owner: Owner,
  { use, address }: ListedAddress,
): Promise<AllowLists> {
  const range = rangeOf(address);
  const change =
    use === 'calls'
      ? sql`call_addresses = array_remove(call_addresses, ${range}::text) || ${[range]}::text[]`
      : sql`withdrawal_addresses =
          array_remove(withdrawal_addresses, ${range}::text) || ${[range]}::text[]`;
  return changeLists(app, owner, change);
}

/**
 * Removes it again; removing what is not listed changes nothing. When the last one is gone no
 * address may call any more: `allowAnyCaller` opens calls again.
 */
export async function forbidAddress(
  app: { readonly db: Db },
  owner: Owner,
  { use, address }: ListedAddress,
): Promise<AllowLists> {
  const range = rangeOf(address);
  const change =
    use === 'calls'
      ? sql`call_addresses = array_remove(call_addresses, ${range}::text)`
      : sql`withdrawal_addresses = array_remove(withdrawal_addresses, ${range}::text)`;
  return changeLists(app, owner, change);
}

/** Forgets the addresses listed for calls: any may call. Withdrawals stay as they are. */
export function allowAnyCaller(app: { readonly db: Db }, owner: Owner): Promise<AllowLists> {
  return changeLists(app, owner, sql`call_addresses = null`);
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function listAllowedAddresses(reader: Reader, owner: Owner): Promise<AllowLists> {
  return allowLists(await readAllowed(reader, owner));
}

async function changeLists(
  app: { readonly db: Db },
  owner: Owner,
  change: Statement,
): Promise<AllowLists> {
  return allowLists(await changeEnvironment(app, owner, change));
}

function allowLists(listed: AllowedAddresses): AllowLists {
  return { calls: listed.callAddresses, withdrawals: listed.withdrawalAddresses };
}

function rangeOf(address: string): string {
  const range = parseAllowedRange(address);
  if (range !== undefined) return range;
  const fault = `${JSON.stringify(address)} is neither an address nor a range.`;
  throw new Refusal('invalid', 'allowed_addresses', fault);
}
