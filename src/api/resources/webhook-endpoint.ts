import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { type ApiApp, callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { DIALECTS } from '#dialect/speak-dialect.ts';
import { EVENT_TYPES, refuseUnheard } from '#event/event.ts';
import {
  createWebhookEndpoint,
  disableWebhookEndpoint,
  listWebhookEndpoints,
  pinEndpointVersion,
  rotateWebhookEndpointSecret,
  webhookEndpointView,
} from '#event/webhook-endpoint.ts';
import { fields, omittable, webUrl } from '#money/exact-schema.ts';
import { API_VERSIONS } from '#versions/api-version.ts';
import { refuseTarget } from '#webhook/admit-target.ts';
import {
  idField,
  idReference,
  nextCursor,
  pageQuery,
  parsePage,
  shownEventType,
  shownId,
  wholeNumber,
} from './shared-fields.ts';

const OVERLAP_HOURS_MAX = 24;

const webhookFormat = z.enum(['QUITTANCE', ...DIALECTS]);

const webhookEndpointSchema = z
  .object({
    id: shownId,
    url: z.string(),
    eventTypes: z.array(shownEventType).nullable(),
    format: webhookFormat,
    apiVersion: z.string(),
    timestamp: z.string(),
    disabledTime: z.string().nullable(),
  })
  .meta({ id: 'WebhookEndpoint' });

const withSecret = z
  .object({ webhookEndpoint: webhookEndpointSchema, secret: z.string() })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const postWebhookEndpoint = protectedEndpoint({
  method: 'POST',
  path: '/webhook-endpoint',
  operationId: 'createWebhookEndpoint',
  auth: 'create',
  scope: 'settings',
  summary:
    'Register a receiver of the events of the whole account, of all types unless some are named; ' +
    'the secret that signs them is told here only',
  request: fields({
    url: webUrl,
    eventTypes: omittable(z.array(shownEventType).min(1).max(EVENT_TYPES.length)),
    format: omittable(webhookFormat),
    apiVersion: omittable(z.enum(API_VERSIONS)),
  }).meta({ id: 'CreateWebhookEndpointRequest' }),
  response: withSecret,
  beforehand(app, { caller }, { url }) {
    return () => refuseUrl(app, caller, url);
  },
  async handle(app, { caller }, { url, eventTypes, format, ...given }) {
    const { apiVersion = caller.apiVersion } = given;
    refuseUnheard(caller.scopes, eventTypes);
    await refuseUrl(app, caller, url);
    const act = {
      ...{ ...callerOf(caller), verb: 'webhook-endpoint-create' },
      subject: (told: { readonly endpoint: { readonly id: string } }) =>
        `webhook-endpoint:${told.endpoint.id}`,
      details: { url, eventTypes: eventTypes?.join(' '), format, apiVersion },
    };
    const { endpoint, secret } = await doNoted(app, act, (within) =>
      createWebhookEndpoint(within, caller, { url, eventTypes, format, apiVersion }),
    );
    return { webhookEndpoint: webhookEndpointView(endpoint), secret };
  },
});

export const postEndpointRotateSecret = protectedEndpoint({
  method: 'POST',
  path: '/webhook-endpoint/rotate-secret',
  operationId: 'rotateWebhookEndpointSecret',
  auth: 'create',
  scope: 'settings',
  summary:
    'A new secret for an account-wide receiver, told here only; the old one signs beside it for ' +
    '`overlapHours` (0 to 24, 24 unless given)',
  request: fields({
    webhookEndpointId: idField,
    overlapHours: omittable(wholeNumber(OVERLAP_HOURS_MAX, 0)),
  }).meta({ id: 'WebhookEndpointReference' }),
  response: withSecret,
  async handle(app, { caller }, { webhookEndpointId: id, overlapHours }) {
    const hours = overlapHours === undefined ? OVERLAP_HOURS_MAX : Number(overlapHours.coefficient);
    const act = { ...callerOf(caller), verb: 'webhook-endpoint-rotate' };
    const details = { overlapHours: `${hours}` };
    const rotated = await doNoted(
      app,
      { ...act, subject: `webhook-endpoint:${id}`, details },
      (within) => rotateWebhookEndpointSecret(within, caller, { id, overlapHours: hours }),
    );
    return { webhookEndpoint: webhookEndpointView(rotated.endpoint), secret: rotated.secret };
  },
});

export const putWebhookEndpoint = protectedEndpoint({
  method: 'PUT',
  path: '/webhook-endpoint',
  operationId: 'updateWebhookEndpoint',
  auth: 'idempotent',
  scope: 'settings',
  summary:
    'The dated version that an account-wide receiver is told in of what happens from now on; what ' +
    'has happened is told again as it was',
  request: fields({ webhookEndpointId: idField, apiVersion: z.enum(API_VERSIONS) }).meta({
    id: 'WebhookEndpointReference',
  }),
  response: z
    .object({ webhookEndpoint: webhookEndpointSchema })
    .meta({ id: 'WebhookEndpointAnswer' }),
  async handle(app, { caller }, { webhookEndpointId: id, apiVersion }) {
    const act = { ...callerOf(caller), verb: 'webhook-endpoint-version' };
    const endpoint = await doNoted(
      app,
      { ...act, subject: `webhook-endpoint:${id}`, details: { apiVersion } },
      (within) => pinEndpointVersion(within, caller, { id, apiVersion }),
    );
    return { webhookEndpoint: webhookEndpointView(endpoint) };
  },
});

export const getWebhookEndpoints = protectedEndpoint({
  method: 'GET',
  path: '/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  auth: 'read',
  scope: 'settings',
  summary: 'Account-wide receivers of events, newest first, deleted ones included',
  request: fields(pageQuery),
  response: z
    .object({ webhookEndpoints: z.array(webhookEndpointSchema), nextCursor })
    .meta({ id: 'WebhookEndpointPage' }),
  async handle(app, { caller }, input) {
    const page = await listWebhookEndpoints(app, caller, parsePage(input));
    return {
      webhookEndpoints: page.endpoints.map(webhookEndpointView),
      nextCursor: page.nextCursor,
    };
  },
});

export const deleteWebhookEndpoint = protectedEndpoint({
  method: 'DELETE',
  path: '/webhook-endpoint',
  operationId: 'deleteWebhookEndpoint',
  auth: 'idempotent',
  scope: 'settings',
  summary: 'Send nothing more to an account-wide receiver',
  request: idReference,
  response: z.object({ webhookEndpointId: shownId }).meta({ id: 'WebhookEndpointReference' }),
  async handle(app, { caller }, { id }) {
    const act = { ...callerOf(caller), verb: 'webhook-endpoint-delete' };
    await doNoted(app, { ...act, subject: `webhook-endpoint:${id}` }, (within) =>
      disableWebhookEndpoint(within, caller, id),
    );
    return { webhookEndpointId: id };
  },
});

function refuseUrl(app: ApiApp, { environment }: Caller, url: string): Promise<void> {
  return refuseTarget(app, environment, { path: 'url', url });
}
