// Payments of an Electrum daemon (4.3 and later). `lnpay` answers when it has ended. It bounds
// the fee itself, by at most ten satoshi or one percent, and takes no lower bound with an order.
// It forgets which payments are on their way when it is killed, but not what hangs in its channels:
// while anything does, nothing counts as given up.
//
// Sources: commands.py (lnpay), lnworker.py (pay_invoice, get_lightning_history), wallet.py
// (export_invoice) and lnrouter.py (is_fee_sane) of 4.3.4.

import type { InvoicePayment, PaymentOrder } from '#deposit/money-out.ts';
import {
  type Fields,
  NodeLie,
  RpcFailure,
  requireFields,
  requireList,
} from '#networks/answer-fields.ts';
import type { HttpClient } from '#networks/http-client.ts';
import { askElectrum, callElectrum } from './electrum-rpc.ts';
import {
  feeUnits,
  type LightningPayments,
  paymentRefused,
  type WantedPayment,
} from './lightning-payments.ts';
import { fromHex, requireNumber, requirePreimage } from './read-answer.ts';

/** `PaymentDirection.SENT` of lnworker.py. */
const SENT = 0;
/** `PR_INFLIGHT` of invoices.py. */
const IN_FLIGHT = 4;
/** An answer comes with the end; what takes longer is asked about by its payment hash. */
const TIMEOUT_MS = 30_000;

export function electrumPayments({ http }: { readonly http: HttpClient }): LightningPayments {
  return {
    pay: (order) => pay(http, order),
    findPayment: (wanted) => findPayment(http, wanted),
    close: () => http.close(),
  };
}

async function pay(http: HttpClient, { invoice }: PaymentOrder): Promise<void> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS };
    const ended = requireFields(await askElectrum(http, 'lnpay', { invoice }, limits), 'the end');
    if (ended.success !== true) throw paymentRefused('no way was found');
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw paymentRefused(error.said);
  }
}

async function findPayment(http: HttpClient, wanted: WantedPayment): Promise<InvoicePayment> {
  const { paymentHash } = wanted;
  // Before the history: what ends in between is in neither, and is looked at again.
  const invoices = await listOf(http, 'list_invoices');
  const channels = await listOf(http, 'list_channels');
  const known = invoices.find(({ invoice_id: id }) => id === paymentHash);
  const history = await listOf(http, 'lightning_history');
  const [payment, other] = history.filter(({ payment_hash: hash }) => hash === paymentHash);
  if (other !== undefined) throw new NodeLie('a payment is there twice');
  if (payment !== undefined) return readPayment(payment, wanted);
  const isTied = channels.some(({ local_unsettled_sent: sent }) => (sent ?? 0) !== 0);
  if (isTied || known?.status === IN_FLIGHT) return { kind: 'under-way' };
  return { kind: 'none', reason: known === undefined ? undefined : 'no way was found' };
}

async function listOf(http: HttpClient, method: string): Promise<Fields[]> {
  const list = requireList(await callElectrum(http, method), `the answer to ${method}`);
  return list.map((item) => requireFields(item, `an item of ${method}`));
}

function readPayment(payment: Fields, { paymentHash, units }: WantedPayment): InvoicePayment {
  const { amount_msat: amount, direction } = payment;
  if (direction !== SENT || typeof amount !== 'number') {
    throw new NodeLie(`what is known of ${paymentHash} was not sent`);
  }
  // The fee is in it.
  const sent = requireNumber(-amount, 'what was sent');
  const preimage = fromHex(payment.preimage, 'a preimage');
  requirePreimage(preimage, paymentHash);
  return { kind: 'paid', preimage: preimage.toHex(), feeUnits: feeUnits(sent, units) };
}
