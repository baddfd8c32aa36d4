import { readFileSync } from 'node:fs';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { openHttpClient } from '#networks/http-client.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { coreLightningBackend } from './core-lightning-backend.ts';
import { electrumBackend } from './electrum-backend.ts';
import { type LightningBackend, NODE_LIMITS } from './lightning-backend.ts';
import { LIGHTNING_CHAINS } from './lightning-chain.ts';
import { lightningNetwork } from './lightning-network.ts';
import type { LightningNodeSettings } from './lightning-settings.ts';
import { lndBackend } from './lnd-backend.ts';

/** @throws Refusal that names the setting which is wrong. */
export function openLightningNetworks(
  nodes: readonly LightningNodeSettings[],
  { db, clock }: NetworkParts,
): OpenedNetwork[] {
  return nodes.map((node) => ({
    network: lightningNetwork({
      chain: chainOf('live', 'LIGHTNING'),
      parameters: LIGHTNING_CHAINS[node.chainName],
      backend: openBackend(node, clock),
      address: new URL(node.url).host,
      db,
      clock,
    }),
    isTestChain: node.chainName !== 'main',
  }));
}

function openBackend(node: LightningNodeSettings, clock: NetworkParts['clock']): LightningBackend {
  const what = chainOf('live', 'LIGHTNING');
  const { url } = node;
  const certificate =
    node.certificateFile === undefined
      ? undefined
      : readSecret('LIGHTNING_TLS_CERT_FILE', node.certificateFile).toString('utf8');
  const open = (headers: Record<string, string>) => {
    try {
      return openHttpClient({ ...NODE_LIMITS, what, url, headers, certificate });
    } catch {
      throw fault('LIGHTNING_TLS_CERT_FILE', 'is no certificate in PEM form');
    }
  };
  switch (node.backend) {
    case 'lnd': {
      const macaroon = new Uint8Array(readSecret('LIGHTNING_MACAROON_FILE', node.macaroonFile));
      const http = open({ 'grpc-metadata-macaroon': macaroon.toHex() });
      return lndBackend({ http, macaroon, clock });
    }
    case 'core-lightning': {
      const rune = readSecret('LIGHTNING_RUNE_FILE', node.runeFile).toString('utf8').trim();
      return coreLightningBackend({ http: open({ rune }), clock });
    }
    case 'electrum':
      return electrumBackend({ http: open({}), clock });
  }
}

function readSecret(name: string, path: string): Buffer {
  try {
    const content = readFileSync(path);
    if (content.length > 0) return content;
  } catch {
    // The sentence below says it. The error would only repeat the path.
  }
  throw fault(name, `cannot be read, or is empty: ${path}`);
}

function fault(name: string, sentence: string): Refusal {
  return new Refusal('invalid', 'settings_invalid', [`${name}: ${sentence}`]);
}
