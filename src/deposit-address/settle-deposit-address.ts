// Settles deposit addresses (settle/settle.ts): what arrived at one is credited and told, any
// number of times. Running it again without new facts changes nothing.

import type { Log } from '#base/log.ts';
import { listUnsettledReceipts, type Receipt } from '#chain/receipt.ts';
import { sql, type Tx } from '#db/db.ts';
import { type InstructionKeys, listInstructions } from '#deposit/deposit-instruction.ts';
import type { Payee } from '#deposit/network.ts';
import { type EventType, listToldCauses } from '#event/event.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { settleDue } from '#settle/queue.ts';
import { type SettleApp, type Settlement, settle, type ToldEvent } from '#settle/settle.ts';
import { holdSuspense } from '#settle/suspense-act.ts';
import { type DepositDecision, decideDeposits } from './decide-deposits.ts';
import {
  DEPOSIT_CREDIT,
  type DepositAddressRecord,
  type DepositCredit,
  joinInstruction,
  listLiveCredits,
  lockDepositAddress,
  reverseDepositCredit,
} from './deposit-address.ts';
import { type DepositState, depositView } from './deposit-address-view.ts';
import { depositEntry, depositReversal } from './deposit-entries.ts';

type SettleDepositAddressApp = SettleApp & {
  readonly networks: ReadonlyMap<string, Payee>;
  readonly keyring: InstructionKeys;
};

type SettledDepositAddress = {
  readonly kind: 'settled';
  readonly entries: number;
  readonly events: number;
};

export type SettleDueDepositsApp = SettleDepositAddressApp & {
  readonly log: Log;
  /** Called after each commit that wrote events. */
  readonly onTold: () => void;
};

export function settleDueDepositAddresses(app: SettleDueDepositsApp): Promise<'idle' | 'busy'> {
  return settleDue(app, {
    purpose: 'deposit-address',
    atOnce: 1,
    async settle(id) {
      const outcome = await settleDepositAddress(app, id);
      if (outcome.kind === 'settled' && outcome.events > 0) app.onTold();
    },
  });
}

export function settleDepositAddress(app: SettleDepositAddressApp, id: string) {
  return settle(app, (tx) => decide(app, tx, id));
}

/** Undefined when another holds the address. */
async function decide(
  app: SettleDepositAddressApp,
  tx: Tx,
  id: string,
): Promise<Settlement<SettledDepositAddress> | undefined> {
  const [address, receipts, instructions] = await Promise.all([
    lockDepositAddress(tx, id),
    listUnsettledReceipts(tx, 'deposit-address', id),
    listInstructions(app, tx, 'deposit-address', id),
  ]);
  if (address === undefined) return undefined;
  const record = joinInstruction(app, address, instructions);
  const now = app.clock.now();
  const credited = receipts.filter(({ creditedGeneration }) => creditedGeneration !== undefined);
  const [credits, told] = await Promise.all([
    listLiveCredits(
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
  ];
  const { network } = record;
  const events = eventsOf(record, decision, told);
  return {
    paid: { ...record, purpose: 'deposit-address' },
    credited: decision.credits.map(({ credit }) => ({ ...credit, network })),
    reversed: decision.reversals.map(({ credit }) => credit),
    held,
    entries,
    events,
    write: (tx) => writeSettled(tx, record, decision, events.length, now),
    now,
    outcome: { kind: 'settled', entries: entries.length, events: events.length },
  };
}

/** Nothing waits any more: new facts will ask again. */
function writeSettled(
  tx: Tx,
  { id, eventSequence }: DepositAddressRecord,
  decision: DepositDecision,
  events: number,
  now: Temporal.Instant,
): void {
  const made = { depositAddressId: id, creditedAt: now };
  const rows = decision.credits.map(({ credit }) => ({ ...credit, ...made }));
  if (rows.length > 0) tx.send(DEPOSIT_CREDIT.insert(rows));
  for (const { credit } of decision.reversals) reverseDepositCredit(tx, credit, now);
  tx.send(sql`
    update deposit_address set settle_at = null, settle_failures = 0, parked_reason = null,
      event_sequence = ${eventSequence + events}
    where id = ${id}`);
}

/** `told`: causes of events that were sent before. */
function eventsOf(
  record: DepositAddressRecord,
  { pending, withdrawn, credits, reversals }: DepositDecision,
  told: ReadonlySet<string>,
): ToldEvent[] {
  const isTold = (type: DepositEventType, receipt: Receipt) => told.has(causeOf(type, receipt));
  const event = (type: DepositEventType, receipt: Receipt, credit?: DepositCredit): ToldEvent => {
    const deposit = depositView(record, receipt, { state: STATE_OF[type], credit });
    return { type, causeKey: causeOf(type, receipt), data: stringifyExact({ deposit }) };
  };
  return [
    ...pending
      .filter((receipt) => !isTold('DEPOSIT_PENDING', receipt))
      .map((receipt) => event('DEPOSIT_PENDING', receipt)),
    ...withdrawn
      .filter((receipt) => isTold('DEPOSIT_PENDING', receipt))
      .filter((receipt) => !isTold('DEPOSIT_PENDING_WITHDRAWN', receipt))
      .map((receipt) => event('DEPOSIT_PENDING_WITHDRAWN', receipt)),
    ...credits.map(({ receipt, credit }) =>
      credit.account === 'available'
        ? event('DEPOSIT_COMPLETED', receipt, credit)
        : event('DEPOSIT_MISDIRECTED', receipt),
    ),
    ...reversals
      .filter(({ credit }) => credit.account === 'available')
      .map(({ receipt, credit }) => event('DEPOSIT_REVERSED', receipt, credit)),
  ];
}

const STATE_OF = {
  DEPOSIT_PENDING: 'PENDING',
  DEPOSIT_PENDING_WITHDRAWN: 'WITHDRAWN',
  DEPOSIT_MISDIRECTED: 'MISDIRECTED',
  DEPOSIT_COMPLETED: 'COMPLETED',
  DEPOSIT_REVERSED: 'REVERSED',
} as const satisfies Partial<Record<EventType, DepositState>>;
type DepositEventType = keyof typeof STATE_OF;

/** Told once a generation: a payment that was taken back and comes again is told again. */
function causeOf(type: DepositEventType, { id, generation }: Receipt): string {
  return `deposit:${id}:${generation}:${type}`;
}
