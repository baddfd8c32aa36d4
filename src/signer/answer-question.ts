// What the signer answers to one question. Everything between reading the order and the line in the
// log happens without waiting, so two questions never meet in between: a cap that has room for one
// order gives it to one.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { codeOf, isApproval } from './approval.ts';
import { askedOrders, decideSignature, findSameAttempt } from './decide-signature.ts';
import { forgetPending } from './history.ts';
import type { Approver } from './key-file.ts';
import { purposeText, signedEntry } from './log-entry.ts';
import type { OpenKey } from './open-key.ts';
import type { SignerAnswer, SignerQuestion } from './protocol.ts';
import type { SignerRules } from './rules.ts';
import {
  type OrderedPayment,
  type Purpose,
  purposeDigest,
  type SignOrder,
  sha256Text,
} from './sign-order.ts';
import type { SignerLog } from './signer-log.ts';

export type Signer = {
  readonly keys: readonly OpenKey[];
  readonly approvers: readonly Approver[];
  readonly rules: SignerRules;
  readonly signerLog: SignerLog;
  readonly clock: Clock;
  readonly log: Log;
  /** Refusals that were written down in the last minute. */
  readonly refusals: { minute: bigint; count: number };
};

/** In the log, for each minute: whoever only wants to fill a disk does not get far. */
const REFUSALS_WRITTEN_MOST = 60;
const NANOSECONDS_OF_MINUTE = 60n * 10n ** 9n;
/** What waits for a second person; more is nobody's honest work. */
const PENDING_MOST = 1_000;

/** @throws Outage when the log cannot be written. */
export function answerQuestion(signer: Signer, question: SignerQuestion): SignerAnswer {
  switch (question.ask) {
    case 'info':
      return answerInfo(signer);
    case 'sign':
      return answerSign(signer, question.order);
    case 'pending':
      return answerPending(signer, question.code);
    case 'approve':
      return answerApprove(signer, question);
  }
}

function answerInfo({ keys, signerLog }: Signer): SignerAnswer {
  const { lines, digest } = signerLog.head();
  const shown = keys.map((key) => key.shown);
  return { answer: 'info', keys: shown, log: { lines: BigInt(lines), digest } };
}

function answerSign(signer: Signer, order: SignOrder): SignerAnswer {
  const { signerLog, clock } = signer;
  try {
    const asked = askedOrders(order, signerLog.history);
    const same = findSameAttempt(asked, sha256Text(order.unsigned));
    if (same !== undefined) return given(signer, same.line);
    const key = chooseKey(signer, order);
    const { rules } = signer;
    const reviewed = key.review(order, clock.now(), rules);
    const { history } = signerLog;
    const isOwn = order.payments.map((payment) => isOwnPayment(signer, order, payment));
    const facts = { history, rules, now: clock.now() };
    const decided = decideSignature({ order, asked, reviewed, isOwn, ...facts });
    if (decided.decision === 'refuse') return refused(signer, order, decided.code, decided.reasons);
    if (decided.decision === 'approve') return askSecondPerson(signer, order, decided.purpose);
    const bytes = reviewed.sign();
    const digests = asked.map(({ digest }) => digest);
    const entry = signedEntry(order, digests, key.shown.name, reviewed, bytes, decided);
    signerLog.append(entry);
    signer.log.info('signed', { order: order.id, transaction: bytes.transaction });
    return { answer: 'signed', ...bytes };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(signer, order, error.code, error.details);
  }
}

/** What was signed is not secret, and caps were counted when it was signed. */
function given({ signerLog }: Signer, line: { start: number; bytes: number }): SignerAnswer {
  const entry = signerLog.read(line);
  assert(entry.kind === 'signed', 'that line is of a signature');
  const { signedTransaction, transaction } = entry;
  return { answer: 'signed', signedTransaction, transaction };
}

/** Also of another key than the one that pays: coins for gas come from an account of their own. */
function isOwnPayment(signer: Signer, order: SignOrder, payment: OrderedPayment): boolean {
  return keysOfNetwork(signer, order).some((key) => key.owns(payment));
}

function keysOfNetwork({ keys }: Signer, { environment, network }: SignOrder): readonly OpenKey[] {
  return keys.filter(({ shown }) => shown.environment === environment && shown.network === network);
}

function chooseKey(signer: Signer, order: SignOrder): OpenKey {
  const { environment, network } = order;
  const ofNetwork = keysOfNetwork(signer, order);
  const key = ofNetwork.find((one) => one.isFor(order));
  if (key !== undefined) return key;
  throw new Refusal('missing', 'key_missing', [
    ofNetwork.length === 0
      ? `the signer has no key of ${environment}:${network}`
      : `none of the signer's keys of ${environment}:${network} is for what pays`,
  ]);
}

/** For what it has to agree to: one of the orders that a transaction is asked for. */
function askSecondPerson(signer: Signer, order: SignOrder, purpose: Purpose): SignerAnswer {
  const { signerLog, log } = signer;
  const digest = purposeDigest(purpose);
  const code = codeOf(digest);
  const { pending } = signerLog.history;
  if (!pending.has(digest)) {
    if (waitingIn(signer) >= PENDING_MOST) {
      return refused(signer, order, 'too_many_wait', [`${PENDING_MOST} orders wait for approval`]);
    }
    signerLog.append({ kind: 'asked', order: purposeText(purpose), digest, code });
    log.warn('a second person is needed: quittance sign approve', { code, order: purpose.id });
  }
  return { answer: 'needs-approval', code };
}

function waitingIn({ signerLog, clock }: Signer): number {
  forgetPending(signerLog.history, clock.now());
  return signerLog.history.pending.size;
}

function answerPending({ signerLog }: Signer, code: string): SignerAnswer {
  const { pending } = signerLog.history;
  const found = [...pending.values()].find((one) => one.code === code);
  if (found === undefined) return noSuch(`nothing waits under the code ${code}`);
  const { digest, purpose } = found;
  const payments = purpose.payments.map((one) => ({ ...one, account: { ...one.account } }));
  const { before, ...rest } = purpose;
  const shown = { ...rest, payments, ...(before && { before: [...before] }) };
  return { answer: 'pending', digest, purpose: shown };
}

function answerApprove(
  signer: Signer,
  asked: Extract<SignerQuestion, { ask: 'approve' }>,
): SignerAnswer {
  const { digest, approver, signature } = asked;
  const { signerLog, approvers, log } = signer;
  const found = signerLog.history.pending.get(digest);
  if (found === undefined) return noSuch('nothing waits for that approval');
  const person = approvers.find(({ name }) => name === approver);
  if (person === undefined || !isApproval(signature, digest, person.publicKey)) {
    log.warn('an approval was refused', { approver, code: found.code });
    return {
      answer: 'refused',
      code: 'approval_wrong',
      reasons: [
        'that is no approval by a person whom the running signer knows; start it again after sign approver add',
      ],
    };
  }
  signerLog.append({ kind: 'approved', digest, code: found.code, approver, signature });
  log.info('approved', { approver, code: found.code });
  return { answer: 'approved' };
}

function noSuch(reason: string): SignerAnswer {
  return { answer: 'refused', code: 'approval_unknown', reasons: [reason] };
}

function refused(
  signer: Signer,
  order: SignOrder,
  code: string,
  reasons: readonly string[],
): SignerAnswer {
  const { refusals, clock, signerLog, log } = signer;
  const minute = clock.now().epochNanoseconds / NANOSECONDS_OF_MINUTE;
  if (refusals.minute !== minute) Object.assign(refusals, { minute, count: 0 });
  refusals.count += 1;
  if (refusals.count <= REFUSALS_WRITTEN_MOST) {
    signerLog.append({ kind: 'refused', order: purposeText(order), code, reasons });
    log.warn('refused', { order: order.id, network: order.network, code, reasons });
  }
  return { answer: 'refused', code, reasons: [...reasons] };
}
