import { Refusal } from '#base/refusal.ts';
import { type Environment, environmentOf } from '#catalog/chain.ts';
import type { Watcher } from '#deposit/network.ts';

const MISSING: Readonly<Record<Environment, string>> = {
  live:
    'no real network is connected to this installation: its operator sets BITCOIN_RPC_URL and ' +
    'BITCOIN_DESCRIPTOR, or the settings of another network (npx quittance settings; ' +
    'docs/operate/connect-a-node.md). Test keys work without any',
  test: 'the simulated networks are switched off on this installation: its operator can set SANDBOX=on',
};

/**
 * A live key on an installation without real networks must not look like a caller's mistake, nor
 * like something that comes back by itself.
 * @throws Refusal when nothing can be received in the environment of the caller.
 */
export function requireNetworks(
  app: { readonly networks: ReadonlyMap<string, Watcher> },
  { environment }: { readonly environment: Environment },
): void {
  const isAny = app.networks.values().some(({ chain }) => environmentOf(chain) === environment);
  if (!isAny) throw new Refusal('unavailable', 'networks_not_configured', [MISSING[environment]]);
}
