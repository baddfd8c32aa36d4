// A catalogue: the same list for every caller of an environment. It is made anew after a second,
// so that what is switched on or off shows at once, and in between only its text is sent.

import type { z } from 'zod';
import type { Environment } from '#catalog/chain.ts';
import { type ApiApp, type Endpoint, protectedEndpoint } from './endpoint.ts';
import { shareAnswer } from './shared-answer.ts';

const FRESH_MS = 1_000;

type Made = { readonly value: object; readonly madeAtMs: number };

export function catalogueEndpoint(description: {
  readonly path: string;
  readonly summary: string;
  readonly response: z.ZodType;
  list(app: ApiApp, environment: Environment): object;
}): Endpoint {
  const { list, ...rest } = description;
  const made = new WeakMap<ApiApp['networks'], Map<Environment, Made>>();
  return protectedEndpoint({
    ...rest,
    method: 'GET',
    auth: 'read',
    handle(app, { caller: { environment } }) {
      const nowMs = app.clock.monotonicMs();
      const ofApp = made.getOrInsertComputed(app.networks, () => new Map());
      const known = ofApp.get(environment);
      if (known !== undefined && nowMs - known.madeAtMs < FRESH_MS) return known.value;
      const value = shareAnswer(list(app, environment));
      ofApp.set(environment, { value, madeAtMs: nowMs });
      return value;
    },
  });
}
