import { z } from 'zod';
import { publicEndpoint } from '#api/endpoint.ts';

export const getOpenapi = publicEndpoint({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document',
  response: z.record(z.string(), z.unknown()),
  async handle({ publicUrl }) {
    // The document is made of all routes, this one too: loaded when asked for, not in a circle.
    const { openApiDocument } = await import('#api/openapi-document.ts');
    return openApiDocument(publicUrl);
  },
});
