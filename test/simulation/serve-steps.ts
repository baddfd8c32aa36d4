// The service decides, tells and books.

import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { digestEvents } from '#event/prove-events.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { pick } from '#test/support/seeded-random.ts';
import { MOODS } from './receiver.ts';
import { act, type Story } from './story.ts';
import { CHAINS, shortName } from './world.ts';

/** All that are due share transactions, as they do where many are. */
const TOGETHER = { atOnce: 1 };

export async function settle(story: Story): Promise<string> {
  return act(story, async (service) => `settled, ${await settleDueCheckouts(service, TOGETHER)}`);
}

export async function settleTwice(story: Story): Promise<string> {
  story.counters.races += 1;
  return act(story, async (service) => {
    await allOf([settleDueCheckouts(service, TOGETHER), settleDueCheckouts(story.service)]);
    return 'settled';
  });
}

export async function deliver(story: Story): Promise<string> {
  story.receiver.mood = pick(story.random, MOODS);
  const said = await act(story, async (service) => {
    const { attempted } = await deliverEvents(service, { most: 50 });
    story.counters.attempts += attempted;
    return `${attempted} attempts`;
  });
  return `${story.receiver.mood}: ${said}`;
}

export async function deliverTwice(story: Story): Promise<string> {
  story.receiver.mood = 'well';
  story.counters.races += 1;
  return act(story, async (service) => {
    await allOf([deliverEvents(service, { most: 50 }), deliverEvents(story.service, { most: 50 })]);
    return 'delivered';
  });
}

export async function suspense(story: Story, chain = pick(story.random, CHAINS)): Promise<string> {
  const said = await act(
    story,
    async (service) => `${await settleSuspense(service, chain)} booked`,
  );
  return `${shortName(chain)}: ${said}`;
}

export function seal(story: Story): Promise<string> {
  return act(story, async (service) => {
    await digestEvents(service, { limit: 1_000 });
    const { sealed } = await sealEntries(service, { limit: 1_000 });
    await followLedgerDays(service);
    return `${sealed} sealed`;
  });
}

/** Waits for all before it fails: nothing of the step is left running. */
export async function allOf(acts: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(acts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
