import type { ChainId } from '#catalog/chain.ts';
import type { MakeBlocksApp } from './mine-blocks.ts';
import { lockSandboxChain, setFrozenUntil, setSilence } from './sandbox-store.ts';

/** The node is down until then: it does not answer, and no block comes by itself. */
export function freezeChain(
  app: MakeBlocksApp,
  chain: ChainId,
  until: Temporal.Instant,
): Promise<void> {
  return setFrozen(app, chain, until);
}

export function thawChain(app: MakeBlocksApp, chain: ChainId): Promise<void> {
  return setFrozen(app, chain, undefined);
}

function setFrozen(
  app: MakeBlocksApp,
  chain: ChainId,
  until: Temporal.Instant | undefined,
): Promise<void> {
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, app.clock.now());
    setFrozenUntil(tx, chain, until);
  });
}

/**
 * For one merchant the node is down until then: what he is paid and is not mined yet is neither
 * seen nor mined before. Everybody else hears it.
 */
export function silenceChain(
  app: MakeBlocksApp,
  chain: ChainId,
  merchantId: string,
  until: Temporal.Instant,
): Promise<void> {
  return app.db.transact(async (tx) => {
    await lockSandboxChain(tx, chain, app.clock.now());
    setSilence(tx, chain, merchantId, until);
  });
}
