import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { refer } from '#api/openapi-parts.ts';
import { Refusal } from '#base/refusal.ts';
import { awaitEvents, findNewestEvent } from '#event/await-events.ts';
import {
  DELIVERY_STATES,
  listDeliveries,
  listDeliveriesOf,
  redeliverToAll,
} from '#event/delivery.ts';
import { eventView, findEvent, listEvents, mayHear } from '#event/event.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import {
  jsonObject,
  limitField,
  named,
  nextCursor,
  pageQuery,
  parsePage,
  shownEventType,
  shownId,
  waitField,
} from './shared-fields.ts';

const FOLLOWED_INITIAL = 50;
const FOLLOWED_MOST = 100;
const WAIT_SECONDS_MAX = 30;
/** In place of an id: before every event that is kept. */
const FROM_START = 'start';

const deliverySchema = z
  .object({
    url: z.string(),
    webhookEndpointId: z.string().nullable(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    nextAttempt: z.string().nullable(),
    finishedTime: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'Delivery' });

const eventSchema = z
  .object({
    eventType: shownEventType,
    data: jsonObject,
    id: shownId,
    created: z.string(),
    sequence: z.int(),
    apiVersion: z.string(),
    test: z.literal(true).optional(),
    deliveries: z.array(deliverySchema),
  })
  .meta({ id: 'ListedEvent' });

export const getEvents = protectedEndpoint({
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  auth: 'read',
  summary:
    'The events of the account as they were sent, newest first, with their deliveries; a key ' +
    'with scopes sees those it may ask for. What every receiver has got goes after 60 days',
  request: fields({ ...pageQuery, type: omittable(shownEventType) }),
  response: z.object({ events: z.array(eventSchema), nextCursor }).meta({ id: 'EventPage' }),
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

const bodyAnswer = z.string().meta({
  description: 'The text of the webhook, byte for byte: what signatures are made over',
});

/** Read as JSON it is one of these. */
const contentOfBody = {
  contentMediaType: 'application/json',
  contentSchema: refer('schemas', 'Event'),
};

export const getEvent = protectedEndpoint({
  method: 'GET',
  path: '/event',
  operationId: 'getEvent',
  auth: 'read',
  summary: 'One event as it was sent, with the exact text of its webhook and its deliveries',
  request: fields(named),
  response: z
    .object({ event: eventSchema.extend({ body: bodyAnswer }).meta({ id: 'ListedEvent' }) })
    .meta({ id: 'EventAnswer' }),
  async handle(app, { caller: { merchantId, environment, scopes } }, { id }) {
    const owner = { merchantId, environment };
    const event = await findEvent(app, { ...owner, eventId: id });
    if (event === undefined || !mayHear(scopes, event.type)) {
      throw new Refusal('missing', 'event_missing', 'no such event');
    }
    const deliveries = await listDeliveries(app, { ...owner, eventId: id });
    return { event: { ...eventView(event, deliveries), body: event.body } };
  },
});

export const getEventsFollow = protectedEndpoint({
  method: 'GET',
  path: '/events/follow',
  operationId: 'followEvents',
  auth: 'read',
  summary:
    'The events of the account after one, oldest first, for a program without an address that ' +
    'webhooks reach. `wait` holds the answer until there is one. Go on with `after` of the ' +
    'answer: each event comes once, and none is left out. Without `after` it begins now',
  request: fields({
    after: omittable(
      textUpTo(20).meta({
        description: '`after` of the answer before, or `start` for all events that are kept',
      }),
    ),
    limit: omittable(limitField(FOLLOWED_MOST, FOLLOWED_INITIAL)),
    wait: omittable(waitField(WAIT_SECONDS_MAX)),
  }),
  response: z
    .object({
      events: z.array(
        z
          .object({
            id: shownId.meta({ description: 'Id of the event, the header `webhook-id`' }),
            eventType: shownEventType.describe('What happened'),
            body: bodyAnswer.meta(contentOfBody),
          })
          .meta({ id: 'FollowedEvent' }),
      ),
      after: z.string().meta({ description: 'Where the next question goes on' }),
    })
    .meta({ id: 'FollowedEvents' }),
  async handle(app, { caller, signal }, { after, limit = FOLLOWED_INITIAL, wait = 0 }) {
    const { merchantId, environment, scopes } = caller;
    const owner = { merchantId, environment };
    if (after === undefined) {
      const newest = await findNewestEvent(app, owner);
      return { events: [], after: newest?.id ?? FROM_START };
    }
    const events = await awaitEvents(app, {
      ...owner,
      ...{ scopes, limit, signal },
      after: after === FROM_START ? undefined : after,
      waitMs: wait * 1000,
    });
    return {
      events: events.map(({ id, type, body }) => ({ id, eventType: type, body })),
      after: events.at(-1)?.id ?? after,
    };
  },
});

export const postEventRedeliver = protectedEndpoint({
  method: 'POST',
  path: '/events/{id}/redeliver',
  operationId: 'redeliverEvent',
  auth: 'create',
  summary: 'Send an event again to each of its receivers, as it was',
  request: fields(named),
  response: z.object({ event: eventSchema }).meta({ id: 'EventAnswer' }),
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
