// Every family of real networks: a line in each of these places adds one. Sandbox networks need no
// settings and are opened by server/app.ts.

import { Refusal } from '#base/refusal.ts';
import { networkOf } from '#catalog/chain.ts';
import type { BankAccount } from './bank/bank-account.ts';
import { BANK_SETTINGS, readBankSettings } from './bank/bank-settings.ts';
import { openBankNetworks } from './bank/open-bank-networks.ts';
import { EVM_SETTINGS, type EvmNodeSettings, readEvmSettings } from './evm/evm-settings.ts';
import { openEvmNetworks } from './evm/open-evm-networks.ts';
import {
  LIGHTNING_SETTINGS,
  type LightningNodeSettings,
  readLightningSettings,
} from './lightning/lightning-settings.ts';
import { openLightningNetworks } from './lightning/open-lightning-networks.ts';
import type { NetworkParts, OpenedNetwork, Setting, SettingsReader } from './network-settings.ts';
import { openStellarNetworks } from './stellar/open-stellar-networks.ts';
import {
  readStellarSettings,
  STELLAR_SETTINGS,
  type StellarSettings,
} from './stellar/stellar-settings.ts';
import { openUtxoNetworks } from './utxo/open-utxo-networks.ts';
import { readUtxoSettings, UTXO_SETTINGS, type UtxoNodeSettings } from './utxo/utxo-settings.ts';
import { openXrplNetworks } from './xrpl/open-xrpl-networks.ts';
import { readXrplSettings, XRPL_SETTINGS, type XrplSettings } from './xrpl/xrpl-settings.ts';

export type NetworkSettings = {
  readonly utxo: readonly UtxoNodeSettings[];
  readonly evm: readonly EvmNodeSettings[];
  readonly lightning: readonly LightningNodeSettings[];
  readonly stellar: StellarSettings | undefined;
  readonly xrpl: XrplSettings | undefined;
  readonly bank: readonly BankAccount[];
};

export const NETWORK_SETTINGS: readonly Setting[] = [
  ...UTXO_SETTINGS,
  ...EVM_SETTINGS,
  ...LIGHTNING_SETTINGS,
  ...STELLAR_SETTINGS,
  ...XRPL_SETTINGS,
  ...BANK_SETTINGS,
];

export function readNetworkSettings(settings: SettingsReader): NetworkSettings {
  return {
    utxo: readUtxoSettings(settings),
    stellar: readStellarSettings(settings),
    xrpl: readXrplSettings(settings),
    evm: readEvmSettings(settings),
    lightning: readLightningSettings(settings),
    bank: readBankSettings(settings),
  };
}

/** @throws Refusal that names the setting which is wrong. */
export function openNetworks(settings: NetworkSettings, parts: NetworkParts): OpenedNetwork[] {
  const opened = [
    ...openUtxoNetworks(settings.utxo, parts),
    ...openEvmNetworks(settings.evm, parts),
    ...openLightningNetworks(settings.lightning, parts),
    ...openStellarNetworks(settings.stellar, parts),
    ...openXrplNetworks(settings.xrpl, parts),
    ...openBankNetworks(settings.bank, parts),
  ];
  const chains = opened.map(({ network }) => network.chain);
  const twice = chains.find((chain, index) => chains.indexOf(chain) !== index);
  if (twice === undefined) return opened;
  throw new Refusal('invalid', 'settings_invalid', [
    `STELLAR_ANCHORS: ${networkOf(twice)} has a node of its own; one of the two has to go`,
  ]);
}

/** Whether anything of value is watched. */
export function watchesMainChain(settings: NetworkSettings): boolean {
  const nodes = [...settings.utxo, ...settings.evm, ...settings.lightning];
  const single = [settings.stellar?.chainName, settings.xrpl?.chainName];
  const chainNames = [...nodes.map(({ chainName }) => chainName), ...single];
  return chainNames.includes('main') || settings.bank.length > 0;
}
