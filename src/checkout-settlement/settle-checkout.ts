// Settles checkouts (settle/settle.ts): reads everything that is known of one under its lock,
// decides (decide-settlement.ts), and says what is written and told. Two round trips: read
// everything, write everything. Running it again without new facts changes nothing.

import { isDeepStrictEqual } from 'node:util';
import { compareInstants } from '#base/instant.ts';
import type { Log } from '#base/log.ts';
import { chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { isChainBehind } from '#chain/chain-status.ts';
import type { Receipt } from '#chain/receipt.ts';
import { listMisdirected } from '#chain/strangers.ts';
import {
  type CheckoutRecord,
  type CheckoutState,
  lockCheckoutRow,
  selectCheckouts,
  writeDecided,
  writeSettleAt,
} from '#checkout/checkout.ts';
import { type CheckoutRefund, isUndone, writeRefundPayment } from '#checkout/checkout-refund.ts';
import { type CreditChanges, creditKey, creditsAfter, writeCredits } from '#checkout/credit.ts';
import { readRecords } from '#checkout/find-checkout.ts';
import type { PageTokenKeys } from '#checkout/page-token.ts';
import { sql, type Tx } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import type { EventType } from '#event/event.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { settleDue } from '#settle/queue.ts';
import {
  carryOut,
  type SettleApp,
  type Settlement,
  settle,
  settleTogether,
  type ToldEvent,
} from '#settle/settle.ts';
import { holdSuspense } from '#settle/suspense-act.ts';
import { receiptEntry, releaseEntry, returnedEntry, reversalEntries } from './checkout-entries.ts';
import { toldView } from './checkout-view.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';
import { decideSettlement } from './decide-settlement.ts';
import { rateOfLock, settlementFacts } from './facts-of-checkout.ts';
import type { SettlementDecision } from './settlement-facts.ts';
import { type Misdirected, toldBy } from './settlement-told.ts';

export type SettleCheckoutApp = SettleApp & {
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<string, Payee>;
  readonly keyring: InstructionKeys & PageTokenKeys;
  readonly publicUrl: string;
};

export type SettledCheckout =
  | { readonly kind: 'unchanged'; readonly waitsForRate: boolean }
  | {
      readonly kind: 'changed';
      readonly state: CheckoutState;
      readonly events: number;
      readonly waitsForRate: boolean;
    };

export type SettleDueApp = SettleCheckoutApp & {
  readonly log: Log;
  /** Called after each commit that changed something: deliver, tell open pages. */
  readonly onCheckoutChanged: (checkoutId: string, events: number) => void;
};

/** Fewer than the connections of the pool: an act may need a second one for a new account. */
const AT_ONCE = 6;

export function settleDueCheckouts(
  app: SettleDueApp,
  { atOnce = AT_ONCE }: { readonly atOnce?: number } = {},
): Promise<'idle' | 'busy'> {
  return settleDue(app, {
    purpose: 'checkout',
    atOnce,
    async settle(id) {
      const outcome = await settleCheckout(app, id);
      if (outcome.kind === 'changed') app.onCheckoutChanged(id, outcome.events);
    },
    async settleTogether(ids) {
      const settled = await settleCheckouts(app, ids);
      for (const [id, outcome] of settled) {
        if (outcome.kind === 'changed') app.onCheckoutChanged(id, outcome.events);
      }
      return new Set(settled.keys());
    },
  });
}

/**
 * Several at once, locked in order of their ids; those that somebody holds, and those where more
 * has to be asked, are left out.
 */
function settleCheckouts(
  app: SettleCheckoutApp,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SettledCheckout>> {
  return settleTogether(app, async (tx) => {
    const all = sql`where id = any(${ids}::text[]) order by id for update skip locked`;
    const records = await readRecords(app, tx, ids, selectCheckouts(tx, all));
    const now = app.clock.now();
    const plain = records.filter((record) => isPlain(record, now));
    return Promise.all(plain.map((record) => decide(app, tx, record)));
  });
}

const RECEIPTS_MOST = 20;

/**
 * Paid in its window, and nothing credited yet: `decide` asks the database nothing more of it, and
 * touches nothing that other checkouts have a part in but ledger accounts.
 */
function isPlain(record: CheckoutRecord, now: Temporal.Instant): boolean {
  const { credits, refunds, receipts, expiresAt } = record;
  if (credits.length > 0 || refunds.length > 0 || receipts.length > RECEIPTS_MOST) return false;
  if (compareInstants(now, expiresAt) >= 0) return false;
  return !mayHaveStrays(record);
}

const TRIES_MOST = 5;

/**
 * For an act whose answer shows what came of it: when another is at the checkout, waits for it to
 * end. What is still not decided after a few times is left to the settle loop.
 */
export async function settleAtOnce(app: SettleCheckoutApp, checkoutId: string) {
  for (let tries = 1; ; tries += 1) {
    const outcome = await settleCheckout(app, checkoutId);
    if (outcome.kind !== 'busy' || tries === TRIES_MOST) return outcome;
    await app.db.transact(async (tx) => {
      await lockCheckoutRow(tx, checkoutId);
    });
  }
}

/** The lock of the checkout also holds its receipts: recording takes it before it writes them. */
export function settleCheckout(app: SettleCheckoutApp, checkoutId: string) {
  return settle(app, async (tx) => {
    // Sent first, so that everything read after it is protected by the lock. It gives up at once
    // when somebody else holds the lock.
    const locked = selectCheckouts(tx, sql`where id = ${checkoutId} for update skip locked`);
    const [record] = await readRecords(app, tx, [checkoutId], locked);
    return record && decide(app, tx, record);
  });
}

/** Within `transactWithAccounts`, which holds the checkout that `record` was read under. */
export async function settleLocked(
  app: SettleCheckoutApp,
  tx: Tx,
  record: CheckoutRecord,
): Promise<SettledCheckout> {
  return carryOut(app, tx, await decide(app, tx, record));
}

async function decide(
  app: SettleCheckoutApp,
  tx: Tx,
  record: CheckoutRecord,
): Promise<Settlement<SettledCheckout>> {
  const now = app.clock.now();
  const [isBehind, strays] = await Promise.all([
    behind(tx, record, now),
    strayReceipts(tx, record),
  ]);
  const misdirected = await misdirectedMoney(tx, record, strays);
  const facts = settlementFacts(record, now, isBehind);
  const decision = decideSettlement(facts, (lock) => rateOfLock(app, record, lock, now));
  return settlementOf(app, record, decision, misdirected, now);
}

function mayHaveStrays({ commitments, environment }: CheckoutRecord): boolean {
  if (environment !== 'live') return false;
  return commitments.some(({ network }) => getNetwork(network).sharesAddresses);
}

/** Only where an address exists on several chains; asked of no other checkout. */
async function strayReceipts(tx: Tx, record: CheckoutRecord): Promise<readonly Receipt[]> {
  if (!mayHaveStrays(record)) return [];
  const found = await listMisdirected(tx, 'checkout', [record.id]);
  return found.map(({ receipt }) => receipt);
}

/**
 * Items on which a person has decided are no longer shown. Only asked when something lies in
 * suspense.
 */
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

function settlementOf(
  app: SettleCheckoutApp,
  record: CheckoutRecord,
  decision: SettlementDecision,
  misdirected: Misdirected,
  now: Temporal.Instant,
): Settlement<SettledCheckout> {
  const { waitsForRate } = decision;
  const entries = entriesOf(record, decision, now);
  const { flags, events } = toldBy(record, decision, misdirected);
  const { id, merchantId, environment, eventSequence, apiKey, webhookUrl } = record;
  const owner = { id, merchantId, environment, eventSequence, apiKey, webhookUrl };
  const paid = { ...owner, purpose: 'checkout' as const };
  const { credited, reversed } = decision;
  const common = { paid, credited, reversed, entries, now };
  const isStateChange = decision.state !== record.state;
  const isChange =
    isStateChange ||
    entries.length > 0 ||
    events.length > 0 ||
    !isDeepStrictEqual(flags, record.flags);
  if (!isChange) {
    return {
      ...common,
      held: [],
      events: [],
      write: (tx) => {
        writeSettleAt(tx, record.id, decision.decideAgainAt);
        noteRefundPayments(tx, record, now);
      },
      outcome: { kind: 'unchanged', waitsForRate },
    };
  }
  const decided: CheckoutRecord = {
    ...record,
    state: decision.state,
    version: record.version + 1,
    eventSequence: record.eventSequence + events.length,
    sourceNetwork: decision.paidLock?.network ?? record.sourceNetwork,
    sourceAssetId: decision.paidLock?.assetId ?? record.sourceAssetId,
    flags,
    completedAt: record.completedAt ?? (decision.state === 'COMPLETED' ? now : undefined),
    receipts: receiptsAfter(record.receipts, decision),
    credits: creditsAfter(record.credits, decision),
    stateHistory: isStateChange
      ? [...record.stateHistory, { state: decision.state, changedAt: now }]
      : record.stateHistory,
    settleAt: decision.decideAgainAt,
  };
  return {
    ...common,
    held: misdirected.suspense,
    events: eventsOf(app, { ...decided, refunds: refundsAfter(decided) }, events),
    write: (tx) => writeSettled(tx, decided, decision, isStateChange, now),
    outcome: { kind: 'changed', state: decision.state, events: events.length, waitsForRate },
  };
}

/** Each shows the checkout as GET /checkout does (api-contract.md 7). */
function eventsOf(
  app: SettleCheckoutApp,
  settled: CheckoutRecord,
  types: readonly EventType[],
): ToldEvent[] {
  if (types.length === 0) return [];
  const data = stringifyExact({ checkout: toldView(app, settled) });
  const cause = `checkout:${settled.id}:${settled.version}`;
  return types.map((type) => ({ type, causeKey: `${cause}:${type}`, data }));
}

function writeSettled(
  tx: Tx,
  decided: CheckoutRecord,
  decision: SettlementDecision,
  isStateChange: boolean,
  now: Temporal.Instant,
): void {
  writeCredits(tx, decided.id, decision);
  noteRefundPayments(tx, decided, now);
  writeDecided(tx, decided, isStateChange, now);
}

// What a decision writes beside its credits: entries for the ledger. Pure.

function entriesOf(
  { id, merchantId, environment }: CheckoutRecord,
  { credited, released, reversed, returned }: CreditChanges,
  now: Temporal.Instant,
): Entry[] {
  const owner = { checkoutId: id, merchantId, environment };
  return [
    ...credited.map((credit) => receiptEntry(owner, credit, now)),
    ...released.map((credit) => releaseEntry(owner, credit, now)),
    ...reversed.flatMap((credit) => reversalEntries(owner, credit, now)),
    ...returned.map((credit) => returnedEntry(owner, credit, now)),
  ];
}

/**
 * Changes the receipts in memory, so that the event shows them as they will be after the commit.
 */
function receiptsAfter(before: readonly Receipt[], changes: CreditChanges): Receipt[] {
  const credited = new Set(changes.credited.map(creditKey));
  const reversed = new Set(changes.reversed.map(creditKey));
  return before.map((receipt) => {
    const key = creditKey({ receiptId: receipt.id, generation: receipt.generation });
    return {
      ...receipt,
      creditedGeneration: credited.has(key) ? receipt.generation : receipt.creditedGeneration,
      reversedGeneration: reversed.has(key) ? receipt.generation : receipt.reversedGeneration,
    };
  });
}

// What becomes of the payments that refunds give back, as their checkout is settled.

/** The refunds of a checkout, each with what became of the payment that it gives back. */
function refundsAfter(record: CheckoutRecord): CheckoutRefund[] {
  return record.refunds.map((refund) => {
    if (isUndone(refund)) return refund;
    return { ...refund, payment: decideRefundPayment(record, refund) };
  });
}

/** Under the lock of the checkout; the refunds as they are afterwards. */
export function noteRefundPayments(
  tx: Tx,
  record: CheckoutRecord,
  now: Temporal.Instant,
): CheckoutRefund[] {
  const after = refundsAfter(record);
  after.forEach(({ id, payment }, index) => {
    if (payment !== record.refunds[index]?.payment) writeRefundPayment(tx, id, payment, now);
  });
  return after;
}
