// How nodes are asked, for every family. Guarantees: one act is carried out with one node from
// beginning to end; what a node denies or contradicts leaves as an Outage in words for the
// operator; when a node was heard last, and what went wrong since, is known. Not guaranteed: that
// the failed act is tried again (who asks comes back anyway), or that the node tells the truth.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { NetworkHealth } from '#deposit/network.ts';
import { NodeLie, RpcFailure } from './answer-fields.ts';
import { nodeOutage } from './node-outage.ts';

type Act<Node, Result> = (node: Node) => Promise<Result>;

export type AskedNodes<Node> = {
  /** Everything asked of a node passes here. @throws what it failed with. */
  ask<Result>(act: Act<Node, Result>): Promise<Result>;
  /** The same without a choice of the node, and without health. */
  askThis<Result>(node: Node, act: Act<Node, Result>): Promise<Result>;
  health(): Pick<NetworkHealth, 'lastHeardAt' | 'lastError'>;
};

type AskNodesOptions<Node> = {
  readonly chain: ChainId;
  readonly clock: Clock;
  /** What the operator knows a node by; 'the node' unless given. */
  readonly nameOf?: (node: Node) => string;
  /** Carries out the act with one of the nodes, and knows by an Outage that it failed. */
  readonly use: <Result>(act: Act<Node, Result>) => Promise<Result>;
};

export function askNodes<Node>(options: AskNodesOptions<Node>): AskedNodes<Node> {
  const { chain, clock, nameOf = () => 'the node', use } = options;
  let lastHeardAt: Temporal.Instant | undefined;
  let lastError: string | undefined;

  async function askThis<Result>(node: Node, act: Act<Node, Result>): Promise<Result> {
    try {
      return await act(node);
    } catch (error) {
      if (error instanceof NodeLie) {
        throw nodeOutage(chain, `${nameOf(node)} contradicts itself`, error);
      }
      if (error instanceof RpcFailure) {
        throw nodeOutage(chain, `${nameOf(node)} refuses a question`, error);
      }
      throw error;
    }
  }

  return {
    async ask(act) {
      try {
        const result = await use((node) => askThis(node, act));
        lastHeardAt = clock.now();
        lastError = undefined;
        return result;
      } catch (error) {
        lastError = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
    askThis,
    health: () => ({ lastHeardAt, lastError }),
  };
}

/**
 * The same for what a person wants. A Refusal of that is no fault of the node, and no other node is
 * asked then; that a node is of another chain is.
 */
export async function askForPerson<Node, Result>(
  { ask }: Pick<AskedNodes<Node>, 'ask'>,
  act: Act<Node, Result>,
): Promise<Result> {
  const answer = await ask(async (node) => {
    try {
      return { result: await act(node) };
    } catch (error) {
      if (error instanceof Refusal && error.kind !== 'mismatch') return { refused: error };
      throw error;
    }
  });
  if ('refused' in answer) throw answer.refused;
  return answer.result;
}

export type Turns<Node> = AskedNodes<Node> & {
  /** The one whose turn it is. */
  current(): Node;
  /** The others, in the order in which their turn comes. */
  others(): readonly Node[];
  /**
   * Of the others, which are asked when the first fails: they must be right by then. One that is
   * away or lies is no fault of theirs. @throws anything else
   */
  checkOthers(act: Act<Node, void>): Promise<void>;
};

type TakeTurnsOptions<Node> = Omit<AskNodesOptions<Node>, 'use'> & {
  readonly nodes: readonly Node[];
};

/**
 * Nodes that are believed alike: one is asked until it fails, then the next; questions that fail
 * beside each other lead there together, not past it.
 */
export function takeTurns<Node>({ nodes, ...options }: TakeTurnsOptions<Node>): Turns<Node> {
  let turn = 0;

  function current(): Node {
    const node = nodes[turn];
    assert(node !== undefined, 'there is no node to ask');
    return node;
  }

  const others = () => [...nodes.slice(turn + 1), ...nodes.slice(0, turn)];

  const asked = askNodes<Node>({
    ...options,
    async use(act) {
      const asking = turn;
      try {
        return await act(current());
      } catch (error) {
        if (error instanceof Outage && turn === asking) turn = (turn + 1) % nodes.length;
        throw error;
      }
    },
  });
  return {
    ...asked,
    current,
    others,
    async checkOthers(act) {
      for (const other of others()) {
        try {
          await asked.askThis(other, act);
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
        }
      }
    },
  };
}

type SecondOpinion<Node> = {
  /** Names the chain in errors. */
  readonly what: string;
  /** Asked in this order until one answers. */
  readonly others: readonly Node[];
  /** What the operator calls such a node. */
  readonly kind: string;
  /** @throws NodeLie where it says otherwise. */
  readonly confirm: Act<Node, void>;
};

/**
 * What one node says arrived, another must say as well. One that does not answer has no opinion;
 * without any, nothing is believed. @throws Outage when one says otherwise, or none can be asked
 */
export async function askSecond<Node extends { readonly host: string }>(
  opinion: SecondOpinion<Node>,
): Promise<void> {
  const { what, others, kind, confirm } = opinion;
  const reasons: string[] = [];
  for (const node of others) {
    try {
      return await confirm(node);
    } catch (error) {
      if (error instanceof NodeLie) {
        throw nodeOutage(what, `${node.host} says otherwise`, error.message);
      }
      if (!(error instanceof Outage)) throw error;
      reasons.push(error.message);
    }
  }
  const sentence = `no second ${kind} can be asked about a payment`;
  throw nodeOutage(what, sentence, reasons.join('; '));
}
