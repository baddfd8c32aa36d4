// Who signs for each network, as the settings say. Chains that are not named are sent by hand.
import type { Clock } from '#base/clock.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { Watcher } from '#deposit/network.ts';
import { openSignerClient, type SignerPlace } from '#signer/client.ts';
import { signerProcess } from './signer-process.ts';
import type { SigningPort } from './signing-port.ts';
import { walletOfNode } from './wallet-of-node.ts';

type SignersApp = Parameters<typeof walletOfNode>[0] & {
  readonly clock: Clock;
  readonly config: {
    readonly signer:
      | { readonly place: SignerPlace; readonly networks: readonly string[] }
      | undefined;
  };
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'wallet'>>;
};

/** The settings name one for each (config.ts). */
export function openSigners(app: SignersApp): ReadonlyMap<ChainId, SigningPort> {
  const { place, networks } = app.config.signer ?? { place: '', networks: [] };
  const now = () => app.clock.now();
  const process = signerProcess(openSignerClient(place, { now }));
  const wallets = [...app.networks].flatMap(([chain, { wallet }]) =>
    wallet === undefined ? [] : ([[chain, walletOfNode(app, chain, wallet)]] as const),
  );
  return new Map([
    ...networks.map((network) => [chainOf('live', network), process] as const),
    ...wallets,
  ]);
}
