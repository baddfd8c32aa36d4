// Everything that is served: the API, the pages, and the health of the parts.

import { openApiDocument } from '#api/openapi-document.ts';
import { createApi, type ServerOptions } from '#api/server.ts';
import { listChainStatuses } from '#deposit/chain-status.ts';
import { findSeller } from '#merchant/find-seller.ts';
import { createPages } from '#pages/create-pages.ts';
import type { App } from './app.ts';
import { demoShop } from './demo-shop.ts';
import type { Stoppable } from './run-roles.ts';

export type Site = ServerOptions['fetch'];

export function createSite(app: App, running: readonly Stoppable[]): Site {
  const api = createApi(app);
  const pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    apiReference: openApiDocument(app.publicUrl),
    demo: app.sandbox === undefined ? undefined : demoShop(app),
  });
  return (request, bindings) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api' || pathname.startsWith('/api/')) return api.fetch(request, bindings);
    if (pathname === '/health') return health(app, running);
    return pages.fetch(request, bindings);
  };
}

const FAILURES_TO_WORRY = 3;

/** 200 while all parts of this process work, 503 otherwise; one line a chain. Holds no secret. */
async function health(app: App, running: readonly Stoppable[]): Promise<Response> {
  const now = app.clock.now();
  const loops = running.map((part) => part.health());
  const statuses = await listChainStatuses(app.db).catch(() => undefined);
  const chains = [...app.networks.values()].map((network) => {
    const status = statuses?.find(({ chain }) => chain === network.chain);
    const { nodeVersion, lastError } = network.health();
    return {
      chain: network.chain,
      height: status === undefined ? null : String(status.cursor.height),
      lagBlocks: status === undefined ? null : String(status.lag),
      heardSecondsAgo:
        status === undefined ? null : Math.round(now.since(status.heardAt).total('seconds')),
      brake: status?.brake ?? null,
      nodeVersion: nodeVersion ?? null,
      error: lastError ?? null,
    };
  });
  const failing = loops.filter(
    ({ consecutiveFailures }) => consecutiveFailures >= FAILURES_TO_WORRY,
  );
  const isHealthy = statuses !== undefined && failing.length === 0;
  const body = {
    status: isHealthy ? 'ok' : 'failing',
    database: statuses === undefined ? 'away' : 'ok',
    failing: failing.map(({ name }) => name),
    chains,
  };
  return Response.json(body, {
    status: isHealthy ? 200 : 503,
    headers: { 'cache-control': 'no-store' },
  });
}
