// What a resource server asks a facilitator of x402 (version 2, scheme exact, EVM): the payment
// that a client signed, and what it was asked for. Read once, strictly; who asks is not known, and
// nothing here is believed yet.

import { z } from 'zod';
import type { AuthorizedTransfer } from '#deposit/authorized-transfer.ts';
import { type ExactJson, ExactNumber, isJsonObject } from '#money/exact-json.ts';
import { checkShape, fields, textUpTo } from '#money/exact-schema.ts';

export const X402_VERSION = 2;

/** What one entry of `accepts` says, as far as it decides. */
export type Requirements = {
  readonly scheme: string;
  /** CAIP-2. */
  readonly network: string;
  /** In lower case, as all addresses. */
  readonly asset: string;
  readonly payTo: string;
  readonly amount: bigint;
  readonly name: string | undefined;
  readonly version: string | undefined;
};

export type Payment = {
  /** Which entry the client says that it chose. */
  readonly accepted: Requirements;
  /** What the resource server asks for. */
  readonly required: Requirements;
  readonly transfer: Omit<AuthorizedTransfer, 'assetId'>;
};

const lower = (text: string) => text.toLowerCase();
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lower);
const number256 = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,77})$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);
const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`))
    .transform(lower);

const REQUIREMENTS = fields({
  scheme: textUpTo(40),
  network: textUpTo(60),
  asset: address,
  payTo: address,
  amount: number256,
  extra: fields({ name: textUpTo(100).optional(), version: textUpTo(100).optional() }).optional(),
});
const REQUEST = fields({
  paymentPayload: fields({
    accepted: REQUIREMENTS,
    payload: fields({
      signature: hexOf(65),
      authorization: fields({
        from: address,
        to: address,
        value: number256,
        validAfter: number256,
        validBefore: number256,
        nonce: hexOf(32),
      }),
    }),
  }),
  paymentRequirements: REQUIREMENTS,
});

/** Or the word of the specification for what it is not. */
export function readPayment(
  request: ExactJson,
): Payment | 'invalid_x402_version' | 'invalid_payload' {
  if (!isJsonObject(request)) return 'invalid_payload';
  const { x402Version, paymentPayload } = request;
  const inner = isJsonObject(paymentPayload ?? null)
    ? (paymentPayload as Record<string, unknown>).x402Version
    : undefined;
  if (![x402Version, inner].every(isVersion)) return 'invalid_x402_version';
  const read = checkShape(REQUEST, request, []);
  if (read === undefined) return 'invalid_payload';
  const { accepted, payload } = read.paymentPayload;
  const { value, ...authorization } = payload.authorization;
  return {
    accepted: requirementsOf(accepted),
    required: requirementsOf(read.paymentRequirements),
    transfer: { ...authorization, units: value, signature: payload.signature },
  };
}

function isVersion(value: unknown): boolean {
  return value instanceof ExactNumber && value.text === `${X402_VERSION}`;
}

function requirementsOf({ extra, ...read }: z.output<typeof REQUIREMENTS>): Requirements {
  return { ...read, name: extra?.name, version: extra?.version };
}
