// Settings by name: which there are, and what the environment and the settings file say of them.
// What a value means is checked in config.ts.

import { readFileSync } from 'node:fs';
import { Refusal } from '#base/refusal.ts';
import { NETWORK_SETTINGS } from '#networks/families.ts';

export const SETTINGS_FILE = 'quittance.conf';

export const ROLES = ['serve', 'watch', 'settle', 'deliver'] as const;

export const PRICES_BY_DEFAULT = 'all once a main chain is watched';
/** Anybody on the internet may play with what is on. */
export const PLAY_BY_DEFAULT = 'on, off where PUBLIC_URL is https';
export const EXPLORERS_BY_DEFAULT = 'well-known ones';

type Setting = (typeof NETWORK_SETTINGS)[number];

const GENERAL: readonly Setting[] = [
  { name: 'PORT', about: 'port to listen on', initial: '8080' },
  { name: 'HOST', about: 'address to listen on', initial: '127.0.0.1' },
  { name: 'PUBLIC_URL', about: 'address that customers and shops reach', initial: '' },
  { name: 'DATA_DIR', about: 'embedded database, keys', initial: './data' },
  { name: 'KEY_FILE', about: 'key file, outside the database', initial: '' },
  {
    name: 'LEDGER_HEAD_FILE',
    about: 'a second file for the heads of the ledger, appended to; best on another mount',
    initial: '',
  },
  {
    name: 'RATES_KEPT_DAYS',
    about: 'days after which rates go that nothing was locked, swapped or credited at',
    initial: '30',
  },
  {
    name: 'EVENTS_KEPT_DAYS',
    about: 'days after which events go that every receiver has got, 60 or more',
    initial: '60',
  },
  {
    name: 'BACKUP_TO',
    about: 'folder or s3://bucket/prefix for backups (docs/operate/backup.md)',
    initial: '',
  },
  { name: 'BACKUP_RECIPIENTS', about: 'age1… list that backups are sealed for', initial: '' },
  {
    name: 'BACKUP_EVERY_HOURS',
    about: 'hours between backups of the service, or off',
    initial: 'off',
  },
  {
    name: 'BACKUP_KEEP',
    about: 'days,weeks,months of which the newest backup stays, or all',
    initial: '7,5,12',
  },
  {
    name: 'BACKUP_WAL_MINUTES',
    about: 'minutes between increments of the log of the database, or off (15 is a good choice)',
    initial: 'off',
  },
  { name: 'BACKUP_WAL_KEEP', about: 'how many chains of increments stay', initial: '2' },
  { name: 'BACKUP_S3_ENDPOINT', about: 'https://host of S3-compatible storage', initial: '' },
  { name: 'BACKUP_S3_REGION', about: 'its region', initial: 'us-east-1' },
  { name: 'BACKUP_S3_KEY_ID', about: 'who may write there', initial: '' },
  { name: 'BACKUP_S3_SECRET_FILE', about: 'file with the secret of it, mode 0600', initial: '' },
  { name: 'DATABASE_URL', about: 'an own PostgreSQL 15 or newer', initial: '' },
  {
    name: 'DATABASE_OWNER_URL',
    about: 'its owner, for migrations and rights, where DATABASE_URL names another role',
    initial: '',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    about: 'the same past PgBouncer, where DATABASE_URL leads to one (docs/operate/grow.md)',
    initial: '',
  },
  {
    name: 'DATABASE_READ_URL',
    about: 'a replica of it that reports are read from (docs/operate/grow.md)',
    initial: '',
  },
  { name: 'DATABASE_POOL', about: 'connections to the database', initial: '10' },
  { name: 'ROLES', about: 'parts to run in this process', initial: ROLES.join(',') },
  { name: 'LOG_LEVEL', about: 'debug, info, warn or error', initial: 'info' },
  {
    name: 'LOG_REQUESTS',
    about: 'lines of the log about requests in a second, at the most; 0 for faults alone',
    initial: '20',
  },
  {
    name: 'METRICS_PORT',
    about: 'port of /metrics and of /health in detail (docs/operate/watch.md), or off',
    initial: 'off',
  },
  { name: 'METRICS_HOST', about: 'address of that port', initial: '127.0.0.1' },
  {
    name: 'WATCH_TOKEN_FILE',
    about: 'file with a token, mode 0600, that the operator brings to see these',
    initial: '',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about: 'collector that traces are sent to, http://127.0.0.1:4318 (docs/operate/watch.md)',
    initial: '',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS_FILE',
    about: 'file with headers for it, a line each: name=value; mode 0600',
    initial: '',
  },
  { name: 'OTEL_TRACES_SAMPLER_ARG', about: 'share that is traced, 0 to 1', initial: '1' },
  {
    name: 'DRAIN_SECONDS',
    about: 'told to end, serves so long after /ready says no (docs/operate/upgrade.md)',
    initial: '0',
  },
  { name: 'ALERT_MAIL', about: 'addresses that are told what needs a person', initial: '' },
  { name: 'ALERT_WEBHOOK_URL', about: 'is told it as JSON', initial: '' },
  { name: 'ALERT_WEBHOOK_TOKEN_FILE', about: 'token that it is sent, mode 0600', initial: '' },
  { name: 'ALERT_NTFY_URL', about: 'https://ntfy.sh/topic that is told it', initial: '' },
  { name: 'ALERT_NTFY_TOKEN_FILE', about: 'access token of ntfy, mode 0600', initial: '' },
  { name: 'ALERT_TELEGRAM_CHAT', about: 'number of the chat that is told it', initial: '' },
  { name: 'ALERT_TELEGRAM_TOKEN_FILE', about: 'token of the bot, mode 0600', initial: '' },
  {
    name: 'ALERT_BALANCES',
    about: 'NETWORK/ASSET=amount list: told when less lies at our addresses',
    initial: '',
  },
  { name: 'ALERT_BACKUP_FILE', about: 'file that each backup touches', initial: '' },
  { name: 'ALERT_BACKUP_HOURS', about: 'how old it may be', initial: '26' },
  {
    name: 'SANDBOX',
    about: 'on or off: simulated networks for test keys',
    initial: PLAY_BY_DEFAULT,
  },
  { name: 'DEMO', about: 'on or off: the shop at /demo, on the sandbox', initial: PLAY_BY_DEFAULT },
  { name: 'TRUSTED_PROXIES', about: 'CIDR list of proxies in front', initial: '' },
  {
    name: 'PROXY_KEEP_ALIVE_SECONDS',
    about:
      'how long their silent connections are kept, longer than they do (docs/operate/install.md)',
    initial: '130',
  },
  { name: 'WEBHOOK_ALLOWED_TARGETS', about: 'CIDR list of private targets', initial: '' },
  { name: 'FEE_PERCENT', about: 'settlement fee of new merchants', initial: '0' },
  { name: 'QUOTE_MINUTES', about: 'how long amounts hold before a commit, 1 to 60', initial: '60' },
  {
    name: 'BRAKE_HOLD_USD',
    about: 'payments the brake holds, from this on, or off',
    initial: '50000',
  },
  {
    name: 'EXPOSURE_LIMIT_USD',
    about: 'worth of live conversions that may be open at once, or off',
    initial: 'off',
  },
  {
    name: 'EXPOSURE_LIMIT_PER_MERCHANT_USD',
    about:
      'how much of it one merchant may use: windows open now, and a day of conversions, or off',
    initial: 'off',
  },
  {
    name: 'VOLATILITY_PERCENT',
    about: 'nothing is converted at a live price that moved by more than this, or off',
    initial: '10',
  },
  { name: 'VOLATILITY_MINUTES', about: 'within so many minutes, 1 to 60', initial: '15' },
  {
    name: 'TWO_PEOPLE_ABOVE',
    about: 'amount of a file for a bank above which another person releases it, or off',
    initial: 'off',
  },
  {
    name: 'STUCK_MINUTES',
    about: 'when what was sent and is in no block is told as stuck',
    initial: '120',
  },
  { name: 'SIGNER_SOCKET', about: 'socket of the signer (docs/operate/signer.md)', initial: '' },
  {
    name: 'SIGNER_ADDRESS',
    about: 'host:port of a signer on another machine, over TLS, in the place of its socket',
    initial: '',
  },
  {
    name: 'SIGNER_AUTHORITY_FILE',
    about: "PEM of the authority of that signer's certificate",
    initial: '',
  },
  { name: 'SIGNER_CERTIFICATE_FILE', about: 'PEM that the service shows to it', initial: '' },
  { name: 'SIGNER_KEY_FILE', about: 'PEM of its key, mode 0600', initial: '' },
  {
    name: 'SIGNER_SERVER_NAME',
    about: "name in the signer's certificate, where it is another one than the host",
    initial: '',
  },
  {
    name: 'SIGNER_NETWORKS',
    about: 'networks on which the signer sends what waits to be sent',
    initial: '',
  },
  { name: 'TRADER_SOCKET', about: 'socket of the trader (docs/operate/trader.md)', initial: '' },
  { name: 'TRADER_PROVIDERS', about: 'its accounts that orders of the house go to', initial: '' },
  {
    name: 'TRADER_SLIPPAGE_PERCENT',
    about: 'how much worse than our own price an order may be filled',
    initial: '0.5',
  },
  {
    name: 'STELLAR_DEX_SLIPPAGE_PERCENT',
    about: 'how much below our own price an order at stellar-dex may bring',
    initial: '0.5',
  },
  { name: 'RATE_LIMIT_PER_KEY', about: 'API calls a minute, 0 for any', initial: '3000' },
  { name: 'RATE_LIMIT_PER_IP', about: 'API calls a minute, 0 for any', initial: '6000' },
  {
    name: 'PRICE_SOURCES',
    about: 'names of price sources, all, or off',
    initial: PRICES_BY_DEFAULT,
  },
  {
    name: 'EXPLORERS',
    about: 'off, or NETWORK=https://…/{transaction} list, for links of customers',
    initial: EXPLORERS_BY_DEFAULT,
  },
  {
    name: 'WALLETCONNECT_PROJECT_ID',
    about: 'id of your project; payers are then offered WalletConnect',
    initial: '',
  },
  {
    name: 'WALLETCONNECT_RELAY_URL',
    about: 'relay that their browsers connect to',
    initial: 'wss://relay.walletconnect.org',
  },
  { name: 'SMTP_URL', about: 'smtp://user:password@host:587, or smtps://', initial: '' },
  { name: 'SMTP_PASSWORD_FILE', about: 'file with its password, mode 0600', initial: '' },
  {
    name: 'SMTP_TLS',
    about: 'required, or optional where the server has none',
    initial: 'required',
  },
  {
    name: 'SMTP_AUTHORITY_FILE',
    about: "PEM of the authority of that server's certificate, where it is an own one",
    initial: '',
  },
  { name: 'MAIL_FROM', about: 'whom mails come from: Shop <pay@shop.example>', initial: '' },
  { name: 'DKIM_KEY_FILE', about: 'PEM of the key that signs mails (RFC 6376)', initial: '' },
  { name: 'DKIM_SELECTOR', about: 'its name in the DNS of the domain of MAIL_FROM', initial: '' },
  { name: 'DNS_SERVERS', about: 'addresses asked for proofs of domains', initial: '' },
];

export const SETTINGS: readonly Setting[] = [...GENERAL, ...NETWORK_SETTINGS];

/** Words that other programs put before settings of theirs (BASE_URL): two words make it ours. */
const GENERIC_WORDS = /^(?:BASE|SWIFT)_/;
/** Names that look like ours; anything else in the environment is none of our business. */
const OWN_PREFIXES = [
  'QUITTANCE_',
  'WALLETCONNECT_',
  ...NETWORK_SETTINGS.map(({ name }) => {
    const [first, second] = name.split('_');
    return GENERIC_WORDS.test(name) ? `${first}_${second}` : `${first}_`;
  }),
];
/** Set by the scripts and the tests, or read by the commands over HTTP (remote/profile.ts). */
const NOT_SETTINGS = /^QUITTANCE_(?:TEST|SETUP|CONFIG|(?:URL|KEY|SECRET)$)/;

/** Text of the settings file; undefined when there is none and none was named. @throws Refusal */
export function readSettingsFile(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = environment.QUITTANCE_CONFIG;
  const path = named ?? SETTINGS_FILE;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && named === undefined) return undefined;
    throw new Refusal('invalid', 'settings_invalid', [`the settings file ${path} cannot be read`]);
  }
}

export type SettingSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Text of the settings file, `NAME=value` lines; undefined when there is none. */
  readonly file: string | undefined;
};

/** What is set to something, by name. */
export function collectValues(
  { environment, file }: SettingSources,
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
      const isOwn = OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
      if (isOwn && !NOT_SETTINGS.test(name)) faults.push(`${name}: unknown setting`);
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
