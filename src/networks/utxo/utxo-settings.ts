import { isHttpUrl } from '#base/text.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import {
  isSetUp,
  type Setting,
  type SettingsReader,
  settingsOf,
} from '#networks/network-settings.ts';
import { type FeeRateLimits, USUAL_FEE_RATES } from './read-fee-rate.ts';

const UTXO_NETWORKS = ['BITCOIN', 'LITECOIN'] as const;
type UtxoNetworkId = (typeof UTXO_NETWORKS)[number];
const CHAIN_NAMES: Record<UtxoNetworkId, readonly [string, ...string[]]> = {
  BITCOIN: ['main', 'test', 'testnet4', 'signet', 'regtest'],
  LITECOIN: ['main', 'test', 'regtest'],
};

export type UtxoNodeSettings = {
  readonly network: UtxoNetworkId;
  readonly chainName: string;
  /** Empty where there is no node. */
  readonly rpcUrl: string;
  readonly rpcCookieFile: string | undefined;
  readonly zmqUrl?: string | undefined;
  /** Servers in the place of a node; may hold secrets. */
  readonly esploraUrls?: readonly string[];
  /** What a single server may be believed, in the asset; undefined where two must agree. */
  readonly singleSourceLimit?: string | undefined;
  readonly descriptor: string;
  /** Depths for small, medium and large values; only a test chain may go below the defaults. */
  readonly confirmations: ConfirmationTiers | undefined;
  readonly rates?: FeeRateLimits;
  /** The wallet of the node that signs what is sent, where one does. */
  readonly wallet?: WalletSettings | undefined;
};

/** Caps in the coin. */
type WalletSettings = {
  readonly name: string;
  readonly perTransaction: string;
  readonly perDay: string;
};

/** Whole coins. */
const COINS = /^\d{1,8}(?:\.\d{1,8})?$/;

const PER_NODE: readonly Setting[] = [
  { name: 'RPC_URL', about: 'http://user:password@host:port of the node', initial: '' },
  { name: 'RPC_COOKIE_FILE', about: 'cookie file instead of user and password', initial: '' },
  { name: 'ZMQ_URL', about: 'tcp://host:port where the node publishes blocks', initial: '' },
  { name: 'ESPLORA_URLS', about: 'Esplora servers instead of a node, two or more', initial: '' },
  {
    name: 'SINGLE_SOURCE_LIMIT',
    about: 'largest payment one Esplora server alone is believed; 0: two must agree',
    initial: '0',
  },
  { name: 'CHAIN', about: 'main, test, testnet4, signet or regtest', initial: 'main' },
  {
    name: 'DESCRIPTOR',
    about: 'extended public key, or descriptor: wpkh(...), tr(...)',
    initial: '',
  },
  { name: 'CONFIRMATIONS', about: 'depths by value, for example 1/3/6', initial: '' },
  {
    name: 'FEE_RATE',
    about: 'units for a virtual byte of what is sent, where the node has no estimate; 0: it waits',
    initial: '0',
  },
  {
    name: 'FEE_RATE_MOST',
    about: 'most units for a virtual byte of what is sent, whatever the node estimates',
    initial: String(USUAL_FEE_RATES.feeRateMost),
  },
  { name: 'WALLET', about: 'wallet of the node that signs what is sent', initial: '' },
  {
    name: 'WALLET_PER_TRANSACTION',
    about: 'most that leaves by that wallet in a transaction, fee counted',
    initial: '',
  },
  { name: 'WALLET_PER_DAY', about: 'the same for any 24 hours', initial: '' },
];

export const UTXO_SETTINGS: readonly Setting[] = settingsOf(UTXO_NETWORKS, PER_NODE);

export function readUtxoSettings(settings: SettingsReader): UtxoNodeSettings[] {
  return UTXO_NETWORKS.flatMap((network) => readNode(network, settings));
}

function readNode(network: UtxoNetworkId, settings: SettingsReader): UtxoNodeSettings[] {
  const esploraUrls = readEsploraUrls(network, settings);
  const source = esploraUrls.length > 0 ? [] : [`${network}_RPC_URL`];
  const needed = [...source, `${network}_DESCRIPTOR`];
  const all = settingsOf([network], PER_NODE);
  if (!isSetUp(settings, all, needed, '; a node needs both')) return [];
  const rpcUrl = withPlainPassword(settings.text(`${network}_RPC_URL`));
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
      zmqUrl: readZmqUrl(network, settings),
      esploraUrls,
      singleSourceLimit: readSingleSourceLimit(network, esploraUrls, settings),
      descriptor: settings.text(`${network}_DESCRIPTOR`),
      confirmations: readDepths(network, chainName, settings),
      rates: readRates(network, settings),
      wallet: readWallet(network, settings),
    },
  ];
}

function readRates(network: UtxoNetworkId, settings: SettingsReader): FeeRateLimits {
  const feeRateElse = settings.integer(`${network}_FEE_RATE`, 0, 1_000);
  const feeRateMost = settings.integer(`${network}_FEE_RATE_MOST`, 1, 100_000);
  if (feeRateElse > feeRateMost) {
    settings.fault(`${network}_FEE_RATE: must not be above ${network}_FEE_RATE_MOST`);
  }
  return { feeRateElse: BigInt(feeRateElse) || undefined, feeRateMost: BigInt(feeRateMost) };
}

/**
 * User and password as they stand in the node's settings: characters that mean something in an
 * address need not be written as %23 and the like, and may be.
 */
function withPlainPassword(url: string): string {
  const [, scheme, user, password, rest] = /^(https?:\/\/)([^:]*):(.*)@([^@]*)$/s.exec(url) ?? [];
  if (scheme === undefined || user === undefined || password === undefined) return url;
  return `${scheme}${encoded(user)}:${encoded(password)}@${rest}`;
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(text));
  } catch {
    // A percent sign that is no escape.
    return encodeURIComponent(text);
  }
}

function readZmqUrl(network: UtxoNetworkId, settings: SettingsReader): string | undefined {
  const url = settings.text(`${network}_ZMQ_URL`);
  if (url === '') return undefined;
  if (!/^(?:tcp:\/\/[\w.[\]:-]+:\d{1,5}|ipc:\/\/.+)$/.test(url)) {
    settings.fault(
      `${network}_ZMQ_URL: must be tcp://host:port, as in zmqpubhashblock of the node`,
    );
  }
  return url;
}

function readEsploraUrls(network: UtxoNetworkId, settings: SettingsReader): string[] {
  const urls = settings.list(`${network}_ESPLORA_URLS`);
  if (!urls.every((url) => isHttpUrl(url) && new URL(url).username === '')) {
    settings.fault(
      `${network}_ESPLORA_URLS: must be http or https addresses with commas in between`,
    );
    return [];
  }
  if (urls.length > 0 && settings.has(`${network}_RPC_URL`)) {
    settings.fault(
      `${network}_ESPLORA_URLS: not beside ${network}_RPC_URL; a node is the better one`,
    );
  }
  if (new Set(urls.map((url) => new URL(url).host)).size !== urls.length) {
    settings.fault(`${network}_ESPLORA_URLS: the same server twice is no second opinion`);
  }
  return urls;
}

function readSingleSourceLimit(
  network: UtxoNetworkId,
  { length }: readonly string[],
  settings: SettingsReader,
): string | undefined {
  const limit = settings.text(`${network}_SINGLE_SOURCE_LIMIT`);
  if (!COINS.test(limit)) {
    settings.fault(`${network}_SINGLE_SOURCE_LIMIT: must be an amount such as 0.01`);
    return undefined;
  }
  if (length !== 1) return undefined;
  if (/[1-9]/.test(limit)) return limit;
  settings.fault(
    `${network}_ESPLORA_URLS: two servers must agree; for one alone say with ` +
      `${network}_SINGLE_SOURCE_LIMIT up to which amount it is believed`,
  );
  return undefined;
}

/** A node's wallet has no caps of its own: both are said, or it does not sign. */
function readWallet(network: UtxoNetworkId, settings: SettingsReader): WalletSettings | undefined {
  const name = settings.text(`${network}_WALLET`);
  const [perTransaction, perDay] = ['PER_TRANSACTION', 'PER_DAY'].map((cap) => {
    const setting = `${network}_WALLET_${cap}`;
    const text = settings.text(setting);
    if (name === '' && text !== '') {
      settings.fault(`${setting}: says nothing without ${network}_WALLET`);
    }
    if (name !== '' && (!COINS.test(text) || !/[1-9]/.test(text))) {
      settings.fault(`${setting}: must be an amount such as 0.5, while ${network}_WALLET is set`);
    }
    return text;
  });
  if (name === '' || perTransaction === undefined || perDay === undefined) return undefined;
  if (settings.text(`${network}_RPC_URL`) === '') {
    settings.fault(`${network}_WALLET: needs a node (${network}_RPC_URL)`);
  }
  return { name, perTransaction, perDay };
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
