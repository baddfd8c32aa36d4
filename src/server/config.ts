// Settings: read from the environment and a file, checked as a whole, frozen. A start with a
// setting that is unknown, malformed or contradicts another is refused in one message that names
// all of them.

import { Resolver } from 'node:dns';
import { dirname, join, resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { isHttpUrl } from '#base/text.ts';
import { type Explorers, KNOWN_EXPLORERS, TRANSACTION_MARK } from '#catalog/explorer.ts';
import { findNetwork } from '#catalog/network.ts';
import type { HeadPlaces } from '#ledger/head-record.ts';
import type { MailSettings } from '#mail/smtp.ts';
import { type Decimal, isZero, parseDecimal } from '#money/decimal.ts';
import { type NetworkSettings, readNetworkSettings, watchesMainChain } from '#networks/families.ts';
import type { PriceMove } from '#rates/rate-book.ts';
import { type BackupSettings, backupSettings } from './backup-settings.ts';
import { mailSettings } from './mail-settings.ts';
import {
  collectValues,
  EXPLORERS_BY_DEFAULT,
  PLAY_BY_DEFAULT,
  PRICES_BY_DEFAULT,
  ROLES,
  SETTINGS,
  SETTINGS_FILE,
  type SettingSources,
} from './settings.ts';
import { type SignerAccess, signerSettings } from './signer-settings.ts';
import { type TraderSettings, traderSettings } from './trader-settings.ts';
import { type WalletConnectSettings, walletConnectSettings } from './wallet-connect-settings.ts';
import { type WatchSettings, watchSettings } from './watch-settings.ts';
import { isLoopback } from './webhook-targets.ts';

export { VERSION } from './version.ts';

export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type Config = WatchSettings & {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataDirectory: string;
  readonly keyFile: string;
  /** Whether there is one or not. */
  readonly settingsFile: string;
  /** Where the head of the ledger's seals is written, outside the database. */
  readonly ledgerHead: HeadPlaces;
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Migrates it, where the service runs as another role. */
  readonly databaseOwnerUrl: string | undefined;
  /** Past a pooler that gives each transaction another connection; undefined: there is none. */
  readonly databaseDirectUrl: string | undefined;
  /** A standby that reports are read from; undefined: there is none. */
  readonly databaseReadUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly roles: readonly Role[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Simulated networks, for test keys. */
  readonly sandbox: boolean;
  /** The shop at /demo, which stands on them. */
  readonly demo: boolean;
  readonly trustedProxies: readonly string[];
  readonly webhookAllowedTargets: readonly string[];
  readonly feePartsPerMillion: number;
  /** How long the amounts of a new checkout hold until a way to pay is chosen. */
  readonly quoteMinutes: number;
  /**
   * What a merchant received at once from this worth on is held while a chain is braked. Undefined:
   * nothing is.
   */
  readonly brakeHoldUsd: Decimal | undefined;
  /** Up to this worth live payments may be converted at a guaranteed price; undefined: none. */
  readonly exposureLimitUsd: Decimal | undefined;
  /** Of that, up to this worth for one merchant; undefined: all of it. */
  readonly merchantExposureLimitUsd: Decimal | undefined;
  /** A price that moves by more than this is converted at for nobody; undefined: any is. */
  readonly priceMove: PriceMove | undefined;
  /** Of a file for a bank, in its currency; undefined: one person is enough for any. */
  readonly twoPeopleAbove: Decimal | undefined;
  /** Who signs, and on which networks what waits to be sent is sent by itself. */
  readonly signer: SignerAccess | undefined;
  readonly trader: TraderSettings | undefined;
  readonly marketSlippagePartsPerMillion: number;
  /** What was sent so long ago and is in no block is stuck. */
  readonly stuckAfterMinutes: number;
  /** API calls in a minute; 0 is no limit. */
  readonly rateLimits: { readonly perKey: number; readonly perAddress: number };
  /** For live checkouts; empty when none are asked. */
  readonly priceSources: readonly string[] | 'all';
  /** Days after which a rate goes that nothing was locked, swapped or credited at. */
  readonly ratesKeptDays: number;
  /** Days after which events go that every receiver has got. */
  readonly eventsKeptDays: number;
  /** Where customers can look at transactions: by network id. */
  readonly explorers: Explorers;
  readonly walletConnect: WalletConnectSettings['walletConnect'];
  /** Asked for proofs of domains; empty: those of the machine. */
  readonly dnsServers: readonly string[];
  readonly networks: NetworkSettings;
  /** Undefined: no mail is written or sent. */
  readonly mail: MailSettings | undefined;
  readonly backup: BackupSettings;
  /** What was set, as it was set. */
  readonly given: ReadonlyMap<string, string>;
};

type ConfigSources = SettingSources & {
  /** Relative paths are resolved against it. */
  readonly directory: string;
};

/** @throws Refusal 'invalid' that names every fault. */
export function readConfig(sources: ConfigSources): Config {
  const faults: string[] = [];
  const values = collectValues(sources, faults);
  const named = sources.environment.QUITTANCE_CONFIG ?? SETTINGS_FILE;
  const settingsFile = resolve(sources.directory, named);
  const config = { ...checkConfig(values, sources.directory, faults), settingsFile };
  if (faults.length > 0) throw new Refusal('invalid', 'settings_invalid', faults);
  return Object.freeze(config);
}

function checkConfig(
  values: Map<string, string>,
  directory: string,
  faults: string[],
): Omit<Config, 'settingsFile'> {
  const initial = new Map(SETTINGS.map((setting) => [setting.name, setting.initial]));
  const text = (name: string) => values.get(name) ?? initial.get(name) ?? '';
  const optional = (name: string) => text(name) || undefined;

  const networks = readNetworkSettings({
    has: (name) => values.has(name),
    text,
    list: (name) => list(text(name)),
    choice: (name, choices) => choice(name, text(name), choices, faults),
    integer: (name, least, most) => integer(name, text(name), least, most, faults),
    fault: (fault) => faults.push(fault),
  });
  const port = integer('PORT', text('PORT'), 0, 65_535, faults);
  const dataDirectory = resolve(directory, text('DATA_DIR'));
  const keyFile = resolve(directory, text('KEY_FILE') || `${dataDirectory}/keys/quittance.key`);
  const roles = names('ROLES', text('ROLES'), ROLES, faults);
  const url = publicUrl(text('PUBLIC_URL'), port, faults);
  const isPlayedWith = (name: string) => {
    const value = text(name);
    if (value === PLAY_BY_DEFAULT) return !isPublicHttps(url);
    return choice(name, value, ['on', 'off'] as const, faults) === 'on';
  };
  const sandbox = isPlayedWith('SANDBOX');
  return {
    port,
    host: text('HOST'),
    publicUrl: url,
    dataDirectory,
    keyFile,
    ledgerHead: {
      file: join(dirname(keyFile), 'ledger-head'),
      appendTo:
        text('LEDGER_HEAD_FILE') === '' ? undefined : resolve(directory, text('LEDGER_HEAD_FILE')),
    },
    ...databaseUrls(optional, faults),
    ...keptDays(text, faults),
    databasePoolSize: integer('DATABASE_POOL', text('DATABASE_POOL'), 8, 200, faults),
    roles,
    logLevel: choice('LOG_LEVEL', text('LOG_LEVEL'), LOG_LEVELS, faults),
    sandbox,
    demo: sandbox && isPlayedWith('DEMO'),
    trustedProxies: list(text('TRUSTED_PROXIES')),
    webhookAllowedTargets: list(text('WEBHOOK_ALLOWED_TARGETS')),
    feePartsPerMillion: partsPerMillion('FEE_PERCENT', text('FEE_PERCENT'), faults),
    stuckAfterMinutes: integer('STUCK_MINUTES', text('STUCK_MINUTES'), 10, 100_000, faults),
    quoteMinutes: integer('QUOTE_MINUTES', text('QUOTE_MINUTES'), 1, 60, faults),
    brakeHoldUsd: dollars('BRAKE_HOLD_USD', text('BRAKE_HOLD_USD'), faults),
    ...exposureLimits(text, faults),
    priceMove: priceMove(text, faults),
    twoPeopleAbove: ofFile('TWO_PEOPLE_ABOVE', text('TWO_PEOPLE_ABOVE'), faults),
    ...keyHolders(text, directory, faults),
    rateLimits: {
      perKey: integer('RATE_LIMIT_PER_KEY', text('RATE_LIMIT_PER_KEY'), 0, 999_999, faults),
      perAddress: integer('RATE_LIMIT_PER_IP', text('RATE_LIMIT_PER_IP'), 0, 999_999, faults),
    },
    priceSources: priceSources(text('PRICE_SOURCES'), networks),
    explorers: explorers(text('EXPLORERS'), faults),
    dnsServers: dnsServers(list(text('DNS_SERVERS')), faults),
    networks,
    ...{ mail: mailSettings(directory, faults, text), given: values },
    ...watchSettings(directory, faults, text),
    ...walletConnectSettings(text, values, faults),
    backup: backupSettings(directory, faults, text),
  };
}

function keptDays(
  text: (name: string) => string,
  faults: string[],
): Pick<Config, 'ratesKeptDays' | 'eventsKeptDays'> {
  const days = (name: string, least: number) => integer(name, text(name), least, 36_500, faults);
  return {
    ratesKeptDays: days('RATES_KEPT_DAYS', 2),
    eventsKeptDays: days('EVENTS_KEPT_DAYS', 60),
  };
}

/** Test chains need no prices, and a machine without the internet should not ask for them. */
function priceSources(value: string, networks: NetworkSettings): Config['priceSources'] {
  if (value === 'off') return [];
  if (value === 'all') return 'all';
  if (value === PRICES_BY_DEFAULT) return watchesMainChain(networks) ? 'all' : [];
  return list(value);
}

/** Each an address, or one with a port: `192.0.2.1:53`, `[2001:db8::1]:53`. */
function dnsServers(servers: readonly string[], faults: string[]): readonly string[] {
  for (const server of servers) {
    try {
      new Resolver().setServers([server]);
    } catch {
      faults.push(`DNS_SERVERS: must be addresses, not "${server}"`);
    }
  }
  return servers;
}

/** What is named replaces the well-known one of that network. */
function explorers(value: string, faults: string[]): Explorers {
  if (value === 'off') return new Map();
  if (value === EXPLORERS_BY_DEFAULT) return KNOWN_EXPLORERS;
  const own = list(value).map((pair): [string, string] => {
    const at = pair.indexOf('=');
    const [network, address] = [pair.slice(0, at), pair.slice(at + 1)];
    const isAddress = isHttpUrl(address) && address.split(TRANSACTION_MARK).length === 2;
    if (at < 1 || findNetwork(network) === undefined || !isAddress) {
      faults.push(`EXPLORERS: must be NETWORK=https://host/${TRANSACTION_MARK}, not "${pair}"`);
    }
    return [network, address];
  });
  return new Map([...KNOWN_EXPLORERS, ...own]);
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
  choices: readonly [Choice, ...Choice[]],
  faults: string[],
): Choice {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) {
    faults.push(`${name}: must be one of ${choices.join(', ')}, not "${value}"`);
  }
  return chosen ?? choices[0];
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

function publicUrl(value: string, port: number, faults: string[]): string {
  if (value === '') return `http://localhost:${port}`;
  const url = isHttpUrl(value) ? new URL(value) : undefined;
  if (url === undefined || url.username !== '' || url.search !== '' || url.hash !== '') {
    faults.push('PUBLIC_URL: must be an http or https address without user, query or fragment');
  }
  return value.replace(/\/+$/, '');
}

function isPublicHttps(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !isLoopback(url.hostname);
}

function databaseUrls(
  optional: (name: string) => string | undefined,
  faults: string[],
): Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'databaseDirectUrl' | 'databaseReadUrl'> {
  const url = (name: string) => databaseUrl(name, optional(name), faults);
  const databaseReadUrl = url('DATABASE_READ_URL');
  if (databaseReadUrl !== undefined && optional('DATABASE_URL') === undefined) {
    faults.push('DATABASE_READ_URL: the embedded database has no replica, set DATABASE_URL');
  }
  return {
    databaseUrl: url('DATABASE_URL'),
    databaseOwnerUrl: url('DATABASE_OWNER_URL'),
    databaseDirectUrl: url('DATABASE_DIRECT_URL'),
    databaseReadUrl,
  };
}

function databaseUrl(
  name: string,
  value: string | undefined,
  faults: string[],
): string | undefined {
  if (value !== undefined && !/^postgres(?:ql)?:\/\//.test(value)) {
    faults.push(`${name}: must begin with postgres://`);
  }
  return value;
}

function partsPerMillion(name: string, value: string, faults: string[]): number {
  const match = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(value);
  if (match === null) {
    faults.push(`${name}: must be a percentage with at most four digits after the point`);
    return 0;
  }
  return Number(match[1]) * 10_000 + Number((match[2] ?? '').padEnd(4, '0'));
}

function dollars(name: string, value: string, faults: string[]): Decimal | undefined {
  return amountOrOff(name, value, 'US dollars', faults);
}

/** Of a file for a bank. */
function ofFile(name: string, value: string, faults: string[]): Decimal | undefined {
  return amountOrOff(name, value, 'the currency of the file', faults);
}

function amountOrOff(
  name: string,
  value: string,
  currency: string,
  faults: string[],
): Decimal | undefined {
  if (value === 'off') return undefined;
  if (/^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/.test(value)) return parseDecimal(value);
  faults.push(`${name}: must be an amount in ${currency}, digits only, or off, not "${value}"`);
  return undefined;
}

function exposureLimits(
  text: (name: string) => string,
  faults: string[],
): Pick<Config, 'exposureLimitUsd' | 'merchantExposureLimitUsd'> {
  const limit = (name: string) => dollars(name, text(name), faults);
  const all = limit('EXPOSURE_LIMIT_USD');
  return {
    // Nothing may be open: the same as none.
    exposureLimitUsd: all === undefined || isZero(all) ? undefined : all,
    merchantExposureLimitUsd: limit('EXPOSURE_LIMIT_PER_MERCHANT_USD'),
  };
}

function priceMove(text: (name: string) => string, faults: string[]): PriceMove | undefined {
  const percent = text('VOLATILITY_PERCENT');
  const minutes = integer('VOLATILITY_MINUTES', text('VOLATILITY_MINUTES'), 1, 60, faults);
  if (percent === 'off') return undefined;
  return { partsPerMillion: partsPerMillion('VOLATILITY_PERCENT', percent, faults), minutes };
}

/** Processes of their own that hold keys. */
function keyHolders(
  text: (name: string) => string,
  directory: string,
  faults: string[],
): Pick<Config, 'signer' | 'trader' | 'marketSlippagePartsPerMillion'> {
  const parts = (name: string) => partsPerMillion(name, text(name), faults);
  const slippagePartsPerMillion = parts('TRADER_SLIPPAGE_PERCENT');
  const marketSlippagePartsPerMillion = parts('STELLAR_DEX_SLIPPAGE_PERCENT');
  const given = { socket: text('TRADER_SOCKET'), providers: list(text('TRADER_PROVIDERS')) };
  const trader = traderSettings(directory, faults, { ...given, slippagePartsPerMillion });
  const networks = list(text('SIGNER_NETWORKS'));
  const signer = signerSettings(directory, faults, { text, networks });
  return { trader, signer, marketSlippagePartsPerMillion };
}
