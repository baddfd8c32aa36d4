import { isHttpUrl } from '#base/text.ts';
import {
  isSetUp,
  type Setting,
  type SettingsReader,
  settingsOf,
} from '#networks/network-settings.ts';
import {
  EVM_CHAIN_NAMES,
  EVM_NETWORKS,
  type EvmChainName,
  type EvmNetworkId,
} from './evm-chain.ts';

export type EvmNodeSettings = {
  readonly network: EvmNetworkId;
  readonly chainName: EvmChainName;
  /** Only of a chain of one's own. */
  readonly chainId: bigint | undefined;
  /** In order of preference; may hold secrets. */
  readonly rpcUrls: readonly string[];
  readonly extendedPublicKey: string;
  readonly agreeAbove: { readonly tokens: bigint; readonly coins: bigint };
};

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
