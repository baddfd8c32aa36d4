// Whether what was signed is what was asked for: each row changes one thing of a payment that is one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskedPayment, decidePayment, type PaymentFacts } from './decide-payment.ts';
import type { Payment, Requirements } from './read-payment.ts';

const NOW = Temporal.Instant.from('2026-01-10T12:00:00.900Z');
const SECONDS = BigInt(Math.floor(NOW.epochMilliseconds / 1_000));
const CONTRACT = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const OTHER = `0x${'0b'.repeat(20)}`;
const ASKED: Requirements = {
  scheme: 'exact',
  network: 'eip155:1',
  asset: CONTRACT.toLowerCase(),
  payTo: `0x${'0a'.repeat(20)}`,
  amount: 10_000n,
  name: 'USD Coin',
  version: '2',
};

type Change = {
  /** What both sides say. */
  readonly both?: Partial<Requirements>;
  readonly accepted?: Partial<Requirements>;
  readonly required?: Partial<Requirements>;
  readonly transfer?: Partial<Payment['transfer']>;
  readonly asked?: Partial<AskedPayment>;
  readonly facts?: Partial<PaymentFacts>;
};

function decide({ both, accepted, required, transfer, asked, facts }: Change): string | undefined {
  const payment: Payment = {
    accepted: { ...ASKED, ...both, ...accepted },
    required: { ...ASKED, ...both, ...required },
    transfer: {
      from: `0x${'0c'.repeat(20)}`,
      to: ASKED.payTo,
      units: ASKED.amount,
      validAfter: SECONDS - 600n,
      validBefore: SECONDS + 60n,
      nonce: `0x${'01'.repeat(32)}`,
      signature: `0x${'01'.repeat(65)}`,
      ...transfer,
    },
  };
  const token = { assetId: `USDC:${CONTRACT}`, contract: CONTRACT, name: 'USD Coin', version: '2' };
  const expiresAt = NOW.add({ minutes: 10 });
  return decidePayment(payment, {
    network: 'eip155:1',
    asked: { token, units: 10_000n, expiresAt, isOpen: true, ...asked },
    now: NOW,
    ...facts,
  });
}

const RECIPIENT = 'invalid_exact_evm_payload_recipient_mismatch';
const VALUE = 'invalid_exact_evm_payload_authorization_value_mismatch';
const AFTER = 'invalid_exact_evm_payload_authorization_valid_after';
const BEFORE = 'invalid_exact_evm_payload_authorization_valid_before';

const ROWS: readonly (readonly [string, Change, string | undefined])[] = [
  ['what is asked for is one', {}, undefined],
  ['another scheme is none', { both: { scheme: 'upto' } }, 'unsupported_scheme'],
  ['a client chose another scheme', { accepted: { scheme: 'upto' } }, 'unsupported_scheme'],
  ['the chain is none of ours', { facts: { network: undefined } }, 'invalid_network'],
  ['another chain is asked for', { both: { network: 'eip155:8453' } }, 'invalid_network'],
  [
    'a client chose another chain',
    { accepted: { network: 'eip155:8453' } },
    'invalid_exact_evm_network_mismatch',
  ],
  ['the address is none of ours', { facts: { asked: undefined } }, 'invalid_payment_requirements'],
  ['the token takes none', { asked: { token: undefined } }, 'invalid_payment_requirements'],
  ['another token is asked for', { both: { asset: OTHER } }, 'invalid_payment_requirements'],
  ['a client chose another token', { accepted: { asset: OTHER } }, 'invalid_payment_requirements'],
  [
    'a resource server asks for less than the checkout',
    { both: { amount: 9_999n }, transfer: { units: 9_999n } },
    'invalid_payment_requirements',
  ],
  ['a client chose a lower amount', { accepted: { amount: 1n } }, 'invalid_payment_requirements'],
  ['another name', { both: { name: 'USDC' } }, 'invalid_exact_evm_token_name_mismatch'],
  ['no name', { both: { name: undefined } }, 'invalid_exact_evm_token_name_mismatch'],
  ['another version', { both: { version: '1' } }, 'invalid_exact_evm_token_version_mismatch'],
  ['the checkout is not open', { asked: { isOpen: false } }, 'invalid_payment_requirements'],
  ['its time is over', { asked: { expiresAt: NOW } }, 'invalid_payment_requirements'],
  ['another receiver is signed', { transfer: { to: OTHER } }, RECIPIENT],
  ['less is signed', { transfer: { units: 9_999n } }, VALUE],
  ['more is signed', { transfer: { units: 10_001n } }, VALUE],
  ['valid until six seconds from now', { transfer: { validBefore: SECONDS + 6n } }, undefined],
  ['valid for five seconds', { transfer: { validBefore: SECONDS + 5n } }, BEFORE],
  ['over', { transfer: { validBefore: SECONDS - 1n } }, BEFORE],
  ['valid since a second', { transfer: { validAfter: SECONDS - 1n } }, undefined],
  ['valid after this second', { transfer: { validAfter: SECONDS } }, AFTER],
];

for (const [what, change, reason] of ROWS) {
  test(`${what}: ${reason ?? 'nothing against it'}`, () => {
    assert.equal(decide(change), reason);
  });
}
