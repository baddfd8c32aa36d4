// What a program of a shop writes, for the compiler alone: it is compiled against the installed package
// as a module and as CommonJS.
import {
  type Checkout,
  ConflictError,
  Quittance,
  type WebhookEvent,
  webhooks,
} from '@quittance/client';

const client = new Quittance({ baseUrl: 'https://pay.example', key: 'a', secret: 'b' });

export async function sell(): Promise<Checkout> {
  const { id } = await client.checkout.create({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'A book', netAmount: '12.50' }] },
  });
  const { depositInstructions } = await client.checkout.commit(id, { network: 'LITECOIN' });
  const address: string = depositInstructions.address;
  console.log(address);
  return client.checkout.waitUntil(id, ['COMPLETED']);
}

export async function walk(): Promise<string[]> {
  const mails: string[] = [];
  for await (const { email } of client.customers.list({ limit: 10 })) mails.push(String(email));
  return mails;
}

export async function receive(body: string, headers: Headers): Promise<string> {
  const event: WebhookEvent = await webhooks.verify(body, headers, 'whsec_');
  return event.eventType === 'CHECKOUT_COMPLETED' ? event.data.checkout.id : event.eventType;
}

/** A receiver is told in its own version: an older one than this package's, or a later one. */
export function isOfFirstVersion({ apiVersion }: WebhookEvent): boolean {
  return apiVersion === '1' || apiVersion === '2026-11-24';
}

export function isPaid(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'checkout_completed';
}
