import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { eventSchema } from '#api/endpoints/get-events.ts';
import { Refusal } from '#base/refusal.ts';
import { mayHear } from '#event/event-scopes.ts';
import { eventView } from '#event/event-view.ts';
import { listDeliveries } from '#event/list-deliveries.ts';
import { findEvent } from '#event/list-events.ts';
import { redeliverToAll } from '#event/redeliver-to-all.ts';
import { fields, text } from '#money/exact-schema.ts';

export const postEventRedeliver = protectedEndpoint({
  method: 'POST',
  path: '/events/{id}/redeliver',
  auth: 'create',
  summary: 'Send an event again to each of its receivers, as it was',
  request: fields({ id: text(12) }),
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
