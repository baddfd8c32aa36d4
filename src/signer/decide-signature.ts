// Whether a transaction that does what its order says is signed: once for each order, within the
// caps, for receivers that are allowed, not too fast, and above a limit only when a second person
// agrees. Pure.

import { Refusal } from '#base/refusal.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import {
  attemptsThatMayLand,
  type History,
  type LoggedAttempt,
  type SignedOrder,
  type Spending,
  signedWithinMinute,
  spentWithinDay,
} from './history.ts';
import { againstPrice } from './least-price.ts';
import { type ReviewedOrder, receiverText } from './open-key.ts';
import type { ListedAddress, SignerRules } from './rules.ts';
import { ordersIn, type Purpose, purposeDigest, type SignOrder } from './sign-order.ts';

type Decision =
  | {
      readonly decision: 'sign';
      readonly spendings: readonly Spending[];
      /** What was approved, where it is signed beside what came before. */
      readonly anew?: string;
    }
  /** What a second person has to agree to first. */
  | { readonly decision: 'approve'; readonly purpose: Purpose }
  | Refused;

type Refused = {
  readonly decision: 'refuse';
  readonly code: string;
  readonly reasons: readonly string[];
};

type Question = {
  readonly order: SignOrder;
  /** What the transaction carries (`askedOrders`). */
  readonly asked: readonly AskedOrder[];
  readonly reviewed: ReviewedOrder;
  /** For each payment, whether a key of the signer can spend what arrives. */
  readonly isOwn: readonly boolean[];
  readonly history: History;
  readonly rules: SignerRules;
  readonly now: Temporal.Instant;
};

/** An approval that was not used for so long says nothing any more. */
const APPROVAL_LASTS: Temporal.DurationLike = { hours: 24 };

/** One of those that a transaction carries, and what was signed for it before. */
type AskedOrder = {
  readonly purpose: Purpose;
  /** Of its purpose; of a cancellation that of what was signed for it. */
  readonly digest: string;
  readonly known: SignedOrder | undefined;
};

/** @throws Refusal where it is not said which payment is whose. */
export function askedOrders(order: SignOrder, { orders }: History): readonly AskedOrder[] {
  const purposes = ordersIn(order);
  if (purposes === undefined) {
    const sentence = 'beside: of several orders each has one payment, and another id';
    throw new Refusal('invalid', 'order_incomplete', sentence);
  }
  return purposes.map((purpose) => {
    const known = orders.get(purpose.id);
    const digest = order.kind === 'CANCEL' ? (known?.digest ?? '') : purposeDigest(purpose);
    return { purpose, digest, known };
  });
}

/** The attempt with the same bytes: what was given out for them is given out again. */
export function findSameAttempt(
  asked: readonly AskedOrder[],
  unsignedHash: string,
): LoggedAttempt | undefined {
  const same = asked.map(({ known, digest }) =>
    known?.digest === digest
      ? known.attempts.find((attempt) => attempt.unsignedHash === unsignedHash)
      : undefined,
  );
  const [first] = same;
  return same.every((one) => one !== undefined && one.line === first?.line) ? first : undefined;
}

export function decideSignature(question: Question): Decision {
  const { order, reviewed, history, rules, now } = question;
  const before = beforeAnew(question);
  // A person says that what was signed before is nothing any more.
  const asked =
    before === undefined
      ? question.asked
      : question.asked.map((one) => ({ ...one, known: undefined }));
  const onePayment = againstLaw(question, asked);
  if (onePayment.length > 0) return refuse('one_order_one_payment', onePayment);
  const lies = coinsToldOtherwise(question);
  if (lies.length > 0) return refuse('coin_differs', lies);
  if (signedWithinMinute(history, now) >= rules.signaturesPerMinute) {
    const reason = `${rules.signaturesPerMinute} signatures a minute are allowed; ask again later`;
    return refuse('too_fast', [reason]);
  }
  const worse = againstPrice(order, reviewed, rules.findLeastPrice);
  if (worse.length > 0) return refuse('price_refused', worse);
  const spendings = spendingsOf(question, asked);
  const above = againstCaps(question, spendings);
  if (above.length > 0) return refuse('above_cap', above);
  const elsewhere = sweptElsewhere(question);
  if (elsewhere.length > 0) return refuse('sweep_elsewhere', elsewhere);
  const strangers = reviewed.receivers.filter((receiver, at) => !isAllowed(question, receiver, at));
  if (strangers.length > 0) {
    const reasons = strangers.map((one) => `${one} is not on the list of receivers of the signer`);
    return refuse('receiver_not_listed', reasons);
  }
  // What replaces a payment that was signed gives nothing more away.
  if (before !== undefined) {
    const { id, environment, network, payments } = order;
    const purpose = { id, environment, network, payments, before };
    const anew = purposeDigest(purpose);
    return isApproved(question, anew)
      ? { decision: 'sign', spendings, anew }
      : { decision: 'approve', purpose };
  }
  const waiting = asked.find((one) => one.known === undefined && needsSecondPerson(question, one));
  return waiting === undefined
    ? { decision: 'sign', spendings }
    : { decision: 'approve', purpose: waiting.purpose };
}

/**
 * What was signed for the order and could land beside this, where the service says that none of it
 * can. The signer sees no network, so that is for a second person to look at and agree to, whatever
 * the amount is; undefined where the law of one payment holds.
 */
function beforeAnew({ order, asked, reviewed }: Question) {
  const [{ known, digest } = {}, ...others] = asked;
  const isAsked = order.kind === 'PAY' && order.facts.isAnew === true && others.length === 0;
  if (!isAsked || known?.digest !== digest || known === undefined) return undefined;
  const attempts = attemptsThatMayLand(known);
  if (attempts.every((attempt) => isInstead(attempt, reviewed))) return undefined;
  return attempts.map(({ transaction, turns }) => `${transaction} (${turns.join(', ')})`);
}

/** Only one of both can land. */
function isInstead({ turns }: LoggedAttempt, reviewed: ReviewedOrder): boolean {
  return turns.some((turn) => reviewed.turns.includes(turn));
}

/** One order, one payment: whatever else is signed for it cannot land beside the first. */
function againstLaw(
  { order, reviewed, history }: Question,
  asked: readonly AskedOrder[],
): string[] {
  if ((order.kind === 'CANCEL') !== (order.payments.length === 0)) {
    return ['an order pays somebody, and what takes its place to end it (CANCEL) pays nobody'];
  }
  const faults = asked.flatMap((one) => againstOnePayment(order, one, reviewed));
  if (faults.length > 0 || !reviewed.isTurnForOneOrder) return faults;
  const others = reviewed.turns
    .map((turn) => history.orderOfTurn.get(turn))
    .filter((other) => other !== undefined && other !== order.id);
  return others.map((other) => `the nonce is that of the order ${other}`);
}

function againstOnePayment(
  { kind }: SignOrder,
  { purpose: { id }, digest, known }: AskedOrder,
  reviewed: ReviewedOrder,
): string[] {
  if (known === undefined)
    return kind === 'CANCEL' ? [`nothing was signed for the order ${id}`] : [];
  if (kind !== 'CANCEL' && known.digest !== digest) {
    return [`the order ${id} was signed to pay something else`];
  }
  const beside = attemptsThatMayLand(known).filter((attempt) => !isInstead(attempt, reviewed));
  if (beside.length === 0) return [];
  return [
    `the order ${id} was signed already, and this could land beside that: a replacement has the ` +
      'same nonce or sequence, or spends one of the same coins',
  ];
}

function coinsToldOtherwise({ reviewed, history }: Question): string[] {
  return [...reviewed.coins].flatMap(([coin, units]) => {
    const told = history.coins.get(coin);
    if (told === undefined || told === units) return [];
    return [`${coin} was said to be worth ${told} units, and now ${units}`];
  });
}

/**
 * What it adds to what is given away already: of what replaces others only the higher fee, above
 * the highest that was counted for any of them.
 */
function spendingsOf(
  { order, reviewed }: Question,
  asked: readonly AskedOrder[],
): readonly Spending[] {
  const { environment, network } = order;
  const before = asked
    .flatMap(({ known }) => (known === undefined ? [] : attemptsThatMayLand(known)))
    .filter(({ turns }) => reviewed.feeTurn === undefined || turns.includes(reviewed.feeTurn))
    .reduce((most, { feeUnits }) => (feeUnits > most ? feeUnits : most), 0n);
  const more = reviewed.feeUnits > before ? reviewed.feeUnits - before : 0n;
  const fee = { environment, assetId: feeAssetOf(network), units: more, receiver: undefined };
  // What somebody else pays to us is no spending of ours.
  const given = order.kind === 'RELAY' ? [] : asked;
  const payments = given.flatMap(({ purpose, known }) =>
    purpose.payments.map((payment) => ({ ...payment, isNew: known === undefined })),
  );
  const paid = payments.flatMap(({ assetId, units, isNew }, at) =>
    isNew ? [{ environment, assetId, units, receiver: reviewed.receivers[at] }] : [],
  );
  return [...paid, fee].filter(({ units }) => units > 0n);
}

export function feeAssetOf(network: string): string {
  const coin = getNetwork(network).assets.find((id) => id.endsWith(`:${NATIVE_ISSUER}`));
  return coin ?? getNetwork(network).defaultAssetId;
}

function againstCaps(question: Question, spendings: readonly Spending[]): string[] {
  const { order, reviewed, history, rules, now } = question;
  const { environment, network } = order;
  const feeAsset = feeAssetOf(network);
  const feeMost = rules.findCap(environment, feeAsset)?.feePerTransaction;
  const faults: string[] = [];
  if (feeMost === undefined) {
    faults.push(`no fee_per_transaction is set for ${feeAsset} (${environment})`);
  } else if (reviewed.feeUnits > feeMost) {
    faults.push(
      `its fee is up to ${text(feeAsset, reviewed.feeUnits)}, the cap ${text(feeAsset, feeMost)}`,
    );
  }
  const day = spentWithinDay(history, now).filter((one) => one.environment === environment);
  for (const assetId of new Set(spendings.map((one) => one.assetId))) {
    const cap = rules.findCap(environment, assetId);
    const of = (list: readonly Spending[]) => list.filter((one) => one.assetId === assetId);
    const [now24, new24] = [of(day), of(spendings)];
    if (cap === undefined) {
      faults.push(`there is no cap for ${assetId} (${environment})`);
      continue;
    }
    const paid = new24.filter(({ receiver }) => receiver !== undefined);
    faults.push(
      ...above(assetId, 'of one transaction', sum(paid), cap.perTransaction),
      ...above(assetId, 'of 24 hours', sum(now24) + sum(new24), cap.perDay),
    );
    for (const receiver of new Set(paid.map((one) => one.receiver))) {
      const own = [...now24, ...paid].filter((one) => one.receiver === receiver);
      const most = cap.perReceiverPerDay ?? cap.perDay;
      faults.push(...above(assetId, `of 24 hours for ${receiver}`, sum(own), most));
    }
  }
  return faults;
}

function above(assetId: string, what: string, units: bigint, most: bigint): string[] {
  if (units <= most) return [];
  return [`the sum ${what} would be ${text(assetId, units)}, the cap is ${text(assetId, most)}`];
}

/** What is brought together goes where it is collected, whoever else may be paid. */
function sweptElsewhere({ order, reviewed, rules }: Question): string[] {
  const there = rules.collectTo.filter((one) => isOfNetwork(one, order));
  if (order.facts.isSweep !== true || there.length === 0) return [];
  return reviewed.receivers
    .filter((receiver) => there.every((one) => receiverOf(one) !== receiver))
    .map((receiver) => {
      const to = there.map(receiverOf).join(', ');
      return `it sweeps to ${receiver}, and collect_to of the signer is ${to}`;
    });
}

/** Money that stays with the signer's keys, or goes where it is collected, is paid to nobody. */
function isAllowed({ order, rules, isOwn }: Question, receiver: string, at: number): boolean {
  // What is relayed goes to an address of ours, or was refused before (evm-relay.ts).
  const isOurs = isOwn[at] === true || order.kind === 'RELAY';
  if (rules.onlyReceivers === undefined || isOurs) return true;
  return [...rules.onlyReceivers, ...rules.collectTo].some(
    (one) => isOfNetwork(one, order) && receiverOf(one) === receiver,
  );
}

function isOfNetwork(
  { environment, network }: ListedAddress,
  order: Pick<SignOrder, 'environment' | 'network'>,
): boolean {
  return environment === order.environment && network === order.network;
}

function receiverOf({ address, memo }: ListedAddress): string {
  return receiverText(address, memo);
}

function needsSecondPerson(question: Question, { purpose, digest }: AskedOrder): boolean {
  const { rules, order } = question;
  if (order.kind === 'RELAY') return false;
  const { environment, payments } = purpose;
  const isAbove = payments.some(({ assetId }) => {
    const limit = rules.findCap(environment, assetId)?.secondPersonAbove;
    const paid = payments.filter((one) => one.assetId === assetId);
    return limit !== undefined && sum(paid) > limit;
  });
  return isAbove && !isApproved(question, digest);
}

function isApproved({ history, now }: Question, digest: string): boolean {
  const approvedAt = history.approvedAt.get(digest);
  if (approvedAt === undefined) return false;
  return Temporal.Instant.compare(approvedAt.add(APPROVAL_LASTS), now) >= 0;
}

function sum(list: readonly { readonly units: bigint }[]): bigint {
  return list.reduce((total, { units }) => total + units, 0n);
}

function text(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}

function refuse(code: string, reasons: readonly string[]): Refused {
  return { decision: 'refuse', code, reasons };
}
