// What the demo shop received, newest first. In memory, and only the last few: it shows what a shop
// sees, it is no record of anything.
import { timingSafeEqual } from 'node:crypto';
import { webhookAuth } from '#webhook/sign-webhook.ts';

export type ReceivedWebhook = {
  readonly receivedAt: Temporal.Instant;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** X-Webhook-Auth is SHA-256 over the API secret and the body. */
  readonly isVerified: boolean;
  readonly eventType: string | undefined;
  readonly sequence: number;
  readonly checkoutId: string | undefined;
  readonly state: string | undefined;
};

type WebhookLog = {
  add(visitor: string, webhook: ReceivedWebhook): void;
  list(visitor: string, checkoutId: string): readonly ReceivedWebhook[];
};

const KEPT_ORDERS = 500;
const KEPT_OF_ORDER = 20;

/**
 * Each order has a list of its own, so that whoever sends many webhooks, or forged ones, pushes out
 * nobody else's, and only the visitor who ordered sees it. When there are too many orders, those
 * without a verified webhook leave first.
 */
export function createWebhookLog(): WebhookLog {
  // In order of the last webhook.
  const orders = new Map<string, readonly ReceivedWebhook[]>();
  const isMadeUp = (webhooks: readonly ReceivedWebhook[]) =>
    !webhooks.some((one) => one.isVerified);
  return {
    add(visitor, webhook) {
      const order = orderName(visitor, webhook.checkoutId ?? '');
      const known = orders.get(order) ?? [];
      orders.delete(order);
      orders.set(order, [webhook, ...known].slice(0, KEPT_OF_ORDER));
      if (orders.size <= KEPT_ORDERS) return;
      const [oldest] = [...orders].filter(([, webhooks]) => isMadeUp(webhooks));
      orders.delete(oldest?.[0] ?? orders.keys().next().value ?? '');
    },
    list: (visitor, checkoutId) => orders.get(orderName(visitor, checkoutId)) ?? [],
  };
}

function orderName(visitor: string, checkoutId: string): string {
  return `${visitor} ${checkoutId}`;
}

export function readWebhook(
  headers: Headers,
  body: string,
  apiSecret: string,
  receivedAt: Temporal.Instant,
): ReceivedWebhook {
  const event = fieldsOf(parse(body));
  const checkout = fieldsOf(fieldsOf(event.data).checkout);
  return {
    receivedAt,
    headers: [...headers].filter(([name]) => /^(?:x-)?webhook|^content-type$/.test(name)),
    body,
    isVerified: isEqual(headers.get('x-webhook-auth') ?? '', webhookAuth(apiSecret, body)),
    eventType: textOf(event.eventType),
    sequence: typeof event.sequence === 'number' ? event.sequence : 0,
    checkoutId: textOf(checkout.id),
    state: textOf(checkout.state),
  };
}

/** Verified, and of the highest sequence: what a shop should believe. */
export function lastWord(webhooks: readonly ReceivedWebhook[]): ReceivedWebhook | undefined {
  return webhooks
    .filter(({ isVerified }) => isVerified)
    .reduce<ReceivedWebhook | undefined>(
      (last, webhook) => (last === undefined || webhook.sequence > last.sequence ? webhook : last),
      undefined,
    );
}

export function prettyJson(text: string): string {
  const value = parse(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
