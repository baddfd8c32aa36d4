import type { ConfirmationTiers } from '#catalog/network.ts';
import { isHttpUrl, type Setting, type SettingsReader } from '#networks/network-settings.ts';

export const UTXO_NETWORKS = ['BITCOIN', 'LITECOIN'] as const;
export type UtxoNetworkId = (typeof UTXO_NETWORKS)[number];
const CHAIN_NAMES: Record<UtxoNetworkId, readonly string[]> = {
  BITCOIN: ['main', 'test', 'signet', 'regtest'],
  LITECOIN: ['main', 'test', 'regtest'],
};

export type UtxoNodeSettings = {
  readonly network: UtxoNetworkId;
  readonly chainName: string;
  readonly rpcUrl: string;
  readonly rpcCookieFile: string | undefined;
  readonly descriptor: string;
  /** Depths for small, medium and large values; only a test chain may go below the defaults. */
  readonly confirmations: ConfirmationTiers | undefined;
};

const PER_NODE: readonly Setting[] = [
  { name: 'RPC_URL', about: 'http://user:password@host:port of the node', initial: '' },
  { name: 'RPC_COOKIE_FILE', about: 'cookie file instead of user and password', initial: '' },
  { name: 'CHAIN', about: 'main, test, signet or regtest', initial: 'main' },
  {
    name: 'DESCRIPTOR',
    about: 'extended public key, or descriptor: wpkh(...), tr(...)',
    initial: '',
  },
  { name: 'CONFIRMATIONS', about: 'depths by value, for example 1/3/6', initial: '' },
];

export const UTXO_SETTINGS: readonly Setting[] = UTXO_NETWORKS.flatMap((network) =>
  PER_NODE.map((setting) => ({ ...setting, name: `${network}_${setting.name}` })),
);

export function readUtxoSettings(settings: SettingsReader): UtxoNodeSettings[] {
  return UTXO_NETWORKS.flatMap((network) => readNode(network, settings));
}

function readNode(network: UtxoNetworkId, settings: SettingsReader): UtxoNodeSettings[] {
  const given = PER_NODE.filter(({ name }) => settings.has(`${network}_${name}`));
  if (given.length === 0) return [];
  for (const name of ['RPC_URL', 'DESCRIPTOR']) {
    if (!settings.has(`${network}_${name}`)) {
      settings.fault(
        `${network}_${name}: missing, while ${network}_${given[0]?.name} is set; a node needs both`,
      );
    }
  }
  const rpcUrl = settings.text(`${network}_RPC_URL`);
  if (rpcUrl !== '' && !isHttpUrl(rpcUrl)) {
    settings.fault(`${network}_RPC_URL: must be http://user:password@host:port`);
  }
  const chainName = settings.choice(`${network}_CHAIN`, CHAIN_NAMES[network]);
  return [
    {
      network,
      chainName,
      rpcUrl,
      rpcCookieFile: settings.text(`${network}_RPC_COOKIE_FILE`) || undefined,
      descriptor: settings.text(`${network}_DESCRIPTOR`),
      confirmations: readDepths(network, chainName, settings),
    },
  ];
}

/**
 * Merchants and operators may raise the depth; below the smallest safe one only on a test chain.
 */
const LOWEST_DEPTH: Record<UtxoNetworkId, number> = { BITCOIN: 1, LITECOIN: 6 };

function readDepths(
  network: UtxoNetworkId,
  chainName: string,
  settings: SettingsReader,
): ConfirmationTiers | undefined {
  const value = settings.text(`${network}_CONFIRMATIONS`);
  if (value === '') return undefined;
  const match = /^(\d{1,4})\/(\d{1,4})\/(\d{1,4})$/.exec(value);
  const [small, medium, large] = (match ?? []).slice(1).map(Number);
  if (small === undefined || medium === undefined || large === undefined) {
    settings.fault(`${network}_CONFIRMATIONS: must be three depths by value, for example 1/3/6`);
    return undefined;
  }
  const isOrdered = small <= medium && medium <= large;
  const lowest = chainName === 'main' ? LOWEST_DEPTH[network] : 1;
  if (!isOrdered || small < lowest) {
    settings.fault(`${network}_CONFIRMATIONS: must not fall, and not be below ${lowest}`);
  }
  return [small, medium, large];
}
