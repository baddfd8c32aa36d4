// The port of the operator: how this process is, for whoever watches it. Every process has one
// where it is set, also one that serves no pages. Guarantees: nothing else is served here; what is
// told in detail asks for the token, where there is one.

import { startServer } from '#api/http/server.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { bringsToken, type Probes } from './probes.ts';

const HEALTH = { name: 'metrics', consecutiveFailures: 0, steps: 0 };

/** Rejects with the error of listen when the port cannot be had. */
export async function startWatchPort(
  app: App,
  place: { readonly port: number; readonly host: string },
  probes: Probes,
): Promise<Loop & { readonly port: number }> {
  const server = await startServer({
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response('only GET is answered here\n', { status: 405 });
      }
      const { watchToken } = app.config;
      const isOperator = watchToken === undefined || bringsToken(request, watchToken);
      return (
        probes.answer(pathname, isOperator) ??
        new Response('/live, /ready, /health\n', { status: 404 })
      );
    },
    ...place,
    random: app.random,
    log: app.log,
  });
  return { port: server.port, stop: () => server.close(), health: () => HEALTH };
}
