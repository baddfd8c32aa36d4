import { type AboutUs, SEP9_FIELDS } from '#anchor/anchor-customer.ts';
import type { AnchorSettings } from '#anchor/anchored-network.ts';
import { findCarriedAsset, listAnchorableNetworks } from '#anchor/carried-asset.ts';
import { stellar } from '#anchor/stellar-base.ts';
import { isHttpUrl } from '#base/text.ts';
import { findNetwork } from '#catalog/network.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { isFields } from '#networks/answer-fields.ts';
import { isSetUp, type Setting, type SettingsReader } from '#networks/network-settings.ts';
import { STELLAR_CHAIN_NAMES, type StellarChainName } from './stellar-chain.ts';

export type StellarSettings = {
  readonly horizonUrls: readonly string[];
  readonly account: string;
  readonly chainName: StellarChainName;
  /** Key and domain that payment requests are signed with and for (SEP-7). */
  readonly uri: { readonly secret: string; readonly originDomain: string } | undefined;
  /**
   * A receiver without a trust line is left a claimable balance, which we may take back after so
   * many days; undefined: such a transfer is not sent.
   */
  readonly claimableDays?: number | undefined;
  /** Other networks that are reached through anchors, and the key to log in with. */
  readonly anchors?: readonly AnchorOfNetwork[];
  readonly anchorSecret?: string;
  /** An anchor that keeps more of a deposit is not offered. */
  readonly anchorFeePercentMost?: number;
  /** What anchors are told about us when they ask (SEP-12), by the names of SEP-9. */
  readonly anchorCustomer?: AboutUs;
};

export type AnchorOfNetwork = AnchorSettings & { readonly network: string };

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
  {
    name: 'STELLAR_CLAIMABLE_BALANCES',
    about: 'on: a receiver without a trust line is left a claimable balance; off: nothing is sent',
    initial: 'off',
  },
  {
    name: 'STELLAR_CLAIMABLE_DAYS',
    about: 'days a receiver has to fetch it, before you may take it back',
    initial: '90',
  },
  {
    name: 'STELLAR_ANCHORS',
    about: 'networks through anchors (SEP-6), for example BITCOIN=BTC:G...@anchor.example',
    initial: '',
  },
  {
    name: 'STELLAR_ANCHOR_SECRET',
    about: 'secret key (S...) to log in to anchors with (SEP-10); holds no money',
    initial: '',
  },
  {
    name: 'STELLAR_ANCHOR_FEE_PERCENT_MOST',
    about: 'an anchor that keeps more of a deposit is not offered; what it keeps the customer pays',
    initial: '5',
  },
  {
    name: 'STELLAR_ANCHOR_CUSTOMER',
    about:
      'what anchors that ask are told about you (SEP-12), as JSON: {"organization.name":"..."}',
    initial: '',
  },
];

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
/** Most that an operator can let anchors keep. */
const FEE_PERCENT_MOST = 50;

export function readStellarSettings(settings: SettingsReader): StellarSettings | undefined {
  const needed = ['STELLAR_HORIZON_URLS', 'STELLAR_ACCOUNT'];
  if (!isSetUp(settings, STELLAR_SETTINGS, needed, '; Stellar needs both')) return undefined;
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
    ...readClaimableDays(settings),
    ...readAnchorSettings(settings),
  };
}

/** Less than a week is no time to make a trust line; what is left for years is forgotten. */
const CLAIMABLE_DAYS = [7, 730] as const;

function readClaimableDays(settings: SettingsReader): Pick<StellarSettings, 'claimableDays'> {
  const claimableDays = settings.integer('STELLAR_CLAIMABLE_DAYS', ...CLAIMABLE_DAYS);
  const isOn = settings.choice('STELLAR_CLAIMABLE_BALANCES', ['off', 'on']) === 'on';
  return isOn ? { claimableDays } : {};
}

function accountFault(account: string): string | undefined {
  if (stellar.base.StrKey.isValidEd25519PublicKey(account)) return undefined;
  if (/^S[A-Z2-7]{55}$/.test(account)) {
    return 'this is a SECRET key; nothing here may hold one. Give the public key (G...)';
  }
  return 'must be a public key: 56 characters that begin with G';
}

function readUriSettings(settings: SettingsReader): StellarSettings['uri'] {
  const secret = settings.text('STELLAR_URI_SIGNING_SECRET');
  const originDomain = settings.text('STELLAR_URI_ORIGIN_DOMAIN');
  if (secret === '' && originDomain === '') return undefined;
  if (!stellar.base.StrKey.isValidEd25519SecretSeed(secret)) {
    settings.fault('STELLAR_URI_SIGNING_SECRET: must be a secret key: 56 characters after an S');
    return undefined;
  }
  if (!DOMAIN.test(originDomain)) {
    settings.fault('STELLAR_URI_ORIGIN_DOMAIN: must be a whole domain name in lower case');
  }
  return { secret, originDomain };
}

function readAnchorSettings(
  settings: SettingsReader,
): Pick<StellarSettings, 'anchors' | 'anchorSecret' | 'anchorFeePercentMost' | 'anchorCustomer'> {
  const list = settings.list('STELLAR_ANCHORS');
  const anchorFeePercentMost = settings.integer(
    'STELLAR_ANCHOR_FEE_PERCENT_MOST',
    0,
    FEE_PERCENT_MOST,
  );
  const anchorCustomer = readCustomer(settings);
  if (list.length === 0 && !settings.has('STELLAR_ANCHOR_SECRET')) return {};
  const anchorSecret = settings.text('STELLAR_ANCHOR_SECRET');
  if (!stellar.base.StrKey.isValidEd25519SecretSeed(anchorSecret)) {
    settings.fault('STELLAR_ANCHOR_SECRET: must be a secret key: 56 characters after an S');
  }
  const anchors = list.flatMap((text) => readAnchor(text, settings));
  if (new Set(anchors.map(({ assetId }) => assetId)).size < anchors.length) {
    settings.fault('STELLAR_ANCHORS: an asset is named twice');
  }
  return { anchors, anchorSecret, anchorFeePercentMost, anchorCustomer };
}

function readCustomer(settings: SettingsReader): AboutUs {
  const text = settings.text('STELLAR_ANCHOR_CUSTOMER');
  if (text === '') return {};
  const fault = (sentence: string): AboutUs => {
    settings.fault(`STELLAR_ANCHOR_CUSTOMER: ${sentence}`);
    return {};
  };
  const parsed = parseExactJson(text);
  if (!parsed.ok || !isFields(parsed.value)) return fault('must be a JSON object of texts');
  const fields = Object.entries(parsed.value);
  const unknown = fields.find(([name]) => !SEP9_FIELDS.has(name));
  if (unknown !== undefined) return fault(`${unknown[0]} is no field of SEP-9 that is text`);
  const faulty = fields.find(([, value]) => typeof value !== 'string' || value === '');
  if (faulty !== undefined) return fault(`${faulty[0]} must be a text`);
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

function readAnchor(text: string, settings: SettingsReader): AnchorOfNetwork[] {
  const [, network = '', code = '', issuer = '', domain = ''] =
    /^([A-Z_]+)=([A-Z0-9]{1,12}):(G[A-Z2-7]{55})@([^@]+)$/.exec(text) ?? [];
  const networks = listAnchorableNetworks();
  const info = networks.find(({ id }) => id === network);
  if (info === undefined || findCarriedAsset(info, code) === undefined) {
    const names = networks.map(({ id }) => id).join(', ');
    const form = 'must be like BITCOIN=BTC:G...@domain, the code one of the network';
    settings.fault(`STELLAR_ANCHORS: ${form}, of ${names}`);
    return [];
  }
  if (findNetwork('STELLAR')?.assets.includes(`${code}:${issuer}`)) {
    // The same payments would be looked for twice and booked twice.
    settings.fault(`STELLAR_ANCHORS: ${code} of that issuer is paid on Stellar itself`);
    return [];
  }
  if (!stellar.base.StrKey.isValidEd25519PublicKey(issuer) || !DOMAIN.test(domain)) {
    settings.fault(`STELLAR_ANCHORS: the issuer or the domain of ${network} is none`);
    return [];
  }
  return [{ network, assetId: `${code}:${issuer}`, domain }];
}
