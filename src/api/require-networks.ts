import { Outage } from '#base/refusal.ts';
import { type Environment, environmentOf } from '#catalog/chain.ts';
import type { Network } from '#deposit/network.ts';

/**
 * A live key on an installation without real networks must not look like a caller's mistake.
 * @throws Outage when nothing can be received in the environment of the caller.
 */
export function requireNetworks(
  app: { readonly networks: ReadonlyMap<string, Network> },
  caller: { readonly environment: Environment },
): void {
  const isAny = app.networks
    .values()
    .some(({ chain }) => environmentOf(chain) === caller.environment);
  if (!isAny) throw new Outage(`no network of the ${caller.environment} environment`);
}
