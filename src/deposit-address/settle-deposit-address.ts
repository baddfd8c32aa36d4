// Turns what arrived at a deposit address into postings and events, all in one transaction that
// holds the address (C1, C5). The mirror of checkout/settle-checkout.ts, for a thing that is paid
// any number of times.
//
// Guarantees: one credit for each final receipt and generation (R2); an event exists if and only if
// its change was committed; running it again without new facts changes nothing. Lock order: the
// address, then ledger accounts; who records receipts locks their addresses first.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Db, Tx } from '#db/db.ts';
import { closeSuspense, holdSuspense } from '#deposit/close-suspense.ts';
import { markReceiptCredited, markReceiptReversed } from '#deposit/credit-receipt.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import { listInstructions } from '#deposit/list-instructions.ts';
import { listUnsettledReceipts } from '#deposit/list-receipts.ts';
import type { Payee } from '#deposit/network.ts';
import type { Receipt } from '#deposit/receipt.ts';
import { insertSuspense } from '#deposit/suspense-book.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import type { EventType } from '#event/event.ts';
import { eventBody } from '#event/event-body.ts';
import { listToldCauses } from '#event/list-events.ts';
import type { Account } from '#ledger/account.ts';
import { accountsOf } from '#ledger/ledger-entry.ts';
import { ensureAccounts, findUnknownAccounts, postEntries } from '#ledger/post-entry.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { type DepositDecision, decideDeposits } from './decide-deposits.ts';
import type { DepositAddressRecord, DepositCredit } from './deposit-address.ts';
import {
  insertDepositCredit,
  listLiveCredits,
  lockDepositAddressRow,
  markCreditReversed,
  updateSettledAddress,
} from './deposit-address-store.ts';
import { type DepositState, depositView } from './deposit-address-view.ts';
import { depositEntry, depositReversal } from './deposit-entries.ts';
import { joinInstruction } from './find-deposit-address.ts';

export type SettleDepositAddressApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly networks: ReadonlyMap<string, Payee>;
  readonly keyring: InstructionKeys;
};

export type SettleDepositOutcome =
  | { readonly kind: 'busy' }
  | { readonly kind: 'settled'; readonly entries: number; readonly events: number };

/** Thrown inside the transaction, which it undoes; the accounts are made and it is repeated. */
class AccountsMissing extends Error {
  readonly accounts: readonly Account[];
  constructor(accounts: readonly Account[]) {
    super('ledger accounts are missing');
    this.accounts = accounts;
  }
}

export async function settleDepositAddress(
  app: SettleDepositAddressApp,
  id: string,
): Promise<SettleDepositOutcome> {
  for (;;) {
    try {
      return await app.db.transact((tx) => settleInTransaction(app, tx, id));
    } catch (error) {
      if (!(error instanceof AccountsMissing)) throw error;
      await ensureAccounts(app.db, error.accounts);
    }
  }
}

async function settleInTransaction(
  app: SettleDepositAddressApp,
  tx: Tx,
  id: string,
): Promise<SettleDepositOutcome> {
  const [address, receipts, instructions] = await Promise.all([
    lockDepositAddressRow(tx, id),
    listUnsettledReceipts(tx, 'deposit-address', id),
    listInstructions(app, tx, 'deposit-address', id),
  ]);
  if (address === undefined) return { kind: 'busy' };
  const record = joinInstruction(app, address, instructions);
  const now = app.clock.now();
  const credited = receipts.filter(({ creditedGeneration }) => creditedGeneration !== undefined);
  const [credits, told] = await Promise.all([
    credited.length === 0
      ? []
      : listLiveCredits(
          tx,
          credited.map((receipt) => receipt.id),
        ),
    listToldCauses(
      tx,
      receipts.flatMap((receipt) => [
        causeOf('DEPOSIT_PENDING', receipt),
        causeOf('DEPOSIT_PENDING_WITHDRAWN', receipt),
      ]),
    ),
  ]);
  const decision = decideDeposits(record, receipts, credits);
  const lost = decision.reversals.filter(({ credit }) => credit.account === 'suspense');
  const held = await holdSuspense(
    tx,
    lost.map(({ receipt }) => receipt.id),
  );
  const entries = [
    ...decision.credits.map(({ credit }) => depositEntry(record, credit, now)),
    ...decision.reversals.flatMap(({ credit }) => depositReversal(record, credit, now)),
    ...lost.flatMap(({ credit }) => closeSuspense(tx, held, credit, now)),
  ];
  const unknown = findUnknownAccounts(app.db, accountsOf(entries));
  if (unknown.length > 0) throw new AccountsMissing(unknown);

  for (const { credit } of decision.credits) {
    insertDepositCredit(tx, id, credit, now);
    markReceiptCredited(tx, credit.receiptId, credit.generation);
    if (credit.account === 'suspense') insertSuspense(tx, bookingOf(record, credit), now);
  }
  for (const { credit } of decision.reversals) {
    markCreditReversed(tx, credit, now);
    markReceiptReversed(tx, credit.receiptId, credit.generation);
  }
  const events = eventsOf(decision, told);
  updateSettledAddress(tx, id, record.eventSequence + events.length);
  sendEvents(app, tx, record, events, now);
  // Last: everybody who is paid on this network waits for its accounts until COMMIT.
  postEntries(tx, entries);
  return { kind: 'settled', entries: entries.length, events: events.length };
}

function bookingOf(
  { id, environment, merchantId, network }: DepositAddressRecord,
  credit: DepositCredit,
) {
  const { receiptId, generation, assetId, units } = credit;
  const money = { receiptId, generation, environment, network, assetId, units };
  const named = { merchantId, purpose: 'deposit-address' as const, purposeId: id };
  return { ...money, ...named, reason: 'WRONG_ASSET' as const };
}

type DepositEvent = {
  readonly type: keyof typeof STATE_OF;
  readonly receipt: Receipt;
  readonly credit: DepositCredit | undefined;
};

/** `told`: causes of events that were sent before. */
function eventsOf(decision: DepositDecision, told: ReadonlySet<string>): DepositEvent[] {
  const isTold = (type: DepositEvent['type'], receipt: Receipt) => told.has(causeOf(type, receipt));
  return [
    ...decision.pending
      .filter((receipt) => !isTold('DEPOSIT_PENDING', receipt))
      .map((receipt) => ({ type: 'DEPOSIT_PENDING' as const, receipt, credit: undefined })),
    ...decision.withdrawn
      .filter((receipt) => isTold('DEPOSIT_PENDING', receipt))
      .filter((receipt) => !isTold('DEPOSIT_PENDING_WITHDRAWN', receipt))
      .map((receipt) => ({
        type: 'DEPOSIT_PENDING_WITHDRAWN' as const,
        receipt,
        credit: undefined,
      })),
    ...decision.credits.map(({ receipt, credit }) =>
      credit.account === 'available'
        ? { type: 'DEPOSIT_COMPLETED' as const, receipt, credit }
        : { type: 'DEPOSIT_MISDIRECTED' as const, receipt, credit: undefined },
    ),
    ...decision.reversals
      .filter(({ credit }) => credit.account === 'available')
      .map(({ receipt, credit }) => ({ type: 'DEPOSIT_REVERSED' as const, receipt, credit })),
  ];
}

const STATE_OF = {
  DEPOSIT_PENDING: 'PENDING',
  DEPOSIT_PENDING_WITHDRAWN: 'WITHDRAWN',
  DEPOSIT_MISDIRECTED: 'MISDIRECTED',
  DEPOSIT_COMPLETED: 'COMPLETED',
  DEPOSIT_REVERSED: 'REVERSED',
} as const satisfies Partial<Record<EventType, DepositState>>;

/** Told once a generation: a payment that was taken back and comes again is told again. */
function causeOf(type: DepositEvent['type'], { id, generation }: Receipt): string {
  return `deposit:${id}:${generation}:${type}`;
}

function sendEvents(
  app: SettleDepositAddressApp,
  tx: Tx,
  record: DepositAddressRecord,
  events: readonly DepositEvent[],
  now: Temporal.Instant,
): void {
  events.forEach(({ type, receipt, credit }, index) => {
    const id = newId(app.random);
    const sequence = record.eventSequence + index + 1;
    const data = stringifyExact({
      deposit: depositView(record, receipt, { state: STATE_OF[type], credit }),
    });
    enqueueEvent(tx, {
      id,
      merchantId: record.merchantId,
      environment: record.environment,
      type,
      subject: 'deposit-address',
      subjectId: record.id,
      sequence,
      causeKey: causeOf(type, receipt),
      body: eventBody({ id, type, sequence, created: now, data }),
      apiKey: record.apiKey,
      createdAt: now,
      webhookUrl: record.webhookUrl,
    });
  });
}
