import { WebhookVerificationError, webhooks } from '@quittance/client';
import { findByCheckout } from '../../shop/orders';
import { settle } from '../../shop/settle';

export async function POST(request: Request): Promise<Response> {
  const { QUITTANCE_WEBHOOK_SECRET = '' } = process.env;
  try {
    // The text as it came: JSON that is parsed and written again is another one.
    const body = await request.text();
    const event = await webhooks.verify(body, request.headers, QUITTANCE_WEBHOOK_SECRET);
    if ('checkout' in event.data) {
      const order = findByCheckout(event.data.checkout.id);
      if (order !== undefined) await settle(order);
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: 400 });
  }
}
