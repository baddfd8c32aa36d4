import { z } from 'zod';
import { publicEndpoint } from '#api/endpoint.ts';
import { LANGUAGES } from '#catalog/language.ts';

/** Public: plugins fill their settings form with it before there are credentials. */
export const getLanguages = publicEndpoint({
  method: 'GET',
  path: '/languages',
  summary: 'Languages of hosted pages',
  response: z.object({
    languages: z.array(z.object({ languageCode: z.string(), name: z.string() })),
  }),
  handle: () => ({ languages: LANGUAGES }),
});
