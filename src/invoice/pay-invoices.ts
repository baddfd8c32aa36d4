// Transfers over Lightning that the operator's own node pays. Guarantees: an invoice is stored
// before the node is told to pay it, within the limits, and under the lock of the transfer, which
// may be sent and which nobody else was told how to send; what became of it is asked of the node
// by payment hash, whatever an answer said; another invoice is asked for, or the money given back,
// only when the one before can be paid no more and nothing of it is in flight. So a death or a
// silence at any point pays nothing twice. Not guaranteed: that the node finds a way, or tells the
// truth.

import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { InvoicePayer, PayableInvoice } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { requireNotShown } from '#sending/send-signed.ts';
import { concludeTransfer } from '#transfer/conclude-transfer.ts';
import {
  holdSending,
  listByHand,
  noteHeldUp,
  noteSigned,
  noteUnsigned,
  requireTransfer,
  type SendByHandApp,
} from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { decideAllowed, decideInvoice } from './decide-invoice.ts';
import {
  findLiveInvoice,
  insertInvoice,
  lockInvoices,
  markInvoiceOver,
  noteOrdered,
  notePreimage,
  type StoredInvoice,
  sumOrdered,
} from './invoice-payment.ts';

export type PayInvoicesApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'payer'>>;
  /** When what waits is looked at again; worth nothing after a death. */
  readonly pauses: Map<string, Temporal.Instant>;
};

type Paying = PayInvoicesApp & { readonly chain: ChainId; readonly payer: InvoicePayer };

const DAY = { hours: 24 };
/** What is refused is looked at again after this: limits, addresses and receivers change. */
const REFUSED_PAUSE = { minutes: 1 };
const WAITING_PAUSE = { seconds: 5 };

/**
 * One step for a chain: each transfer that waits there, the oldest first. Answers how many ended.
 * @throws Outage when the node is away; the next step goes on.
 */
export async function payInvoices(app: PayInvoicesApp, chain: ChainId): Promise<number> {
  const { db, clock, networks, pauses } = app;
  const payer = networks.get(chain)?.payer;
  if (payer === undefined) return 0;
  const waiting = await listByHand(db, environmentOf(chain), networkOf(chain));
  for (const id of pauses.keys()) if (!waiting.some((one) => one.id === id)) pauses.delete(id);
  let ended = 0;
  for (const transfer of waiting) {
    const pausedUntil = pauses.get(transfer.id);
    const isPaused = pausedUntil && Temporal.Instant.compare(clock.now(), pausedUntil) < 0;
    if (isPaused) continue;
    const heldUp = await payOne({ ...app, chain, payer }, transfer).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      pauses.set(transfer.id, clock.now().add(REFUSED_PAUSE));
      return error.details.join('; ');
    });
    if (heldUp === undefined) ended += 1;
    else await noteHeldUp(db, transfer, heldUp);
  }
  return ended;
}

/** Why it waits; undefined when it has ended. @throws Refusal that says why it is not paid. */
async function payOne(app: Paying, transfer: Transfer): Promise<string | undefined> {
  const { db, keyring, clock, payer, pauses } = app;
  const live = await findLiveInvoice(db, keyring, transfer.id);
  if (live === undefined) return begin(app, transfer);
  const now = clock.now();
  const step = decideInvoice(live, await payer.findPayment(live), now);
  switch (step.kind) {
    case 'paid':
      await completePaid(app, transfer, { ...live, ...step });
      return undefined;
    case 'order':
      return orderAgain(app, transfer, live);
    case 'over':
      return giveUp(app, transfer, live, step.reason);
    case 'wait':
      pauses.set(transfer.id, now.add(WAITING_PAUSE));
      return live.byHand ? (transfer.heldUp ?? step.reason) : step.reason;
  }
}

/** Nothing of it can be in flight: it has no invoice. */
async function begin(app: Paying, transfer: Transfer): Promise<string | undefined> {
  const { payer, clock } = app;
  const { account = {}, targetUnits: units, networkFeeUnits: feeUnitsMost } = transfer;
  requireNotShown(transfer);
  await requireAllowed(app.db, app, units + feeUnitsMost);
  let opened: PayableInvoice;
  try {
    opened = await payer.openInvoice(account, units);
  } catch (error) {
    const isOver = error instanceof Refusal && error.code === 'invoice_expired';
    if (!isOver || account.invoice === undefined) throw error;
    return fail(app, transfer, `${error.message}, and was not paid`);
  }
  const now = clock.now();
  const invoice = {
    ...opened,
    chain: app.chain,
    transferId: transfer.id,
    units,
    feeUnitsMost,
    byHand: false,
    createdAt: now,
    orderedAt: now,
    orders: 1,
  };
  const stored = await app.db.transact(async (tx) => {
    const held = await holdSending(app, tx, transfer);
    requireNotShown(held);
    if (held.transaction !== undefined) return 'BY_ANOTHER_PROCESS';
    await lockInvoices(tx);
    await requireAllowed(tx, app, units + feeUnitsMost);
    if (!(await insertInvoice(tx, app.keyring, invoice))) return 'KNOWN';
    noteSigned(tx, [transfer.id], invoice.paymentHash, now);
    return 'STORED';
  });
  if (stored === 'STORED') return order(app, transfer.id, invoice);
  if (stored === 'BY_ANOTHER_PROCESS') return 'the node is paying it';
  if (account.invoice !== undefined) {
    return fail(app, transfer, 'the invoice is paid by another order');
  }
  throw new Refusal('conflict', 'invoice_refused', [
    'its web address gave an invoice that it had given before',
  ]);
}

/** @throws Refusal conflict */
async function requireAllowed(
  reader: Reader,
  { chain, payer, clock }: Paying,
  units: bigint,
): Promise<void> {
  const ordered = await sumOrdered(reader, chain, clock.now().subtract(DAY));
  const against = decideAllowed(payer.limits, units, ordered);
  if (against === undefined) return;
  throw new Refusal('conflict', 'payment_above_limit', `it waits for a person: ${against}`);
}

/** The facts are asked again, and when it was told is stored, before the node is told. */
async function orderAgain(
  app: Paying,
  transfer: Transfer,
  live: StoredInvoice,
): Promise<string | undefined> {
  const now = app.clock.now();
  if (app.payer.limits === undefined) return 'paying by itself is off (LIGHTNING_PAY)';
  await app.db.transact(async (tx) => {
    await holdSending(app, tx, transfer);
    noteOrdered(tx, live.paymentHash, now);
  });
  return order(app, transfer.id, live);
}

type Ordered = Pick<
  StoredInvoice,
  'invoice' | 'paymentHash' | 'description' | 'units' | 'feeUnitsMost'
>;

async function order(app: Paying, id: string, invoice: Ordered): Promise<string | undefined> {
  await app.payer.pay(invoice);
  const found = await app.payer.findPayment(invoice);
  if (found.kind !== 'paid') return 'the node is paying it';
  await completePaid(app, await requireTransfer(app.db, id), { ...invoice, ...found });
  return undefined;
}

async function giveUp(
  app: Paying,
  transfer: Transfer,
  { paymentHash, expiresAt }: StoredInvoice,
  reason: string,
): Promise<string | undefined> {
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    markInvoiceOver(tx, paymentHash, now);
    noteUnsigned(tx, [transfer.id], paymentHash, undefined);
  });
  const freed = await requireTransfer(app.db, transfer.id);
  if (freed.account?.invoice === undefined) return `${reason}; another invoice is asked for`;
  return fail(app, freed, `the invoice ended at ${expiresAt} and was not paid: ${reason}`);
}

/** Undefined: it has ended. */
async function fail(app: Paying, transfer: Transfer, reason: string): Promise<string | undefined> {
  const isDone = await concludeTransfer(app, transfer, { kind: 'failed', reason });
  return isDone ? undefined : reason;
}

type PaidInvoice = Pick<StoredInvoice, 'paymentHash'> & {
  readonly preimage: string;
  readonly feeUnits: bigint;
};

/** Booked with the fee that was taken; what it is above what was reserved the house pays. */
export async function completePaid(
  app: SendByHandApp,
  transfer: Transfer,
  { paymentHash: transaction, preimage, feeUnits }: PaidInvoice,
): Promise<boolean> {
  const { networkFeeUnits } = transfer;
  const isBeyond = feeUnits > networkFeeUnits;
  await notePreimage(app.db, transaction, preimage);
  return concludeTransfer(app, transfer, {
    kind: 'completed',
    landing: {
      transaction,
      feeTakenUnits: isBeyond ? networkFeeUnits : feeUnits,
      feeBeyondUnits: isBeyond ? feeUnits - networkFeeUnits : 0n,
      paidOutside: false,
    },
  });
}
