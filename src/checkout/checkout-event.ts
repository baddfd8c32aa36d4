// The body of a checkout event: frozen text, the same view as GET /checkout (api-contract.md 7).

import type { EventType } from '#event/event.ts';
import { eventBody } from '#event/event-body.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { CheckoutRecord } from './checkout.ts';
import { type CheckoutViewApp, checkoutView } from './checkout-view.ts';

export type CheckoutEvent = {
  readonly id: string;
  readonly type: EventType;
  readonly sequence: number;
  readonly created: Temporal.Instant;
};

export function checkoutEventBody(
  app: CheckoutViewApp,
  record: CheckoutRecord,
  event: CheckoutEvent,
): string {
  const data = stringifyExact({ checkout: checkoutView(app, record) });
  return eventBody({ ...event, data });
}
