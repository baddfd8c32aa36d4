import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';

export const getAuthTest = protectedEndpoint({
  method: 'GET',
  path: '/auth-test',
  auth: 'read',
  scope: 'any',
  summary: 'Verify credentials',
  response: z.object({
    authenticated: z.literal(true),
    method: z.enum(['digest', 'basic']),
    environment: z.enum(ENVIRONMENTS),
  }),
  handle: (_app, { caller }) => ({
    authenticated: true,
    method: caller.method,
    environment: caller.environment,
  }),
});
