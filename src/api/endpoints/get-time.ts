import { z } from 'zod';
import { publicEndpoint } from '#api/endpoint.ts';

/** Cheap: plugins call it before each request. */
export const getTime = publicEndpoint({
  method: 'GET',
  path: '/time',
  summary: 'Current Unix timestamp of the service',
  response: z.object({ time: z.int() }),
  handle: (app) => ({ time: Math.floor(app.clock.now().epochMilliseconds / 1000) }),
});
