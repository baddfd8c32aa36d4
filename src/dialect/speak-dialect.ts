// A webhook in the words of another service, signed as it signs. Guarantees: nothing is signed with
// a short secret; what the other service has no word for is not sent in another's place.

import { createHmac } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { parseStoredObject, stringifyExact } from '#money/exact-json.ts';
import { commerceEvent } from './commerce-charge.ts';
import { greenfieldEvent } from './greenfield-event.ts';
import type { DialectDelivery, DialectEvent, ShownCheckout } from './shown-checkout.ts';

export const DIALECTS = ['GREENFIELD', 'COMMERCE'] as const;
type Dialect = (typeof DIALECTS)[number];
export type WebhookFormat = 'QUITTANCE' | Dialect;

/** What both of them have words for. */
export const DIALECT_EVENTS = [
  'CHECKOUT_PENDING',
  'CHECKOUT_UNDERPAID',
  'CHECKOUT_COMPLETED',
  'CHECKOUT_EXPIRED',
  'CHECKOUT_CANCELLED',
  'CHECKOUT_REVERSED',
  'CHECKOUT_RESTORED',
] as const;

export const SECRET_LEAST = 16;

/** `body`: text of our event. @throws where the dialect has no word for it */
export function speakDialect(
  dialect: Dialect,
  body: string,
  delivery: DialectDelivery,
  secret: string,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  assert(secret.length >= SECRET_LEAST, 'a webhook is never signed with a short secret');
  const event = readEvent(body);
  const speak = dialect === 'GREENFIELD' ? greenfieldEvent : commerceEvent;
  const told = event && speak(event, delivery);
  if (told === undefined) throw new Error(`${dialect} has no such event`);
  const text = stringifyExact(told);
  const mac = createHmac('sha256', secret).update(text).digest('hex');
  const headers: Record<string, string> =
    dialect === 'GREENFIELD'
      ? { 'BTCPay-Sig': `sha256=${mac}` }
      : { 'X-CC-Webhook-Signature': mac };
  return { body: text, headers };
}

function readEvent(body: string): DialectEvent | undefined {
  const event = parseStoredObject(body) as unknown as {
    readonly id: string;
    readonly eventType: string;
    readonly created: string;
    readonly data: { readonly checkout?: ShownCheckout };
  };
  const { id, eventType, created, data } = event;
  return data.checkout === undefined
    ? undefined
    : { id, eventType, created, checkout: data.checkout };
}
