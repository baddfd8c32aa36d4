// Sends what a payer signed, and says when it is carried out. Guarantees: the same payment is sent
// once, however often it is asked for, and its answer is the same; what the signer is asked is
// stored before it is asked; for a checkout one payment is sent, and another only after it failed.
// Not guaranteed: that it lands in time. Whoever is told that it waits asks again, and it is not
// sent twice.

import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import type { AuthorizedTransfer, RelayDraft } from '#deposit/authorized-transfer.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { openSigners } from '#sending/open-signers.ts';
import { readQuestion, signQuestion, writeLine } from '#signer/protocol.ts';
import type { Payment } from './read-payment.ts';
import {
  dropSettlement,
  findFreeSequence,
  findSettlement,
  insertSettlement,
  isTaken,
  listWaitingSettlements,
  noteFailed,
  noteSettled,
  noteSettlementSigned,
  type X402Settlement,
} from './settlement.ts';
import { findTarget, verifyPayment, type X402App, type X402Target } from './verify-payment.ts';

export type SettleX402App = X402App & {
  readonly signers: ReturnType<typeof openSigners>;
};

type Settled = {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
};

/** Of those who take a number at the same time one has it, and the others take the next. */
const TRIES = 8;
const WAIT_MS = 30_000;
const LOOK_MS = 500;

/** @throws Outage */
export async function settlePayment(app: SettleX402App, payment: Payment): Promise<Settled> {
  const payer = payment.transfer.from;
  const failed = (errorReason: string, transaction = ''): Settled => {
    return { success: false, errorReason, transaction, network: payment.required.network, payer };
  };
  const target = await findTarget(app, payment);
  if (target === undefined) return failed('invalid_payment_requirements');
  const transfer = { ...payment.transfer, assetId: target.assetId };
  const id = [target.chain, transfer.assetId, payer, transfer.nonce].join(' ');
  const known =
    (await findSettlement(app.db, id)) ?? (await findUnlessSent(app, target, payment, id));
  if (typeof known === 'string') return failed(known);
  const settlement = known ?? (await openSettlement(app, target, transfer, id));
  if (typeof settlement === 'string') return failed(settlement);
  // What was signed otherwise under the same nonce is another payment, and not this one.
  if (!settlement.draft.includes(transfer.signature.slice(2, 130))) {
    return failed('invalid_exact_evm_nonce_already_used');
  }
  if (known === undefined) await sendBefore(app, target, settlement);
  const signed = await sendSettlement(app, target, settlement);
  if (signed === undefined) return failed('unexpected_settle_error');
  const outcome =
    settlement.settledBy === undefined
      ? await waitForOutcome(app, target, transfer, { id, transaction: signed })
      : { paidBy: settlement.settledBy };
  if (outcome === undefined) return failed('settlement_pending', signed);
  if ('failed' in outcome) return failed('invalid_transaction_state', signed);
  const { network } = payment.required;
  return { success: true, transaction: outcome.paidBy, network, payer };
}

/**
 * Why it cannot be sent; undefined where it can. Somebody may have asked for the very same since we
 * looked: then that is what is told to both.
 */
async function findUnlessSent(
  app: SettleX402App,
  { checkoutId }: X402Target,
  payment: Payment,
  id: string,
): Promise<X402Settlement | string | undefined> {
  const { invalidReason } = await verifyPayment(app, payment);
  const isOther = invalidReason === undefined && (await isTaken(app.db, checkoutId));
  const reason = isOther ? 'duplicate_settlement' : invalidReason;
  return reason === undefined ? undefined : ((await findSettlement(app.db, id)) ?? reason);
}

/** What is to be asked of the signer, stored; or why it cannot be. */
async function openSettlement(
  app: SettleX402App,
  { chain, checkoutId, authorizations }: X402Target,
  transfer: AuthorizedTransfer,
  id: string,
): Promise<X402Settlement | string> {
  const { account: sender } = authorizations;
  if (sender === undefined || !app.signers.has(chain)) return 'unsupported_scheme';
  const { assetId, units, to } = transfer;
  // With its number, by which the signer knows it for ours.
  const index = await findSourceIndex(app.db, chain, to);
  const payments = [{ account: { address: to }, assetId, units, index }];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const least = await authorizations.readNextSequence();
    const sequence = await findFreeSequence(app.db, { chain, sender }, least);
    const draft = await authorizations.draft(transfer, sequence).catch(unlessRefused);
    if (draft === undefined) return 'invalid_exact_evm_transaction_simulation_failed';
    const asked = signQuestion({
      // Another payment after one that failed is another order.
      id: `x402:${checkoutId}:${transfer.nonce.slice(2, 18)}`,
      environment: environmentOf(chain),
      network: networkOf(chain),
      kind: 'RELAY',
      payments,
      feeUnits: draft.feeUnits,
      facts: { source: sender, sequence },
      unsigned: draft.unsigned,
    });
    const question = writeLine(asked);
    const row = { id, checkoutId, chain, sender, sequence, question };
    const { terms, call } = draft;
    const text = JSON.stringify({ terms, call });
    const made = { ...row, ...NOT_YET, draft: text, createdAt: app.clock.now() };
    const isMade = await insertSettlement(app.db, made);
    const found = await findSettlement(app.db, id);
    if (found !== undefined) return found;
    if (!isMade && (await isTaken(app.db, checkoutId))) return 'duplicate_settlement';
  }
  throw new Outage('payments of x402 are asked for too fast');
}

const NOT_YET = {
  ...{ signedTransaction: undefined, transaction: undefined },
  ...{ settledBy: undefined, failedAt: undefined },
};

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}

/**
 * A chain takes the transactions of an account in order: what a node has lost since, or a process
 * that died never sent, holds up all behind it. What can do nothing any more uses up its number.
 */
async function sendBefore(
  app: SettleX402App,
  target: X402Target,
  settlement: X402Settlement,
): Promise<void> {
  const least = await target.authorizations.readNextSequence();
  for (const one of await listWaitingSettlements(app.db, settlement, least)) {
    if (one.sequence >= settlement.sequence) return;
    await sendSettlement(app, target, one);
  }
}

/** The transaction that was sent; undefined where the signer refuses. @throws Outage */
async function sendSettlement(
  app: SettleX402App,
  { network }: X402Target,
  { id, chain, draft, question, signedTransaction, transaction }: X402Settlement,
): Promise<string | undefined> {
  const { sender } = network;
  const signer = app.signers.get(chain);
  if (sender === undefined || signer === undefined) throw new Outage('nobody signs for x402');
  if (signedTransaction !== undefined && transaction !== undefined) {
    await sender.broadcast({ signedTransaction, transaction }).catch(unlessRefused);
    return transaction;
  }
  const asked = readQuestion(question);
  assert('ask' in asked && asked.ask === 'sign', 'what was asked can be read again');
  const outcome = await signer.sign(asked.order);
  if (outcome.outcome === 'AWAY') throw new Outage(`the signer: ${outcome.reason}`);
  if (outcome.outcome === 'NOT_NOW') {
    await dropSettlement(app.db, id);
    return undefined;
  }
  const { terms, call } = JSON.parse(draft) as Pick<RelayDraft, 'terms' | 'call'>;
  const returned = Buffer.from(outcome.signedTransaction);
  const signed = await sender.readSigned({ payments: [], terms, returned, carries: call });
  // Only what is stored is sent: without its row another payment may have its number.
  if (!(await noteSettlementSigned(app.db, id, signed))) return undefined;
  // A node that refuses may know it already; what became of it is asked next.
  await sender.broadcast(signed).catch(unlessRefused);
  return signed.transaction;
}

async function waitForOutcome(
  { db, clock }: SettleX402App,
  { authorizations }: X402Target,
  transfer: AuthorizedTransfer,
  { id, transaction }: { readonly id: string; readonly transaction: string },
) {
  const endsAtMs = clock.monotonicMs() + WAIT_MS;
  for (;;) {
    const outcome = await authorizations.findOutcome(transfer, transaction);
    if (outcome !== undefined) {
      if ('paidBy' in outcome) await noteSettled(db, id, outcome.paidBy);
      else await noteFailed(db, id, clock.now());
      return outcome;
    }
    if (clock.monotonicMs() >= endsAtMs) return undefined;
    await clock.sleep(LOOK_MS, new AbortController().signal);
  }
}
