// Each request as a span that is called after its route: never after its path, which may be a key.

import type { ServerOptions } from '#api/http/server.ts';
import type { Tracer } from '#tracing/trace.ts';
import { HTTP_METHODS } from './meters.ts';
import { PROBE_PATHS } from './probes.ts';

type Site = ServerOptions['fetch'];

/** What machines ask every few seconds is not traced. */
const UNTRACED: ReadonlySet<string> = new Set(PROBE_PATHS);

/**
 * What a caller says of a trace of his own is not followed: a stranger would decide what is
 * recorded here, and under which number.
 */
export function traceRequests(tracer: Tracer, site: Site): Site {
  return (request, bindings) => {
    if (UNTRACED.has(new URL(request.url).pathname)) return site(request, bindings);
    const method = HTTP_METHODS.has(request.method) ? request.method : 'other';
    const attributes = { 'http.request.method': method };
    return tracer.span({ name: method, kind: 'server', attributes }, async (span) => {
      const response = await site(request, bindings);
      const { incoming, outgoing } = bindings;
      const { route = 'other' } = incoming as { route?: string };
      // Answers of the API are written to the socket.
      const status = outgoing.headersSent ? outgoing.statusCode : response.status;
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.fail(String(status));
      return response;
    });
  };
}
