// The customer chose a way to pay: this fixes amounts and window for that network and asset, once,
// and hands out where to pay. Repeating a commit changes nothing and answers the same while the
// window is open (C7, S7). After its end a commit opens a fresh window at the amounts of that
// moment, on the same address, memo or tag; where a node makes an invoice, on a new one. The window
// that ended is kept: money belongs to the window that was open when it was first seen (decision
// 29).
//
// Order: lock the checkout, look whether the commitment exists, take an index, derive, store. The
// unique keys of commitment and deposit_instruction are the last word. Where a node must be asked
// (Lightning) that is done between two transactions: the first fixes what is asked for, the second
// records the answer. A crash between them loses nothing: asking again is asking for the same
// invoice, and one that was never recorded was shown to nobody.

import { getMerchantTerms } from '#access/caller.ts';
import { hasTerms, type KeptAnswers, NOTHING_ASKED } from '#ask/ask.ts';
import { decideAnswers, type FaultyAnswer } from '#ask/decide-answers.ts';
import { isTipOffered } from '#ask/tip.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newOrderedId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { readAnchors } from '#charge/checkout-request.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { type InstructionKeys, listInstructions } from '#deposit/deposit-instruction.ts';
import type { Destination, Network } from '#deposit/network.ts';
import { add, compare, type Decimal, subtract } from '#money/decimal.ts';
import { requireCover } from '#treasury/exposure.ts';
import {
  type Checkout,
  type Commitment,
  lockCheckoutRow,
  type Offer,
  PAYMENT_WINDOW_MINUTES,
} from './checkout.ts';
import { commitTogether } from './commit-together.ts';
import {
  type CommitmentRow,
  joinCommitment,
  listCommitmentRows,
  listPastWindows,
  takeDestinationRequest,
} from './commitment.ts';
import {
  type CommitRequest,
  type Committed,
  chooseWay,
  lockEnd,
  openCommitments,
  requireUnended,
} from './open-commitment.ts';
import {
  bindingAmounts,
  fullConversion,
  type QuoteOffersApp,
  quoteOffers,
} from './quote-offers.ts';
import type { SandboxStep } from './sandbox-steps.ts';
import { writeAnswered } from './write-answered.ts';

export type CommitCheckoutApp = QuoteOffersApp & {
  readonly db: Db;
  /** How long the amounts of a checkout hold, where it is less than a window. */
  readonly quoteMinutes?: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: InstructionKeys;
};

/**
 * Refuses: missing (unknown checkout, or of another merchant), invalid (network or asset not
 * offered), conflict (completed, cancelled, more than the network can receive at once, or a live
 * conversion beyond the exposure limit). Outage when the network or rate is away.
 */
export async function commitCheckout(
  app: CommitCheckoutApp,
  request: CommitRequest,
): Promise<Committed> {
  const together = await commitTogether(app, request);
  if (together !== undefined) return together;
  const first = await commitOnce(app, request, undefined);
  if (first.kind === 'made') return { ...first.commitment, meta: first.meta };
  const destination = await askNode(first.prepared);
  const second = await commitOnce(app, request, { ...first.prepared, destination });
  assert(second.kind === 'made', 'a node is asked once');
  return { ...second.commitment, meta: second.meta };
}

/**
 * Whether committing may mean asking a node, before the checkout is read: for a caller who is about
 * to open a transaction around `commitCheckout`, and then has to commit before that.
 */
export function mayAskNode(
  { networks }: Pick<CommitCheckoutApp, 'networks'>,
  { network: id, owner }: CommitRequest & { readonly owner: Pick<Owner, 'environment'> },
): boolean {
  return [...networks.values()].some(
    ({ chain, asksNode }) =>
      asksNode === true &&
      environmentOf(chain) === owner.environment &&
      (id === undefined || networkOf(chain) === id),
  );
}

/** What a payer answered and added, before he chose a way to pay. */
export type PayerAnswers = {
  readonly checkoutId: string;
  readonly owner: Owner | 'page';
  /** JSON values by key. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly isTermsAccepted: boolean;
  /** In the currency of the bill; undefined: as it is. */
  readonly tip: Decimal | undefined;
};

/** What is wrong, where something is: then nothing was kept. */
export type AnswerOutcome = {
  readonly faults: readonly FaultyAnswer[];
  readonly mustAcceptTerms: boolean;
  readonly isTipRefused: boolean;
};

/**
 * Once a way to pay was chosen, answers and tip are fixed, as its amounts are: who repeats them is
 * answered as before, anything else is refused. A tip that changes renews the amounts of all ways.
 * @throws Refusal missing `checkout_missing`; conflict `checkout_completed`, `checkout_cancelled`,
 * `answers_fixed`, `no_payment_method`
 */
export async function answerCheckout(
  app: CommitCheckoutApp,
  given: PayerAnswers,
): Promise<AnswerOutcome> {
  return app.db.transact(async (tx) => {
    const [locked, commitments] = await Promise.all([
      lockCheckoutRow(tx, given.checkoutId),
      listCommitmentRows(tx, [given.checkoutId]),
    ]);
    const checkout = requireUnended(locked, given.owner);
    const { asking = NOTHING_ASKED } = checkout;
    const tip = given.tip ?? checkout.tip;
    const { answers, faults } = decideAnswers(asking.asks, given.answers);
    const net = subtract(checkout.total, checkout.tip);
    const { decimals } = getCurrency(checkout.billingCurrency);
    const outcome = {
      faults,
      mustAcceptTerms: hasTerms(asking) && !given.isTermsAccepted,
      isTipRefused: !isTipOffered(asking, net, decimals, tip),
    };
    if (faults.length > 0 || outcome.mustAcceptTerms || outcome.isTipRefused) return outcome;
    if (checkout.asking === undefined) return outcome;
    const isSameTip = compare(tip, checkout.tip) === 0;
    if (isSameTip && isSameAnswers(checkout.answers, answers)) {
      if (checkout.answeredAt !== undefined) return outcome;
    } else if (commitments.length > 0) {
      throw new Refusal('conflict', 'answers_fixed', [
        'answers: a way to pay was chosen, what was answered before is fixed',
      ]);
    }
    const now = app.clock.now();
    const total = add(net, tip);
    const priced = isSameTip
      ? undefined
      : await repriced(app, tx, { ...checkout, total, tip }, now);
    const isTermsAccepted = hasTerms(asking);
    writeAnswered(tx, checkout.id, { answers, isTermsAccepted, priced }, now);
    return outcome;
  });
}

function isSameAnswers(known: KeptAnswers | undefined, given: KeptAnswers): boolean {
  const sorted = (answers: KeptAnswers) => JSON.stringify(Object.entries(answers).sort());
  return known !== undefined && sorted(known) === sorted(given);
}

/** All ways to pay at the prices of now, as when it was created. */
async function repriced(app: CommitCheckoutApp, tx: Tx, checkout: Checkout, now: Temporal.Instant) {
  const terms = await getMerchantTerms(tx, checkout);
  const { offers, withheld } = await quoteOffers({ ...app, db: tx }, terms, {
    ...checkout,
    anchors: readAnchors(checkout.payload),
    now,
  });
  if (offers.length === 0) {
    const reasons = withheld.map(
      ({ network, assetId, reason }) => `${network} ${assetId}: ${reason}`,
    );
    throw new Refusal('conflict', 'no_payment_method', ['tip: nothing can be offered', ...reasons]);
  }
  const { total, tip } = checkout;
  const minutes = app.quoteMinutes ?? PAYMENT_WINDOW_MINUTES;
  return { offers, withheld, total, tip, quotedUntil: now.add({ minutes }) };
}

/** What a node is asked for: instruction, amounts and begin of the lock are fixed. */
type Prepared = {
  readonly network: Network;
  readonly offer: Offer;
  readonly instructionId: string;
  readonly committedAt: Temporal.Instant;
};
type Asked = Prepared & { readonly destination: Destination };
type CommitOutcome =
  | { readonly kind: 'made'; readonly commitment: Commitment; readonly meta: string | undefined }
  | { readonly kind: 'ask'; readonly prepared: Prepared };

function commitOnce(
  app: CommitCheckoutApp,
  request: CommitRequest,
  asked: Asked | undefined,
): Promise<CommitOutcome> {
  return app.db.transact(async (tx) => {
    const [locked, commitments, windows] = await Promise.all([
      lockCheckoutRow(tx, request.checkoutId),
      listCommitmentRows(tx, [request.checkoutId]),
      listPastWindows(tx, [request.checkoutId]),
    ]);
    const { checkout, offer, network } = chooseWay(app, locked, request);
    const made = commitments.find(
      (commitment) => commitment.network === offer.network && commitment.assetId === offer.assetId,
    );
    const { meta } = checkout;
    const now = app.clock.now();
    const instructions = made && (await listInstructions(app, tx, 'checkout', checkout.id));
    const before =
      made &&
      instructions &&
      joinCommitment(made, windows, instructions, app.networks, checkout.environment);
    if (before !== undefined && made !== undefined && !isOver(checkout, made, now)) {
      return { kind: 'made', commitment: before, meta };
    }
    const fixed: Prepared | Asked = asked ?? {
      network,
      offer: await bindingAmounts(app, tx, checkout, network, offer, now),
      instructionId: newOrderedId(now, app.random),
      committedAt: now,
    };
    await requireCover(app, tx, checkout, fullConversion(fixed.offer), now);
    if (network.asksNode && asked === undefined) {
      return { kind: 'ask', prepared: await prepareRequest(tx, checkout, fixed) };
    }
    const { pageLanguage } = request;
    const opening = { ...fixed, checkout, before, pageLanguage };
    const [commitment] = await openCommitments(app, tx, [opening]);
    assert(commitment !== undefined, 'one window is opened');
    return { kind: 'made', commitment, meta };
  });
}

/** A request this old is not repeated: what was asked for would end too soon. */
const REQUEST_REPEATED_MINUTES = 5;

/** The same request again for a moment, so that a crash loses nothing; a new one afterwards. */
async function prepareRequest(tx: Tx, checkout: Checkout, fixed: Prepared): Promise<Prepared> {
  const made = {
    checkoutId: checkout.id,
    network: fixed.offer.network,
    assetId: fixed.offer.assetId,
    instructionId: fixed.instructionId,
    units: fixed.offer.arrivingUnits,
    askedAt: fixed.committedAt,
  };
  const repeatedSince = made.askedAt.subtract({ minutes: REQUEST_REPEATED_MINUTES });
  const { instructionId, askedAt } = await takeDestinationRequest(tx, made, repeatedSince);
  return { ...fixed, instructionId, committedAt: askedAt };
}

async function askNode({
  network,
  offer,
  instructionId,
  committedAt,
}: Prepared): Promise<Destination> {
  const most = await network.receivableUnitsMost?.(offer.assetId);
  if (most !== undefined && offer.arrivingUnits > most) {
    throw new Refusal('conflict', 'amount_not_receivable', [
      `network: ${offer.network} can receive less than that at once right now; choose another`,
    ]);
  }
  return network.openDestination({
    index: 0n,
    assetId: offer.assetId,
    units: offer.arrivingUnits,
    askedUnits: offer.askedUnits,
    instructionId,
    expiresAt: lockEnd(committedAt),
  });
}

/** While money is on its way nobody is asked for another amount. */
function isOver(checkout: Checkout, window: CommitmentRow, now: Temporal.Instant): boolean {
  return checkout.state !== 'PENDING' && Temporal.Instant.compare(now, window.expiresAt) >= 0;
}

/**
 * Ends the payment window of a TEST checkout now, so that expiry and late payments can be tried
 * without waiting an hour. Live windows are never moved (S7). Whoever calls it has it decided.
 */
export async function expireCheckout(
  app: Pick<CommitCheckoutApp, 'db' | 'clock'>,
  request: { readonly checkoutId: string; readonly merchantId: string | undefined },
): Promise<void> {
  await app.db.transact(async (tx) => {
    const checkout = await lockCheckoutRow(tx, request.checkoutId);
    const isOwn = request.merchantId === undefined || checkout?.merchantId === request.merchantId;
    if (checkout === undefined || !isOwn || checkout.environment !== 'test') {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such test checkout');
    }
    const now = app.clock.now();
    tx.send(sql`
      update commitment
      set expires_at = greatest(${now}::timestamptz, committed_at + interval '1 millisecond')
      where checkout_id = ${checkout.id} and expires_at > ${now}`);
    tx.send(sql`
      update checkout set expires_at = least(expires_at, ${now}::timestamptz), settle_at = ${now},
        changed_in = pg_current_xact_id()
      where id = ${checkout.id}`);
  });
}

/** So many at once; who has more says so again. */
const NEARER_MOST = 1_000;

/**
 * The windows of a merchant's TEST checkouts end so much earlier, none before now, and the amounts
 * of those that nobody committed to hold so much shorter. Live ones are never moved (S7). Gives
 * whose windows were moved.
 */
export async function bringWindowsNearer(
  app: Pick<CommitCheckoutApp, 'db' | 'clock'>,
  { merchantId, minutes }: { readonly merchantId: string; readonly minutes: number },
): Promise<readonly string[]> {
  const now = app.clock.now();
  const by = sql`make_interval(mins => ${minutes})`;
  return app.db.transact(async (tx) => {
    const rows = await tx.query<{ id: string }>(sql`
      select id from checkout where merchant_id = ${merchantId} and environment = 'test'
        and expires_at > ${now} and state <> all('{COMPLETED,CANCELLED,EXPIRED}')
      order by id limit ${NEARER_MOST} for update`);
    const ids = rows.map(({ id }) => id);
    tx.send(sql`
      update commitment set expires_at = greatest(expires_at - ${by}, ${now}::timestamptz,
        committed_at + interval '1 millisecond')
      where checkout_id = any(${ids}::text[]) and expires_at > ${now}`);
    tx.send(sql`
      update checkout set expires_at = greatest(expires_at - ${by}, ${now}::timestamptz),
        quoted_until = least(quoted_until, greatest(quoted_until - ${by}, ${now}::timestamptz)),
        settle_at = ${now}, changed_in = pg_current_xact_id()
      where id = any(${ids}::text[])`);
    return ids;
  });
}

/** A test checkout whose simulated payer still does something by itself. */
export type PlayedCheckout = {
  readonly id: string;
  readonly merchantId: string;
  /** In order; at least one. */
  readonly steps: readonly SandboxStep[];
};

const PLAYED_MOST = 200;
const PLAYED_HOURS = 24;

/** Those that somebody committed to, oldest first; after a day nobody waits for a payer. */
export function listPlayed({
  db,
  clock,
}: Pick<CommitCheckoutApp, 'db' | 'clock'>): Promise<PlayedCheckout[]> {
  const since = clock.now().subtract({ hours: PLAYED_HOURS });
  return db.query(sql`
    select id, merchant_id as "merchantId", sandbox_steps as steps from checkout
    where sandbox_steps <> '{}' and environment = 'test' and state <> 'NEW'
      and created_at > ${since}
    order by created_at limit ${PLAYED_MOST}`);
}

/** The first of them is done now. False where another process was faster. */
export async function takeSandboxStep(
  tx: Tx,
  id: string,
  steps: PlayedCheckout['steps'],
): Promise<boolean> {
  const taken = await tx.query(sql`
    update checkout set sandbox_steps = sandbox_steps[2:]
    where id = ${id} and sandbox_steps = ${steps}::text[] returning id`);
  return taken.length > 0;
}

export async function dropSandboxSteps(db: Db, id: string): Promise<void> {
  await db.single((tx) => tx.query(sql`update checkout set sandbox_steps = '{}' where id = ${id}`));
}
