// Payments of LND over its REST API (v0.16 and later). A payment that LND has taken goes on when
// nobody listens any more (SendPaymentRequest.cancelable is false unless set), and after a restart
// of it; a second order for the same payment hash is refused with AlreadyExists while one is in
// flight or has succeeded. Both calls are streams, of which the first line is read.
//
// Sources: router.proto, router_server.go and payments/db/errors.go of LND v0.20; permissions:
// offchain:write for /v2/router/send, offchain:read for /v2/router/track.

import { type InvoicePayment, PAYING_SECONDS, type PaymentOrder } from '#deposit/money-out.ts';
import {
  type Fields,
  isFields,
  NodeLie,
  requireFields,
  requireList,
} from '#networks/answer-fields.ts';
import { type HttpAnswer, type HttpClient, parseAnswer } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import {
  feeUnits,
  type LightningPayments,
  MILLISATOSHIS,
  paymentRefused,
  type WantedPayment,
} from './lightning-backend.ts';
import { fromHex, requireNumber, requirePreimage } from './read-answer.ts';

/** codes.AlreadyExists of gRPC: in flight, or paid. */
const ALREADY_EXISTS = 6;
/** ErrPaymentNotInitiated */
const NEVER_HEARD = "payment isn't initiated";

export function lndPayments({ http }: { readonly http: HttpClient }): LightningPayments {
  return {
    pay: (order) => pay(http, order),
    findPayment: (wanted) => findPayment(http, wanted),
    close: () => http.close(),
  };
}

async function pay(http: HttpClient, { invoice, feeUnitsMost }: PaymentOrder): Promise<void> {
  const body = JSON.stringify({
    payment_request: invoice,
    timeout_seconds: PAYING_SECONDS,
    fee_limit_msat: String(feeUnitsMost * MILLISATOSHIS),
  });
  const said = readLine(http, await http.ask({ path: '/v2/router/send', body, isFirstLine: true }));
  if ('payment' in said || said.code === ALREADY_EXISTS) return;
  throw paymentRefused(said.refused);
}

async function findPayment(http: HttpClient, wanted: WantedPayment): Promise<InvoicePayment> {
  const hash = Buffer.from(wanted.paymentHash, 'hex').toString('base64url');
  const path = `/v2/router/track/${hash}=`;
  const said = readLine(http, await http.ask({ path, isFirstLine: true }));
  if ('payment' in said) return readPayment(said.payment, wanted);
  if (said.refused.includes(NEVER_HEARD)) return { kind: 'none', reason: undefined };
  throw nodeOutage(http.what, `the node does not tell of a payment: ${said.refused}`);
}

type Said = { readonly payment: Fields } | { readonly refused: string; readonly code: unknown };

/** An error stands alone before the first message of a stream, and in `error` after it. */
function readLine(http: HttpClient, answer: HttpAnswer): Said {
  const { status } = answer;
  const line = requireFields(parseAnswer(http, answer), 'the answer');
  const error = isFields(line.error) ? line.error : line;
  const refused = String(error.message);
  if (status === 401 || status === 403 || refused.includes('permission denied')) {
    throw nodeOutage(http.what, 'the node refuses the macaroon for payments');
  }
  if (status !== 200 || line.error !== undefined) return { refused, code: error.code };
  return { payment: requireFields(line.result, 'a payment') };
}

function readPayment(payment: Fields, { paymentHash, units }: WantedPayment): InvoicePayment {
  if (payment.payment_hash !== paymentHash) throw new NodeLie('the node found another payment');
  const htlcs = requireList(payment.htlcs ?? [], 'the HTLCs of a payment');
  const isHeld = htlcs.some((htlc) => isFields(htlc) && htlc.status === 'IN_FLIGHT');
  switch (payment.status) {
    case 'INITIATED':
    case 'IN_FLIGHT':
      return { kind: 'under-way' };
    case 'FAILED':
      return isHeld
        ? { kind: 'under-way' }
        : { kind: 'none', reason: String(payment.failure_reason) };
    case 'SUCCEEDED': {
      const value = requireNumber(payment.value_msat, 'the amount of a payment');
      if (value !== units * MILLISATOSHIS) throw new NodeLie('the node paid another amount');
      const fee = requireNumber(payment.fee_msat, 'the fee of a payment');
      const preimage = fromHex(payment.payment_preimage, 'a preimage');
      requirePreimage(preimage, paymentHash);
      return { kind: 'paid', preimage: preimage.toHex(), feeUnits: feeUnits(value + fee, units) };
    }
    default:
      throw new NodeLie(`the status of the payment ${paymentHash} is none`);
  }
}
