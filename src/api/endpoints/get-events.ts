import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { DELIVERY_STATES, EVENT_TYPES } from '#event/event.ts';
import { eventView } from '#event/event-view.ts';
import { listDeliveriesOf } from '#event/list-deliveries.ts';
import { listEvents } from '#event/list-events.ts';
import { fields, optional } from '#money/exact-schema.ts';

export const eventSchema = z.object({
  eventType: z.enum(EVENT_TYPES),
  data: z.record(z.string(), z.unknown()),
  id: z.string().length(12),
  created: z.string(),
  sequence: z.int(),
  apiVersion: z.string(),
  deliveries: z.array(
    z.object({
      url: z.string(),
      webhookEndpointId: z.string().nullable(),
      state: z.enum(DELIVERY_STATES),
      attempts: z.int(),
      lastStatus: z.int().nullable(),
      lastError: z.string().nullable(),
      nextAttempt: z.string().nullable(),
      finished: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export const getEvents = protectedEndpoint({
  method: 'GET',
  path: '/events',
  auth: 'read',
  summary:
    'The events of the account as they were sent, newest first, with their deliveries; a key ' +
    'with scopes sees those it may ask for. What every receiver has got goes after 60 days',
  request: fields({ ...pageQuery, type: optional(z.enum(EVENT_TYPES)) }),
  response: z.object({ events: z.array(eventSchema), nextCursor }),
  async handle(app, { caller }, { limit, cursor, type }) {
    const { merchantId, environment, scopes } = caller;
    const owner = { merchantId, environment };
    const asked = { type, scopes, ...parsePage({ limit, cursor }) };
    const page = await listEvents(app, { ...owner, ...asked });
    const ids = page.events.map(({ id }) => id);
    const deliveries = await listDeliveriesOf(app, { ...owner, eventIds: ids });
    return {
      events: page.events.map((event) => eventView(event, deliveries.get(event.id) ?? [])),
      nextCursor: page.nextCursor,
    };
  },
});
