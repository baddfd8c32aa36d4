// A receiver of webhooks: it believes nothing that is not signed, and answers before it works.
import { createServer } from 'node:http';
import process from 'node:process';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '@quittance/client';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const done = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The bytes as they came: JSON that is parsed and written again is another text.
    const event = await webhooks.verify(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET);
    response.writeHead(200).end();
    // One event may come twice.
    if (!done.has(event.id)) handle(event);
    done.add(event.id);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(400).end(error.code);
  }
});
server.listen(Number(PORT), '127.0.0.1');

function handle(event: WebhookEvent): void {
  if (event.eventType === 'CHECKOUT_COMPLETED') {
    const { id, meta } = event.data.checkout;
    console.log(`checkout ${id} is paid: ship order ${meta?.order}`);
  }
}
