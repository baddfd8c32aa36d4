import { isHttpUrl } from '#base/text.ts';
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
];

const SECRET_OF: Record<BackendName, string | undefined> = {
  lnd: 'LIGHTNING_MACAROON_FILE',
  'core-lightning': 'LIGHTNING_RUNE_FILE',
  electrum: undefined,
};

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
  const secret = SECRET_OF[backend];
  for (const name of ['LIGHTNING_MACAROON_FILE', 'LIGHTNING_RUNE_FILE']) {
    if (name === secret && !settings.has(name)) settings.fault(`${name}: missing for ${backend}`);
    if (name !== secret && settings.has(name)) settings.fault(`${name}: not for ${backend}`);
  }
  return [
    {
      backend,
      chainName: settings.choice('LIGHTNING_CHAIN', LIGHTNING_CHAIN_NAMES),
      url,
      macaroonFile: settings.text('LIGHTNING_MACAROON_FILE'),
      runeFile: settings.text('LIGHTNING_RUNE_FILE'),
      certificateFile: settings.text('LIGHTNING_TLS_CERT_FILE') || undefined,
    },
  ];
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
