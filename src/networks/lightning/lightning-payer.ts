// Pays invoices out of the operator's own node (deposit/money-out.ts). Guarantees: an invoice
// is paid only when it is whole, of the right chain, asks for exactly what was ordered, can still
// be paid, and holds the hash of what its Lightning address told (LUD-06); the node is of the right
// chain. Not guaranteed: that the receiver of a Lightning address is who its host says.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { InvoicePayer, PayableInvoice, PayLimits } from '#deposit/money-out.ts';
import { type ReadInvoice, readInvoice, readLnurl } from '#networks/read-invoice.ts';
import type { GuardedVia } from '#webhook/ask-guarded.ts';
import { askLnurl, invoiceRefused, urlOfAddress } from './ask-lnurl.ts';
import { type LightningPayments, MILLISATOSHIS } from './lightning-backend.ts';
import type { LightningChain } from './lightning-chain.ts';

export type PayerOptions = {
  readonly parameters: LightningChain;
  readonly payments: LightningPayments;
  readonly limits: PayLimits | undefined;
  /** How web addresses of receivers are asked. */
  readonly via: GuardedVia;
  readonly clock: Clock;
};

type Payer = PayerOptions & {
  /** Public key of the node, which is found to be of the right chain. @throws Outage */
  readonly nodeId: () => Promise<string>;
};

/** So long an invoice has to be good for at least when it is taken. */
const SECONDS_LEAST = 60;

export function lightningPayer(payer: Payer): InvoicePayer {
  const { payments, limits } = payer;
  return {
    limits,
    openInvoice: (account, units) => openInvoice(payer, account, units),
    async pay(order) {
      await payer.nodeId();
      return payments.pay(order);
    },
    async findPayment(wanted) {
      await payer.nodeId();
      return payments.findPayment(wanted);
    },
  };
}

async function openInvoice(
  payer: Payer,
  account: Readonly<Record<string, string>>,
  units: bigint,
): Promise<PayableInvoice> {
  const offered = await offerOf(payer, account, units);
  const invoice = readInvoice(offered.invoice);
  if (invoice === undefined) throw invoiceRefused('what it answered is no whole invoice');
  await refuseOther(payer, invoice, { units, metadata: offered.metadata });
  const { paymentHash, expiresAt } = invoice;
  return { invoice: invoice.invoice, paymentHash, expiresAt, description: offered.metadata };
}

async function offerOf(
  { via }: Payer,
  { invoice, lightningAddress, lnurl = '' }: Readonly<Record<string, string>>,
  units: bigint,
): Promise<{ readonly invoice: string; readonly metadata: string | undefined }> {
  if (invoice !== undefined) return { invoice, metadata: undefined };
  const url =
    lightningAddress === undefined ? readLnurl(lnurl)?.url : urlOfAddress(lightningAddress);
  assert(url !== undefined, 'an account on Lightning says where it is paid');
  return askLnurl(via, url, units);
}

async function refuseOther(
  { parameters, clock, nodeId }: Payer,
  invoice: ReadInvoice,
  ordered: { readonly units: bigint; readonly metadata: string | undefined },
): Promise<void> {
  const { prefix, millisatoshis, descriptionHash, expiresAt, payee } = invoice;
  if (prefix !== parameters.prefix) {
    throw invoiceRefused(`the invoice is of another chain (ln${prefix})`);
  }
  const asked = ordered.units * MILLISATOSHIS;
  if (millisatoshis !== asked) {
    const what = millisatoshis === undefined ? 'no amount' : `${millisatoshis} msat`;
    throw invoiceRefused(`the invoice asks for ${what}; ordered are ${asked} msat`);
  }
  if (ordered.metadata !== undefined && descriptionHash !== sha256(ordered.metadata)) {
    throw invoiceRefused('the invoice does not hold the hash of the metadata (LUD-06)');
  }
  const left = expiresAt.since(clock.now()).total('seconds');
  if (left < SECONDS_LEAST) {
    throw new Refusal('conflict', 'invoice_expired', `the invoice ended at ${expiresAt}`);
  }
  if (payee === (await nodeId())) {
    throw invoiceRefused('the invoice is of our own node, which does not pay itself');
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
