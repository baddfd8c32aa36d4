import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { count } from '#api/endpoints/post-sandbox-pay.ts';
import { isNetwork, requireSandbox, unknownNetwork } from '#api/require-sandbox.ts';
import { fields } from '#money/exact-schema.ts';

const secondsMax = 86_400;

export const postSandboxFreeze = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/freeze',
  auth: 'create',
  summary: 'Let the node of a simulated network fall silent for you for a while; 0 wakes it',
  request: fields({
    network: z.string().refine(isNetwork, unknownNetwork),
    seconds: count(secondsMax, 0),
  }),
  response: z.object({ network: z.string(), seconds: z.int() }),
  async handle(app, { caller }, { network, seconds }) {
    const input = { network, seconds: Number(seconds.coefficient) };
    await requireSandbox(app, caller).freeze(caller, input);
    return input;
  },
});
