// What may be credited: never more than the balance of the address really grew (money.md: a
// credit needs a final receipt and an observed balance increase that covers it).
//
// For each address and asset that something happened to, what it holds at the last block of the
// step must be what it held before plus what came minus what left. Less: the arrivals are cut
// down to it (fee on transfer, lying token). More, in the coin itself: value that came inside a
// call, and it becomes an arrival of its own, known by address and block. What is surprising is
// asked twice, of another endpoint where there is one. What it held is written down at each look,
// so that what our own signer sends away later disturbs nothing.
//
// Not guaranteed: more than a cover by today's balance where a node has thrown the state of the
// block away (a full node keeps about 128); value inside calls is then noticed at a later look.

import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Arrival, BlockReference } from '#deposit/network.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type BalanceLook, type BalancePlace, keyOf, placesOf } from './balance-look.ts';
import type { HeldBalance, HeldKey } from './held-balance.ts';
import type { ValueMovement } from './read-block.ts';
import type { OurBlock } from './read-blocks.ts';

type CoverRequest = {
  readonly log: Log;
  readonly chain: ChainId;
  readonly coinAssetId: string;
  readonly isOurs: (address: string) => boolean;
  /** Where the step begins: everything up to here is recorded. */
  readonly cursor: BlockReference;
  /** Not empty; the last one is where balances are looked at. */
  readonly blocks: readonly OurBlock[];
  /** The last final block the node has. */
  readonly tip: BlockReference;
  /** Addresses whose coin balance is looked at although nothing is known to have happened. */
  readonly inspected: readonly string[];
  /** Places of the operator's own: what was there before the first look is told as come. */
  readonly kept: readonly HeldKey[];
  readonly balances: BalanceLook;
};

export type CoveredArrivals = {
  /** By block height. */
  readonly arrivals: ReadonlyMap<bigint, readonly Arrival[]>;
  /** To be kept before the next look; facts of final blocks, so it does not matter when. */
  readonly looked: readonly HeldBalance[];
  /** Addresses of which nobody can say what they held before. */
  readonly unknown: ReadonlySet<string>;
  /** Addresses that sent something, and hold another sum than that would leave them. */
  readonly doubtful: ReadonlySet<string>;
};

/** @throws Outage when nothing can be said about a balance. */
export async function coverArrivals(request: CoverRequest): Promise<CoveredArrivals> {
  const { balances, cursor, tip } = request;
  const last = request.blocks.at(-1)?.block ?? cursor;
  const accounts = openAccounts(request);
  const keys = [...accounts.values()];
  const known = await balances.known(keys);
  keys.forEach((account, at) => {
    account.before = known[at];
  });
  await readHeld(request, keys, last.height);
  const forgotten = keys.filter(({ held, isTouched }) => isTouched && held === undefined);
  if (forgotten.length > 0) {
    const now = await readTwice(request, forgotten, tip.height);
    forgotten.forEach((account, at) => {
      account.heldNow = now[at];
    });
  }
  const arrivals = new Map<bigint, Arrival[]>();
  for (const { block, movements } of request.blocks) {
    const covered = movements.flatMap((movement) => cover(request, accounts, movement));
    arrivals.set(block.height, covered);
  }
  for (const account of keys) {
    const found = unexplained(request, account);
    if (found !== undefined) arrivals.get(last.height)?.push(found);
    const opening = openingOf(request, account, last);
    if (opening !== undefined) arrivals.get(last.height)?.push(opening);
  }
  const looked = keys.flatMap((account) => rowsOf(account, last.height, cursor.height));
  const unknown = keys.filter(({ before }) => before === undefined);
  const doubtful = keys.filter(isDoubtful);
  return { arrivals, looked, unknown: addressesOf(unknown), doubtful: addressesOf(doubtful) };
}

type Account = HeldKey & {
  /** What it held before the step; undefined when nobody knows any more. */
  before: bigint | undefined;
  isFirstLook: boolean;
  readonly isTouched: boolean;
  /** What came from others, and everything that came. */
  fromOthers: bigint;
  came: bigint;
  left: bigint;
  fees: bigint;
  /** At the end of the step; undefined when that state is gone. */
  held: bigint | undefined;
  /** Its balance of today, read where the node no longer has the one of that block. */
  heldNow: bigint | undefined;
  granted: bigint;
};

function openAccounts(request: CoverRequest): Map<string, Account> {
  const { coinAssetId, isOurs } = request;
  const accounts = new Map<string, Account>();
  const account = (address: string, assetId: string, isTouched = true): Account => {
    const key = { address, assetId };
    const known = accounts.get(keyOf(key));
    if (known !== undefined) return known;
    const opened: Account = {
      ...key,
      isTouched,
      before: undefined,
      isFirstLook: false,
      fromOthers: 0n,
      came: 0n,
      left: 0n,
      fees: 0n,
      held: undefined,
      heldNow: undefined,
      granted: 0n,
    };
    accounts.set(keyOf(key), opened);
    return opened;
  };
  for (const { movements, fees } of request.blocks) {
    for (const { from, to, assetId, units } of movements) {
      if (isOurs(from)) account(from, assetId).left += units;
      if (!isOurs(to)) continue;
      account(to, assetId).came += units;
      if (!isOurs(from)) account(to, assetId).fromOthers += units;
    }
    for (const { address, units } of fees) account(address, coinAssetId).fees += units;
  }
  for (const address of request.inspected) account(address, coinAssetId, false);
  for (const { address, assetId } of request.kept) account(address, assetId, false);
  return accounts;
}

/**
 * Reads what each account holds at the end, and at the first look also what it held before the
 * step. An unexpected answer is asked for again; two answers that differ fail the step.
 */
async function readHeld(
  request: CoverRequest,
  accounts: readonly Account[],
  height: bigint,
): Promise<void> {
  const first = accounts.filter(({ before }) => before === undefined);
  const known = accounts.map(({ before }) => before);
  const places = placesOf(accounts, known, { cursorHeight: request.cursor.height, height });
  const read = await request.balances.at(places, 'once');
  first.forEach((account, at) => {
    account.before = read[at];
    account.isFirstLook = read[at] !== undefined;
  });
  accounts.forEach((account, at) => {
    account.held = read[first.length + at];
  });
  const isStrange = places.map((_, at) => {
    if (at < first.length) return (read[at] ?? 0n) !== 0n;
    const account = accounts[at - first.length]!;
    return account.held !== expectedOf(account);
  });
  await askAgain(request, places, read, isStrange);
  for (const account of first) {
    const { address, assetId, before } = account;
    if (before === undefined || before === 0n || isKept(request, account)) continue;
    const { log, chain, cursor } = request;
    const facts = { chain, address, assetId, units: before, height: cursor.height };
    log.warn('an address held something before anybody looked: nobody is credited it', facts);
  }
}

async function readTwice(
  request: CoverRequest,
  accounts: readonly Account[],
  height: bigint,
): Promise<readonly (bigint | undefined)[]> {
  const places = accounts.map(({ address, assetId }) => ({ address, assetId, height }));
  const read = await request.balances.at(places, 'once');
  await askAgain(
    request,
    places,
    read,
    accounts.map((account, at) => read[at] !== expectedOf(account)),
  );
  return read;
}

async function askAgain(
  request: CoverRequest,
  places: readonly BalancePlace[],
  read: readonly (bigint | undefined)[],
  isStrange: readonly boolean[],
): Promise<void> {
  const strange = places.filter((_, at) => isStrange[at]);
  if (strange.length === 0) return;
  const firsts = read.filter((_, at) => isStrange[at]);
  const again = await request.balances.at(strange, 'again');
  strange.forEach((place, at) => {
    requireSame(request, place, firsts[at], again[at]);
  });
}

function expectedOf({ before, came, left, fees }: Account): bigint | undefined {
  return before === undefined ? undefined : before + came - left - fees;
}

/** Nothing of it is cut down to the balance: what left is told by the transaction alone. */
function isDoubtful(account: Account): boolean {
  const { left, fees, held } = account;
  return left + fees > 0n && held !== undefined && held !== expectedOf(account);
}

function addressesOf(accounts: readonly Account[]): ReadonlySet<string> {
  return new Set(accounts.map(({ address }) => address));
}

function requireSame(
  { chain }: CoverRequest,
  { address, assetId }: HeldKey,
  first: bigint | undefined,
  second: bigint | undefined,
): void {
  if (first === second) return;
  throw nodeOutage(
    chain,
    `two answers about ${assetId} of ${address} differ: ${first} and ${second}`,
  );
}

/** The arrival with as many units as the balance grew; the first to come is covered first. */
function cover(
  request: CoverRequest,
  accounts: ReadonlyMap<string, Account>,
  movement: ValueMovement,
): Arrival[] {
  const { isOurs, chain, log } = request;
  // Value that one of our addresses sends to another was credited already when it first came.
  if (!isOurs(movement.to) || isOurs(movement.from)) return [];
  const account = accounts.get(keyOf({ address: movement.to, assetId: movement.assetId }));
  const grown = account === undefined ? 0n : growth(request, account);
  const rest = account === undefined ? 0n : grown - account.granted;
  const units = movement.units < rest ? movement.units : rest > 0n ? rest : 0n;
  if (account !== undefined) account.granted += units;
  if (units < movement.units) {
    const { key, assetId, to } = movement;
    log.warn('a transfer is not covered by a balance', { chain, key, assetId, to, units });
  }
  if (units === 0n) return [];
  return [arrivalOf({ ...movement, units })];
}

/** How much came from others at most, by what the address holds. */
function growth(request: CoverRequest, account: Account): bigint {
  const { before, held, heldNow, fromOthers, came, left, fees, address, assetId } = account;
  const internal = came - fromOthers;
  // Fees are not known to the last wei on every rollup. The payer does not bear that uncertainty.
  const spent = left + 2n * fees;
  if (held !== undefined) return before === undefined ? held : held - before + spent - internal;
  const sum = (before ?? 0n) + came;
  if (heldNow !== undefined && heldNow + spent >= sum) return fromOthers;
  throw nodeOutage(
    request.chain,
    `whether ${assetId} of ${address} grew by ${fromOthers} can be told only by an archive node`,
  );
}

/** The coin that came and that no transaction of the step explains. */
function unexplained(request: CoverRequest, account: Account): Arrival | undefined {
  const { assetId, address, before, held, came, left, fees } = account;
  if (assetId !== request.coinAssetId || before === undefined || held === undefined) return;
  const units = held - before - came + left + fees;
  const block = request.blocks.at(-1)?.block;
  if (units <= 0n || block === undefined) return undefined;
  const key = `balance:${address}:${block.height}`;
  const transaction = block.hash;
  return arrivalOf({ key, transaction, assetId, from: '', to: address, units });
}

/** What the operator's own place held before anybody looked: nobody's payment, and in the books. */
function openingOf(
  request: CoverRequest,
  account: Account,
  { hash: transaction }: BlockReference,
): Arrival | undefined {
  const { address, assetId, before: units = 0n, isFirstLook } = account;
  if (!isFirstLook || units === 0n || !isKept(request, account)) return undefined;
  const key = `opening:${address}:${assetId}`;
  return arrivalOf({ key, transaction, assetId, from: '', to: address, units });
}

function isKept({ kept }: CoverRequest, { address, assetId }: HeldKey): boolean {
  return kept.some((place) => place.address === address && place.assetId === assetId);
}

function rowsOf(account: Account, height: bigint, cursorHeight: bigint): HeldBalance[] {
  const { address, assetId, before, held, isFirstLook, isTouched } = account;
  const units = held ?? expectedOf(account);
  const rows: HeldBalance[] = [];
  if (isFirstLook && before !== undefined) {
    rows.push({ address, assetId, height: cursorHeight, units: before });
  }
  const hasChanged = units !== undefined && (isTouched || units !== before);
  if (hasChanged) rows.push({ address, assetId, height, units: units > 0n ? units : 0n });
  return rows;
}

/** A movement as the port shows it: an address of ours is ours wherever it was handed out. */
export function arrivalOf(movement: ValueMovement): Arrival {
  const { key: creditKey, transaction, to: destination, assetId, units } = movement;
  return { creditKey, transaction, destination, assetId, units, spends: [], ours: true };
}
