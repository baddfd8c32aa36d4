// What an anchor publishes about itself (SEP-1): its stellar.toml, under its home domain, over
// https. Guarantees: the file is of this network, and lists the very asset that was configured,
// issuer included; its services are at https addresses.
import { StrKey } from '@stellar/stellar-base';
import { parse } from 'smol-toml';
import type { GuardedHttp } from './guarded-http.ts';
import { outage } from './horizon.ts';
import { isFields } from './horizon-fields.ts';
import type { StellarChain } from './stellar-chain.ts';

export type AnchorServices = {
  /** Signs challenges (SEP-10). */
  readonly signingKey: string;
  readonly webAuthEndpoint: string;
  /** SEP-6. */
  readonly transferServer: string;
  /** SEP-12; the transfer server where the file names none. */
  readonly kycServer: string;
  readonly hasKycServer: boolean;
};

export type AnchorIdentity = {
  readonly domain: string;
  readonly assetCode: string;
  readonly assetIssuer: string;
};

/** @throws Outage that says what the file lacks. */
export async function discoverAnchor(
  http: GuardedHttp,
  { domain, assetCode, assetIssuer }: AnchorIdentity,
  chain: StellarChain,
): Promise<AnchorServices> {
  const url = `https://${domain}/.well-known/stellar.toml`;
  const { status, text } = await http({ url });
  const what = `the stellar.toml of ${domain}`;
  if (status !== 200) throw outage(domain, `${what}: HTTP status ${status}`);
  const file = parseToml(text, what, domain);
  const passphrase = file.NETWORK_PASSPHRASE;
  if (passphrase !== undefined && passphrase !== chain.passphrase) {
    throw outage(domain, `${what} is of another network`);
  }
  const currencies: readonly unknown[] = Array.isArray(file.CURRENCIES) ? file.CURRENCIES : [];
  const isListed = currencies.some(
    (one) => isFields(one) && one.code === assetCode && one.issuer === assetIssuer,
  );
  if (!isListed) throw outage(domain, `${what} does not list ${assetCode}:${assetIssuer}`);
  const signingKey = file.SIGNING_KEY;
  if (typeof signingKey !== 'string' || !StrKey.isValidEd25519PublicKey(signingKey)) {
    throw outage(domain, `${what} has no SIGNING_KEY`);
  }
  const transferServer = httpsAddress(file, 'TRANSFER_SERVER', what, domain);
  const hasKycServer = file.KYC_SERVER !== undefined;
  return {
    signingKey,
    webAuthEndpoint: httpsAddress(file, 'WEB_AUTH_ENDPOINT', what, domain),
    transferServer,
    kycServer: hasKycServer ? httpsAddress(file, 'KYC_SERVER', what, domain) : transferServer,
    hasKycServer,
  };
}

function parseToml(text: string, what: string, domain: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    throw outage(domain, `${what} is no TOML`);
  }
}

function httpsAddress(
  file: Readonly<Record<string, unknown>>,
  name: string,
  what: string,
  domain: string,
): string {
  const url = typeof file[name] === 'string' ? URL.parse(file[name]) : null;
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '') {
    throw outage(domain, `${what} has no ${name} over https`);
  }
  return url.href.replace(/\/+$/, '');
}
