// Several nodes of one chain that are believed alike: one is asked until it fails, then the next.
//
// Guarantees: one act is carried out with one node from beginning to end; an Outage or a lie leads
// to the next node, and questions that fail beside each other lead there together, not past it; a
// lie leaves as an Outage in words for the operator. Not guaranteed: that the failed act is tried
// again (who asks comes back anyway), or that the node tells the truth (see `others`).

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { NetworkHealth } from '#deposit/network.ts';

export type Turns<Node> = {
  /** Everything asked of a node passes here. @throws what it failed with. */
  ask<Result>(act: (node: Node) => Promise<Result>): Promise<Result>;
  /** The one whose turn it is. */
  current(): Node;
  /** The others, in the order in which their turn comes. */
  others(): readonly Node[];
  health(): Pick<NetworkHealth, 'lastHeardAt' | 'lastError'>;
};

export type TakeTurnsOptions<Node> = {
  readonly nodes: readonly Node[];
  readonly clock: Clock;
  /** What leaves instead of an error; the error itself where there is nothing better to say. */
  readonly inWords: (error: unknown) => unknown;
};

export function takeTurns<Node>({ nodes, clock, inWords }: TakeTurnsOptions<Node>): Turns<Node> {
  let turn = 0;
  let lastHeardAt: Temporal.Instant | undefined;
  let lastError: string | undefined;

  function inOrder(): readonly Node[] {
    return [...nodes.slice(turn), ...nodes.slice(0, turn)];
  }

  function current(): Node {
    const node = nodes[turn];
    assert(node !== undefined, 'there is no node to ask');
    return node;
  }

  return {
    async ask(act) {
      const asking = turn;
      try {
        const result = await act(current());
        lastHeardAt = clock.now();
        lastError = undefined;
        return result;
      } catch (error) {
        const known = inWords(error);
        lastError = known instanceof Error ? known.message : String(known);
        // Two that fail beside each other go on to the next together, not past it.
        if (known instanceof Outage && turn === asking) turn = (turn + 1) % nodes.length;
        throw known;
      }
    },
    current,
    others: () => inOrder().slice(1),
    health: () => ({ lastHeardAt, lastError }),
  };
}
