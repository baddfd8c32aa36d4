// The APIs of other services that this one speaks too, as what answers a Request.

import type { HttpBindings } from '@hono/node-server';
import type { AnswerRequestApp } from '#api/http/answer-request.ts';
import { receivedRequest } from '#api/http/create-api.ts';
import type { RateLimits } from '#api/http/limits.ts';
import { answerShim } from './answer-shim.ts';
import { COMMERCE } from './commerce.ts';
import { GREENFIELD } from './greenfield.ts';

const SHIMS = [GREENFIELD, COMMERCE];

/**
 * Undefined for what is none of theirs. `limits`: those of the API, whose keys they take. With
 * limits of their own whoever guesses a key would have as many guesses once more.
 */
export function createShims(app: AnswerRequestApp, limits: RateLimits) {
  return (
    request: Request,
    pathname: string,
    bindings: Partial<HttpBindings>,
  ): Promise<Response> | undefined => {
    const shim = SHIMS.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
    if (shim === undefined) return undefined;
    return receivedRequest(request, bindings.incoming)
      .then((received) => answerShim(app, limits, shim, received))
      .then(({ status, headers, body }) => new Response(body, { status, headers }));
  };
}
