// What is said over HTTP in x402, version 2: what a route asks for, what an agent signed for it, and
// what became of that. Each is JSON in a header, as base64. Pure.
import { parseExact } from '../exact-json.ts';
import { fromBase64 } from '../web-crypto.ts';

export const X402_VERSION = 2;
const HEADER_LETTERS_MOST = 32 * 1024;

/** One way to pay; all of it is said by the service. */
export type Accepts = {
  readonly scheme: string;
  /** CAIP-2, as `eip155:8453`. */
  readonly network: string;
  readonly asset: string;
  /** In the smallest units of the token. */
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, string>>;
};

export type Resource = {
  readonly url: string;
  readonly description?: string;
  readonly mimeType?: string;
};

export type PaymentRequired = {
  readonly x402Version: number;
  readonly error: string;
  readonly resource: Resource;
  readonly accepts: readonly Accepts[];
};

export type SettleResponse = {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly transaction: string;
  readonly network: string;
  readonly payer?: string;
};

/** What an agent sent: the service reads and checks all of it, we read where it belongs. */
export type SignedPayment = {
  readonly payload: unknown;
  readonly checkoutId: string;
  readonly payTo: string;
};

export function encodeHeader(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Undefined where it is no payment of this version for a checkout. */
export function readSignedPayment(header: string): SignedPayment | undefined {
  const payload = decodeHeader(header);
  if (!isObject(payload) || payload.x402Version !== X402_VERSION) return undefined;
  const { accepted } = payload;
  if (!isObject(accepted) || !isObject(accepted.extra)) return undefined;
  const { checkoutId } = accepted.extra;
  if (typeof checkoutId !== 'string' || !/^[a-z0-9]{12}$/.test(checkoutId)) return undefined;
  return { payload, checkoutId, payTo: String(accepted.payTo).toLowerCase() };
}

function decodeHeader(header: string): unknown {
  if (header.length > HEADER_LETTERS_MOST) return undefined;
  const bytes = fromBase64(header.trim());
  if (bytes === undefined) return undefined;
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
