// Whether what a client signed is what a checkout of ours asks for, by everything that needs no
// chain. Reasons are the words of the specification of x402, and of its public facilitator where
// the specification has none. Pure.

import type { AuthorizedTransfer, TokenDomain } from '#deposit/authorized-transfer.ts';
import type { Payment, Requirements } from './read-payment.ts';

/** What we asked for at the address that is to be paid. */
export type AskedPayment = {
  /** Of the asset that was asked for; undefined where that takes no signed transfers. */
  readonly token: TokenDomain | undefined;
  readonly units: bigint;
  /** Until then it is worth what was asked. */
  readonly expiresAt: Temporal.Instant;
  readonly isOpen: boolean;
};

export type PaymentFacts = {
  /** CAIP-2 of a chain that takes such payments; undefined where it is none of ours. */
  readonly network: string | undefined;
  /** Undefined where the address is none that we gave out for a checkout. */
  readonly asked: AskedPayment | undefined;
  readonly now: Temporal.Instant;
};

/** A transaction has to be written, sent and taken into a block before the end. */
const SECONDS_LEFT_LEAST = 6n;

/** Why it is no payment; undefined where the chain alone can say more. */
export function decidePayment(
  { accepted, required, transfer }: Payment,
  { network, asked, now }: PaymentFacts,
): string | undefined {
  if (required.scheme !== 'exact' || accepted.scheme !== 'exact') return 'unsupported_scheme';
  if (network === undefined) return 'invalid_network';
  if (required.network !== network) return 'invalid_network';
  if (accepted.network !== network) return 'invalid_exact_evm_network_mismatch';
  if (!isSame(accepted, required) || asked?.token === undefined) {
    return 'invalid_payment_requirements';
  }
  const { token, units } = asked;
  const isAsked = required.asset === token.contract.toLowerCase() && required.amount === units;
  if (!isAsked) return 'invalid_payment_requirements';
  if (required.name !== token.name) return 'invalid_exact_evm_token_name_mismatch';
  if (required.version !== token.version) return 'invalid_exact_evm_token_version_mismatch';
  if (!asked.isOpen || isPast(asked.expiresAt, now)) return 'invalid_payment_requirements';
  if (transfer.to !== required.payTo) return 'invalid_exact_evm_payload_recipient_mismatch';
  if (transfer.units !== units) {
    return 'invalid_exact_evm_payload_authorization_value_mismatch';
  }
  return decideTime(transfer, now);
}

function isSame(one: Requirements, other: Requirements): boolean {
  return one.asset === other.asset && one.payTo === other.payTo && one.amount === other.amount;
}

function isPast(moment: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(moment, now) <= 0;
}

function decideTime(
  { validAfter, validBefore }: Pick<AuthorizedTransfer, 'validAfter' | 'validBefore'>,
  now: Temporal.Instant,
): string | undefined {
  // Whole seconds, rounded down.
  const seconds = BigInt(Math.floor(now.epochMilliseconds / 1_000));
  if (validBefore < seconds + SECONDS_LEFT_LEAST) {
    return 'invalid_exact_evm_payload_authorization_valid_before';
  }
  if (validAfter >= seconds) return 'invalid_exact_evm_payload_authorization_valid_after';
  return undefined;
}
