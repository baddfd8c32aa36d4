// A person decides what becomes of money in suspense: whose it is, that it goes back, or that it is
// nobody's. At times two decide at once, and the first counts.

import { actOnSuspense, type SuspenseRequest } from '#suspense/act-on-suspense.ts';
import { returnSuspense } from '#suspense/return-suspense.ts';
import { pick } from '#test/support/seeded-random.ts';
import { ACCOUNTS } from './merchant-steps.ts';
import { allOf } from './serve-steps.ts';
import { act, chance, type Known, type Story } from './story.ts';
import type { ServiceProcess } from './world.ts';

type Item = Known['suspended'][number];
type Decision = {
  readonly name: 'to the merchant' | 'to a checkout' | 'return' | 'write off';
  readonly run: (service: ServiceProcess) => Promise<unknown>;
};

export const hasSuspended = ({ known }: Story) => known.suspended.length > 0;

/** Acts are known by it: what a story did with money that names nobody is checked in that story. */
export const personOf = ({ seed }: Pick<Story, 'seed'>) => `person of story ${seed}`;

export async function decideOnSuspense(story: Story): Promise<string> {
  const { random, known, counters } = story;
  const item = pick(random, known.suspended);
  const first = drawDecision(story, item);
  const isTwice = chance(random, 20);
  const second = isTwice && chance(random, 50) ? drawDecision(story, item) : first;
  if (isTwice) counters.races += 1;
  const said = await act(story, async (service) => {
    const decisions = isTwice ? [first, second] : [first];
    await allOf(decisions.map(({ run }) => run(service)));
    return 'done';
  });
  const others = isTwice ? ` and ${second.name} at once` : '';
  return `${item.id} on ${item.network} ${first.name}${others}: ${said}`;
}

function drawDecision(story: Story, item: Item): Decision {
  const { shop, checkouts } = story;
  const { id, network } = item;
  const name = drawName(story);
  const by = { id, actor: personOf(story), reason: 'the payer wrote to us' };
  const assign =
    (more: Pick<SuspenseRequest & { kind: 'ASSIGN' }, 'merchantId' | 'checkoutId'>) =>
    (service: ServiceProcess) =>
      actOnSuspense(service, { ...by, kind: 'ASSIGN', ...more });
  switch (name) {
    case 'to the merchant':
      return { name, run: assign({ merchantId: shop.merchantId }) };
    case 'to a checkout':
      return { name, run: assign({ checkoutId: pick(story.random, checkouts).id }) };
    case 'write off':
      return { name, run: (service) => actOnSuspense(service, { ...by, kind: 'WRITE_OFF' }) };
    case 'return': {
      const address = ACCOUNTS[network]?.address ?? '';
      const request = { ...by, address, merchantId: shop.merchantId };
      return { name, run: (service) => returnSuspense(service, request) };
    }
  }
}

function drawName({ random, checkouts }: Story): Decision['name'] {
  const names = ['to the merchant', 'return', 'write off'] as const;
  return pick(random, checkouts.length === 0 ? names : [...names, 'to a checkout']);
}
