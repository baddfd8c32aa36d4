import { isHttpUrl } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import {
  isSetUp,
  type Setting,
  type SettingsReader,
  settingsOf,
} from '#networks/network-settings.ts';
import { hasEvmChecksum } from './derive-address.ts';
import {
  EVM_CHAIN_NAMES,
  EVM_NETWORKS,
  type EvmChainName,
  type EvmNetworkId,
} from './evm-chain.ts';
import type { ContractReceivers } from './try-payment.ts';

export type EvmNodeSettings = {
  readonly network: EvmNetworkId;
  readonly chainName: EvmChainName;
  /** Only of a chain of one's own. */
  readonly chainId: bigint | undefined;
  /** In order of preference; may hold secrets. */
  readonly rpcUrls: readonly string[];
  readonly extendedPublicKey: string;
  readonly agreeAbove: { readonly tokens: bigint; readonly coins: bigint };
  readonly sweep: SweepSettings;
  readonly contractReceivers: ContractReceivers;
  /** What pays refunds and transfers, by several signatures; in lower case. */
  readonly safe: string | undefined;
  /** Pays the gas of what payers have signed for us (x402); in lower case. */
  readonly relayAccount: string | undefined;
  /** Hundredths of what is paid that this gas may be worth at most; 0: any. */
  readonly relayGasPercentMost: number;
};

/** Where money at deposit addresses is brought together. Addresses in lower case. */
export type SweepSettings = {
  readonly collectTo: string | undefined;
  readonly gasAccount: string | undefined;
  /** In units, by asset. */
  readonly above: ReadonlyMap<string, bigint>;
};

/** Nobody is helped by a payment that costs more than it brings. */
const GAS_PERCENT = 100;
const GAS_PERCENT_MOST = 10_000;

const PER_NODE: readonly Setting[] = [
  { name: 'RPC_URLS', about: 'JSON-RPC endpoints, the preferred first, with commas', initial: '' },
  { name: 'XPUB', about: "extended public key of an account, m/44'/60'/0'", initial: '' },
  { name: 'CHAIN', about: 'main, or dev for a chain of your own', initial: 'main' },
  { name: 'CHAIN_ID', about: 'number of a chain of your own', initial: '' },
  {
    name: 'AGREE_ABOVE',
    about: 'tokens/coins from which two endpoints must agree',
    initial: '10000/3',
  },
  {
    name: 'CONTRACT_RECEIVERS',
    about: 'contracts that may be paid, with commas, or any',
    initial: '',
  },
  { name: 'SAFE', about: 'Safe of yours that pays, signed by its owners', initial: '' },
  {
    name: 'X402_ACCOUNT',
    about: 'address of yours, for nothing else, that pays the gas of x402',
    initial: '',
  },
  {
    name: 'X402_GAS_PERCENT',
    about: 'percent of a payment that its gas may be worth at most, 0 for any',
    initial: `${GAS_PERCENT}`,
  },
  { name: 'COLLECT_TO', about: 'address to which deposit addresses are swept', initial: '' },
  { name: 'GAS_ACCOUNT', about: 'address of yours that gives coins for gas', initial: '' },
  {
    name: 'SWEEP_ABOVE',
    about: 'amounts from which an address is swept by itself, as 500 USDC, 0.2 ETH',
    initial: '',
  },
];

export const EVM_SETTINGS: readonly Setting[] = settingsOf(EVM_NETWORKS, PER_NODE);

export function readEvmSettings(settings: SettingsReader): EvmNodeSettings[] {
  return EVM_NETWORKS.flatMap((network) => readNode(network, settings));
}

function readNode(network: EvmNetworkId, settings: SettingsReader): EvmNodeSettings[] {
  const needed = [`${network}_RPC_URLS`, `${network}_XPUB`];
  const all = settingsOf([network], PER_NODE);
  if (!isSetUp(settings, all, needed, '; both are needed')) return [];
  const rpcUrls = settings.list(`${network}_RPC_URLS`);
  if (!rpcUrls.every(isHttpUrl)) {
    settings.fault(`${network}_RPC_URLS: must be http or https addresses with commas in between`);
  }
  const chainName = settings.choice(`${network}_CHAIN`, EVM_CHAIN_NAMES);
  return [
    {
      network,
      chainName,
      chainId: readChainId(network, chainName, settings),
      rpcUrls: rpcUrls.filter(isHttpUrl),
      extendedPublicKey: settings.text(`${network}_XPUB`),
      agreeAbove: readAgreement(network, settings),
      sweep: readSweep(network, settings),
      contractReceivers: readContractReceivers(network, settings),
      safe: readSafeAddress(network, settings),
      relayAccount: addressOf(`${network}_X402_ACCOUNT`, settings),
      relayGasPercentMost: settings.integer(`${network}_X402_GAS_PERCENT`, 0, GAS_PERCENT_MOST),
    },
  ];
}

function readChainId(
  network: EvmNetworkId,
  chainName: EvmChainName,
  settings: SettingsReader,
): bigint | undefined {
  const text = settings.text(`${network}_CHAIN_ID`);
  if (text === '') return undefined;
  if (chainName === 'main' || !/^[1-9]\d{0,17}$/.test(text)) {
    settings.fault(`${network}_CHAIN_ID: a whole number, and only with ${network}_CHAIN=dev`);
    return undefined;
  }
  return BigInt(text);
}

function readAgreement(
  network: EvmNetworkId,
  settings: SettingsReader,
): EvmNodeSettings['agreeAbove'] {
  const match = /^(\d{1,12})\/(\d{1,12})$/.exec(settings.text(`${network}_AGREE_ABOVE`));
  const [tokens, coins] = (match ?? []).slice(1);
  if (tokens === undefined || coins === undefined) {
    settings.fault(`${network}_AGREE_ABOVE: whole tokens and whole coins, for example 10000/3`);
    return { tokens: 0n, coins: 0n };
  }
  return { tokens: BigInt(tokens), coins: BigInt(coins) };
}

function readSweep(network: EvmNetworkId, settings: SettingsReader): SweepSettings {
  const address = (name: string) => addressOf(`${network}_${name}`, settings);
  const [collectTo, gasAccount] = [address('COLLECT_TO'), address('GAS_ACCOUNT')];
  const above = new Map(
    settings.list(`${network}_SWEEP_ABOVE`).flatMap((text) => {
      const read = readAmount(network, text);
      if (read !== undefined) return [read];
      settings.fault(`${network}_SWEEP_ABOVE: ${text} is no amount of an asset, as 500 USDC`);
      return [];
    }),
  );
  if (collectTo === undefined && (gasAccount !== undefined || above.size > 0)) {
    settings.fault(`${network}_COLLECT_TO: missing, while other settings of sweeps are given`);
  }
  return { collectTo, gasAccount, above };
}

function readContractReceivers(network: string, settings: SettingsReader): ContractReceivers {
  const name = `${network}_CONTRACT_RECEIVERS`;
  const named = settings.list(name);
  if (named.length === 1 && named[0] === 'any') return 'any';
  return new Set(named.map((text) => readAddress(name, text, settings)));
}

function readSafeAddress(network: string, settings: SettingsReader): string | undefined {
  const safe = addressOf(`${network}_SAFE`, settings);
  if (safe !== undefined && safe === addressOf(`${network}_GAS_ACCOUNT`, settings)) {
    settings.fault(`${network}_SAFE: is ${network}_GAS_ACCOUNT too, which has to have a key`);
  }
  return safe;
}

/** Undefined where none is given. */
function addressOf(name: string, settings: SettingsReader): string | undefined {
  const text = settings.text(name);
  return text === '' ? undefined : readAddress(name, text, settings);
}

/** In lower case. */
function readAddress(name: string, text: string, settings: SettingsReader): string {
  if (!hasEvmChecksum(text)) {
    settings.fault(`${name}: ${text} is no address with capitals as wallets show it (EIP-55)`);
  }
  return text.toLowerCase();
}

function readAmount(network: string, text: string): readonly [string, bigint] | undefined {
  const [amount = '', code, ...more] = text.trim().split(/\s+/);
  const assetId = getNetwork(network).assets.find((id) => getAsset(id).assetCode === code);
  if (assetId === undefined || more.length > 0) return undefined;
  const units = amountFromText(amount, getAsset(assetId).decimals);
  return units === undefined || units <= 0n ? undefined : [assetId, units];
}
