// A catalogue: the same list for every caller of an environment who takes the same risk. It is
// made anew after a second, so that what is switched on or off shows at once, and in between only
// its text is sent.

import type { z } from 'zod';
import { type ApiApp, type Endpoint, protectedEndpoint } from './endpoint.ts';
import { shareAnswer } from './shared-answer.ts';
import type { CatalogueOwner } from './usable.ts';

const FRESH_MS = 1_000;

type Made = { readonly value: object; readonly madeAtMs: number };

export function catalogueEndpoint(description: {
  readonly path: string;
  readonly summary: string;
  readonly response: z.ZodType;
  list(app: ApiApp, owner: CatalogueOwner): object;
}): Endpoint {
  const { list, ...rest } = description;
  const made = new WeakMap<ApiApp['networks'], Map<string, Made>>();
  return protectedEndpoint({
    ...rest,
    method: 'GET',
    auth: 'read',
    handle(app, { caller: { environment, riskTolerance } }) {
      const kind = `${environment} ${riskTolerance}`;
      const nowMs = app.clock.monotonicMs();
      const ofApp = made.getOrInsertComputed(app.networks, () => new Map());
      const known = ofApp.get(kind);
      if (known !== undefined && nowMs - known.madeAtMs < FRESH_MS) return known.value;
      const value = shareAnswer(list(app, { environment, riskTolerance }));
      ofApp.set(kind, { value, madeAtMs: nowMs });
      return value;
    },
  });
}
