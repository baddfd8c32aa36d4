// How an anchor is asked: what it publishes about itself is read once in a while (SEP-1, its
// stellar.toml under its home domain, over https), we log in to it once in a while (SEP-10), and
// every question goes in that session. Guarantees: the file is of this network and lists the very
// asset that was configured, issuer included; the services of the anchor are at https addresses.

import { type Keypair, StrKey } from '@stellar/stellar-base';
import { parse } from 'smol-toml';
import type { Clock } from '#base/clock.ts';
import { isJsonObject } from '#money/exact-json.ts';
import {
  type AnchorFields,
  type AnchorHttp,
  type AnchorRequest,
  anchorOutage,
  findJson,
  requireJson,
} from './anchor-http.ts';
import { logIntoAnchor } from './log-into-anchor.ts';

type AnchorServices = {
  /** Signs challenges (SEP-10). */
  readonly signingKey: string;
  readonly webAuthEndpoint: string;
  /** SEP-6. */
  readonly transferServer: string;
  /** SEP-12; the transfer server where the file names none. */
  readonly kycServer: string;
  readonly hasKycServer: boolean;
};

type AnchorIdentity = {
  readonly domain: string;
  readonly assetCode: string;
  readonly assetIssuer: string;
};

export type AnchorSessionOptions = {
  readonly identity: AnchorIdentity;
  readonly http: AnchorHttp;
  readonly key: Keypair;
  /** Of the Stellar network. */
  readonly passphrase: string;
  readonly clock: Clock;
};

export type AnchorAnswer = {
  readonly status: number;
  /** Undefined when it is no JSON object. */
  readonly json: AnchorFields | undefined;
};

type AnchorQuestion = {
  readonly server: 'transferServer' | 'kycServer';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent by PUT. */
  readonly body?: object | undefined;
};

/** All of it throws Outage when the anchor cannot be asked. */
export type AnchorSession = {
  services(): Promise<AnchorServices>;
  ask(question: AnchorQuestion): Promise<AnchorAnswer>;
  /** GET /info; without `isFresh` as it was last. */
  info(options?: { readonly isFresh: boolean }): Promise<AnchorFields>;
};

const DISCOVERED_MS = 10 * 60_000;
/** Tokens last a day at most anchors; ours are used for less. */
const TOKEN_MS = 15 * 60_000;

export function anchorSession(options: AnchorSessionOptions): AnchorSession {
  const { identity, http, key, passphrase, clock } = options;
  const { domain } = identity;
  let discovered: { readonly services: AnchorServices; readonly atMs: number } | undefined;
  let session: { readonly token: string; readonly atMs: number } | undefined;
  let known: AnchorFields | undefined;

  async function services(): Promise<AnchorServices> {
    const nowMs = clock.monotonicMs();
    if (discovered === undefined || nowMs - discovered.atMs >= DISCOVERED_MS) {
      discovered = { services: await discoverAnchor(http, identity, passphrase), atMs: nowMs };
    }
    return discovered.services;
  }

  async function token(): Promise<string> {
    const nowMs = clock.monotonicMs();
    if (session === undefined || nowMs - session.atMs >= TOKEN_MS) {
      const login = { http, domain, services: await services(), key, passphrase, now: clock.now() };
      session = { token: await logIntoAnchor(login), atMs: nowMs };
    }
    return session.token;
  }

  async function send(request: AnchorRequest): Promise<AnchorAnswer> {
    const { status, text } = await http({ ...request, token: await token() });
    return { status, json: findJson(text) };
  }

  return {
    services,
    async ask({ server, path, query = {}, body }) {
      const url = new URL(`${(await services())[server]}${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const request: AnchorRequest = { url: url.href, body, method: body && 'PUT' };
      const answer = await send(request);
      if (!isSessionOver(answer)) return answer;
      session = undefined;
      return send(request);
    },
    async info({ isFresh } = { isFresh: false }) {
      if (known !== undefined && !isFresh) return known;
      const { transferServer } = await services();
      known = requireJson(await http({ url: `${transferServer}/info` }), domain, 'information');
      return known;
    },
  };
}

/** SEP-6 says with the same status that the anchor wants to know more about us. */
function isSessionOver({ status, json }: AnchorAnswer): boolean {
  if (status === 401) return true;
  const type = json?.type;
  const isAboutUs =
    type === 'non_interactive_customer_info_needed' || type === 'customer_info_status';
  return status === 403 && !isAboutUs;
}

/** @throws Outage that says what the file lacks. */
async function discoverAnchor(
  http: AnchorHttp,
  { domain, assetCode, assetIssuer }: AnchorIdentity,
  passphrase: string,
): Promise<AnchorServices> {
  const url = `https://${domain}/.well-known/stellar.toml`;
  const { status, text } = await http({ url });
  const what = `the stellar.toml of ${domain}`;
  if (status !== 200) throw anchorOutage(domain, `${what}: HTTP status ${status}`);
  const file = parseToml(text, what, domain);
  const stated = file.NETWORK_PASSPHRASE;
  if (stated !== undefined && stated !== passphrase) {
    throw anchorOutage(domain, `${what} is of another network`);
  }
  const currencies: readonly unknown[] = Array.isArray(file.CURRENCIES) ? file.CURRENCIES : [];
  const isListed = currencies.some(
    (one) => isJsonObject(one) && one.code === assetCode && one.issuer === assetIssuer,
  );
  if (!isListed) throw anchorOutage(domain, `${what} does not list ${assetCode}:${assetIssuer}`);
  const signingKey = file.SIGNING_KEY;
  if (typeof signingKey !== 'string' || !StrKey.isValidEd25519PublicKey(signingKey)) {
    throw anchorOutage(domain, `${what} has no SIGNING_KEY`);
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
    throw anchorOutage(domain, `${what} is no TOML`);
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
    throw anchorOutage(domain, `${what} has no ${name} over https`);
  }
  return url.href.replace(/\/+$/, '');
}
