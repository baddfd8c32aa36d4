// The log of requests: what programs of the account asked, and what they were answered.

import { z } from 'zod';
import { SCOPES } from '#access/api-key.ts';
import type { Caller } from '#access/caller.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { findRequest, type ListedRequest, listRequests } from '#request-log/api-request.ts';
import { named, nextCursor, pageQuery, parsePage, shownId } from './shared-fields.ts';

const PATH_MOST = 200;

const described = <Field extends z.ZodType>(field: Field, description: string) =>
  field.meta({ description });

const listedSchema = z
  .object({
    id: described(shownId, 'The `X-Request-Id` of its answer'),
    apiKey: described(z.string(), 'The key it named'),
    method: described(z.string(), 'Of HTTP'),
    path: described(z.string(), 'As it was asked for, without the query'),
    status: described(z.int(), 'Of HTTP, as it was answered'),
    errorCode: described(z.string().nullable(), 'The `X-Error-Code` of a refusal'),
    durationMs: described(z.int(), 'How long the answer took, in milliseconds'),
    timestamp: described(z.string(), 'When it was answered'),
  })
  .meta({ id: 'ListedRequest' });

const textAnswer = (description: string) => described(z.string().nullable(), description);
const KEPT = 'without secrets; null where nothing was kept';

export const getRequests = protectedEndpoint({
  method: 'GET',
  path: '/requests',
  operationId: 'listRequests',
  auth: 'read',
  summary:
    'Requests of the last seven days to the API, newest first, a second after they were answered; ' +
    'a key with scopes sees those it may make itself. A page may hold fewer than asked for',
  request: fields({
    ...pageQuery,
    status: omittable(
      z
        .string()
        .regex(/^(?:[245]xx|[245]\d\d)$/, 'must be like 4xx or 404')
        .meta({ description: '`2xx`, `4xx`, `5xx`, or one status' }),
    ),
    path: omittable(textUpTo(PATH_MOST).meta({ description: 'How the path begins' })),
  }),
  response: z.object({ requests: z.array(listedSchema), nextCursor }).meta({ id: 'RequestPage' }),
  async handle(app, { caller }, { limit, cursor, status, path }) {
    const filter = {
      status: status === undefined ? undefined : statusRange(status),
      path,
      ...parsePage({ limit, cursor }),
    };
    const hiddenScopes = hiddenFrom(caller);
    const page = await listRequests(app, caller, { ...filter, apiKey: undefined, hiddenScopes });
    return { requests: page.shown.map(listedView), nextCursor: page.nextCursor };
  },
});

export const getRequest = protectedEndpoint({
  method: 'GET',
  path: '/request',
  operationId: 'getRequest',
  auth: 'read',
  summary: 'One request of the last seven days with what was sent and answered, without secrets',
  request: fields(named),
  response: z
    .object({
      request: listedSchema
        .extend({
          query: textAnswer(`The query, ${KEPT}`),
          requestHeaders: textAnswer(`Lines of headers, ${KEPT}`),
          requestBody: textAnswer(`What was sent, ${KEPT}`),
          answerHeaders: textAnswer(`Lines of headers, ${KEPT}`),
          answerBody: textAnswer(`What was answered, ${KEPT}`),
        })
        .meta({ id: 'ListedRequest' }),
    })
    .meta({ id: 'RequestAnswer' }),
  async handle(app, { caller }, { id }) {
    const found = await findRequest(app, caller, { id, hiddenScopes: hiddenFrom(caller) });
    if (found === undefined) throw new Refusal('missing', 'request_missing', 'no such request');
    return {
      request: {
        ...listedView(found),
        query: found.query ?? null,
        requestHeaders: found.requestHeaders ?? null,
        requestBody: found.requestBody ?? null,
        answerHeaders: found.answerHeaders ?? null,
        answerBody: found.answerBody ?? null,
      },
    };
  },
});

/** A key sees of others what it may ask for itself. */
function hiddenFrom({ scopes }: Caller): readonly string[] {
  return scopes === undefined ? [] : SCOPES.filter((scope) => !scopes.includes(scope));
}

function statusRange(status: string): readonly [least: number, most: number] {
  const family = Number(status[0]) * 100;
  return status.endsWith('xx') ? [family, family + 99] : [Number(status), Number(status)];
}

function listedView(listed: ListedRequest) {
  const { id, apiKey, method, path, status, errorCode, durationMs, at } = listed;
  return {
    ...{ id, apiKey, method, path, status, durationMs },
    errorCode: errorCode ?? null,
    timestamp: timestamp(at),
  };
}
