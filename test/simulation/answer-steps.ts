// Some checkouts ask before they are paid: the payer answers and gives a tip, again and again, too
// late, with what is not offered, or while he chooses how to pay in another tab. What is kept then
// is held against what he said, and a tip that may be given is computed here once more.
import type { PayerAsking } from '#ask/ask.ts';
import { type Random, randomInteger } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { answerCheckout, commitCheckout } from '#checkout/commit-checkout.ts';
import { type Reader, sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { pick } from '#test/support/seeded-random.ts';
import { act, chance, type Story, type StoryCheckout } from './story.ts';
import type { ServiceProcess } from './world.ts';

const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, BTC: 8 };
const FIXED_TIP = '2';
const OWN_TIMES_MOST = 10n;

export function drawAsking(random: Random): PayerAsking | undefined {
  if (!chance(random, 25)) return undefined;
  const size = { key: 'size', kind: 'CHOICE', label: 'Size', labels: {} } as const;
  return {
    asks: [{ ...size, isRequired: chance(random, 50), choices: ['S', 'L'] }],
    ...(chance(random, 30) && { termsText: 'I accept.' }),
    tipPercents: ['0.1', '0.125'],
    tipAmounts: [FIXED_TIP],
    isTipOwn: chance(random, 50),
  };
}

/** What a payer says: each of it may be missing, or be none of what is offered. */
type Wish = {
  readonly size: string | undefined;
  readonly isTermsAccepted: boolean;
  readonly tip: string;
  readonly isFine: boolean;
};

type Kept = {
  readonly tip: string;
  readonly size: string | null;
  readonly isAnswered: boolean;
  readonly hasWindow: boolean;
};

type AskingCheckout = StoryCheckout & { readonly asking: PayerAsking };

const askingOnes = ({ checkouts }: Story) =>
  checkouts.filter((one): one is AskingCheckout => one.asking !== undefined);
const unchosenOnes = (story: Story) =>
  askingOnes(story).filter(({ id, commitments }) => {
    const isEnded = story.known.states.get(id) === 'CANCELLED';
    return commitments.length === 0 && !isEnded;
  });
export const hasAsking = (story: Story) => askingOnes(story).length > 0;
export const hasUnchosen = (story: Story) => unchosenOnes(story).length > 0;

function isObliged({ asks, termsText }: PayerAsking): boolean {
  return termsText !== undefined || asks.some(({ isRequired }) => isRequired);
}

/** Before somebody commits. Nobody who has to answer is let past that, so most do first. */
export async function answerFirst(story: Story, checkout: StoryCheckout): Promise<string> {
  const { asking, isAnswered } = checkout;
  if (asking === undefined || isAnswered || chance(story.random, 15)) return '';
  return `${await answerOnce(story, { ...checkout, asking }, drawFineWish)}; `;
}

/** On any of them, in whatever state it is; half the time on one that nobody has chosen a way for. */
export function answerStep(story: Story): Promise<string> {
  const unchosen = chance(story.random, 50) ? unchosenOnes(story) : [];
  const checkout = pick(story.random, unchosen.length > 0 ? unchosen : askingOnes(story));
  return answerOnce(story, checkout, chance(story.random, 30) ? drawFineWish : drawWish);
}

type DrawWish = (random: Random, checkout: AskingCheckout) => Wish;

async function answerOnce(story: Story, checkout: AskingCheckout, draw: DrawWish): Promise<string> {
  const before = await readKept(story.world.db, checkout.id);
  const wish = draw(story.random, checkout);
  const said = await act(story, async (service) => outcomeOf(service, checkout, wish));
  await learn(story, checkout, { before, wish, said });
  return `${checkout.name} with a tip of ${wish.tip} and ${wish.size ?? 'nothing'}: ${said}`;
}

/** In one tab he answers, in the other one he chooses how to pay: either may come first. */
export async function answerBesideCommit(story: Story): Promise<string> {
  const { random, shop, counters } = story;
  const checkout = pick(random, unchosenOnes(story));
  const [offer] = checkout.offers;
  if (offer === undefined) return `${checkout.name} offers nothing`;
  const before = await readKept(story.world.db, checkout.id);
  const wish = drawFineWish(random, checkout);
  const request = { checkoutId: checkout.id, owner: shop, network: offer.network };
  let hasCommitted = false;
  const said = await act(story, async (service) => {
    const commit = async () => {
      await commitCheckout(service, { ...request, asset: offer.assetId });
      hasCommitted = true;
      return '';
    };
    const both = [() => outcomeOf(service, checkout, wish), commit];
    const isTurned = chance(random, 50);
    const run = (isTurned ? both.toReversed() : both).map((one) => one());
    const ended = await Promise.allSettled(run);
    for (const one of ended) {
      if (one.status === 'rejected' && !(one.reason instanceof Refusal)) throw one.reason;
    }
    const answer = isTurned ? ended[1] : ended[0];
    if (answer?.status === 'rejected') throw answer.reason;
    return answer?.value ?? '';
  });
  const { tip, hasWindow } = await learn(story, checkout, { before, wish, said, isBeside: true });
  const isNew = !before.hasWindow && hasWindow && hasCommitted;
  if (isNew && tip !== before.tip && said.startsWith('answered')) counters.tipsBesideCommit += 1;
  if (isNew && said.startsWith('refused: answers_fixed')) counters.fixedBesideCommit += 1;
  return `${checkout.name} with a tip of ${wish.tip} while ${offer.network} is chosen: ${said}`;
}

async function outcomeOf(service: ServiceProcess, { id }: StoryCheckout, wish: Wish) {
  const { size, isTermsAccepted, tip } = wish;
  const outcome = await answerCheckout(service, {
    ...{ checkoutId: id, owner: 'page', isTermsAccepted, tip: parseDecimal(tip) },
    answers: new Map(size === undefined ? [] : [['size', size]]),
  });
  const { faults, mustAcceptTerms, isTipRefused } = outcome;
  return faults.length > 0 || mustAcceptTerms || isTipRefused ? 'not taken' : 'answered';
}

function drawWish(random: Random, checkout: AskingCheckout): Wish {
  const { asks, termsText } = checkout.asking;
  const size = pick(random, ['S', 'L', 'L', undefined]);
  const isTermsAccepted = chance(random, 90);
  const { tip, isOffered } = drawTip(random, checkout);
  const isWhole = size !== undefined || asks.every(({ isRequired }) => !isRequired);
  const isFine = isOffered && isWhole && (isTermsAccepted || termsText === undefined);
  return { size, isTermsAccepted, tip, isFine };
}

function drawFineWish(random: Random, checkout: AskingCheckout): Wish {
  for (;;) {
    const wish = drawWish(random, checkout);
    if (wish.isFine) return wish;
  }
}

/** In the smallest units of the currency: a part of the net amount is rounded to one, halves up. */
function drawTip(random: Random, { asking, currency, net }: AskingCheckout) {
  const decimals = DECIMALS[currency] ?? 0;
  const units = unitsOf(net, decimals);
  const fixed = unitsOf(FIXED_TIP, decimals);
  const listed = [(units * 10n + 50n) / 100n, (units * 125n + 500n) / 1_000n, fixed, 0n];
  const own = BigInt(1 + randomInteger(random, Number(units) + 3));
  const drawn = pick(random, [...listed, own, own, units * OWN_TIMES_MOST + 1n]);
  const isOwn = asking.isTipOwn && drawn <= units * OWN_TIMES_MOST;
  return { tip: textOf(drawn, decimals), isOffered: isOwn || listed.includes(drawn) };
}

function unitsOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function textOf(units: bigint, decimals: number): string {
  const digits = `${units}`.padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const fraction = digits.slice(cut).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${fraction}`;
}

async function readKept(reader: Reader, id: string): Promise<Kept> {
  const [row] = await reader.query<Kept>(sql`
    select trim_scale(tip)::text as tip, answers::jsonb ->> 'size' as size,
      answered_at is not null as "isAnswered",
      exists (select 1 from commitment where checkout_id = checkout.id) as "hasWindow"
    from checkout where id = ${id}`);
  if (row === undefined) throw new Error(`A1: there is no checkout ${id}`);
  return row;
}

type Said = {
  readonly before: Kept;
  readonly wish: Wish;
  readonly said: string;
  /** A window may have been opened before the answer came. */
  readonly isBeside?: boolean;
};

/** What was taken is kept, and nothing else; of a process that died either. */
async function learn(story: Story, checkout: AskingCheckout, told: Said): Promise<Kept> {
  const { before, wish, said } = told;
  const { counters, world } = story;
  const kept = await readKept(world.db, checkout.id);
  const isOld = kept.tip === before.tip && kept.size === before.size;
  const isNew = kept.isAnswered && kept.tip === wish.tip && kept.size === (wish.size ?? null);
  const isTaken = said.startsWith('answered');
  const isRefused = said.startsWith('not taken') || said.startsWith('refused');
  const isRight =
    (isTaken ? isNew && wish.isFine : isOld || (!isRefused && isNew && wish.isFine)) &&
    (isOld || !before.hasWindow) &&
    !(said.startsWith('not taken') && wish.isFine);
  if (!isRight) {
    const what = `${JSON.stringify(wish)} after ${JSON.stringify(before)}`;
    throw new Error(`A1: ${checkout.name} keeps ${JSON.stringify(kept)} of ${what}: ${said}`);
  }
  const own = story.checkouts.find(({ id }) => id === checkout.id);
  if (own === undefined) throw new Error(`A1: ${checkout.name} is none of the story`);
  own.isAnswered = kept.isAnswered;
  if (kept.tip !== before.tip) {
    const decimals = DECIMALS[checkout.currency] ?? 0;
    own.tip = kept.tip;
    own.total = textOf(unitsOf(checkout.net, decimals) + unitsOf(kept.tip, decimals), decimals);
    own.quotedAt = world.clock.now();
    if (before.isAnswered) counters.tipsChanged += 1;
  }
  if (isTaken) counters.answered += 1;
  const state = story.known.states.get(checkout.id);
  const hasMoney = state === 'PENDING' || state === 'UNDERPAID';
  if (hasMoney && wish.tip !== before.tip && said.startsWith('refused: answers_fixed')) {
    counters.tipsAfterMoney += 1;
  }
  return kept;
}

type Row = {
  readonly id: string;
  readonly total: string;
  readonly tip: string;
  readonly isAnswered: boolean;
  readonly hasWindow: boolean;
};

export function listAnswered(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    select id, trim_scale(total)::text as total, trim_scale(tip)::text as tip,
      answered_at is not null as "isAnswered",
      exists (select 1 from commitment where checkout_id = checkout.id) as "hasWindow"
    from checkout where merchant_id = ${shop.merchantId} and asking is not null`);
}

/** After every step: what is to be paid is the charge and the tip, and nobody pays unasked. */
export function checkAnswered(story: Story, rows: readonly Row[]): string[] {
  return rows.flatMap(({ id, total, tip, isAnswered, hasWindow }) => {
    const checkout = story.checkouts.find((one) => one.id === id);
    if (checkout?.asking === undefined) return [];
    const broken: string[] = [];
    const decimals = DECIMALS[checkout.currency] ?? 0;
    const due = unitsOf(checkout.net, decimals) + unitsOf(checkout.tip, decimals);
    if (tip !== checkout.tip || unitsOf(total, decimals) !== due) {
      broken.push(`A2: ${checkout.name} is ${total} with a tip of ${tip}, not of ${checkout.tip}`);
    }
    if (hasWindow && !isAnswered && isObliged(checkout.asking)) {
      broken.push(`A3: ${checkout.name} is to be paid, and has to be answered first`);
    }
    return broken;
  });
}
