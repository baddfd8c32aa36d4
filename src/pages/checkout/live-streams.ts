// The streams of open pages. Bounded: a page more than the limit is refused and asks by itself
// (state-feed.ts), so that no crowd and no single visitor takes the process down.

import type { Log } from '#base/log.ts';
import { sendEvents } from '#pages/send-page.ts';
import { type LiveEventsApp, type LivePage, liveEvents } from './live-events.ts';

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
