// What a person is told who sends a transfer, and what that person says of it, where Lightning asks
// for more than elsewhere: an invoice is stored before it is shown, and that it was paid is proven.

import { createHash } from 'node:crypto';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { InvoicePayer } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import type { Said } from '#transfer/conclude-transfer.ts';
import {
  confirmSentOutside,
  requireTransfer,
  type SendByHandApp,
  type Sending,
  showSending,
} from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import {
  findLiveInvoice,
  insertInvoice,
  listInvoices,
  notePreimage,
  type StoredInvoice,
} from './invoice-payment.ts';
import { completePaid } from './pay-invoices.ts';

type ShowApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'payer'>>;
};

/** As showSending, with an invoice on Lightning. @throws Refusal, Outage */
export async function showToSend(
  app: ShowApp,
  id: string,
  who: { readonly actor?: string } = {},
): Promise<Sending> {
  const transfer = await requireTransfer(app.db, id);
  const payer = payerOf(app, transfer);
  const { account } = transfer;
  if (payer === undefined || account === undefined) return showSending(app, id, who);
  const live = await findLiveInvoice(app.db, app.keyring, id);
  if (live?.byHand === false) return showSending(app, id, who);
  if (live !== undefined) requireStillPayable(app, id, live);
  const opened = live ?? (await payer.openInvoice(account, transfer.targetUnits));
  // From here on the node is not told to pay it any more.
  const shown = await showSending(app, id, who);
  const invoice = live ?? (await storeShown(app, shown.transfer, opened));
  return { ...shown, link: `lightning:${invoice.invoice}` };
}

function payerOf(
  { networks }: ShowApp,
  { environment, network }: Transfer,
): InvoicePayer | undefined {
  return networks.get(chainOf(environment, network))?.payer;
}

function requireStillPayable({ clock }: ShowApp, id: string, { expiresAt }: StoredInvoice): void {
  if (Temporal.Instant.compare(clock.now(), expiresAt) < 0) return;
  throw new Refusal('conflict', 'invoice_expired', [
    `the invoice that was shown ended at ${expiresAt}. If it was paid: npx quittance send confirm ` +
      `${id} --transaction PREIMAGE --reason TEXT. If not: npx quittance send cancel ${id} ` +
      '--not-sent --reason TEXT gives the money back, and it can be ordered again',
  ]);
}

type Opened = Awaited<ReturnType<InvoicePayer['openInvoice']>>;

async function storeShown(
  app: ShowApp,
  { id, environment, network, targetUnits, networkFeeUnits }: Transfer,
  opened: Opened,
): Promise<Pick<StoredInvoice, 'invoice'>> {
  const invoice = {
    ...opened,
    chain: chainOf(environment, network),
    transferId: id,
    units: targetUnits,
    feeUnitsMost: networkFeeUnits,
    byHand: true,
    createdAt: app.clock.now(),
    orderedAt: undefined,
    orders: 0,
  };
  const isStored = await app.db.transact((tx) => insertInvoice(tx, app.keyring, invoice));
  const live = isStored ? invoice : await findLiveInvoice(app.db, app.keyring, id);
  if (live !== undefined) return live;
  throw new Refusal(
    'conflict',
    'invoice_refused',
    'its invoice is paid by another order: do not pay',
  );
}

/**
 * A person says that it was sent. On Lightning that is proven: by the preimage, or by our own node.
 * @throws Refusal as confirmSentOutside, or when it is not proven. @throws Outage
 */
export async function confirmSent(
  app: ShowApp,
  id: string,
  said: Said & { readonly transaction: string },
): Promise<Transfer> {
  const transfer = await requireTransfer(app.db, id);
  const payer = payerOf(app, transfer);
  if (payer === undefined) return confirmSentOutside(app, id, said);
  const proof = said.transaction.toLowerCase();
  const isHash = /^[0-9a-f]{64}$/.test(proof);
  const hashOfProof = isHash ? sha256(proof) : '';
  const invoices = await listInvoices(app.db, app.keyring, id);
  const invoice = invoices.find(({ paymentHash }) => [hashOfProof, proof].includes(paymentHash));
  if (invoice === undefined) {
    throw notProven('it is neither the preimage nor the payment hash of an invoice shown for it');
  }
  const { paymentHash } = invoice;
  const found = await payer.findPayment(invoice);
  if (found.kind === 'paid') {
    await completePaid(app, transfer, { paymentHash, ...found });
    return requireTransfer(app.db, id);
  }
  if (found.kind === 'under-way') throw notProven('our own node is still paying it: wait');
  if (hashOfProof !== paymentHash) {
    throw notProven('our own node did not pay it: enter the preimage that your wallet shows');
  }
  await notePreimage(app.db, paymentHash, proof);
  return confirmSentOutside(app, id, { ...said, transaction: paymentHash });
}

function sha256(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
}

function notProven(sentence: string): Refusal {
  return new Refusal('conflict', 'payment_not_proven', `--transaction: ${sentence}`);
}
