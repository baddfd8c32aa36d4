import { readFileSync } from 'node:fs';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { coreLightningBackend } from './core-lightning-backend.ts';
import { electrumBackend } from './electrum-backend.ts';
import type { LightningBackend } from './lightning-backend.ts';
import { LIGHTNING_CHAINS } from './lightning-chain.ts';
import { lightningNetwork } from './lightning-network.ts';
import type { LightningNodeSettings } from './lightning-settings.ts';
import { lndBackend } from './lnd-backend.ts';
import { openNodeHttp } from './node-http.ts';

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
  const url = new URL(node.url);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const certificate =
    node.certificateFile === undefined
      ? undefined
      : readSecret('LIGHTNING_TLS_CERT_FILE', node.certificateFile).toString('utf8');
  const open = (headers: Record<string, string>) => {
    try {
      return openNodeHttp({ what, url: url.href, headers, certificate });
    } catch {
      throw fault('LIGHTNING_TLS_CERT_FILE', 'is no certificate in PEM form');
    }
  };
  switch (node.backend) {
    case 'lnd': {
      const macaroon = new Uint8Array(readSecret('LIGHTNING_MACAROON_FILE', node.macaroonFile));
      const http = open({ 'grpc-metadata-macaroon': macaroon.toHex() });
      return lndBackend({ what, http, macaroon, clock });
    }
    case 'core-lightning': {
      const rune = readSecret('LIGHTNING_RUNE_FILE', node.runeFile).toString('utf8').trim();
      return coreLightningBackend({ what, http: open({ rune }), clock });
    }
    case 'electrum': {
      const pair = Buffer.from(`${user}:${password}`).toString('base64');
      return electrumBackend({ what, http: open({ authorization: `Basic ${pair}` }), clock });
    }
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
