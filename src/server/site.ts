// Everything that is served to customers, shops and people: the API, the pages, the probes.

import { createApi } from '#api/http/create-api.ts';
import { clientAddress } from '#api/http/limits.ts';
import type { ServerOptions } from '#api/http/server.ts';
import { createLightningAddressAnswer } from '#api/lightning-address-answer.ts';
import { manualDocuments } from '#api/manual-documents.ts';
import { createShims } from '#api/shims/create-shims.ts';
import { createX402 } from '#api/x402/answer-x402.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { type Explorers, KNOWN_EXPLORERS } from '#catalog/explorer.ts';
import type { Db } from '#db/db.ts';
import { LIGHTNING_ADDRESS_PATH } from '#deposit-address/lightning-address.ts';
import { noteProxySeen } from '#installation/installation.ts';
import { domainFinder, findDomainName } from '#merchant/domain.ts';
import { findSeller, type Seller } from '#merchant/seller.ts';
import { createPages, faultAnswer } from '#pages/create-pages.ts';
import type { PageApp } from '#pages/page-app.ts';
import { createBatch } from '#runtime/batch.ts';
import type { Loop } from '#runtime/loop.ts';
import { openSigners } from '#sending/open-signers.ts';
import type { App } from './app.ts';
import { demoShop } from './demo-shop.ts';
import { operatorPort } from './operator-port.ts';
import { isOperatorRequest, type Probes } from './probes.ts';
import { watchForProxy } from './proxy-advice.ts';

type Site = Required<Pick<ServerOptions, 'fetch' | 'answerDirectly'>>;
type Bindings = Parameters<Site['fetch']>[1];

/** Of the API, in the one spelling that no reader of addresses changes. */
const PLAIN_TARGET = /^\/api(?:\/[\w-]+)*(?:\?|$)/;
const PLAIN_HOST = /^(?:[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*|127\.0\.0\.1)(?::\d{1,5})?$/;

export function createSite(app: App, running: readonly Loop[], probes: Probes): Site {
  const { api, answerApi } = openApis(app);
  const lightningAddress = createLightningAddressAnswer(app);
  const { trustedProxies } = app.config;
  const lookForProxy = watchForProxy({
    ...app,
    note: (seen) => noteProxySeen(app, seen, app.clock.now()),
  });
  const clientAddressOf = (request: Request, bindings: unknown) => {
    const { incoming } = (bindings ?? {}) as Partial<Bindings>;
    const remote = incoming?.socket.remoteAddress ?? '';
    return clientAddress(remote, request.headers.get('x-forwarded-for'), trustedProxies);
  };
  const pageApp = {
    ...app,
    findSeller: sharedSellers(app.db),
    ...forPayers(app),
    watcherOf: (chain: ChainId) => app.networks.get(chain),
    clientAddressOf,
    ...manualDocuments(app.publicUrl),
    demo: app.config.demo ? demoShop(app) : undefined,
    operator: operatorPort(app, running),
  };
  const pages = createPages(pageApp);
  const findDomain = domainFinder(app);
  const publicHost = new URL(app.publicUrl).hostname;

  const serve = (request: Request, pathname: string, bindings: Bindings) => {
    const answered = answerApi(request, pathname, bindings);
    if (answered !== undefined) return answered;
    const probed = probes.answer(pathname, isOperatorRequest(app.config, request));
    if (probed !== undefined) {
      nameRoute(bindings, pathname);
      return probed;
    }
    if (pathname.startsWith(LIGHTNING_ADDRESS_PATH)) {
      nameRoute(bindings, `${LIGHTNING_ADDRESS_PATH}{name}`);
      return lightningAddress(request, clientAddressOf(request, bindings));
    }
    return pages.fetch(request, bindings);
  };
  const isPlainHost = rememberHosts(
    (hostname) => hostname === publicHost || findDomainName(hostname) === undefined,
  );
  const answerDirectly: Site['answerDirectly'] = (incoming, outgoing) => {
    const { url = '', headers, socket } = incoming;
    if (!PLAIN_TARGET.test(url) || !isPlainHost(headers.host)) return undefined;
    lookForProxy(headers, socket.remoteAddress ?? '');
    return api.answerDirectly(incoming, outgoing);
  };
  const fetch: Site['fetch'] = (request, bindings) => {
    const { pathname, hostname } = new URL(request.url);
    const { incoming } = bindings as Partial<Bindings>;
    if (incoming) lookForProxy(incoming.headers, incoming.socket.remoteAddress ?? '');
    // Our own host, or no host name at all: the database need not be asked whose it is.
    if (hostname === publicHost || findDomainName(hostname) === undefined) {
      return serve(request, pathname, bindings);
    }
    return findDomain(hostname).then(
      (domain) =>
        domain === undefined
          ? serve(request, pathname, bindings)
          : pages.fetch(request, { ...bindings, domain }),
      // The database cannot say whose host this is: a fault is answered, nothing is guessed.
      // Whether this process runs and can serve has nothing to do with whose host it is.
      (fault: unknown) => probes.answer(pathname, false) ?? faultAnswer(pageApp, request, fault),
    );
  };
  return { fetch, answerDirectly };
}

const HOSTS_MOST = 100;

/** Whether it is a host of ours, written as a name or as this machine: there are few of them. */
function rememberHosts(isOurs: (hostname: string) => boolean): (host?: string) => boolean {
  const known = new Map<string, boolean>();
  return (host = '') => {
    const remembered = known.get(host);
    if (remembered !== undefined) return remembered;
    const hostname = PLAIN_HOST.test(host) ? URL.parse(`http://${host}/`)?.hostname : undefined;
    const isPlain = hostname !== undefined && isOurs(hostname);
    if (known.size >= HOSTS_MOST) known.clear();
    known.set(host, isPlain);
    return isPlain;
  };
}

/** Ours, and those of other services that we speak too. */
function openApis(app: App) {
  const api = createApi(app);
  const shims = createShims(app, api.limits);
  const x402 = createX402({ ...app, signers: openSigners(app) }, api.limits);
  return {
    api,
    answerApi(request: Request, pathname: string, bindings: Bindings) {
      const isOurs = pathname === '/api' || pathname.startsWith('/api/');
      if (isOurs) return api.fetch(request, bindings);
      return shims(request, pathname, bindings) ?? x402(request, pathname, bindings);
    },
  };
}

/** For whoever counts requests; the API and the pages name theirs. */
function nameRoute({ incoming }: Bindings, route: string): void {
  Object.assign(incoming, { route });
}

/** What the operator has set for their pages. */
function forPayers(app: App): Pick<PageApp, 'explorers' | 'walletConnect'> {
  return { explorers: explorersOf(app), walletConnect: app.config.walletConnect };
}

/** The well-known ones know nothing of a test chain. */
function explorersOf({ config, networks, policy }: App): Explorers {
  const known = [...config.explorers].filter(([network, address]) => {
    const chain = chainOf('live', network);
    const isTestChain = networks.has(chain) && policy.targetBlockSeconds(chain) === undefined;
    return !isTestChain || address !== KNOWN_EXPLORERS.get(network);
  });
  return new Map(known);
}

const SELLERS_AT_ONCE = 100;

/** Pages that change together mostly are of the same few merchants. */
function sharedSellers(db: Db): (merchantId: string) => Promise<Seller | undefined> {
  return createBatch({
    most: SELLERS_AT_ONCE,
    atOnce: 1,
    async run(merchantIds: readonly string[]) {
      const found = new Map<string, Promise<Seller | undefined>>();
      return Promise.all(
        merchantIds.map((merchantId) => {
          const seller = found.get(merchantId) ?? findSeller(db, merchantId);
          found.set(merchantId, seller);
          return seller;
        }),
      );
    },
  });
}
