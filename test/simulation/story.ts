// What one seed has set going: its shop, its checkouts, the money it sent, and what is to be
// counted. Every decision is drawn from the seed, so that the seed tells the whole story.

import type { Caller } from '#access/caller.ts';
import type { PayerAsking } from '#ask/ask.ts';
import { AssertionFailure } from '#base/assert.ts';
import { type Random, randomInteger } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Commitment, Offer } from '#checkout/checkout.ts';
import type { DepositAddressRecord } from '#deposit-address/deposit-address.ts';
import { pick } from '#test/support/seeded-random.ts';
import { breakingDatabase, type Death, failingDatabase } from './failing-database.ts';
import type { Oracle } from './oracle.ts';
import type { ShopReceiver } from './receiver.ts';
import { processOver, type ServiceProcess, startProcess, type World } from './world.ts';

/** Seldom enough that only a run of a thousand seeds has to hold it. */
export const SELDOM: readonly string[] = [
  'cameBack',
  'hedgesCompleted',
  'hedgesCancelled',
  'fillsTakenBack',
  'sentTogether',
  'signedTogether',
  'paidOutside',
  'feesInAnotherAsset',
  'feesRaised',
  'sendingsCancelled',
  'draftsBackLate',
  'partsTied',
  'departuresAbandoned',
  'departuresUndone',
  'sentAgain',
  'signerAnswersRefused',
  'cancelledBySignature',
  'cancellationsUndone',
  'paidAfterCancellation',
  'triedWhileCancelled',
  'saidOfReplaced',
  'conversionsDrafted',
  'conversionsBooked',
  'conversionsSigned',
  'conversionsFailed',
  'conversionsUnordered',
  'conversionsUnderPrice',
  'fixedBesideCommit',
];

/** What takes several things to come together: a run in which one never did has proven little. */
export const RARE = [
  'settledTogether',
  'released',
  'releasedThenReversed',
  'acceptedThenReversed',
  'refundOfReversed',
  'refundsClaimed',
  'refundsUnclaimed',
  'openRefundsSideBySide',
  'refundedAndPaidAgain',
  'raisedDepth',
  'freshWindows',
  'lateAndOver',
  'lateConverted',
  'excessConverted',
  'missingPriceWhenMoneyCame',
  'sendsFailed',
  'sendsProvablyDead',
  'failedSendToPending',
  'depositCredits',
  'depositReversals',
  'debts',
  'suspenseAssigned',
  'suspenseAssignedAsPayment',
  'suspenseReturned',
  'suspenseWrittenOff',
  'suspenseActsUndone',
  'cameBack',
  'hedgesCompleted',
  'hedgesCancelled',
  'fillsTakenBack',
  'sentByHand',
  'sentBySigner',
  'sentTogether',
  'signedTogether',
  'paidOutside',
  'feesAboveReserve',
  'feesInAnotherAsset',
  'feesRaised',
  'sendingsCancelled',
  'cancelledBySignature',
  'cancellationsUndone',
  'paidAfterCancellation',
  'triedWhileCancelled',
  'saidOfReplaced',
  'draftsBackLate',
  'partsTied',
  'partsExplained',
  'departuresAbandoned',
  'departuresUndone',
  'sentAgain',
  'signerAnswersLost',
  'signerAnswersRefused',
  'conversionsDrafted',
  'conversionsBooked',
  'conversionsSigned',
  'conversionsFailed',
  'conversionsUnordered',
  'conversionsUnderPrice',
  'answered',
  'committedUnanswered',
  'tipsChanged',
  'tipsAfterMoney',
  'tipsBesideCommit',
  'fixedBesideCommit',
  'tippedCompleted',
  'tippedRefunded',
] as const;

export const COUNTERS = [
  'seeds',
  'steps',
  'checkouts',
  'commits',
  'payments',
  'replacements',
  'reorganisations',
  'freezes',
  'brakes',
  'holds',
  'letGo',
  'finalAfterLetGo',
  'duplicates',
  'races',
  'deaths',
  'disconnections',
  'completed',
  'completedLate',
  'overpaid',
  'underpaid',
  'expired',
  'cancelled',
  'receipts',
  'reversals',
  'suspense',
  'events',
  'attempts',
  'priceMoves',
  'accepts',
  'refunds',
  'transfers',
  'swapsFromSource',
  'swapsToTarget',
  'reportsChecked',
  'depositAddresses',
  ...RARE,
] as const;
export type Counters = Record<(typeof COUNTERS)[number], number>;

export function noCounters(): Counters {
  return Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters;
}

export type StoryCheckout = {
  readonly id: string;
  readonly name: string;
  /** The total, as a text, in the billing currency: with the tip. */
  total: string;
  /** Without it. */
  readonly net: string;
  tip: string;
  /** What is asked before it is paid; undefined: nothing. */
  readonly asking: PayerAsking | undefined;
  isAnswered: boolean;
  readonly currency: string;
  readonly settlementAsset: string;
  readonly createdAt: Temporal.Instant;
  /** When the amounts were shown that it is committed at: a tip renews them. */
  quotedAt: Temporal.Instant;
  readonly offers: readonly Offer[];
  readonly commitments: Commitment[];
};

export type StoryAddress = Pick<DepositAddressRecord, 'id' | 'network' | 'assetId'> & {
  readonly destination: string;
};

/** What somebody who looks on after a step knows; steps choose by it. */
export type Known = {
  readonly states: ReadonlyMap<string, string>;
  /** What the merchant may spend, by asset. */
  readonly available: ReadonlyMap<string, bigint>;
  /** Refunds whose payer has yet to say where they go. */
  readonly claimable: readonly { readonly id: string; readonly network: string }[];
  /** In suspense, and nobody has decided on it: of this shop, or of nobody. */
  readonly suspended: readonly { readonly id: bigint; readonly network: string }[];
  readonly isSending: boolean;
  /** What waits for a person or the signer, oldest first. */
  readonly toSend: readonly ToSend[];
  /** What has arrived where it may come back from. */
  readonly landed: readonly Pick<ToSend, 'id' | 'assetId' | 'units'>[];
  /** Of what left in this story and nobody ordered: departure and part. */
  readonly unexplained: readonly Unexplained[];
};

export type ToSend = {
  readonly id: string;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly kind: 'TRANSFER' | 'REFUND' | 'RETURN';
  /** What was signed for it and can still land, as far as the service knows. */
  readonly transaction: string | null;
};

/** An order of the house, as the dealer knows it. */
export type Hedge = {
  /** Undefined when it was refused, or nobody heard the answer. */
  id: string | undefined;
  readonly giveAssetId: string;
  readonly giveUnits: bigint;
  readonly getAssetId: string;
  readonly closesUnits: bigint;
  readonly parts: HedgePart[];
};

/** An order of the house at the market; undefined as that of a dealer is. */
export type Conversion = { id: string | undefined };

export type HedgePart = {
  readonly fillId: string;
  readonly soldUnits: bigint;
  readonly gotUnits: bigint;
  readonly feeUnits: bigint | undefined;
  /** It turned out to be entered wrongly. */
  isUndone: boolean;
};

export type Unexplained = {
  readonly departureId: bigint;
  readonly number: number;
  readonly network: string;
  readonly destination: string;
  readonly assetId: string;
  readonly units: bigint;
  /** It gave us something else. */
  readonly isExchanged: boolean;
};

export type Story = {
  readonly seed: number;
  readonly random: Random;
  readonly world: World;
  readonly shop: Caller;
  readonly receiver: ShopReceiver;
  /** Where this story takes place: few chains, so that things meet. */
  readonly chains: readonly ChainId[];
  readonly checkouts: StoryCheckout[];
  readonly addresses: StoryAddress[];
  /** What the house took in a swap, and promised for it. */
  readonly swapped: {
    readonly from: string;
    readonly to: string;
    readonly taken: bigint;
    readonly promised: bigint;
  }[];
  readonly hedges: Hedge[];
  readonly conversions: Conversion[];
  /** Networks on which somebody is known whom money is sent to. */
  readonly beneficiaries: Set<string>;
  readonly oracle: Oracle;
  known: Known;
  readonly sent: { readonly chain: ChainId; readonly transaction: string }[];
  /** Receipts with their generation that were final when somebody looked (R5). */
  readonly seenFinal: Set<string>;
  readonly counters: Counters;
  service: ServiceProcess;
};

export function chance(random: Random, percent: number): boolean {
  return randomInteger(random, 100) < percent;
}

const DEATH_PERCENT = 15;
const BREAK_PERCENT = 15;

/**
 * An act of the service, during which the process may die; it is started again then. What comes
 * back is what somebody who looks on would say of it.
 * @throws whatever is neither a refusal nor an outage that can be explained: that is a bug.
 */
export async function act(
  story: Story,
  run: (service: ServiceProcess) => Promise<string>,
  frozen: ReadonlySet<ChainId> = new Set(),
): Promise<string> {
  if (!chance(story.random, DEATH_PERCENT)) {
    return explain(() => run(story.service), frozen);
  }
  if (chance(story.random, BREAK_PERCENT)) return actWhileConnectionsBreak(story, run, frozen);
  const death = drawDeath(story.random);
  const failing = failingDatabase(story.world.serviceDb, death);
  const dying = processOver(story.world, failing.db, story.service.rates);
  const said = await explain(() => run(dying), frozen, failing.isDead);
  if (!failing.isDead()) return said;
  story.counters.deaths += 1;
  story.service = await startProcess(story.world);
  return `${said}, died ${death.at} ${death.count}`;
}

/** The process lives on: what it was doing is lost or not, and it goes on with new connections. */
async function actWhileConnectionsBreak(
  story: Story,
  run: (service: ServiceProcess) => Promise<string>,
  frozen: ReadonlySet<ChainId>,
): Promise<string> {
  const { world, service, random } = story;
  const count = 1 + randomInteger(random, 8);
  const breaking = breakingDatabase(world.serviceDb, count, world.breakConnections);
  const shaken = processOver(world, breaking.db, service.rates);
  const said = await explain(
    () => run(shaken),
    frozen,
    () => breaking.broken() !== undefined,
  );
  if (breaking.broken() === undefined) return said;
  await breaking.broken();
  await breaking.rest();
  story.counters.disconnections += 1;
  return `${said}, connections broken at query ${count}`;
}

function drawDeath(random: Random): Death {
  const at = pick(random, ['statement', 'statement', 'before-commit', 'after-commit'] as const);
  return { at, count: 1 + randomInteger(random, at === 'statement' ? 14 : 3) };
}

/** What others do, which our process has no part in: it may be refused, and never fails. */
export function outside(run: () => Promise<string>): Promise<string> {
  return explain(run, new Set());
}

export async function explain(
  run: () => Promise<string>,
  frozen: ReadonlySet<ChainId>,
  isDead: () => boolean = () => false,
): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AssertionFailure) throw error;
    if (error instanceof Refusal) return `refused: ${error.code}`;
    if (!(error instanceof Outage)) throw error;
    if (isDead()) return 'cut off';
    if (error.what.startsWith('rate ')) return 'no price';
    if (frozen.has(error.what as ChainId)) return 'no answer';
    throw error;
  }
}
