import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import {
  DELIVERY_STATES,
  listDeliveries,
  listDeliveriesOf,
  redeliverToAll,
} from '#event/delivery.ts';
import { EVENT_TYPES, eventView, findEvent, listEvents, mayHear } from '#event/event.ts';
import { fields, omittable } from '#money/exact-schema.ts';
import { named, nextCursor, pageQuery, parsePage, shownId } from './shared-fields.ts';

const eventSchema = z.object({
  eventType: z.enum(EVENT_TYPES),
  data: z.record(z.string(), z.unknown()),
  id: shownId,
  created: z.string(),
  sequence: z.int(),
  apiVersion: z.string(),
  test: z.literal(true).optional(),
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
  request: fields({ ...pageQuery, type: omittable(z.enum(EVENT_TYPES)) }),
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

export const postEventRedeliver = protectedEndpoint({
  method: 'POST',
  path: '/events/{id}/redeliver',
  auth: 'create',
  summary: 'Send an event again to each of its receivers, as it was',
  request: fields(named),
  response: z.object({ event: eventSchema }),
  async handle(app, { caller: { merchantId, environment, scopes } }, { id }) {
    const owner = { merchantId, environment };
    const event = await findEvent(app, { ...owner, eventId: id });
    if (event === undefined || !mayHear(scopes, event.type)) {
      throw new Refusal('missing', 'event_missing', 'no such event');
    }
    await redeliverToAll(app, { ...owner, eventId: id });
    const deliveries = await listDeliveries(app, { ...owner, eventId: id });
    return { event: eventView(event, deliveries) };
  },
});
