// Reads answers of Lightning nodes, which are hostile input: what is not exactly of the shape that
// is needed is a NodeLie, and nothing of such an answer is used.

import { createHash } from 'node:crypto';
import {
  type Fields,
  isFields,
  NodeLie,
  requireFields,
  requireHash,
} from '#networks/answer-fields.ts';
import { type HttpAnswer, type HttpClient, parseAnswer } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type InvoiceFact, MILLISATOSHIS_MAX } from './lightning-backend.ts';

/** Before a stream is opened again that the node refused. */
export const STREAM_RETRY_MS = 1000;

const NODE_ID = /^0[23][0-9a-f]{64}$/;
const NUMBER = /^(?:0|[1-9]\d{0,18})$/;

export function requireFilled(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new NodeLie(`${what} is no text`);
  return value;
}

export function requireNodeId(value: unknown): string {
  if (typeof value !== 'string' || !NODE_ID.test(value)) {
    throw new NodeLie('the id of the node is no public key');
  }
  return value;
}

/** A whole number from 0, as JSON number or as its digits: int64 comes as text in LND's JSON. */
export function requireNumber(value: unknown, what: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && NUMBER.test(value)) return BigInt(value);
  throw new NodeLie(`${what} is no whole number`);
}

/** An amount above zero, and at most what can exist. */
export function requireReceived(value: unknown, what: string): bigint {
  const millisatoshis = requireNumber(value, what);
  if (millisatoshis < 1n || millisatoshis > MILLISATOSHIS_MAX) {
    throw new NodeLie(`${what} is ${millisatoshis} msat`);
  }
  return millisatoshis;
}

/** Seconds since 1970, of a thing that has happened. */
export function requireUnixTime(value: unknown, what: string): Temporal.Instant {
  const seconds = requireNumber(value, what);
  if (seconds < 1n || seconds > 100_000_000_000n) throw new NodeLie(`${what} is no time`);
  return Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000);
}

/** A node that was paid knows the preimage, so an answer without the right one is damaged. */
export function requirePreimage(preimage: Uint8Array, paymentHash: string): void {
  const isRight =
    preimage.length === 32 && createHash('sha256').update(preimage).digest('hex') === paymentHash;
  if (!isRight) throw new NodeLie(`the preimage of ${paymentHash} is not the one of the invoice`);
}

const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** 32 bytes. A Buffer, because Uint8Array.fromBase64 takes seven times as long (Node 26). */
export function fromBase64(value: unknown, what: string): Buffer {
  if (typeof value !== 'string' || !BASE64.test(value)) {
    throw new NodeLie(`${what} is no base64 of 32 bytes`);
  }
  return Buffer.from(value, 'base64');
}

export function fromHex(value: unknown, what: string): Uint8Array {
  return Uint8Array.fromHex(requireHash(value, what));
}

/** `denied`: what the operator has to give the node; `asked`: what it refuses. @throws Outage */
export function readResult(
  http: HttpClient,
  answer: HttpAnswer,
  { denied, asked }: { readonly denied: string; readonly asked?: string },
): Fields {
  const { status } = answer;
  if (status === 401 || status === 403) throw nodeOutage(http.what, denied);
  const parsed = parseAnswer(http, answer);
  if (status !== 200 && status !== 201) {
    const message = isFields(parsed) ? String(parsed.message) : '';
    const refused = asked === undefined ? 'the node refuses' : `the node refuses ${asked}`;
    throw nodeOutage(http.what, `${refused} (HTTP status ${status}): ${message}`);
  }
  return requireFields(parsed, 'the answer');
}

/** Invoices with their index, which rises above `last`; `next` is where the next page begins. */
export function inOrder(invoices: readonly Fields[], indexName: string, last: bigint) {
  let highest = last;
  const list = invoices.map((invoice) => {
    const index = requireNumber(invoice[indexName], 'the index of an invoice');
    if (index <= highest) throw new NodeLie('the list of invoices is out of order');
    highest = index;
    return { invoice, index };
  });
  return { list, next: highest + 1n };
}

/** Until Core Lightning v23.08 amounts were texts such as `1000msat`. */
export function withoutUnit(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/msat$/, '') : value;
}

// What Core Lightning and Electrum say of a payment that arrived. Guarantees: it counts only with
// the preimage of its payment hash and an amount within the rules, which is all that it can be held
// against: these nodes do not tell the HTLCs it was made of.
export type SettledState = Extract<InvoiceFact['state'], { readonly kind: 'settled' }>;

/** As the node wrote it, but for what was asked: that is read already. */
type SaidOfPayment = {
  readonly received: unknown;
  readonly askedMillisatoshis: bigint;
  readonly preimage: unknown;
  /** Seconds since 1970. */
  readonly paidAt: unknown;
};

/** @throws NodeLie */
export function readSettled(paymentHash: string, said: SaidOfPayment): SettledState {
  const paid = `what was paid for ${paymentHash}`;
  const receivedMillisatoshis = requireReceived(said.received, paid);
  requireWithinRules(receivedMillisatoshis, said.askedMillisatoshis, paid);
  requirePreimage(fromHex(said.preimage, 'a preimage'), paymentHash);
  const settledAt = requireUnixTime(said.paidAt, `the time of payment of ${paymentHash}`);
  return { kind: 'settled', receivedMillisatoshis, settledAt };
}

/**
 * BOLT 4: a node takes at least what was asked and at most twice of it. What these nodes enforce
 * themselves is the one thing an amount that nothing else confirms can be compared with.
 */
function requireWithinRules(received: bigint, asked: bigint, what: string): void {
  if (received < asked || received > 2n * asked) {
    throw new NodeLie(`${what} is ${received} msat where ${asked} msat were asked`);
  }
}
