// The merchant's webhook receiver: real HTTP on loopback, as moody as it is told to be. Remembers
// by event id what it accepted, and notices when one event comes with two bodies (W2).
import type { ServerResponse } from 'node:http';
import { answer, closeSocket, ok, openWebhookReceiver } from '#test/support/webhook-receiver.ts';

export const MOODS = ['well', 'well', 'failing', 'busy', 'hanging-up', 'lost-answer'] as const;
export type Mood = (typeof MOODS)[number];

export type ShopReceiver = {
  readonly origin: string;
  mood: Mood;
  readonly accepted: Map<string, string>;
  /** A sentence for each event that came with another body than before. */
  readonly contradictions: string[];
  close(): Promise<void>;
};

export async function openShopReceiver(): Promise<ShopReceiver> {
  const accepted = new Map<string, string>();
  const seen = new Map<string, string>();
  const contradictions: string[] = [];
  const receiver = await openWebhookReceiver((response, webhook, count) => {
    const { id, body } = webhook;
    const before = seen.get(id);
    if (before !== undefined && before !== body) {
      contradictions.push(`W2: event ${id} came with another body than before`);
    }
    seen.set(id, body);
    if (shop.mood === 'well' || shop.mood === 'lost-answer') accepted.set(id, body);
    receiver.received.length = 0;
    return behave(shop.mood, response, webhook, count);
  });
  const shop: ShopReceiver = {
    origin: receiver.origin,
    mood: 'well',
    accepted,
    contradictions,
    close: () => receiver.close(),
  };
  return shop;
}

type Webhook = Parameters<typeof ok>[1];

function behave(mood: Mood, response: ServerResponse, webhook: Webhook, count: number) {
  switch (mood) {
    case 'well':
      return ok(response, webhook, count);
    case 'failing':
      return answer(500)(response, webhook, count);
    case 'busy':
      return answer(503, { 'retry-after': '90' })(response, webhook, count);
    case 'hanging-up':
    case 'lost-answer':
      return closeSocket(response, webhook, count);
  }
}
