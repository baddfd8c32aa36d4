// The service itself: its time, its languages, its document, and whether credentials are right.

import { z } from 'zod';
import { type Endpoint, protectedEndpoint, publicEndpoint } from '#api/endpoint.ts';
import { shareAnswer } from '#api/http/send-refusal.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { jsonObject } from './shared-fields.ts';

/** Cheap: plugins call it before each request. */
export const getTime = publicEndpoint({
  method: 'GET',
  path: '/time',
  operationId: 'getTime',
  summary: 'Current Unix timestamp of the service',
  response: z.object({ time: z.int() }).meta({ id: 'ServiceTime' }),
  handle: (app) => ({ time: Math.floor(app.clock.now().epochMilliseconds / 1000) }),
});

export const getAuthTest = protectedEndpoint({
  method: 'GET',
  path: '/auth-test',
  operationId: 'testAuthentication',
  auth: 'read',
  scope: 'any',
  summary: 'Verify credentials',
  response: z
    .object({
      authenticated: z.literal(true),
      method: z.enum(['digest', 'basic']),
      environment: z.enum(ENVIRONMENTS),
    })
    .meta({ id: 'Authentication' }),
  handle: (_app, { caller }) => ({
    authenticated: true as const,
    method: caller.method,
    environment: caller.environment,
  }),
});

const LISTED_LANGUAGES = shareAnswer({ languages: LANGUAGES });

/** Public: plugins fill their settings form with it before there are credentials. */
export const getLanguages = publicEndpoint({
  method: 'GET',
  path: '/languages',
  operationId: 'listLanguages',
  summary: 'Languages of hosted pages',
  response: z
    .object({
      languages: z.array(
        z.object({ languageCode: z.string(), name: z.string() }).meta({ id: 'Language' }),
      ),
    })
    .meta({ id: 'LanguageList' }),
  isConditional: true,
  handle: () => LISTED_LANGUAGES,
});

export function getOpenapi(routes: () => readonly Endpoint[]): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    response: jsonObject,
    isConditional: true,
    handle: ({ publicUrl }) => shareAnswer(openApiDocument(routes(), publicUrl)),
  });
}
