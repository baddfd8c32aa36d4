import type { ChainId } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import type { MakeBlocksApp } from './mine-blocks.ts';
import { lockSandboxChain } from './sandbox-block.ts';
import { SANDBOX_SILENCE } from './sandbox-transaction.ts';

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
    const frozenUntil = until ?? null;
    tx.send(sql`update sandbox_chain set frozen_until = ${frozenUntil} where chain = ${chain}`);
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
    const known = sql`on conflict (merchant_id, chain) do update set until = excluded.until`;
    tx.send(SANDBOX_SILENCE.insert([{ merchantId, chain, until }], known));
  });
}
