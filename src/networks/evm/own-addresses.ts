// Of many addresses, those that we handed out, here or on a sibling. Each is looked up once, and as
// early as somebody knows it: while the node still answers other questions.

import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { findWatched } from '#deposit/deposit-instruction.ts';

export type OwnAddresses = {
  /** To be looked up with the next ones. */
  name(addresses: Iterable<string>): void;
  /** Ends when these, and all named before, are looked up. */
  look(addresses: Iterable<string>): Promise<void>;
  /** Answers for addresses that were looked up before. */
  isOurs(address: string): boolean;
};

export function ownAddresses(db: Reader, chains: readonly ChainId[]): OwnAddresses {
  const named = new Set<string>();
  const ours = new Set<string>();
  const asked: Promise<void>[] = [];
  let waiting: string[] = [];

  function name(addresses: Iterable<string>): void {
    for (const address of addresses) {
      if (named.has(address)) continue;
      named.add(address);
      waiting.push(address);
    }
  }

  async function ask(addresses: readonly string[]): Promise<void> {
    for (const { destination } of await findWatched(db, chains, addresses)) ours.add(destination);
  }

  return {
    name,
    async look(addresses) {
      name(addresses);
      if (waiting.length > 0) asked.push(ask(waiting));
      waiting = [];
      await Promise.all(asked);
    },
    isOurs: (address) => ours.has(address),
  };
}
