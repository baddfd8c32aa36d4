import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { sandboxTipSchema, sandboxTipView } from '#api/endpoints/post-sandbox-mine.ts';
import { count } from '#api/endpoints/post-sandbox-pay.ts';
import { isNetwork, requireSandbox, unknownNetwork } from '#api/require-sandbox.ts';
import { fields, optional } from '#money/exact-schema.ts';

const depthMax = 30;

export const postSandboxReorg = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/reorg',
  auth: 'create',
  summary: 'Undo blocks of a simulated network together with your payments in them',
  request: fields({
    network: z.string().refine(isNetwork, unknownNetwork),
    depth: optional(count(depthMax)),
  }),
  response: z.object({ tip: sandboxTipSchema }),
  async handle(app, { caller }, { network, depth }) {
    const tip = await requireSandbox(app, caller).reorg(caller, {
      network,
      depth: depth === undefined ? 1 : Number(depth.coefficient),
    });
    return { tip: sandboxTipView(tip) };
  },
});
