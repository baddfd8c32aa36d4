// Balances of addresses, asked for early and once: as soon as it can be guessed that a balance will
// be needed. Guessing changes only the time of a question, never the node or the block it is about.
// Second opinions are never remembered.

import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type HeldKey, readBalances } from './held-balance.ts';

export type BalancePlace = HeldKey & { readonly height: bigint };

/** Undefined for each where the node no longer has that state. Again: of somebody else. */
type AskBalances = (
  places: readonly BalancePlace[],
  time: 'once' | 'again',
) => Promise<readonly (bigint | undefined)[]>;

export type BalanceLook = {
  /** What was written down of each, at or below the cursor. */
  known(keys: readonly HeldKey[]): Promise<readonly (bigint | undefined)[]>;
  at: AskBalances;
  /** Begins to ask what a step up to this height will want. Fails only where it is asked. */
  ahead(keys: readonly HeldKey[], height: bigint): void;
};

type BalanceLookOptions = {
  readonly db: Reader;
  readonly chain: ChainId;
  readonly cursorHeight: bigint;
  readonly ask: AskBalances;
};

export function balanceLook({ db, chain, cursorHeight, ask }: BalanceLookOptions): BalanceLook {
  const written = remembering(keyOf, async (keys: readonly HeldKey[]) => {
    const rows = await readBalances(db, chain, keys, cursorHeight);
    const units = new Map(rows.map((row) => [keyOf(row), row.units]));
    return keys.map((key) => units.get(keyOf(key)));
  });
  const held = remembering(
    (place: BalancePlace) => `${keyOf(place)}@${place.height}`,
    (places) => ask(places, 'once'),
  );

  async function askAhead(keys: readonly HeldKey[], height: bigint): Promise<void> {
    // What is held at the end is wanted of all: that question need not wait for the other.
    const ends = keys.map(({ address, assetId }) => ({ address, assetId, height }));
    const [known] = await Promise.all([written(keys), held(ends)]);
    await held(placesOf(keys, known, { cursorHeight, height }));
  }

  return {
    known: written,
    at: (places, time) => (time === 'once' ? held(places) : ask(places, 'again')),
    // A failure is reported to whoever asks for the answer later.
    ahead: (keys, height) => void askAhead(keys, height).catch(() => undefined),
  };
}

/** At the end of a step each, and at its beginning those of which nothing was known. */
export function placesOf(
  keys: readonly HeldKey[],
  known: readonly (bigint | undefined)[],
  { cursorHeight, height }: { readonly cursorHeight: bigint; readonly height: bigint },
): BalancePlace[] {
  const at = ({ address, assetId }: HeldKey, placeHeight: bigint): BalancePlace => {
    return { address, assetId, height: placeHeight };
  };
  const first = keys.filter((_, place) => known[place] === undefined);
  return [...first.map((key) => at(key, cursorHeight)), ...keys.map((key) => at(key, height))];
}

export const keyOf = ({ address, assetId }: HeldKey): string => `${address}/${assetId}`;

/** Asks for what was not asked for before; one question for all of it. */
function remembering<Item>(
  nameOf: (item: Item) => string,
  ask: (items: readonly Item[]) => Promise<readonly (bigint | undefined)[]>,
): (items: readonly Item[]) => Promise<readonly (bigint | undefined)[]> {
  const named = new Set<string>();
  const answers = new Map<string, bigint | undefined>();
  const asked: Promise<void>[] = [];

  async function askFor(names: readonly string[], items: readonly Item[]): Promise<void> {
    const units = await ask(items);
    names.forEach((name, at) => {
      answers.set(name, units[at]);
    });
  }

  return async (items) => {
    const names = items.map(nameOf);
    const [freshNames, fresh]: [string[], Item[]] = [[], []];
    items.forEach((item, at) => {
      const name = names[at];
      if (name === undefined || named.has(name)) return;
      named.add(name);
      freshNames.push(name);
      fresh.push(item);
    });
    if (fresh.length > 0) asked.push(askFor(freshNames, fresh));
    await Promise.all(asked);
    return names.map((name) => answers.get(name));
  };
}
