import { isHttpUrl } from '#base/text.ts';
import type { PayLimits } from '#deposit/money-out.ts';
import type { Setting, SettingsReader } from '#networks/network-settings.ts';
import { LIGHTNING_CHAIN_NAMES, type LightningChainName } from './lightning-chain.ts';

const LIGHTNING_BACKENDS = ['off', 'lnd', 'core-lightning', 'electrum'] as const;
type BackendName = Exclude<(typeof LIGHTNING_BACKENDS)[number], 'off'>;

export type LightningNodeSettings = {
  readonly backend: BackendName;
  readonly chainName: LightningChainName;
  /** With user and password for Electrum. */
  readonly url: string;
  readonly macaroonFile: string;
  readonly runeFile: string;
  readonly certificateFile: string | undefined;
  /** Undefined: what waits to be sent is left to a person. */
  readonly pays:
    | {
        readonly limits: PayLimits;
        readonly macaroonFile: string;
        readonly runeFile: string;
      }
    | undefined;
  /** CIDR ranges where Lightning addresses may be although they are not public. */
  readonly allowedTargets: readonly string[];
};

export const LIGHTNING_SETTINGS: readonly Setting[] = [
  { name: 'LIGHTNING_BACKEND', about: LIGHTNING_BACKENDS.join(', '), initial: 'off' },
  {
    name: 'LIGHTNING_URL',
    about: 'https://host:port of the node; for Electrum http://user:password@host:port',
    initial: '',
  },
  { name: 'LIGHTNING_CHAIN', about: LIGHTNING_CHAIN_NAMES.join(', '), initial: 'main' },
  { name: 'LIGHTNING_MACAROON_FILE', about: 'LND: file of a macaroon', initial: '' },
  { name: 'LIGHTNING_RUNE_FILE', about: 'Core Lightning: file that holds a rune', initial: '' },
  {
    name: 'LIGHTNING_TLS_CERT_FILE',
    about: 'certificate of the node; no other is trusted',
    initial: '',
  },
  {
    name: 'LIGHTNING_PAY',
    about: 'on: the node pays refunds and transfers by itself; off: a person does',
    initial: 'off',
  },
  { name: 'LIGHTNING_PAY_MOST', about: 'of one payment, in satoshi', initial: '' },
  { name: 'LIGHTNING_PAY_DAY_MOST', about: 'in any 24 hours, fees included', initial: '' },
  {
    name: 'LIGHTNING_PAY_MACAROON_FILE',
    about: 'LND: file of a macaroon that may pay',
    initial: '',
  },
  {
    name: 'LIGHTNING_PAY_RUNE_FILE',
    about: 'Core Lightning: file of a rune that may pay',
    initial: '',
  },
  {
    name: 'LIGHTNING_PAY_ALLOWED_TARGETS',
    about: 'address ranges in which Lightning addresses are asked though not public',
    initial: '',
  },
];

const SECRET_OF: Record<BackendName, string | undefined> = {
  lnd: 'MACAROON_FILE',
  'core-lightning': 'RUNE_FILE',
  electrum: undefined,
};
const SECRETS = ['MACAROON_FILE', 'RUNE_FILE'];

/** None or one node. */
export function readLightningSettings(settings: SettingsReader): LightningNodeSettings[] {
  const backend = settings.choice('LIGHTNING_BACKEND', LIGHTNING_BACKENDS);
  if (backend === 'off') {
    const given = LIGHTNING_SETTINGS.find(({ name }) => settings.has(name));
    if (given !== undefined && given.name !== 'LIGHTNING_BACKEND') {
      settings.fault(`LIGHTNING_BACKEND: missing, while ${given.name} is set`);
    }
    return [];
  }
  const url = settings.text('LIGHTNING_URL');
  if (!isHttpUrl(url)) settings.fault('LIGHTNING_URL: must be https://host:port of the node');
  else refuseBareSecret(backend, new URL(url), settings);
  requireSecret('LIGHTNING_', backend, settings);
  return [
    {
      backend,
      chainName: settings.choice('LIGHTNING_CHAIN', LIGHTNING_CHAIN_NAMES),
      url,
      macaroonFile: settings.text('LIGHTNING_MACAROON_FILE'),
      runeFile: settings.text('LIGHTNING_RUNE_FILE'),
      certificateFile: settings.text('LIGHTNING_TLS_CERT_FILE') || undefined,
      pays: readPays(backend, settings),
      allowedTargets: settings.list('LIGHTNING_PAY_ALLOWED_TARGETS'),
    },
  ];
}

function requireSecret(begin: string, backend: BackendName, settings: SettingsReader): void {
  for (const secret of SECRETS) {
    const name = `${begin}${secret}`;
    const isNeeded = SECRET_OF[backend] === secret;
    if (isNeeded && !settings.has(name)) settings.fault(`${name}: missing for ${backend}`);
    if (!isNeeded && settings.has(name)) settings.fault(`${name}: not for ${backend}`);
  }
}

/** Nothing is paid by itself without both limits. */
function readPays(backend: BackendName, settings: SettingsReader): LightningNodeSettings['pays'] {
  if (settings.choice('LIGHTNING_PAY', ['off', 'on'] as const) === 'off') {
    for (const secret of SECRETS.map((name) => `LIGHTNING_PAY_${name}`)) {
      if (settings.has(secret)) settings.fault(`${secret}: set while LIGHTNING_PAY is off`);
    }
    return undefined;
  }
  requireSecret('LIGHTNING_PAY_', backend, settings);
  const [paymentUnits, dayUnits] = ['LIGHTNING_PAY_MOST', 'LIGHTNING_PAY_DAY_MOST'].map((name) =>
    satoshi(name, settings),
  );
  return {
    limits: { paymentUnits: paymentUnits ?? 0n, dayUnits: dayUnits ?? 0n },
    macaroonFile: settings.text('LIGHTNING_PAY_MACAROON_FILE'),
    runeFile: settings.text('LIGHTNING_PAY_RUNE_FILE'),
  };
}

function satoshi(name: string, settings: SettingsReader): bigint {
  const given = settings.text(name);
  if (/^[1-9]\d{0,14}$/.test(given)) return BigInt(given);
  settings.fault(
    given === ''
      ? `${name}: missing while LIGHTNING_PAY is on`
      : `${name}: must be whole satoshi above 0, digits only, not "${given}"`,
  );
  return 0n;
}

/** A secret travels encrypted, or not beyond this machine. */
function refuseBareSecret(backend: BackendName, url: URL, settings: SettingsReader): void {
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLoopback) {
    settings.fault('LIGHTNING_URL: must be https, except on this machine');
  }
  const hasPassword = url.username !== '' && url.password !== '';
  if (backend === 'electrum' && !hasPassword) {
    settings.fault('LIGHTNING_URL: must hold rpcuser and rpcpassword of Electrum');
  }
  if (backend !== 'electrum' && (url.username !== '' || url.password !== '')) {
    settings.fault('LIGHTNING_URL: must hold no user and password for this backend');
  }
  if (url.protocol === 'http:' && settings.has('LIGHTNING_TLS_CERT_FILE')) {
    settings.fault('LIGHTNING_TLS_CERT_FILE: needs an https address in LIGHTNING_URL');
  }
}
