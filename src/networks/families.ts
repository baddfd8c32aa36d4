// Every family of real networks: a line in each of these places adds one. Sandbox networks need no
// settings and are opened by app.ts.

import type { NetworkParts, OpenedNetwork, Setting, SettingsReader } from './network-settings.ts';
import { openUtxoNetworks } from './utxo/open-utxo-networks.ts';
import { readUtxoSettings, UTXO_SETTINGS, type UtxoNodeSettings } from './utxo/utxo-settings.ts';

export type NetworkSettings = {
  readonly utxo: readonly UtxoNodeSettings[];
};

export const NETWORK_SETTINGS: readonly Setting[] = [...UTXO_SETTINGS];

export function readNetworkSettings(settings: SettingsReader): NetworkSettings {
  return {
    utxo: readUtxoSettings(settings),
  };
}

/** @throws Refusal that names the setting which is wrong. */
export function openNetworks(settings: NetworkSettings, parts: NetworkParts): OpenedNetwork[] {
  return [...openUtxoNetworks(settings.utxo, parts)];
}

/** Whether anything of value is watched. */
export function watchesMainChain(settings: NetworkSettings): boolean {
  return settings.utxo.some(({ chainName }) => chainName === 'main');
}
