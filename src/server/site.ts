// Everything that is served: the API, the pages, and the health of the parts.

import { clientAddress } from '#api/http/limits.ts';
import { createApi, type ServerOptions } from '#api/http/server.ts';
import { createLightningAddressAnswer } from '#api/lightning-address-answer.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { chainOf } from '#catalog/chain.ts';
import { type Explorers, KNOWN_EXPLORERS } from '#catalog/explorer.ts';
import { type ChainReport, listChainReports, missingUnits } from '#chain/chain-report.ts';
import type { Db } from '#db/db.ts';
import { LIGHTNING_ADDRESS_PATH } from '#deposit-address/lightning-address.ts';
import { noteProxySeen } from '#installation/installation.ts';
import { domainFinder, findDomainName } from '#merchant/domain.ts';
import { findSeller, type Seller } from '#merchant/seller.ts';
import { createPages, faultAnswer } from '#pages/create-pages.ts';
import { createBatch } from '#runtime/batch.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { demoShop } from './demo-shop.ts';
import { countParked } from './list-parked.ts';
import { operatorPort } from './operator-port.ts';
import { watchForProxy } from './proxy-advice.ts';

type Site = ServerOptions['fetch'];
type Bindings = Parameters<Site>[1];

export function createSite(app: App, running: readonly Loop[]): Site {
  const api = createApi(app);
  const health = healthAnswer(app, running);
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
    explorers: explorersOf(app),
    clientAddressOf,
    apiReference: openApiDocument(ROUTES, app.publicUrl),
    demo: app.config.demo ? demoShop(app) : undefined,
    operator: operatorPort(app, running),
  };
  const pages = createPages(pageApp);
  const findDomain = domainFinder(app);
  const publicHost = new URL(app.publicUrl).hostname;

  const serve = (request: Request, pathname: string, bindings: Bindings) => {
    if (pathname === '/api' || pathname.startsWith('/api/')) return api.fetch(request, bindings);
    if (pathname === '/health') return health();
    if (pathname.startsWith(LIGHTNING_ADDRESS_PATH)) {
      return lightningAddress(request, clientAddressOf(request, bindings));
    }
    return pages.fetch(request, bindings);
  };
  return (request, bindings) => {
    const { pathname, hostname } = new URL(request.url);
    lookForProxy(request.headers, bindings.incoming?.socket.remoteAddress ?? '');
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
      (fault: unknown) => faultAnswer(pageApp, request, fault),
    );
  };
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

// GET /health: what a load balancer and an operator ask.
const FAILURES_TO_WORRY = 3;
const REPORTS_FRESH_MS = 1_000;

/**
 * 200 while all parts of this process work, 503 otherwise; a chain each. Anybody may ask: it holds
 * no secret and no amount, and costs the database one look a second.
 */
export function healthAnswer(app: App, running: readonly Loop[]): () => Promise<Response> {
  let reports: Promise<readonly ChainReport[] | undefined> = Promise.resolve(undefined);
  let parked: Promise<Record<string, number> | undefined> = Promise.resolve(undefined);
  let madeAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (app.clock.monotonicMs() - madeAtMs >= REPORTS_FRESH_MS) {
      madeAtMs = app.clock.monotonicMs();
      reports = listChainReports(app, app.clock.now()).catch(() => undefined);
      parked = countParked(app, app.clock.now()).catch(() => undefined);
    }
    const [chains, waiting] = await Promise.all([reports, parked]);
    const failing = running
      .map((part) => part.health())
      .filter(({ consecutiveFailures }) => consecutiveFailures >= FAILURES_TO_WORRY);
    const isHealthy = chains !== undefined && failing.length === 0;
    const body = {
      status: isHealthy ? 'ok' : 'failing',
      database: chains === undefined ? 'away' : 'ok',
      failing: failing.map(({ name }) => name),
      parked: waiting ?? null,
      chains: (chains ?? []).map(chainHealth),
    };
    return Response.json(body, {
      status: isHealthy ? 200 : 503,
      headers: { 'cache-control': 'no-store' },
    });
  };
}

function chainHealth(report: ChainReport): object {
  const { chain, status, holdings, gap } = report;
  return {
    chain,
    height: status === undefined ? null : String(status.height),
    lagBlocks: status === undefined ? null : String(status.lag),
    newestBlockSeconds: report.newestBlockSeconds ?? null,
    heardSecondsAgo: report.heardSecondsAgo ?? null,
    behind: report.isBehind,
    brake: status?.brake ?? null,
    heldPayments: Number(report.heldPayments),
    nodeVersion: report.nodeVersion ?? null,
    error: report.error ?? null,
    advice: report.advice,
    unpaidAddressesInARow: gap === undefined ? null : String(gap.unpaidInARow),
    custody: custodyText(holdings),
  };
}

function custodyText(holdings: ChainReport['holdings']): string {
  if (holdings.length === 0) return 'unknown';
  return holdings.some((holding) => missingUnits(holding) > 0n) ? 'short' : 'covered';
}
