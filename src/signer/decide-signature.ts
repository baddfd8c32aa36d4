// Whether a transaction that does what its order says is signed: once for each order, within the
// caps, for receivers that are allowed, not too fast, and above a limit only when a second person
// agrees. Pure.

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
import type { ReviewedOrder } from './open-key.ts';
import type { SignerRules } from './rules.ts';
import { purposeDigest, type SignOrder } from './sign-order.ts';

type Decision =
  | {
      readonly decision: 'sign';
      readonly spendings: readonly Spending[];
      /** What was approved, where it is signed beside what came before. */
      readonly anew?: string;
    }
  /** `before`: what was signed for it, where it is to be signed beside that. */
  | { readonly decision: 'approve'; readonly before?: readonly string[] }
  | Refused;

type Refused = {
  readonly decision: 'refuse';
  readonly code: string;
  readonly reasons: readonly string[];
};

type Question = {
  readonly order: SignOrder;
  readonly digest: string;
  readonly reviewed: ReviewedOrder;
  readonly history: History;
  readonly rules: SignerRules;
  readonly now: Temporal.Instant;
};

/** An approval that was not used for so long says nothing any more. */
const APPROVAL_LASTS: Temporal.DurationLike = { hours: 24 };

/** The attempt with the same bytes: what was given out for it is given out again. */
export function findSameAttempt(
  known: SignedOrder | undefined,
  unsignedHash: string,
): LoggedAttempt | undefined {
  return known?.attempts.find((attempt) => attempt.unsignedHash === unsignedHash);
}

export function decideSignature(question: Question): Decision {
  const { order, reviewed, history, rules, now } = question;
  const signed = history.orders.get(order.id);
  const before = beforeAnew(question, signed);
  // A person says that what was signed before is nothing any more.
  const known = before === undefined ? signed : undefined;
  const onePayment = againstLaw(question, known);
  if (onePayment.length > 0) return refuse('one_order_one_payment', onePayment);
  const lies = coinsToldOtherwise(question);
  if (lies.length > 0) return refuse('coin_differs', lies);
  if (signedWithinMinute(history, now) >= rules.signaturesPerMinute) {
    const reason = `${rules.signaturesPerMinute} signatures a minute are allowed; ask again later`;
    return refuse('too_fast', [reason]);
  }
  const spendings = spendingsOf(question, known);
  const above = againstCaps(question, spendings);
  if (above.length > 0) return refuse('above_cap', above);
  const strangers = reviewed.receivers.filter((receiver) => !isAllowed(question, receiver));
  if (strangers.length > 0) {
    const reasons = strangers.map((one) => `${one} is not on the list of receivers of the signer`);
    return refuse('receiver_not_listed', reasons);
  }
  // What replaces a payment that was signed gives nothing more away.
  if (before !== undefined) {
    const anew = purposeDigest({ ...order, before });
    return isApproved(question, anew)
      ? { decision: 'sign', spendings, anew }
      : { decision: 'approve', before };
  }
  const isNew = known === undefined;
  return isNew && needsSecondPerson(question)
    ? { decision: 'approve' }
    : { decision: 'sign', spendings };
}

/**
 * What was signed for the order and could land beside this, where the service says that none of it
 * can. The signer sees no network, so that is for a second person to look at and agree to, whatever
 * the amount is; undefined where the law of one payment holds.
 */
function beforeAnew({ order, digest, reviewed }: Question, known?: SignedOrder) {
  const isAsked = order.kind === 'PAY' && order.facts.isAnew === true;
  if (!isAsked || known?.digest !== digest) return undefined;
  const attempts = attemptsThatMayLand(known);
  if (attempts.every((attempt) => isInstead(attempt, reviewed))) return undefined;
  return attempts.map(({ transaction, turns }) => `${transaction} (${turns.join(', ')})`);
}

/** Only one of both can land. */
function isInstead({ turns }: LoggedAttempt, reviewed: ReviewedOrder): boolean {
  return turns.some((turn) => reviewed.turns.includes(turn));
}

/** One order, one payment: whatever else is signed for it cannot land beside the first. */
function againstLaw({ order, digest, reviewed, history }: Question, known?: SignedOrder): string[] {
  if ((order.kind === 'PAY') === (order.payments.length === 0)) {
    return ['an order pays somebody, and what takes its place to end it (CANCEL) pays nobody'];
  }
  if (known === undefined) {
    if (order.kind === 'CANCEL') return [`nothing was signed for the order ${order.id}`];
  } else if (order.kind === 'PAY' && known.digest !== digest) {
    return [`the order ${order.id} was signed to pay something else`];
  }
  const signed = known === undefined ? [] : attemptsThatMayLand(known);
  const beside = signed.filter((attempt) => !isInstead(attempt, reviewed));
  if (beside.length > 0) {
    return [
      `the order ${order.id} was signed already, and this could land beside that: a replacement ` +
        'has the same nonce or sequence, or spends one of the same coins',
    ];
  }
  if (!reviewed.isTurnForOneOrder) return [];
  const others = reviewed.turns
    .map((turn) => history.orderOfTurn.get(turn))
    .filter((other) => other !== undefined && other !== order.id);
  return others.map((other) => `the nonce is that of the order ${other}`);
}

function coinsToldOtherwise({ reviewed, history }: Question): string[] {
  return [...reviewed.coins].flatMap(([coin, units]) => {
    const told = history.coins.get(coin);
    if (told === undefined || told === units) return [];
    return [`${coin} was said to be worth ${told} units, and now ${units}`];
  });
}

/** What it adds to what is given away already: of a replacement only the higher fee. */
function spendingsOf({ order, reviewed }: Question, known?: SignedOrder): readonly Spending[] {
  const { environment, network, payments } = order;
  const before = (known === undefined ? [] : attemptsThatMayLand(known)).reduce(
    (most, { feeUnits }) => (feeUnits > most ? feeUnits : most),
    0n,
  );
  const more = reviewed.feeUnits > before ? reviewed.feeUnits - before : 0n;
  const fee = { environment, assetId: feeAssetOf(network), units: more, receiver: undefined };
  const paid = payments.map(({ assetId, units }, at) => {
    return { environment, assetId, units, receiver: reviewed.receivers[at] };
  });
  return [...(known === undefined ? paid : []), fee].filter(({ units }) => units > 0n);
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

function isAllowed({ order, rules }: Question, receiver: string): boolean {
  const { environment, network } = order;
  if (rules.onlyReceivers === undefined) return true;
  return rules.onlyReceivers.some(
    (one) =>
      one.environment === environment &&
      one.network === network &&
      // Addresses of EVM chains and of bech32 mean the same in capitals.
      (one.receiver === receiver || one.receiver.toLowerCase() === receiver),
  );
}

function needsSecondPerson(question: Question): boolean {
  const { order, digest, rules } = question;
  const { environment, payments } = order;
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
