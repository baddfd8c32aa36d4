// How an anchor is asked: what it publishes about itself is read once in a while (SEP-1, its
// stellar.toml under its home domain, over https), we log in to it once in a while (SEP-10), and
// every question goes in that session. Guarantees: the file is of this network and lists the very
// asset that was configured, issuer included; the services of the anchor are at https addresses.

import type { FeeBumpTransaction, Keypair, Operation, Transaction } from '@stellar/stellar-base';
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
import { stellar } from './stellar-base.ts';

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
  if (typeof signingKey !== 'string' || !stellar.base.StrKey.isValidEd25519PublicKey(signingKey)) {
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

// Logs in to an anchor (SEP-10): it hands out a challenge, which is a transaction; our key signs
// it, and nothing else, ever. Guarantees: what is signed cannot be carried out (sequence 0), comes
// from the key that the anchor published, is for our key, this anchor and now, and does nothing
// but name data entries of ours and of the anchor. Anything else is not signed. The key holds no
// money and is a signer of no account that does.
type AnchorLogin = {
  readonly http: AnchorHttp;
  readonly domain: string;
  readonly services: {
    /** Signs challenges. */
    readonly signingKey: string;
    readonly webAuthEndpoint: string;
  };
  readonly key: Keypair;
  /** Of the Stellar network. */
  readonly passphrase: string;
  readonly now: Temporal.Instant;
};

/** How far our clock and the anchor's may differ. */
const CLOCK_SECONDS = 300n;

/** The token of a session. @throws Outage when the anchor is away or its challenge is not one. */
async function logIntoAnchor(login: AnchorLogin): Promise<string> {
  const { http, domain, services, key, passphrase } = login;
  const url = new URL(services.webAuthEndpoint);
  url.searchParams.set('account', key.publicKey());
  url.searchParams.set('home_domain', domain);
  const challenge = requireJson(await http({ url: url.href }), domain, 'challenge');
  const stated = challenge.network_passphrase;
  if (stated !== undefined && stated !== passphrase) {
    throw anchorOutage(domain, 'the challenge of the anchor is of another network');
  }
  if (typeof challenge.transaction !== 'string') {
    throw anchorOutage(domain, 'the anchor gave no challenge');
  }
  const transaction = openChallenge(challenge.transaction, login);
  const fault = challengeFault(transaction, login);
  if (fault !== undefined) {
    throw anchorOutage(domain, `the challenge of the anchor is not signed: ${fault}`);
  }
  transaction.sign(key);
  const body = { transaction: transaction.toEnvelope().toXDR('base64') };
  const answer = requireJson(await http({ url: services.webAuthEndpoint, body }), domain, 'token');
  if (typeof answer.token !== 'string' || !/^[\w.~+/=-]{1,4096}$/.test(answer.token)) {
    throw anchorOutage(domain, 'the anchor gave no token');
  }
  return answer.token;
}

function openChallenge(text: string, { passphrase, domain }: AnchorLogin): Transaction {
  let opened: Transaction | FeeBumpTransaction;
  try {
    opened = stellar.base.TransactionBuilder.fromXDR(text, passphrase);
  } catch {
    throw anchorOutage(domain, 'the challenge of the anchor cannot be read');
  }
  if (!(opened instanceof stellar.base.Transaction)) {
    throw anchorOutage(domain, 'the challenge of the anchor is a fee bump');
  }
  return opened;
}

/** Why a challenge is not to be signed (SEP-10, Challenge); undefined when it is one. */
function challengeFault(
  transaction: Transaction,
  { domain, services, key, now }: AnchorLogin,
): string | undefined {
  const { signingKey, webAuthEndpoint } = services;
  if (transaction.source !== signingKey) return 'its source is not the signing key of the anchor';
  if (transaction.sequence !== '0') return 'its sequence number is not 0';
  if (transaction.memo.type !== 'none') return 'it has a memo';
  const { minTime = '', maxTime = '0' } = transaction.timeBounds ?? {};
  const seconds = BigInt(Math.floor(now.epochMilliseconds / 1000));
  if (minTime === '' || maxTime === '0') return 'it has no time bounds';
  if (seconds + CLOCK_SECONDS < BigInt(minTime)) return 'it is not valid yet';
  if (seconds - CLOCK_SECONDS > BigInt(maxTime)) return 'it is not valid any more';
  const [first, ...others] = transaction.operations;
  if (first?.type !== 'manageData') return 'its first operation names no data entry';
  if (first.source !== key.publicKey()) return 'its first operation is not for our key';
  if (first.name !== `${domain} auth`) return 'it is for another home domain';
  if (first.value?.length !== 64) return 'its nonce has not 64 bytes';
  const fault = others.map((one) => otherFault(one, signingKey, webAuthEndpoint)).find(Boolean);
  if (fault !== undefined) return fault;
  const [signature, ...more] = transaction.signatures;
  if (signature === undefined || more.length > 0) return 'it does not have exactly one signature';
  return isSignedBy(transaction, signingKey) ? undefined : 'the anchor did not sign it';
}

function otherFault(
  operation: Operation,
  signingKey: string,
  webAuthEndpoint: string,
): string | undefined {
  if (operation.type !== 'manageData') return 'it does something else than name data entries';
  if (operation.source !== signingKey) return 'it names a data entry of somebody else';
  if (operation.name !== 'web_auth_domain') return undefined;
  const named = operation.value?.toString();
  return named === new URL(webAuthEndpoint).host ? undefined : 'it is for another login service';
}

function isSignedBy(transaction: Transaction, signingKey: string): boolean {
  const signer = stellar.base.Keypair.fromPublicKey(signingKey);
  return transaction.signatures.some((one) => {
    return (
      one.hint().equals(signer.signatureHint()) &&
      signer.verify(transaction.hash(), one.signature())
    );
  });
}
