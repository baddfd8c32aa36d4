// The APIs of other services that this one speaks too, as what answers a Request.

import type { HttpBindings } from '@hono/node-server';
import type { AnswerRequestApp, WithBody } from '#api/http/answer-request.ts';
import { createRateLimits } from '#api/http/limits.ts';
import { readRequestHeaders } from '#api/http/request-headers.ts';
import { answerShim, type Shim } from './answer-shim.ts';
import { COMMERCE } from './commerce.ts';
import { GREENFIELD } from './greenfield.ts';

const SHIMS: readonly Shim[] = [GREENFIELD, COMMERCE];

/** Undefined for what is none of theirs. */
export function createShims(app: AnswerRequestApp) {
  const limits = createRateLimits(app.clock, app.config.rateLimits);
  return (
    request: Request,
    pathname: string,
    bindings: Partial<HttpBindings>,
  ): Promise<Response> | undefined => {
    const shim = SHIMS.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
    if (shim === undefined) return undefined;
    return answer(app, limits, shim, request, bindings.incoming);
  };
}

async function answer(
  app: AnswerRequestApp,
  limits: ReturnType<typeof createRateLimits>,
  shim: Shim,
  request: Request,
  incoming: WithBody | undefined,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { status, headers, body } = await answerShim(app, limits, shim, {
    method: request.method,
    target: incoming?.url ?? `${pathname}${search}`,
    headers: incoming === undefined ? request.headers : readRequestHeaders(incoming),
    body: incoming?.rawBody ?? new Uint8Array(await request.arrayBuffer()),
    remoteAddress: incoming?.socket.remoteAddress ?? '127.0.0.1',
    signal: request.signal,
    onRoute(template) {
      if (incoming !== undefined) incoming.route = template;
    },
  });
  return new Response(body, { status, headers });
}
