// What customers and merchants do: create, choose, pay, cancel.
import { assert } from '#base/assert.ts';
import { randomInteger } from '#base/random.ts';
import { chainOf } from '#catalog/chain.ts';
import { type Charge, readCharge } from '#charge/charge.ts';
import { commitCheckout, expireCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { pick } from '#test/support/seeded-random.ts';
import { answerFirst, drawAsking } from './answer-steps.ts';
import { payStep } from './pay-step.ts';
import { act, chance, type Story, type StoryCheckout } from './story.ts';

const SETTLEMENT_ASSETS = ['ORIGIN', 'ORIGIN', 'EUR:FIAT', 'USD:FIAT', 'LTC:NATIVE'];
const CURRENCIES = ['EUR', 'USD', 'JPY', 'BTC'];

export const hasCheckout = (story: Story) => story.checkouts.length > 0;
export const hasLock = (story: Story) => story.checkouts.some((one) => one.commitments.length > 0);

export async function create(
  story: Story,
  settlementAsset = pick(story.random, SETTLEMENT_ASSETS),
): Promise<string> {
  const { random, checkouts, shop, receiver, counters, world } = story;
  const currency = pick(random, CURRENCIES);
  const cents = 1 + randomInteger(random, chance(random, 10) ? 9_000_000 : 30_000);
  const total = currency === 'JPY' ? `${cents}` : `0.${`${cents}`.padStart(8, '0')}`;
  const amount = currency === 'EUR' || currency === 'USD' ? `${cents / 100}` : total;
  const name = `#${checkouts.length + 1}`;
  const asking = drawAsking(random);
  const said = await act(story, async (service) => {
    const { id, offers } = await createCheckout(
      service,
      shop,
      {
        charge: chargeOf(currency, amount),
        settlementAsset,
        checkoutLanguage: 'en',
        webhook: chance(random, 90) ? `${receiver.origin}/${shop.merchantId}` : undefined,
        anchors: [],
        pageSettings: {
          returnUrl: undefined,
          cancelUrl: undefined,
          shopName: undefined,
          displayBuyerInfo: undefined,
          displaySellerInfo: undefined,
        },
        metaText: undefined,
        payloadText: payloadOf(currency, amount, settlementAsset),
      },
      { type: 'HOSTED', origin: 'API', asking },
    );
    const createdAt = world.clock.now();
    const terms = { total: amount, net: amount, tip: '0', currency, settlementAsset };
    const quoted = { createdAt, quotedAt: createdAt, offers, commitments: [] };
    checkouts.push({ id, name, ...terms, ...quoted, asking, isAnswered: false });
    counters.checkouts += 1;
    return `${name} is ${id}`;
  });
  return `${amount} ${currency} to ${settlementAsset}: ${said}`;
}

function chargeOf(billingCurrency: string, netAmount: string): Charge {
  const charge = readCharge(writtenCharge(billingCurrency, netAmount), []);
  assert(charge !== undefined, 'a book is charged for');
  return charge;
}

function writtenCharge(billingCurrency: string, netAmount: string) {
  return { billingCurrency, lineItems: [{ description: 'Book', netAmount }] };
}

/** As a request without addresses of its own is kept. */
function payloadOf(billingCurrency: string, netAmount: string, settlementAsset: string): string {
  const links = { cancelUrl: null, returnUrl: null };
  const charge = writtenCharge(billingCurrency, netAmount);
  return JSON.stringify({ charge, settlementAsset, webhook: null, links });
}

/** What mostly happens: a customer comes, chooses and pays, one way or the other. */
export async function buy(story: Story): Promise<string> {
  const created = await create(story);
  if (!hasCheckout(story)) return created;
  const committed = await commit(story);
  return hasLock(story) ? `${created}; ${committed}; ${await payStep(story)}` : committed;
}

/** Once, or by two tabs of one customer at the same time: the answers must be the same. */
export async function commit(
  story: Story,
  checkout = pick(story.random, story.checkouts),
  chains = story.chains,
): Promise<string> {
  const { random, shop, world } = story;
  const onOurChains = checkout.offers.filter(({ network }) =>
    chains.includes(chainOf('test', network)),
  );
  const offers = onOurChains.length > 0 ? onOurChains : checkout.offers;
  if (offers.length === 0) return `${checkout.name} offers nothing`;
  const answered = await answerFirst(story, checkout);
  const { network, assetId: asset } = pick(random, offers);
  const tabs = chance(random, 20) ? 2 : 1;
  if (tabs > 1) story.counters.races += 1;
  const request = { checkoutId: checkout.id, owner: shop, network, asset };
  const said = await act(story, async (service) => {
    const answers = await Promise.all(
      Array.from({ length: tabs }, () => commitCheckout(service, request)),
    );
    for (const commitment of answers) remember(story, checkout, commitment);
    return `${answers[0]?.arrivingUnits} to ${answers[0]?.instruction.destination}`;
  });
  if (said === 'no price' && !world.market.isMissing()) throw new Error('F1: every price is there');
  if (said.startsWith('refused: answers_missing')) story.counters.committedUnanswered += 1;
  return `${answered}${checkout.name} on ${network} ${asset}${tabs > 1 ? ' twice at once' : ''}: ${said}`;
}

function remember(
  story: Story,
  checkout: StoryCheckout,
  commitment: StoryCheckout['commitments'][number],
): void {
  const { network, assetId } = commitment;
  const made = checkout.commitments.find(
    (one) => one.network === network && one.assetId === assetId,
  );
  if (made === undefined) {
    checkout.commitments.push(commitment);
    story.counters.commits += 1;
    return;
  }
  const now = story.world.clock.now();
  // A window that ended is followed by a fresh one.
  if (Temporal.Instant.compare(made.expiresAt, now) <= 0 || isExpiredByHand(story, checkout)) {
    checkout.commitments.splice(checkout.commitments.indexOf(made), 1, commitment);
    if (!made.expiresAt.equals(commitment.expiresAt)) story.counters.freshWindows += 1;
    return;
  }
  const isSame =
    made.instruction.destination === commitment.instruction.destination &&
    made.arrivingUnits === commitment.arrivingUnits &&
    made.expiresAt.equals(commitment.expiresAt);
  if (!isSame) throw new Error(`S7: a second commit of ${checkout.name} answers otherwise`);
}

function isExpiredByHand({ world }: Story, { id }: StoryCheckout): boolean {
  return world.expiredByHand.includes(id);
}

export async function cancel(story: Story): Promise<string> {
  const { id: checkoutId, name } = pick(story.random, story.checkouts);
  const said = await act(story, async (service) => {
    await cancelCheckout(service, { checkoutId, owner: story.shop });
    return 'cancelled';
  });
  return `${name}: ${said}`;
}

export async function expire(story: Story): Promise<string> {
  const { id: checkoutId, name } = pick(story.random, story.checkouts);
  story.world.expiredByHand.push(checkoutId);
  const { merchantId } = story.shop;
  const said = await act(story, async (service) => {
    await expireCheckout(service, { checkoutId, merchantId });
    return 'expired';
  });
  return `${name}: ${said}`;
}
