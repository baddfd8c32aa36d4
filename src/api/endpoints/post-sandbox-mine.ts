import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { count } from '#api/endpoints/post-sandbox-pay.ts';
import { isNetwork, requireSandbox, unknownNetwork } from '#api/require-sandbox.ts';
import type { SandboxTip } from '#checkout/sandbox-port.ts';
import { fields, optional } from '#money/exact-schema.ts';

const blocksMax = 100;

export const sandboxTipSchema = z.object({
  network: z.string(),
  height: z.int(),
  hash: z.string(),
});

export function sandboxTipView({ network, height, hash }: SandboxTip) {
  return { network, height: Number(height), hash };
}

export const postSandboxMine = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/mine',
  auth: 'create',
  summary: 'Mine your payments on one simulated network, or on all, so many blocks deep',
  request: fields({
    network: optional(z.string().refine(isNetwork, unknownNetwork)),
    blocks: optional(count(blocksMax)),
  }),
  response: z.object({ tips: z.array(sandboxTipSchema) }),
  async handle(app, { caller }, { network, blocks }) {
    const tips = await requireSandbox(app, caller).mine(caller, {
      network,
      blocks: blocks === undefined ? 1 : Number(blocks.coefficient),
    });
    return { tips: tips.map(sandboxTipView) };
  },
});
