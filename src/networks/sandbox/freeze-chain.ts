import type { ChainId } from '#catalog/chain.ts';
import type { MakeBlocksApp } from './make-blocks.ts';
import { lockSandboxChain, setFrozenUntil } from './sandbox-store.ts';

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
