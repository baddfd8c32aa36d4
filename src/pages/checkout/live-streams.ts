// The streams of open pages. Bounded: a page more than the limit is refused and asks by itself
// (`createStateFeed`), so that no crowd and no single visitor takes the process down.

import { type Context, Hono } from 'hono';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Random, randomInteger } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendEvents, sendJson, sendNoContent } from '#pages/send-page.ts';
import { createWake, type Wake } from '#runtime/loop.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { pageEndsInMs, pageLeftMs } from './due-panel.ts';
import { findOpenPage, findRequestedCheckout, type PageRequest } from './read-page.ts';
import { type ChangedAnswer, changedAnswer, isLastPage, pageVersion } from './render-checkout.ts';

type LiveStreams = {
  /**
   * `address`: of the client. Undefined when this client, or all clients together, have too many
   * streams.
   */
  open(address: string, live: LivePage): Response | undefined;
};

const STREAMS_MOST = 5_000;
/** Mobile networks put many customers behind one address. */
const STREAMS_PER_ADDRESS_MOST = 100;

export function createLiveStreams(app: LiveEventsApp & { readonly log: Log }): LiveStreams {
  const perAddress = new Map<string, number>();
  let all = 0;

  function take(address: string): (() => void) | undefined {
    const ofAddress = perAddress.get(address) ?? 0;
    if (all >= STREAMS_MOST || ofAddress >= STREAMS_PER_ADDRESS_MOST) return undefined;
    all += 1;
    perAddress.set(address, ofAddress + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      all -= 1;
      const left = (perAddress.get(address) ?? 0) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    };
  }

  return {
    open(address, live) {
      const free = take(address);
      if (free === undefined) return undefined;
      const gone = new AbortController();
      const signal = AbortSignal.any([live.signal, gone.signal]);
      return sendEvents(eventStream(app, liveEvents(app, { ...live, signal }), gone, free));
    },
  };
}

/**
 * Each event is made when it is read: a slow reader slows the making down, and nothing piles up.
 */
function eventStream(
  { log }: { readonly log: Log },
  events: AsyncGenerator<string>,
  gone: AbortController,
  free: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const end = async () => {
    free();
    gone.abort();
    await events.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await events.next();
          // The reader went away meanwhile.
          if (gone.signal.aborted) return;
          if (done !== true) return controller.enqueue(encoder.encode(value));
          free();
          controller.close();
        } catch (error) {
          log.error('a stream of an open page failed', { error });
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

// What an open page hears: the page when it changed, else a sign of life with the time left. The
// texts of server-sent events (HTML Standard, 9.2.6).
//
// Guarantees: it listens before it reads, so nothing is missed between the page that was rendered
// (`known` is its version) and the first event; who reads slowly gets the newest page, not all of
// them. It ends after a page on which nothing can happen any more.
type LiveEventsApp = {
  readonly clock: Clock;
  readonly random: Random;
  readonly changes: Pick<PageApp['changes'], 'listen' | 'hasEnded'>;
};

type LivePage = {
  readonly checkoutId: string;
  /** Version that the browser has. */
  readonly known: string | undefined;
  read(): Promise<CheckoutPage | undefined>;
  readonly signal: AbortSignal;
};

/**
 * Milliseconds, drawn from `least` to `most`, so that many pages that were told at once do not all
 * ask at once.
 */
type Span = { readonly least: number; readonly most: number };

/** How long a browser waits after its stream broke. */
const RETRY: Span = { least: 1_500, most: 4_000 };
/**
 * How often an unchanged page gets a sign of life. A change that comes by time alone is noticed
 * then at the latest.
 */
const BEAT: Span = { least: 15_000, most: 20_000 };
/** A new block changes every page that counts confirmations, and none of them urgently. */
const NEW_BLOCK: Span = { least: 200, most: 1_500 };
const OUTAGE: Span = { least: 1_000, most: 4_000 };
/** How long a stream lives. The browser then opens another, perhaps to a newer server. */
const LIFE: Span = { least: 1_500_000, most: 2_100_000 };

async function* liveEvents(app: LiveEventsApp, live: LivePage): AsyncGenerator<string> {
  const { clock, random, changes } = app;
  const { signal } = live;
  const wake = createWake();
  const leave = changes.listen(live.checkoutId, () => wake.wake());
  const blocks = followBlocks(app, wake, signal);
  const endsAtMs = clock.monotonicMs() + between(random, LIFE);
  const isOpen = () => !signal.aborted && !changes.hasEnded() && clock.monotonicMs() < endsAtMs;
  let version = live.known;
  try {
    yield `retry: ${between(random, RETRY)}\n\n`;
    while (isOpen()) {
      const page = await readAgain(app, live);
      if (page === undefined) return;
      const current = pageVersion(page.state);
      if (current === version) yield eventText('beat', { leftMs: pageLeftMs(page) });
      else yield `id: ${current}\n${eventText('page', changedAnswer(page, current))}`;
      version = current;
      if (isLastPage(page.state)) return;
      blocks.follow(page);
      await wake.wait(pauseMs(random, page), signal, clock);
    }
  } finally {
    leave();
    blocks.leave();
  }
}

function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The page, as soon as the database can be asked; undefined when the stream is over. */
async function readAgain(
  { clock, random, changes }: LiveEventsApp,
  { read, signal }: LivePage,
): Promise<CheckoutPage | undefined> {
  while (!signal.aborted && !changes.hasEnded()) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await createWake().wait(between(random, OUTAGE), signal, clock);
    }
  }
  return undefined;
}

/** Until the next sign of life, or just after the window of what is shown has ended. */
function pauseMs(random: Random, page: CheckoutPage): number {
  const beatMs = between(random, BEAT);
  return Math.min(beatMs, pageEndsInMs(page) ?? beatMs);
}

/** Wakes after a new block of a chain on which the page counts confirmations. */
function followBlocks({ clock, random, changes }: LiveEventsApp, wake: Wake, signal: AbortSignal) {
  const leaves = new Map<string, () => void>();
  let isWaiting = false;
  const onBlock = () => {
    if (isWaiting) return;
    isWaiting = true;
    const over = () => {
      isWaiting = false;
      wake.wake();
    };
    clock.sleep(between(random, NEW_BLOCK), signal).then(over, over);
  };
  return {
    follow({ record }: CheckoutPage) {
      const counting = new Set<string>(
        record.receipts
          .filter(({ status }) => status === 'SEEN' || status === 'INCLUDED')
          .map(({ chain }) => chain),
      );
      for (const [chain, leave] of leaves) {
        if (counting.has(chain)) continue;
        leave();
        leaves.delete(chain);
      }
      for (const chain of counting) {
        if (!leaves.has(chain)) leaves.set(chain, changes.listen(chain, onBlock));
      }
    },
    leave() {
      for (const leave of leaves.values()) leave();
      leaves.clear();
    },
  };
}

function between(random: Random, { least, most }: Span): number {
  return least + randomInteger(random, most - least);
}

// How an open page hears of changes: by a stream, or by asking where it cannot have one.

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
