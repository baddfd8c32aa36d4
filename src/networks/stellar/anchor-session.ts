// How an anchor is asked: found once in a while, logged in to once in a while, every question in
// that session (SEP-1, SEP-10).

import type { Keypair } from '@stellar/stellar-base';
import type { Clock } from '#base/clock.ts';
import { type AnchorIdentity, type AnchorServices, discoverAnchor } from './discover-anchor.ts';
import type { GuardedHttp, GuardedRequest } from './guarded-http.ts';
import { logIntoAnchor } from './log-into-anchor.ts';
import { type AnchorFields, findJson, readJson } from './read-anchor-answer.ts';
import type { StellarChain } from './stellar-chain.ts';

export type AnchorSessionOptions = {
  readonly identity: AnchorIdentity;
  readonly http: GuardedHttp;
  readonly key: Keypair;
  readonly chain: StellarChain;
  readonly clock: Clock;
};

export type AnchorAnswer = {
  readonly status: number;
  /** Undefined when it is no JSON object. */
  readonly json: AnchorFields | undefined;
};

export type AnchorQuestion = {
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
  const { identity, http, key, chain, clock } = options;
  const { domain } = identity;
  let discovered: { readonly services: AnchorServices; readonly atMs: number } | undefined;
  let session: { readonly token: string; readonly atMs: number } | undefined;
  let known: AnchorFields | undefined;

  async function services(): Promise<AnchorServices> {
    const nowMs = clock.monotonicMs();
    if (discovered === undefined || nowMs - discovered.atMs >= DISCOVERED_MS) {
      discovered = { services: await discoverAnchor(http, identity, chain), atMs: nowMs };
    }
    return discovered.services;
  }

  async function token(): Promise<string> {
    const nowMs = clock.monotonicMs();
    if (session === undefined || nowMs - session.atMs >= TOKEN_MS) {
      const login = { http, domain, services: await services(), key, chain, now: clock.now() };
      session = { token: await logIntoAnchor(login), atMs: nowMs };
    }
    return session.token;
  }

  async function send(request: GuardedRequest): Promise<AnchorAnswer> {
    const { status, text } = await http({ ...request, token: await token() });
    return { status, json: findJson(text) };
  }

  return {
    services,
    async ask({ server, path, query = {}, body }) {
      const url = new URL(`${(await services())[server]}${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const request: GuardedRequest = { url: url.href, body, method: body && 'PUT' };
      const answer = await send(request);
      if (!isSessionOver(answer)) return answer;
      session = undefined;
      return send(request);
    },
    async info({ isFresh } = { isFresh: false }) {
      if (known !== undefined && !isFresh) return known;
      const { transferServer } = await services();
      known = readJson(await http({ url: `${transferServer}/info` }), domain, 'information');
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
