// What a fake Lightning node pays: orders by payment hash, answered as LND, Core Lightning and
// Electrum do. A test says how the next order goes, and counts what really left.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';

/**
 * `pays`; `holds`: it stays in flight; `fails`: no way is found; and nobody hears an answer when it
 * was taken (`deaf`) or was not (`lost`).
 */
export type Conduct = 'pays' | 'holds' | 'fails' | 'deaf' | 'lost';

export type FakePayment = {
  readonly hash: string;
  readonly millisatoshis: bigint;
  state: 'flying' | 'paid' | 'failed';
};

export type Outgoing = {
  conduct: Conduct;
  feeMillisatoshis: bigint;
  readonly payments: FakePayment[];
  /** Each time a payment left, by hash. */
  readonly left: string[];
  /** Most that the last order allowed as a fee, in millisatoshis; undefined where none is told. */
  feeMost: bigint | undefined;
  /** Somebody else's invoice. */
  invoice(units: bigint, wish?: { minutes?: number; metadata?: string }): string;
  preimageOf(hash: string): string;
  settle(hash: string, state: 'paid' | 'failed'): void;
};

const ENDS: Partial<Record<Conduct, FakePayment['state']>> = { holds: 'flying', fails: 'failed' };

/** `open`: the connection stays so; `cut`: it is closed without an answer. */
export type OutgoingReply =
  | { readonly status: number; readonly body: unknown; readonly isOpen?: true }
  | 'cut'
  | undefined;

type Call = { readonly method: string; readonly params: Record<string, unknown> };
type Made = {
  readonly outgoing: Outgoing;
  /** Undefined: the call is not about payments. */
  answer(kind: 'lnd' | 'core-lightning' | 'electrum', call: Call): OutgoingReply;
};

export function openOutgoing(clock: Pick<Clock, 'now'>): Made {
  const receiverKey = new Uint8Array(createHash('sha256').update('the receiver').digest());
  const preimages = new Map<string, string>();
  const outgoing: Outgoing = {
    conduct: 'pays',
    feeMillisatoshis: 1_500n,
    payments: [],
    left: [],
    feeMost: undefined,
    invoice(units, { minutes = 60, metadata } = {}) {
      const preimage = createHash('sha256').update(`payment ${preimages.size}`).digest();
      const hash = createHash('sha256').update(preimage).digest();
      preimages.set(hash.toString('hex'), preimage.toString('hex'));
      return encodeInvoice(
        {
          prefix: 'bcrt',
          units,
          createdAt: clock.now(),
          expirySeconds: minutes * 60,
          paymentHash: new Uint8Array(hash),
          paymentSecret: new Uint8Array(32).fill(7),
          description: 'a refund',
          descriptionHash: metadata && createHash('sha256').update(metadata).digest('hex'),
        },
        receiverKey,
      );
    },
    preimageOf: (hash) => preimages.get(hash) ?? '',
    settle(hash, state) {
      const payment = outgoing.payments.find((one) => one.hash === hash);
      assert(payment?.state === 'flying', 'only what is in flight ends');
      payment.state = state;
    },
  };

  /** As the node takes an order: the payment, or why it is none. */
  function take(text: unknown): FakePayment | string {
    const invoice = readInvoice(String(text));
    assert(invoice?.millisatoshis !== undefined, 'an invoice with an amount is ordered');
    const { paymentHash: hash, millisatoshis, expiresAt } = invoice;
    if (Temporal.Instant.compare(clock.now(), expiresAt) >= 0) return 'invoice expired';
    const known = outgoing.payments.find((one) => one.hash === hash);
    if (known?.state === 'flying') return 'payment is in transition';
    if (known?.state === 'paid') return 'invoice is already paid';
    const payment: FakePayment = known ?? { hash, millisatoshis, state: 'paid' };
    payment.state = ENDS[outgoing.conduct] ?? 'paid';
    if (known === undefined) outgoing.payments.push(payment);
    if (payment.state === 'paid') outgoing.left.push(hash);
    return payment;
  }

  const speakers = { lnd: speakLnd, 'core-lightning': speakCoreLightning, electrum: speakElectrum };
  return {
    outgoing,
    answer(kind, call) {
      const isOrder = ['POST /v2/router/send', 'pay', 'lnpay'].includes(call.method);
      if (isOrder && outgoing.conduct === 'lost') return 'cut';
      const reply = speakers[kind](call, outgoing, take);
      return isOrder && outgoing.conduct === 'deaf' ? 'cut' : reply;
    },
  };
}

type Speak = (
  call: Call,
  outgoing: Outgoing,
  take: (text: unknown) => FakePayment | string,
) => OutgoingReply;

const speakLnd: Speak = ({ method, params }, outgoing, take) => {
  const line = (payment: FakePayment, isOpen: boolean): OutgoingReply => {
    const status = { flying: 'IN_FLIGHT', paid: 'SUCCEEDED', failed: 'FAILED' }[payment.state];
    const fee = payment.state === 'paid' ? outgoing.feeMillisatoshis : 0n;
    const result = {
      payment_hash: payment.hash,
      value_msat: String(payment.millisatoshis),
      fee_msat: String(fee),
      payment_preimage:
        payment.state === 'paid' ? outgoing.preimageOf(payment.hash) : '00'.repeat(32),
      status,
      failure_reason:
        payment.state === 'failed' ? 'FAILURE_REASON_NO_ROUTE' : 'FAILURE_REASON_NONE',
      htlcs: payment.state === 'flying' ? [{ attempt_id: '1', status: 'IN_FLIGHT' }] : [],
    };
    return { status: 200, body: { result }, ...(isOpen && { isOpen: true }) };
  };
  if (method === 'POST /v2/router/send') {
    outgoing.feeMost = BigInt(String(params.fee_limit_msat));
    const taken = take(params.payment_request);
    if (typeof taken !== 'string') return line(taken, taken.state === 'flying');
    const isThere = taken !== 'invoice expired';
    const error = { code: isThere ? 6 : 2, message: taken, details: [] };
    return { status: isThere ? 409 : 500, body: { error } };
  }
  const [, path] = /^GET \/v2\/router\/track\/(.+)$/.exec(method) ?? [];
  if (path === undefined) return undefined;
  const hash = Buffer.from(path, 'base64url').toString('hex');
  const known = outgoing.payments.find((one) => one.hash === hash);
  if (known !== undefined) return line(known, known.state === 'flying');
  const error = { code: 5, message: "payment isn't initiated", details: [] };
  return { status: 404, body: { error } };
};

const speakCoreLightning: Speak = ({ method, params }, outgoing, take) => {
  if (method === 'pay') {
    outgoing.feeMost = BigInt(Number(params.maxfee));
    const taken = take(params.bolt11);
    const error = (code: number, message: string) => ({ status: 500, body: { code, message } });
    if (taken === 'invoice expired') return error(207, 'Invoice expired');
    if (typeof taken === 'string') return error(200, taken);
    if (taken.state === 'failed') return error(205, 'Could not find a route');
    // It answers when it has ended.
    if (taken.state === 'flying') return 'cut';
    return { status: 201, body: coreLightningPay(taken, outgoing) };
  }
  if (method !== 'listpays') return undefined;
  const known = outgoing.payments.filter(({ hash }) => hash === params.payment_hash);
  const pays = known.map((one) => coreLightningPay(one, outgoing));
  return { status: 201, body: { pays } };
};

function coreLightningPay({ hash, millisatoshis, state }: FakePayment, outgoing: Outgoing) {
  const sent = Number(millisatoshis + outgoing.feeMillisatoshis);
  const paid = { preimage: outgoing.preimageOf(hash), amount_msat: Number(millisatoshis) };
  return {
    payment_hash: hash,
    status: { flying: 'pending', paid: 'complete', failed: 'failed' }[state],
    created_at: 1_767_268_800,
    created_index: 1,
    amount_sent_msat: sent,
    ...(state === 'paid' ? paid : {}),
  };
}

const speakElectrum: Speak = ({ method, params }, outgoing, take) => {
  const answer = (more: object): OutgoingReply => ({
    status: 200,
    body: { id: method, jsonrpc: '2.0', ...more },
  });
  if (method === 'lnpay') {
    const taken = take(params.invoice);
    if (typeof taken === 'string') return answer({ error: { code: 1, message: taken } });
    const success = taken.state === 'paid';
    const preimage = success ? outgoing.preimageOf(taken.hash) : null;
    const reply = answer({ result: { payment_hash: taken.hash, success, preimage, log: [] } });
    // It answers when it has ended.
    return taken.state === 'flying' ? 'cut' : reply;
  }
  if (method !== 'list_invoices') return undefined;
  const status = { flying: 4, paid: 3, failed: 5 };
  const result = outgoing.payments.map(({ hash, state }) => ({
    is_lightning: true,
    invoice_id: hash,
    status: status[state],
  }));
  return answer({ result });
};

/** Beside what was received. */
export function electrumHistory(outgoing: Outgoing) {
  return outgoing.payments
    .filter(({ state }) => state === 'paid')
    .map(({ hash, millisatoshis }) => ({
      type: 'payment',
      direction: 0,
      amount_msat: -Number(millisatoshis + outgoing.feeMillisatoshis),
      fee_msat: Number(outgoing.feeMillisatoshis),
      payment_hash: hash,
      preimage: outgoing.preimageOf(hash),
      timestamp: 1_767_268_800,
    }));
}

/** In satoshi: what hangs in HTLCs that we offered. */
export function electrumUnsettled(outgoing: Outgoing): number {
  const flying = outgoing.payments.filter(({ state }) => state === 'flying');
  return flying.reduce((sum, { millisatoshis }) => sum + Number(millisatoshis / 1000n), 0);
}
