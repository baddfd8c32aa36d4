import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Executors, TransferExecutor } from './executor.ts';

/** @throws Refusal unavailable `executor_missing` where nothing can send: nothing was moved. */
export function requireExecutor(executors: Executors, chain: ChainId): TransferExecutor {
  const executor = executors.get(chain);
  if (executor === undefined) {
    const [environment, network] = [environmentOf(chain), networkOf(chain)];
    throw new Refusal('unavailable', 'executor_missing', [
      `Nothing here can send on ${network} with a ${environment} key: no signer is set up for it. ` +
        'Nothing was moved.',
    ]);
  }
  return executor;
}
