// Turns facts into a decision, and the decision into postings, a new state and events, all in one
// transaction that holds the receipts and the checkout (C1, C5). Two round trips: read everything,
// write everything.
//
// Guarantees: an event exists if and only if its change was committed; running it again without new
// facts changes nothing. Lock order everywhere: the checkout, then ledger accounts; who
// records receipts locks their checkouts first (deposit/record-observation).

import { isDeepStrictEqual } from 'node:util';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { compareInstants } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db, Tx } from '#db/db.ts';
import { isChainBehind } from '#deposit/chain-status.ts';
import { holdSuspense } from '#deposit/close-suspense.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import { listMisdirected } from '#deposit/list-misdirected.ts';
import type { Payee } from '#deposit/network.ts';
import type { Receipt } from '#deposit/receipt.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import type { EventType } from '#event/event.ts';
import type { Account } from '#ledger/account.ts';
import { accountsOf } from '#ledger/ledger-entry.ts';
import { ensureAccounts, findUnknownAccounts, postEntries } from '#ledger/post-entry.ts';
import type { RateBook } from '#rates/quote.ts';
import type { CheckoutRecord, CheckoutState } from './checkout.ts';
import { checkoutEventBody } from './checkout-event.ts';
import { lockDueCheckoutRow } from './checkout-store.ts';
import { decideSettlement } from './decide-settlement.ts';
import { locksOf } from './lock-of-receipt.ts';
import { noteRefundPayments } from './note-refund-payments.ts';
import type { PageTokenKeys } from './page-token.ts';
import { rateOfLock } from './rate-of-lock.ts';
import { readRecords } from './read-records.ts';
import { updateSettleAt, updateSettledCheckout } from './settled-checkout-store.ts';
import type { SettlementDecision, SettlementFacts } from './settlement-facts.ts';
import { type Misdirected, toldBy } from './settlement-told.ts';
import { creditsAfter, moneyWrites, receiptsAfter } from './settlement-writes.ts';
import { unaskedLocks, unaskedName } from './unasked-lock.ts';
import { writeCredits } from './write-credits.ts';

export type SettleCheckoutApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<string, Payee>;
  readonly keyring: InstructionKeys & PageTokenKeys;
  readonly publicUrl: string;
};

export type SettleOutcome =
  | { readonly kind: 'busy' }
  | { readonly kind: 'unchanged'; readonly waitsForRate: boolean }
  | {
      readonly kind: 'changed';
      readonly state: CheckoutState;
      readonly events: number;
      readonly waitsForRate: boolean;
    };

/**
 * Thrown inside the transaction, which it undoes; the accounts are made and the act is repeated.
 */
class AccountsMissing extends Error {
  readonly accounts: readonly Account[];
  constructor(accounts: readonly Account[]) {
    super('ledger accounts are missing');
    this.accounts = accounts;
  }
}

export async function settleCheckout(
  app: SettleCheckoutApp,
  checkoutId: string,
): Promise<SettleOutcome> {
  return transactWithAccounts(app.db, async (tx) => {
    const record = await readForSettlement(app, tx, checkoutId);
    return record === undefined ? { kind: 'busy' } : settleLocked(app, tx, record);
  });
}

/** A transaction that settles: it is repeated once its accounts are there. */
export async function transactWithAccounts<Answer>(
  db: Db,
  act: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await db.transact(act);
    } catch (error) {
      if (!(error instanceof AccountsMissing)) throw error;
      await ensureAccounts(db, error.accounts);
    }
  }
}

/** Within a transaction that holds the checkout, which `record` was read under. */
export async function settleLocked(
  app: SettleCheckoutApp,
  tx: Tx,
  record: CheckoutRecord,
): Promise<Exclude<SettleOutcome, { kind: 'busy' }>> {
  const now = app.clock.now();
  const [isBehind, strays] = await Promise.all([
    behind(tx, record, now),
    strayReceipts(tx, record),
  ]);
  const misdirected = await misdirectedMoney(tx, record, strays);
  const facts = settlementFacts(record, now, isBehind);
  const decision = decideSettlement(facts, (lock) => rateOfLock(app, record, lock, now));
  return carryOut(app, tx, record, decision, misdirected, now);
}

/** Only where an address exists on several chains; asked of no other checkout. */
async function strayReceipts(tx: Tx, record: CheckoutRecord): Promise<readonly Receipt[]> {
  const isShared = record.commitments.some(({ network }) => getNetwork(network).family === 'evm');
  if (!isShared || record.environment !== 'live') return [];
  const found = await listMisdirected(tx, 'checkout', [record.id]);
  return found.map(({ receipt }) => receipt);
}

/** What was decided on is no longer told; asked only where there is something in suspense. */
async function misdirectedMoney(
  tx: Tx,
  record: CheckoutRecord,
  strays: readonly Receipt[],
): Promise<Misdirected> {
  const held = record.credits.filter(({ account }) => account === 'suspense');
  const receiptIds = [...held.map(({ receiptId }) => receiptId), ...strays.map(({ id }) => id)];
  const suspense = await holdSuspense(tx, receiptIds);
  return { strays, suspense };
}

/** The lock of the checkout also holds its receipts: recording takes it before it writes them. */
async function readForSettlement(
  app: SettleCheckoutApp,
  tx: Tx,
  checkoutId: string,
): Promise<CheckoutRecord | undefined> {
  // Sent first: what is read after it is what the lock holds.
  const rows = lockDueCheckoutRow(tx, checkoutId).then((row) => (row === undefined ? [] : [row]));
  const [record] = await readRecords(app, tx, [checkoutId], rows);
  return record;
}

/** Only asked when the checkout could expire now: an unheard network never expires one. */
async function behind(tx: Tx, record: CheckoutRecord, now: Temporal.Instant): Promise<boolean> {
  if (compareInstants(now, record.expiresAt) < 0) return false;
  if (record.state !== 'AWAITING_PAYMENT' && record.state !== 'PENDING') return false;
  const chains = [...new Set(record.commitments.map(({ network }) => network))].map((network) =>
    chainOf(record.environment, network),
  );
  const answers = await Promise.all(
    chains.map((chain) => isChainBehind(tx, chain, now, record.expiresAt)),
  );
  return answers.includes(true);
}

function settlementFacts(
  record: CheckoutRecord,
  now: Temporal.Instant,
  networkBehind: boolean,
): SettlementFacts {
  return {
    state: record.state,
    expiresAt: record.expiresAt,
    cancelled: record.cancelledAt !== undefined,
    feePartsPerMillion: record.feePartsPerMillion,
    underpaidTolerancePartsPerMillion: record.underpaidTolerancePartsPerMillion,
    lateFloorPartsPerMillion: record.lateFloorPartsPerMillion,
    locks: [...record.commitments.flatMap(locksOf), ...unaskedLocks(record.receipts)],
    receipts: inOrderOfFinality(record.receipts).map((receipt) => {
      const isUnasked = receipt.unaskedSettlementAssetId !== undefined;
      const instructionId = isUnasked ? unaskedName(receipt.id) : receipt.instructionId;
      assert(instructionId !== undefined, 'a receipt of a checkout has an instruction');
      return { ...receipt, instructionId };
    }),
    credits: record.credits.map((credit) => ({
      receiptId: credit.receiptId,
      generation: credit.generation,
      lockedUnits: credit.lockedUnits,
      rateBasis: credit.rateBasis,
      requiredNowUnits: credit.requiredNowUnits,
      account: credit.account,
      accepted: credit.acceptedAt !== undefined,
      released: credit.releasedAt !== undefined,
      reversed: credit.reversedAt !== undefined,
      owed: credit.owedAt !== undefined && credit.returnedAt === undefined,
    })),
    networkBehind,
    now,
  };
}

/** The lock goes to what became final first, then to what was seen first. */
function inOrderOfFinality(receipts: readonly Receipt[]): Receipt[] {
  return [...receipts].sort((a, b) => {
    const first = a.finalAt ?? a.seenAt;
    const second = b.finalAt ?? b.seenAt;
    return compareInstants(first, second) || (a.id < b.id ? -1 : 1);
  });
}

function carryOut(
  app: SettleCheckoutApp,
  tx: Tx,
  record: CheckoutRecord,
  decision: SettlementDecision,
  misdirected: Misdirected,
  now: Temporal.Instant,
): Exclude<SettleOutcome, { kind: 'busy' }> {
  const { waitsForRate } = decision;
  const written = moneyWrites(record, decision, now);
  const { flags, events } = toldBy(record, decision, written, misdirected, now);
  const isStateChange = decision.state !== record.state;
  const isChange =
    isStateChange ||
    written.entries.length > 0 ||
    events.length > 0 ||
    !isDeepStrictEqual(flags, record.flags);
  if (!isChange) {
    updateSettleAt(tx, record.id, decision.decideAgainAt);
    noteRefundPayments(tx, record, now);
    return { kind: 'unchanged', waitsForRate };
  }

  const unknown = findUnknownAccounts(app.db, accountsOf(written.entries));
  if (unknown.length > 0) throw new AccountsMissing(unknown);
  const undone = writeCredits(tx, record, written, misdirected.suspense, now);

  const completedAt = record.completedAt ?? (decision.state === 'COMPLETED' ? now : undefined);
  const decided: CheckoutRecord = {
    ...record,
    state: decision.state,
    version: record.version + 1,
    eventSequence: record.eventSequence + events.length,
    sourceNetwork: decision.paidLock?.network ?? record.sourceNetwork,
    sourceAssetId: decision.paidLock?.assetId ?? record.sourceAssetId,
    flags,
    completedAt,
    receipts: receiptsAfter(record.receipts, written),
    credits: creditsAfter(record.credits, written, now),
    stateHistory: isStateChange
      ? [...record.stateHistory, { state: decision.state, changedAt: now }]
      : record.stateHistory,
  };
  const settled = { ...decided, refunds: noteRefundPayments(tx, decided, now) };
  updateSettledCheckout(tx, {
    checkoutId: record.id,
    state: settled.state,
    isStateChange,
    version: settled.version,
    eventSequence: settled.eventSequence,
    flags,
    sourceNetwork: settled.sourceNetwork,
    sourceAssetId: settled.sourceAssetId,
    completedAt,
    settleAt: decision.decideAgainAt,
    now,
  });
  sendEvents(app, tx, settled, events, record.eventSequence, now);
  // Last: everybody who is paid on this network waits for its accounts until COMMIT.
  postEntries(tx, [...written.entries, ...undone]);
  return { kind: 'changed', state: decision.state, events: events.length, waitsForRate };
}

function sendEvents(
  app: SettleCheckoutApp,
  tx: Tx,
  settled: CheckoutRecord,
  events: readonly EventType[],
  sequenceBefore: number,
  now: Temporal.Instant,
): void {
  events.forEach((type, index) => {
    const id = newId(app.random);
    const sequence = sequenceBefore + index + 1;
    enqueueEvent(tx, {
      id,
      merchantId: settled.merchantId,
      environment: settled.environment as Environment,
      type,
      subject: 'checkout',
      subjectId: settled.id,
      sequence,
      causeKey: `checkout:${settled.id}:${settled.version}:${type}`,
      body: checkoutEventBody(app, settled, { id, type, sequence, created: now }),
      apiKey: settled.apiKey,
      createdAt: now,
      webhookUrl: settled.webhookUrl,
    });
  });
}
