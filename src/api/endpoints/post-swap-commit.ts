import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { swapSchema } from '#api/endpoints/post-swap.ts';
import { isId } from '#base/id.ts';
import { fields } from '#money/exact-schema.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { swapView } from '#swap/swap-view.ts';

export const postSwapCommit = protectedEndpoint({
  method: 'POST',
  path: '/swap/commit',
  auth: 'money',
  summary: 'Carry out a swap at its quote; repeats change nothing',
  request: fields({
    swapId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ swap: swapSchema }),
  async handle(app, { caller }, { swapId }) {
    const swap = await commitSwap(app, { swapId, owner: caller });
    return { swap: swapView(swap, app.clock.now()) };
  },
});
