// A network of the bench: hands out addresses that look derived, and blocks made to order. Nothing
// is asked of a node, so that what is measured is ours.

import { hash } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Arrival, Block, BlockReference, Network, Observation } from '#deposit/network.ts';

export const CHAIN = chainOf('test', 'LITECOIN');
export const ASSET = 'LTC:NATIVE';
const IDENTITY = 'bench';

export const benchNetwork: Network = {
  chain: CHAIN,
  addressSource: 'wpkh(tpub-bench/0/*)',
  receivableAssets: () => [ASSET],
  openDestination({ index }) {
    const address = addressOf(`derived ${index}`);
    return {
      destination: address,
      address,
      memo: undefined,
      memoType: undefined,
      destinationTag: undefined,
    };
  },
  canonicalAddress: (address) => address,
  paymentUri: ({ address }, _assetId, units) => `litecoin:${address}?amount=${units}`,
  checkIdentity: async () => undefined,
  observe: async () => {
    throw new Outage('the node of the bench');
  },
  waitForHint: async (ms, signal) => systemClock.sleep(ms, signal),
  health: () => ({
    chain: CHAIN,
    description: 'bench',
    nodeVersion: undefined,
    lastHeardAt: undefined,
    lastError: undefined,
  }),
  close: async () => undefined,
};

/** As long and as random as a real one. */
export function addressOf(seed: string): string {
  return `tltc1q${hash('sha256', seed).slice(0, 38)}`;
}

/** A payment with one input, in a transaction of its own. */
export function payment(destination: string, units: bigint, seed: string): Arrival {
  const transaction = hash('sha256', `transaction ${seed}`);
  return {
    creditKey: `${transaction}:0`,
    transaction,
    destination,
    assetId: ASSET,
    units,
    spends: [`${hash('sha256', `input ${seed}`)}:1`],
    ours: false,
  };
}

/** The first step ever. */
export function firstObservation(): Observation {
  return observationOf({ height: 1000n, hash: hash('sha256', 'block 1000') }, []);
}

/** One block with these arrivals on top of `cursor`. */
export function nextBlock(cursor: BlockReference, arrivals: readonly Arrival[]): Observation {
  const height = cursor.height + 1n;
  const tip = { height, hash: hash('sha256', `block ${height}`) };
  return observationOf(tip, [
    { ...tip, parentHash: cursor.hash, minedAt: systemClock.now(), arrivals },
  ]);
}

function observationOf(tip: BlockReference, blocks: readonly Block[]): Observation {
  const spends = new Map(
    blocks.flatMap(({ height, arrivals }) =>
      arrivals.map(({ transaction, spends }) => [transaction, { transaction, spends, height }]),
    ),
  );
  return {
    identity: IDENTITY,
    tip,
    rollbackTo: undefined,
    blocks,
    unconfirmed: [],
    gone: [],
    spends: [...spends.values()],
    complete: true,
  };
}
