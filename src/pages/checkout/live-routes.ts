// How an open page hears of changes: by a stream, or by asking where it cannot have one.
import { type Context, Hono } from 'hono';
import type { PageApp } from '#pages/page-app.ts';
import { sendJson, sendNoContent } from '#pages/send-page.ts';
import { createLiveStreams } from './live-streams.ts';
import { findOpenPage, findRequestedCheckout, type PageRequest } from './read-page.ts';
import { isLastPage, pageVersion } from './render-checkout.ts';
import { createStateFeed } from './state-feed.ts';

/** A hint: a page that found no room decides itself when it asks for a stream again. */
const FULL_RETRY_SECONDS = '60';

/** `readRequest`: what the address says; undefined when it is none of a page. */
export function liveRoutes(
  app: PageApp,
  path: string,
  readRequest: (context: Context) => PageRequest | undefined,
): Hono {
  const routes = new Hono();
  const streams = createLiveStreams(app);
  const feed = createStateFeed(app);

  routes.get(`${path}/state`, async (context) => {
    const open = await openPage(app, readRequest(context));
    const known = context.req.query('version');
    const { signal } = context.req.raw;
    const answer = open && (await feed(open.checkoutId, known, open.read, signal));
    return answer === undefined ? sendJson({ error: 'missing' }, 404) : sendJson(answer);
  });
  routes.get(`${path}/events`, async (context) => {
    const open = await openPage(app, readRequest(context));
    const page = await open?.read();
    if (open === undefined || page === undefined) return sendJson({ error: 'missing' }, 404);
    const known = context.req.header('last-event-id') ?? context.req.query('version');
    // The one answer after which a browser does not come again.
    if (isLastPage(page.state) && pageVersion(page.state) === known) return sendNoContent();
    const address = app.clientAddressOf?.(context.req.raw, context.env) ?? '';
    const { signal } = context.req.raw;
    const { checkoutId, read } = open;
    const stream = streams.open(address, { checkoutId, known, read, signal });
    return stream ?? sendJson({ error: 'full' }, 503, { 'Retry-After': FULL_RETRY_SECONDS });
  });
  return routes;
}

async function openPage(app: PageApp, request: PageRequest | undefined) {
  const record = request && (await findRequestedCheckout(app, request));
  if (request === undefined || record === undefined) return undefined;
  const { id: checkoutId } = record;
  return { checkoutId, read: () => findOpenPage(app, request, checkoutId) };
}
