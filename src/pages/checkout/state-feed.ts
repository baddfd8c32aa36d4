// What an open page asks for again and again where it cannot have a stream: answers at once when
// something changed, else after a while with nothing. Bounded: a page more than the limit is
// answered at once and asks more slowly.
import type { PageApp } from '#pages/page-app.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { pageEndsInMs, pageLeftMs } from './page-end.ts';
import { type ChangedAnswer, changedAnswer, pageVersion } from './render-checkout.ts';

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
