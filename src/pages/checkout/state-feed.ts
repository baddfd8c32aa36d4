// What an open page asks for again and again: answers at once when something changed, else after a
// while with nothing. Bounded: a page more than the limit is answered at once and asks more slowly.
import type { PageApp } from '#pages/page-app.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { pageTitle, pageVersion, renderMain, stateTitle } from './render-checkout.ts';

/** Confirmations rise, and other processes settle, without a word to this one. */
const stepMs = 2_500;
const looksMax = 10;
const waitersMax = 200;

export type StateAnswer =
  | { readonly version: string; readonly secondsLeft: number | undefined; readonly busy: boolean }
  | {
      readonly version: string;
      readonly state: string;
      readonly title: string;
      /** Read out by screen readers. */
      readonly said: string;
      readonly html: string;
    };

export type StateFeedApp = Pick<PageApp, 'changes'>;

export type StateFeed = (
  known: string | undefined,
  read: () => Promise<CheckoutPage | undefined>,
  signal: AbortSignal,
) => Promise<StateAnswer | undefined>;

export function createStateFeed(app: StateFeedApp): StateFeed {
  let waiters = 0;
  return async (known, read, signal) => {
    const busy = waiters >= waitersMax;
    waiters += 1;
    try {
      for (let looks = busy ? 1 : looksMax; ; looks -= 1) {
        const page = await read();
        if (page === undefined) return undefined;
        const version = pageVersion(page.state);
        if (version !== known) return changed(page, version);
        if (looks <= 1 || signal.aborted) return { version, secondsLeft: secondsLeft(page), busy };
        await app.changes.wait(page.record.id, stepMs, signal);
      }
    } finally {
      waiters -= 1;
    }
  };
}

function changed(page: CheckoutPage, version: string): StateAnswer {
  return {
    version,
    state: page.state.kind,
    title: pageTitle(page),
    said: stateTitle(page),
    html: renderMain(page).markup,
  };
}

/** Corrects the countdown of a machine that slept or whose clock is wrong. */
function secondsLeft({ state, now }: CheckoutPage): number | undefined {
  const due = state.kind === 'pay' ? state.due : state.kind === 'partial' ? state.rest : undefined;
  if (due === undefined) return undefined;
  return Math.max(0, Math.floor(due.commitment.expiresAt.since(now).total('seconds')));
}
