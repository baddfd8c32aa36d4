// Who signs for each network, as the settings say. Chains that are not named are sent by hand.
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { openSignerClient } from '#signer/client.ts';
import { signerProcess } from './signer-process.ts';
import type { SigningPort } from './signing-port.ts';

type SignersApp = {
  readonly config: {
    readonly signer: { readonly socket: string; readonly networks: readonly string[] } | undefined;
  };
};

export function openSigners({ config }: SignersApp): ReadonlyMap<ChainId, SigningPort> {
  if (config.signer === undefined) return new Map();
  const { socket, networks } = config.signer;
  const port = signerProcess(openSignerClient(socket));
  return new Map(networks.map((network) => [chainOf('live', network), port]));
}
