import { readFileSync } from 'node:fs';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { openHttpClient } from '#networks/http-client.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { createResolver, STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { LNURL_BYTES_MOST, LNURL_TIMEOUT_MS } from './ask-lnurl.ts';
import { coreLightningBackend, coreLightningPayments } from './core-lightning-backend.ts';
import { electrumBackend, electrumPayments } from './electrum-backend.ts';
import { type LightningPayments, NODE_LIMITS } from './lightning-backend.ts';
import { LIGHTNING_CHAINS } from './lightning-chain.ts';
import { lightningNetwork } from './lightning-network.ts';
import type { LightningNodeSettings } from './lightning-settings.ts';
import { lndBackend } from './lnd-backend.ts';
import { lndPayments } from './lnd-payments.ts';

/** @throws Refusal that names the setting which is wrong. */
export function openLightningNetworks(
  nodes: readonly LightningNodeSettings[],
  { db, clock }: NetworkParts,
): OpenedNetwork[] {
  return nodes.map((node) => ({
    network: lightningNetwork({
      chain: chainOf('live', 'LIGHTNING'),
      parameters: LIGHTNING_CHAINS[node.chainName],
      address: new URL(node.url).host,
      db,
      clock,
      ...openNode(node, clock),
    }),
    isTestChain: node.chainName !== 'main',
  }));
}

type OpenNode = Pick<Parameters<typeof lightningNetwork>[0], 'backend' | 'paying'>;

/** Each secret has a connection of its own. Without one for payments that of invoices reads. */
function openNode(node: LightningNodeSettings, clock: NetworkParts['clock']): OpenNode {
  const what = chainOf('live', 'LIGHTNING');
  const { url, pays, allowedTargets } = node;
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
  const paying = (payments: LightningPayments) => ({
    payments,
    limits: pays?.limits,
    via: {
      targets: { ...STRICT_TARGET_RULES, allowedRanges: allowedTargets },
      resolve: createResolver(),
      timeoutMs: LNURL_TIMEOUT_MS,
      answerBytesMost: LNURL_BYTES_MOST,
    },
  });
  switch (node.backend) {
    case 'lnd': {
      const macaroon = new Uint8Array(readSecret('LIGHTNING_MACAROON_FILE', node.macaroonFile));
      const http = open({ 'grpc-metadata-macaroon': macaroon.toHex() });
      const own =
        pays && new Uint8Array(readSecret('LIGHTNING_PAY_MACAROON_FILE', pays.macaroonFile));
      const sender = open({ 'grpc-metadata-macaroon': (own ?? macaroon).toHex() });
      const backend = lndBackend({ http, macaroon, clock });
      return { backend, paying: paying(lndPayments({ http: sender })) };
    }
    case 'core-lightning': {
      const rune = readRune('LIGHTNING_RUNE_FILE', node.runeFile);
      const own = pays && readRune('LIGHTNING_PAY_RUNE_FILE', pays.runeFile);
      const sender = open({ rune: own ?? rune });
      const backend = coreLightningBackend({ http: open({ rune }), clock });
      return { backend, paying: paying(coreLightningPayments({ http: sender })) };
    }
    case 'electrum': {
      const backend = electrumBackend({ http: open({}), clock });
      return { backend, paying: paying(electrumPayments({ http: open({}) })) };
    }
  }
}

function readRune(name: string, path: string): string {
  return readSecret(name, path).toString('utf8').trim();
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
