// Everything that is served: the API, the pages, and the health of the parts.

import { openApiDocument } from '#api/openapi-document.ts';
import { createApi, type ServerOptions } from '#api/server.ts';
import { findSeller } from '#merchant/find-seller.ts';
import { createPages } from '#pages/create-pages.ts';
import type { App } from './app.ts';
import { demoShop } from './demo-shop.ts';
import { healthAnswer } from './health-answer.ts';
import type { Stoppable } from './run-roles.ts';

export type Site = ServerOptions['fetch'];

export function createSite(app: App, running: readonly Stoppable[]): Site {
  const api = createApi(app);
  const health = healthAnswer(app, running);
  const pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    apiReference: openApiDocument(app.publicUrl),
    demo: app.sandbox === undefined ? undefined : demoShop(app),
  });
  return (request, bindings) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api' || pathname.startsWith('/api/')) return api.fetch(request, bindings);
    if (pathname === '/health') return health();
    return pages.fetch(request, bindings);
  };
}
