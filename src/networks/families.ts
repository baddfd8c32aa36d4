// Every family of networks: its row here is all that the rest of the program knows of it. Sandbox
// networks need no settings; they are every network of the catalog, simulated.

import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork, type NetworkFamily } from '#catalog/network.ts';
import type { Payee } from '#deposit/network.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import type { BankAccount } from './bank/bank-account.ts';
import { simulatedBankPayee } from './bank/bank-payee.ts';
import { BANK_SETTINGS, readBankSettings } from './bank/bank-settings.ts';
import { openBankNetworks } from './bank/open-bank-networks.ts';
import { pixKeyIn } from './bank/payment-codes.ts';
import { evmAddress, simulatedEvmPayee } from './evm/evm-payee.ts';
import { EVM_SETTINGS, type EvmNodeSettings, readEvmSettings } from './evm/evm-settings.ts';
import { openEvmNetworks } from './evm/open-evm-networks.ts';
import { simulatedLightningPayee } from './lightning/lightning-network.ts';
import {
  LIGHTNING_SETTINGS,
  type LightningNodeSettings,
  readLightningSettings,
} from './lightning/lightning-settings.ts';
import { openLightningNetworks } from './lightning/open-lightning-networks.ts';
import type {
  Family,
  NetworkParts,
  OpenedNetwork,
  Setting,
  SettingsReader,
} from './network-settings.ts';
import { readInvoice, readLnurl } from './read-invoice.ts';
import { openStellarNetworks } from './stellar/open-stellar-networks.ts';
import { simulatedStellarPayee, stellarAddress } from './stellar/stellar-payee.ts';
import {
  readStellarSettings,
  STELLAR_SETTINGS,
  type StellarSettings,
} from './stellar/stellar-settings.ts';
import { openUtxoNetworks } from './utxo/open-utxo-networks.ts';
import { simulatedUtxoPayee, utxoAddress } from './utxo/utxo-payee.ts';
import { readUtxoSettings, UTXO_SETTINGS, type UtxoNodeSettings } from './utxo/utxo-settings.ts';
import { openXrplNetworks } from './xrpl/open-xrpl-networks.ts';
import { simulatedXrplPayee, xrplAddress } from './xrpl/xrpl-payee.ts';
import { readXrplSettings, XRPL_SETTINGS, type XrplSettings } from './xrpl/xrpl-settings.ts';

export type NetworkSettings = {
  readonly utxo: readonly UtxoNodeSettings[];
  readonly evm: readonly EvmNodeSettings[];
  readonly lightning: readonly LightningNodeSettings[];
  readonly stellar: StellarSettings | undefined;
  readonly xrpl: XrplSettings | undefined;
  readonly bank: readonly BankAccount[];
};

const isMainChain = ({ chainName }: { readonly chainName: string }) => chainName === 'main';

/** In the order in which settings are shown and networks opened. */
export const FAMILIES: { readonly [Id in NetworkFamily]: Family<NetworkSettings[Id]> } = {
  utxo: {
    settings: UTXO_SETTINGS,
    read: readUtxoSettings,
    open: openUtxoNetworks,
    isMain: (nodes) => nodes.some(isMainChain),
    simulate: simulatedUtxoPayee,
    simulatedFeeUnits: () => 500n,
    addressOf: utxoAddress,
  },
  evm: {
    settings: EVM_SETTINGS,
    read: readEvmSettings,
    open: openEvmNetworks,
    isMain: (nodes) => nodes.some(isMainChain),
    simulate: simulatedEvmPayee,
    simulatedFeeUnits: () => 21_000n * 10n ** 9n,
    addressOf: evmAddress,
  },
  lightning: {
    settings: LIGHTNING_SETTINGS,
    read: readLightningSettings,
    open: openLightningNetworks,
    isMain: (nodes) => nodes.some(isMainChain),
    simulate: simulatedLightningPayee,
    simulatedFeeUnits: (units) => 1n + units / 1000n,
    addressOf: () => undefined,
  },
  stellar: {
    settings: STELLAR_SETTINGS,
    read: readStellarSettings,
    open: (settings, parts) => openStellarNetworks(settings, parts, { addressOf }),
    isMain: (settings) => settings !== undefined && isMainChain(settings),
    simulate: simulatedStellarPayee,
    simulatedFeeUnits: () => 100n,
    addressOf: stellarAddress,
  },
  xrpl: {
    settings: XRPL_SETTINGS,
    read: readXrplSettings,
    open: openXrplNetworks,
    isMain: (settings) => settings !== undefined && isMainChain(settings),
    simulate: simulatedXrplPayee,
    simulatedFeeUnits: () => 12n,
    addressOf: xrplAddress,
  },
  bank: {
    settings: BANK_SETTINGS,
    read: readBankSettings,
    open: openBankNetworks,
    isMain: (accounts) => accounts.length > 0,
    simulate: simulatedBankPayee,
    simulatedFeeUnits: () => 0n,
    addressOf: (chain, text) => (networkOf(chain) === 'PIX' ? pixKeyIn(text) : undefined),
  },
};

const FAMILY_IDS = Object.keys(FAMILIES) as NetworkFamily[];

export const NETWORK_SETTINGS: readonly Setting[] = Object.values(FAMILIES).flatMap(
  ({ settings }) => settings,
);

export function readNetworkSettings(settings: SettingsReader): NetworkSettings {
  const read = FAMILY_IDS.map((id) => [id, FAMILIES[id].read(settings)]);
  return Object.fromEntries(read) as NetworkSettings;
}

/** @throws Refusal that names the setting which is wrong. */
export function openNetworks(
  settings: NetworkSettings,
  parts: NetworkParts,
): readonly OpenedNetwork[] {
  const open = <Id extends NetworkFamily>(id: Id) => FAMILIES[id].open(settings[id], parts);
  const opened = FAMILY_IDS.flatMap(open);
  const chains = opened.map(({ network }) => network.chain);
  const twice = chains.find((chain, index) => chains.indexOf(chain) !== index);
  if (twice === undefined) return opened;
  throw new Refusal('invalid', 'settings_invalid', [
    `STELLAR_ANCHORS: ${networkOf(twice)} has a node of its own; one of the two has to go`,
  ]);
}

/** Whether anything of value is watched. */
export function watchesMainChain(settings: NetworkSettings): boolean {
  const isMain = <Id extends NetworkFamily>(id: Id) => FAMILIES[id].isMain(settings[id]);
  return FAMILY_IDS.some(isMain);
}

/** `payee`: where the chain is set up (`Family.addressOf`). */
export function addressOf(chain: ChainId, text: string, payee?: Payee): string | undefined {
  return FAMILIES[getNetwork(networkOf(chain)).family].addressOf(chain, text, payee);
}

/**
 * Whether an address or invoice of a chain is one, proven by its checksum. Where the chain is set
 * up its payee says, because it knows which chain that is (a test network, regtest); where it is
 * not, every chain of the environment is possible.
 */
export function accountValidator(networks: ReadonlyMap<ChainId, Payee>): AccountValidator {
  return {
    address: (chain, text) => addressOf(chain, text, networks.get(chain)),
    invoice(chain, text) {
      const read = readInvoice(text);
      if (read === undefined) return undefined;
      const { invoice, prefix, expiresAt, millisatoshis } = read;
      const known = networks.get(chain)?.invoicePrefix;
      const isLive = environmentOf(chain) === 'live';
      if (known === undefined ? (prefix === 'bc') !== isLive : prefix !== known) return undefined;
      const isWhole = millisatoshis !== undefined && millisatoshis % 1000n === 0n;
      return { invoice, expiresAt, units: isWhole ? millisatoshis / 1000n : undefined };
    },
    lnurl: (text) => readLnurl(text)?.lnurl,
  };
}
