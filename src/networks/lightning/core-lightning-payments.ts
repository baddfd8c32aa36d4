// Payments of Core Lightning over `clnrest`, with a rune for `pay` and `listpays`. `pay` answers
// when it has ended, and goes on when nobody listens any more; paid once it answers the same again.
// While it looks for another way nothing may be in flight, so `failed` is certain only when its
// time (`retry_for`) has passed too, which decide-invoice.ts waits for.
//
// Sources: lightning-pay(7), lightning-listpays(7), lightning-clnrest(7).

import { type InvoicePayment, PAYING_SECONDS, type PaymentOrder } from '#deposit/money-out.ts';
import {
  type Fields,
  isFields,
  NodeLie,
  requireFields,
  requireList,
} from '#networks/answer-fields.ts';
import { type HttpClient, parseAnswer } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { MILLISATOSHIS } from './lightning-backend.ts';
import {
  feeUnits,
  type LightningPayments,
  paymentRefused,
  type WantedPayment,
} from './lightning-payments.ts';
import { fromHex, readResult, requireNumber, requirePreimage, withoutUnit } from './read-answer.ts';

const DENIED = 'the rune for payments does not allow';

export function coreLightningPayments({ http }: { readonly http: HttpClient }): LightningPayments {
  return {
    pay: (order) => pay(http, order),
    findPayment: (wanted) => findPayment(http, wanted),
    close: () => http.close(),
  };
}

async function pay(
  http: HttpClient,
  { invoice, feeUnitsMost, description }: PaymentOrder,
): Promise<void> {
  const body = JSON.stringify({
    bolt11: invoice,
    maxfee: Number(feeUnitsMost * MILLISATOSHIS),
    retry_for: PAYING_SECONDS,
    // Checked against its hash in the invoice, where there is one.
    ...(description === undefined ? {} : { description }),
  });
  const answer = await http.ask({ path: '/v1/pay', body });
  if (answer.status === 200 || answer.status === 201) return;
  if (answer.status === 401 || answer.status === 403) {
    throw nodeOutage(http.what, `${DENIED} pay`);
  }
  const error = parseAnswer(http, answer);
  throw paymentRefused(isFields(error) ? String(error.message) : `HTTP status ${answer.status}`);
}

async function findPayment(http: HttpClient, wanted: WantedPayment): Promise<InvoicePayment> {
  const { paymentHash } = wanted;
  const body = JSON.stringify({ payment_hash: paymentHash });
  const answer = await http.ask({ path: '/v1/listpays', body });
  const denied = { denied: `${DENIED} listpays`, asked: 'listpays' };
  const { pays } = readResult(http, answer, denied);
  const list = requireList(pays, 'the list of payments').map((one) => {
    const payment = requireFields(one, 'a payment');
    if (payment.payment_hash !== paymentHash) throw new NodeLie('the node found another payment');
    return payment;
  });
  const paid = list.find(({ status }) => status === 'complete');
  if (paid !== undefined) return readPaid(paid, wanted);
  const strange = list.find(({ status }) => status !== 'failed' && status !== 'pending');
  if (strange !== undefined) throw new NodeLie(`the status of payment ${paymentHash} is none`);
  if (list.some(({ status }) => status === 'pending')) return { kind: 'under-way' };
  return { kind: 'none', reason: list.length === 0 ? undefined : 'no way was found' };
}

function readPaid(payment: Fields, { paymentHash, units }: WantedPayment): InvoicePayment {
  const sent = requireNumber(withoutUnit(payment.amount_sent_msat), 'what was sent');
  const preimage = fromHex(payment.preimage, 'a preimage');
  requirePreimage(preimage, paymentHash);
  return { kind: 'paid', preimage: preimage.toHex(), feeUnits: feeUnits(sent, units) };
}
