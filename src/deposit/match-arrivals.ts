// Whose the destinations of arrivals are, and those of what a network says has left: one question,
// whatever is watched.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import {
  type InstructionMatch,
  matchInstructions,
  matchSiblings,
  type SiblingMatch,
} from './deposit-instruction.ts';
import { listLeftOut } from './given-out.ts';
import type { Arrival } from './network.ts';

export type Matches = {
  /** Of the chain itself, by destination. */
  readonly instructions: ReadonlyMap<string, InstructionMatch>;
  readonly onSiblings: readonly SiblingMatch[];
  /**
   * Perhaps given out by a database that is gone: the money is ours, but belongs to no merchant.
   */
  readonly leftOut: ReadonlySet<string>;
};

type Reached = Pick<Arrival, 'destination'>;
type WatchedChains = { readonly chain: ChainId; readonly siblings: readonly ChainId[] };

const ARRIVALS_IN_PART = 3_000;

export async function matchDestinations(
  reader: Reader,
  { chain, siblings }: WatchedChains,
  arrivals: readonly Reached[],
): Promise<Matches> {
  const destinations = [...new Set(arrivals.map(({ destination }) => destination))];
  const [instructions, onSiblings, leftOut] = await Promise.all([
    matchInstructions(reader, chain, destinations),
    matchSiblings(reader, siblings, destinations),
    destinations.length === 0 ? [] : listLeftOut(reader, [chain]),
  ]);
  const leftOutHere = new Set(leftOut.map(({ destination }) => destination));
  return { instructions, onSiblings, leftOut: leftOutHere };
}

/**
 * Each part is sent as soon as it is built, so that the database works while the next one is being
 * built. Resolves when all are sent, so that a caller who holds a connection never waits for a
 * statement that is queued behind his own.
 */
export async function askInParts(
  reader: Reader,
  chains: WatchedChains,
  arrivals: readonly Reached[],
): Promise<readonly Promise<Matches>[]> {
  const asked: Promise<Matches>[] = [];
  for (let at = 0; at < arrivals.length; at += ARRIVALS_IN_PART) {
    const part = matchDestinations(reader, chains, arrivals.slice(at, at + ARRIVALS_IN_PART));
    part.catch(() => undefined);
    asked.push(part);
    await nextTurn();
  }
  return asked;
}

export async function joinParts(asked: readonly Promise<Matches>[]): Promise<Matches> {
  const parts = await Promise.all(asked);
  return {
    instructions: new Map(parts.flatMap(({ instructions }) => [...instructions])),
    onSiblings: parts.flatMap(({ onSiblings }) => onSiblings),
    leftOut: parts[0]?.leftOut ?? new Set(),
  };
}
