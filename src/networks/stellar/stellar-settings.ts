import { StrKey } from '@stellar/stellar-base';
import { isHttpUrl, type Setting, type SettingsReader } from '#networks/network-settings.ts';
import { STELLAR_CHAIN_NAMES, type StellarChainName } from './stellar-chain.ts';

export type StellarSettings = {
  readonly horizonUrls: readonly string[];
  readonly account: string;
  readonly chainName: StellarChainName;
  /** Key and domain that payment requests are signed with and for (SEP-7). */
  readonly uri: { readonly secret: string; readonly originDomain: string } | undefined;
};

export const STELLAR_SETTINGS: readonly Setting[] = [
  { name: 'STELLAR_HORIZON_URLS', about: 'one or more, better of two operators', initial: '' },
  { name: 'STELLAR_ACCOUNT', about: 'public key (G...) of the account to be paid', initial: '' },
  { name: 'STELLAR_CHAIN', about: 'main or test', initial: 'main' },
  {
    name: 'STELLAR_URI_SIGNING_SECRET',
    about: 'secret key (S...) that signs payment requests and holds no money',
    initial: '',
  },
  {
    name: 'STELLAR_URI_ORIGIN_DOMAIN',
    about: 'domain whose stellar.toml names the key of the payment requests',
    initial: '',
  },
];

export function readStellarSettings(settings: SettingsReader): StellarSettings | undefined {
  const given = STELLAR_SETTINGS.filter(({ name }) => settings.has(name));
  if (given.length === 0) return undefined;
  for (const name of ['STELLAR_HORIZON_URLS', 'STELLAR_ACCOUNT']) {
    if (settings.has(name)) continue;
    settings.fault(`${name}: missing, while ${given[0]?.name} is set; Stellar needs both`);
  }
  const horizonUrls = settings.list('STELLAR_HORIZON_URLS');
  if (horizonUrls.some((url) => !isHttpUrl(url) || /[?#]/.test(url))) {
    settings.fault('STELLAR_HORIZON_URLS: must be http or https addresses, separated by commas');
  }
  const account = settings.text('STELLAR_ACCOUNT');
  const fault = accountFault(account);
  if (settings.has('STELLAR_ACCOUNT') && fault !== undefined) {
    settings.fault(`STELLAR_ACCOUNT: ${fault}`);
  }
  return {
    horizonUrls,
    account,
    chainName: settings.choice('STELLAR_CHAIN', STELLAR_CHAIN_NAMES),
    uri: readUriSettings(settings),
  };
}

function accountFault(account: string): string | undefined {
  if (StrKey.isValidEd25519PublicKey(account)) return undefined;
  if (/^S[A-Z2-7]{55}$/.test(account)) {
    return 'this is a SECRET key; nothing here may hold one. Give the public key (G...)';
  }
  return 'must be a public key: 56 characters that begin with G';
}

function readUriSettings(settings: SettingsReader): StellarSettings['uri'] {
  const secret = settings.text('STELLAR_URI_SIGNING_SECRET');
  const originDomain = settings.text('STELLAR_URI_ORIGIN_DOMAIN');
  if (secret === '' && originDomain === '') return undefined;
  if (!StrKey.isValidEd25519SecretSeed(secret)) {
    settings.fault('STELLAR_URI_SIGNING_SECRET: must be a secret key: 56 characters after an S');
    return undefined;
  }
  if (
    !/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(
      originDomain,
    )
  ) {
    settings.fault('STELLAR_URI_ORIGIN_DOMAIN: must be a whole domain name in lower case');
  }
  return { secret, originDomain };
}
