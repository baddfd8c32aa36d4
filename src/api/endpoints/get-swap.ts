import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { swapSchema } from '#api/endpoints/post-swap.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { fields, text } from '#money/exact-schema.ts';
import { findSwap } from '#swap/swap.ts';
import { swapView } from '#swap/swap-view.ts';

export const getSwap = protectedEndpoint({
  method: 'GET',
  path: '/swap',
  auth: 'read',
  summary: 'State of a swap',
  request: fields({ id: text(100) }),
  response: z.object({ swap: swapSchema }),
  async handle(app, { caller }, { id }) {
    const swap = isId(id) ? await findSwap(app, caller, id) : undefined;
    if (swap === undefined) throw new Refusal('missing', 'swap_missing', 'no such swap');
    return { swap: swapView(swap, app.clock.now()) };
  },
});
