// How an open page hears of changes: by a stream, or by asking where it cannot have one.

import { type Context, Hono } from 'hono';
import type { PageApp } from '#pages/page-app.ts';
import { sendJson, sendNoContent } from '#pages/send-page.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { pageEndsInMs, pageLeftMs } from './due-panel.ts';
import { createLiveStreams } from './live-streams.ts';
import { findOpenPage, findRequestedCheckout, type PageRequest } from './read-page.ts';
import { type ChangedAnswer, changedAnswer, isLastPage, pageVersion } from './render-checkout.ts';

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

// What an open page asks for again and again where it cannot have a stream: answers at once when
// something changed, else after a while with nothing. Bounded: a page more than the limit is
// answered at once and asks more slowly.

/** How often it looks without being told. */
const STEP_MS = 5_000;
const LOOKS_MAX = 5;
const WAITERS_MAX = 200;

type StateAnswer =
  | ChangedAnswer
  | { readonly version: string; readonly leftMs: number | undefined; readonly busy: boolean };

type StateFeedApp = { readonly changes: Pick<PageApp['changes'], 'wait' | 'hasEnded'> };

type StateFeed = (
  checkoutId: string,
  known: string | undefined,
  read: () => Promise<CheckoutPage | undefined>,
  signal: AbortSignal,
) => Promise<StateAnswer | undefined>;

export function createStateFeed({ changes }: StateFeedApp): StateFeed {
  let waiters = 0;
  return async (checkoutId, known, read, signal) => {
    const busy = waiters >= WAITERS_MAX;
    const answered = new AbortController();
    const over = AbortSignal.any([signal, answered.signal]);
    waiters += 1;
    try {
      for (let looks = busy ? 1 : LOOKS_MAX; ; looks -= 1) {
        // It waits from before the look on, so that a change during the look wakes it too.
        const told = changes.wait(checkoutId, STEP_MS, over);
        const page = await read();
        if (page === undefined) return undefined;
        const version = pageVersion(page.state);
        if (version !== known) return changedAnswer(page, version);
        if (looks <= 1 || signal.aborted || changes.hasEnded()) {
          return { version, leftMs: pageLeftMs(page), busy };
        }
        const endsInMs = pageEndsInMs(page) ?? STEP_MS;
        if (endsInMs >= STEP_MS) await told;
        else await Promise.race([told, changes.wait(checkoutId, endsInMs, over)]);
      }
    } finally {
      waiters -= 1;
      answered.abort();
    }
  };
}
