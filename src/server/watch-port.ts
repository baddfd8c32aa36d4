// The port of the operator: how this process is, for whoever watches it. Every process has one
// where it is set, also one that serves no pages. Guarantees: nothing else is served here; what is
// told in detail asks for the token, where there is one.

import { startServer } from '#api/http/server.ts';
import { EXPOSITION_TYPE } from '#metrics/metric.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { bringsToken, type Probes } from './probes.ts';

const SERVED = '/metrics, /live, /ready, /health\n';
const HEALTH = { name: 'metrics', consecutiveFailures: 0, steps: 0 };

/** Rejects with the error of listen when the port cannot be had. */
export async function startWatchPort(
  app: App,
  place: { readonly port: number; readonly host: string },
  { probes, metrics }: { readonly probes: Probes; readonly metrics: () => Promise<string> },
): Promise<Loop & { readonly port: number }> {
  const server = await startServer({
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response('only GET is answered here\n', { status: 405 });
      }
      const { watchToken } = app.config;
      const isOperator = watchToken === undefined || bringsToken(request, watchToken);
      const probed = probes.answer(pathname, isOperator);
      if (probed !== undefined) return probed;
      if (pathname !== '/metrics') return new Response(SERVED, { status: 404 });
      if (!isOperator) {
        return new Response('bring the token of WATCH_TOKEN_FILE\n', {
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
        });
      }
      return new Response(await metrics(), { headers: { 'content-type': EXPOSITION_TYPE } });
    },
    ...place,
    random: app.random,
    log: app.log,
  });
  return { port: server.port, stop: () => server.close(), health: () => HEALTH };
}
