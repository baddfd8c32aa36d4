// Settings: read from the environment and a file, checked as a whole, frozen. A start with a
// setting that is unknown, malformed or contradicts another is refused in one message that names
// all of them.

import { resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';

export const ROLES = ['serve', 'watch', 'settle', 'deliver'] as const;
export type Role = (typeof ROLES)[number];

export const UTXO_NETWORKS = ['BITCOIN', 'LITECOIN'] as const;
export type UtxoNetworkId = (typeof UTXO_NETWORKS)[number];
const CHAIN_NAMES: Record<UtxoNetworkId, readonly string[]> = {
  BITCOIN: ['main', 'test', 'signet', 'regtest'],
  LITECOIN: ['main', 'test', 'regtest'],
};

export type UtxoNodeConfig = {
  readonly network: UtxoNetworkId;
  readonly chainName: string;
  readonly rpcUrl: string;
  readonly rpcCookieFile: string | undefined;
  readonly descriptor: string;
  /** Depths for small, medium and large values; only a test chain may go below the defaults. */
  readonly confirmations: readonly [number, number, number] | undefined;
};

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataDirectory: string;
  readonly keyFile: string;
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly roles: readonly Role[];
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly sandbox: boolean;
  readonly trustedProxies: readonly string[];
  readonly webhookAllowedTargets: readonly string[];
  readonly feePartsPerMillion: number;
  /** API calls in a minute; 0 is no limit. */
  readonly rateLimits: { readonly perKey: number; readonly perAddress: number };
  /** For live checkouts; empty when none are asked. */
  readonly priceSources: readonly string[] | 'all';
  readonly utxoNodes: readonly UtxoNodeConfig[];
};

type Setting = { readonly name: string; readonly about: string; readonly initial: string };

const PRICES_BY_DEFAULT = 'all once a main chain is watched';

const GENERAL: readonly Setting[] = [
  { name: 'PORT', about: 'port to listen on', initial: '8080' },
  { name: 'HOST', about: 'address to listen on', initial: '127.0.0.1' },
  { name: 'PUBLIC_URL', about: 'address that customers and shops reach', initial: '' },
  { name: 'DATA_DIR', about: 'embedded database, keys', initial: './data' },
  { name: 'KEY_FILE', about: 'key file, outside the database', initial: '' },
  { name: 'DATABASE_URL', about: 'an own PostgreSQL 15 or newer', initial: '' },
  { name: 'DATABASE_POOL', about: 'connections to the database', initial: '10' },
  { name: 'ROLES', about: 'parts to run in this process', initial: ROLES.join(',') },
  { name: 'LOG_LEVEL', about: 'debug, info, warn or error', initial: 'info' },
  { name: 'SANDBOX', about: 'on or off: simulated networks for test keys', initial: 'on' },
  { name: 'TRUSTED_PROXIES', about: 'CIDR list of proxies in front', initial: '' },
  { name: 'WEBHOOK_ALLOWED_TARGETS', about: 'CIDR list of private targets', initial: '' },
  { name: 'FEE_PERCENT', about: 'settlement fee of new merchants', initial: '0' },
  { name: 'RATE_LIMIT_PER_KEY', about: 'API calls a minute, 0 for any', initial: '3000' },
  { name: 'RATE_LIMIT_PER_IP', about: 'API calls a minute, 0 for any', initial: '6000' },
  {
    name: 'PRICE_SOURCES',
    about: 'names of price sources, all, or off',
    initial: PRICES_BY_DEFAULT,
  },
];

const PER_NODE: readonly Setting[] = [
  { name: 'RPC_URL', about: 'http://user:password@host:port of the node', initial: '' },
  { name: 'RPC_COOKIE_FILE', about: 'cookie file instead of user and password', initial: '' },
  { name: 'CHAIN', about: 'main, test, signet or regtest', initial: 'main' },
  { name: 'DESCRIPTOR', about: 'extended public key, or wpkh(...) descriptor', initial: '' },
  { name: 'CONFIRMATIONS', about: 'depths by value, for example 1/3/6', initial: '' },
];

export const SETTINGS: readonly Setting[] = [
  ...GENERAL,
  ...UTXO_NETWORKS.flatMap((network) =>
    PER_NODE.map((setting) => ({ ...setting, name: `${network}_${setting.name}` })),
  ),
];

/** Names that look like ours; anything else in the environment is none of our business. */
const OWN_PREFIX = /^(?:QUITTANCE|BITCOIN|LITECOIN)_/;
/** Set by the scripts and the tests, not settings. */
const NOT_SETTINGS = /^QUITTANCE_(?:TEST|SETUP|CONFIG)/;

export type ConfigSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of the settings file, `NAME=value` lines; undefined when there is none. */
  readonly file: string | undefined;
  /** Relative paths are resolved against it. */
  readonly directory: string;
};

/** @throws Refusal 'invalid' that names every fault. */
export function readConfig(sources: ConfigSources): Config {
  const faults: string[] = [];
  const values = collectValues(sources, faults);
  const config = checkConfig(values, sources.directory, faults);
  if (faults.length > 0) {
    throw new Refusal('invalid', 'settings_invalid', faults);
  }
  return Object.freeze(config);
}

function collectValues(
  { environment, file }: ConfigSources,
  faults: string[],
): Map<string, string> {
  const known = new Set(SETTINGS.map(({ name }) => name));
  const values = new Map<string, string>();
  for (const [name, value] of parseFile(file ?? '', faults)) {
    if (!known.has(name)) faults.push(`${name}: unknown setting in the settings file`);
    else values.set(name, value);
  }
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '') continue;
    if (!known.has(name)) {
      if (OWN_PREFIX.test(name) && !NOT_SETTINGS.test(name))
        faults.push(`${name}: unknown setting`);
      continue;
    }
    const fromFile = values.get(name);
    if (fromFile !== undefined && fromFile !== value) {
      faults.push(`${name}: set to different values in the environment and in the settings file`);
    }
    values.set(name, value);
  }
  return values;
}

function parseFile(text: string, faults: string[]): [string, string][] {
  const pairs: [string, string][] = [];
  text.split('\n').forEach((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return;
    const at = trimmed.indexOf('=');
    if (at < 1) {
      faults.push(`settings file, line ${index + 1}: not of the form NAME=value`);
      return;
    }
    pairs.push([trimmed.slice(0, at).trim(), trimmed.slice(at + 1).trim()]);
  });
  return pairs;
}

function checkConfig(values: Map<string, string>, directory: string, faults: string[]): Config {
  const initial = new Map(SETTINGS.map((setting) => [setting.name, setting.initial]));
  const text = (name: string) => values.get(name) ?? initial.get(name) ?? '';
  const optional = (name: string) => text(name) || undefined;

  const utxoNodes = UTXO_NETWORKS.flatMap((network) => utxoNode(network, values, text, faults));
  const port = integer('PORT', text('PORT'), 0, 65_535, faults);
  const dataDirectory = resolve(directory, text('DATA_DIR'));
  const roles = names('ROLES', text('ROLES'), ROLES, faults);
  const sandbox = choice('SANDBOX', text('SANDBOX'), ['on', 'off'] as const, faults) === 'on';
  return {
    port,
    host: text('HOST'),
    publicUrl: publicUrl(text('PUBLIC_URL'), port, faults),
    dataDirectory,
    keyFile: resolve(directory, text('KEY_FILE') || `${dataDirectory}/keys/quittance.key`),
    databaseUrl: databaseUrl(optional('DATABASE_URL'), faults),
    databasePoolSize: integer('DATABASE_POOL', text('DATABASE_POOL'), 8, 200, faults),
    roles,
    logLevel: choice(
      'LOG_LEVEL',
      text('LOG_LEVEL'),
      ['debug', 'info', 'warn', 'error'] as const,
      faults,
    ),
    sandbox,
    trustedProxies: list(text('TRUSTED_PROXIES')),
    webhookAllowedTargets: list(text('WEBHOOK_ALLOWED_TARGETS')),
    feePartsPerMillion: partsPerMillion('FEE_PERCENT', text('FEE_PERCENT'), faults),
    rateLimits: {
      perKey: integer('RATE_LIMIT_PER_KEY', text('RATE_LIMIT_PER_KEY'), 0, 999_999, faults),
      perAddress: integer('RATE_LIMIT_PER_IP', text('RATE_LIMIT_PER_IP'), 0, 999_999, faults),
    },
    priceSources: priceSources(text('PRICE_SOURCES'), utxoNodes),
    utxoNodes,
  };
}

/** Test chains need no prices, and a machine without the internet should not ask for them. */
function priceSources(value: string, nodes: readonly UtxoNodeConfig[]): Config['priceSources'] {
  if (value === 'off') return [];
  if (value === 'all') return 'all';
  if (value === PRICES_BY_DEFAULT)
    return nodes.some(({ chainName }) => chainName === 'main') ? 'all' : [];
  return list(value);
}

function utxoNode(
  network: UtxoNetworkId,
  values: ReadonlyMap<string, string>,
  text: (name: string) => string,
  faults: string[],
): UtxoNodeConfig[] {
  const given = PER_NODE.filter(({ name }) => values.has(`${network}_${name}`));
  if (given.length === 0) return [];
  for (const name of ['RPC_URL', 'DESCRIPTOR']) {
    if (!values.has(`${network}_${name}`)) {
      faults.push(
        `${network}_${name}: missing, while ${network}_${given[0]?.name} is set; a node needs both`,
      );
    }
  }
  const rpcUrl = text(`${network}_RPC_URL`);
  if (rpcUrl !== '' && !isHttpUrl(rpcUrl)) {
    faults.push(`${network}_RPC_URL: must be http://user:password@host:port`);
  }
  const chainName = choice(
    `${network}_CHAIN`,
    text(`${network}_CHAIN`),
    CHAIN_NAMES[network],
    faults,
  );
  return [
    {
      network,
      chainName,
      rpcUrl,
      rpcCookieFile: text(`${network}_RPC_COOKIE_FILE`) || undefined,
      descriptor: text(`${network}_DESCRIPTOR`),
      confirmations: depths(network, chainName, text(`${network}_CONFIRMATIONS`), faults),
    },
  ];
}

/**
 * Merchants and operators may raise the depth; below the smallest safe one only on a test chain.
 */
const LOWEST_DEPTH: Record<UtxoNetworkId, number> = { BITCOIN: 1, LITECOIN: 6 };

function depths(
  network: UtxoNetworkId,
  chainName: string,
  value: string,
  faults: string[],
): UtxoNodeConfig['confirmations'] {
  if (value === '') return undefined;
  const match = /^(\d{1,4})\/(\d{1,4})\/(\d{1,4})$/.exec(value);
  const [small, medium, large] = (match ?? []).slice(1).map(Number);
  if (small === undefined || medium === undefined || large === undefined) {
    faults.push(`${network}_CONFIRMATIONS: must be three depths by value, for example 1/3/6`);
    return undefined;
  }
  const isOrdered = small <= medium && medium <= large;
  const lowest = chainName === 'main' ? LOWEST_DEPTH[network] : 1;
  if (!isOrdered || small < lowest) {
    faults.push(`${network}_CONFIRMATIONS: must not fall, and not be below ${lowest}`);
  }
  return [small, medium, large];
}

function integer(
  name: string,
  value: string,
  least: number,
  most: number,
  faults: string[],
): number {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : -1;
  if (number < least || number > most) {
    faults.push(`${name}: must be a whole number from ${least} to ${most}, not "${value}"`);
  }
  return number;
}

function choice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
  faults: string[],
): Choice {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) {
    faults.push(`${name}: must be one of ${choices.join(', ')}, not "${value}"`);
  }
  return chosen ?? (choices[0] as Choice);
}

function names<Name extends string>(
  name: string,
  value: string,
  all: readonly Name[],
  faults: string[],
): Name[] {
  const given = list(value);
  const unknown = given.filter((one) => !all.some((known) => known === one));
  if (unknown.length > 0 || given.length === 0) {
    faults.push(`${name}: must name some of ${all.join(', ')}, not "${value}"`);
  }
  return all.filter((one) => given.includes(one));
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function partsPerMillion(name: string, value: string, faults: string[]): number {
  const match = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(value);
  if (match === null) {
    faults.push(`${name}: must be a percentage with at most four digits after the point`);
    return 0;
  }
  return Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'));
}

function publicUrl(value: string, port: number, faults: string[]): string {
  if (value === '') return `http://localhost:${port}`;
  const url = isHttpUrl(value) ? new URL(value) : undefined;
  if (url === undefined || url.username !== '' || url.search !== '' || url.hash !== '') {
    faults.push('PUBLIC_URL: must be an http or https address without user, query or fragment');
  }
  return value.replace(/\/+$/, '');
}

function databaseUrl(value: string | undefined, faults: string[]): string | undefined {
  if (value !== undefined && !/^postgres(?:ql)?:\/\//.test(value)) {
    faults.push('DATABASE_URL: must begin with postgres://');
  }
  return value;
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
