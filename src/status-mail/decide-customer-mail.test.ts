// Which mail a customer gets: every event in every state, against one table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKOUT_STATES, type CheckoutState } from '#checkout/checkout.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { CUSTOMER_EVENTS, decideCustomerMail, decidePayerMail } from './decide-customer-mail.ts';

/** Nobody is mailed of anything else, whatever the state. */
const MAILS: Readonly<Record<string, string>> = {
  'CHECKOUT_PENDING PENDING': 'PAYMENT_SEEN',
  'CHECKOUT_COMPLETED COMPLETED': 'PAID',
  'CHECKOUT_UNDERPAID UNDERPAID': 'UNDERPAID',
  'CHECKOUT_EXPIRED EXPIRED': 'EXPIRED',
};

function mailOf(type: EventType, state: CheckoutState, more: object = {}) {
  const facts = { state, flags: {}, isSeen: true, refundState: undefined, ...more };
  return decideCustomerMail(type, facts);
}

test('a mail tells of a state that is still so, and of no other', () => {
  for (const type of EVENT_TYPES) {
    for (const state of CHECKOUT_STATES) {
      assert.equal(mailOf(type, state), MAILS[`${type} ${state}`], `${type} in ${state}`);
    }
  }
});

test('nobody is told that money was seen that is not what was asked for', () => {
  assert.equal(mailOf('CHECKOUT_PENDING', 'PENDING', { isSeen: false }), undefined);
});

test('nobody is thanked for money that the network took back', () => {
  const reversed = { amount: '1', assetCode: 'LTC', at: '2026-03-01T12:00:00Z' };
  assert.equal(mailOf('CHECKOUT_COMPLETED', 'COMPLETED', { flags: { reversed } }), undefined);
});

test('a refund was sent when it has arrived and has not come back', () => {
  for (const refundState of ['AWAITING_ADDRESS', 'UNDER_WAY', 'FAILED', 'RETURNED', undefined]) {
    assert.equal(mailOf('REFUND_COMPLETED', 'COMPLETED', { refundState }), undefined);
  }
  const sent = mailOf('REFUND_COMPLETED', 'COMPLETED', { refundState: 'COMPLETED' });
  assert.equal(sent, 'REFUND_SENT');
});

test('what is decided on is what is read', () => {
  const told = EVENT_TYPES.filter((type) =>
    CHECKOUT_STATES.some((state) => mailOf(type, state, { refundState: 'COMPLETED' })),
  );
  assert.deepEqual([...CUSTOMER_EVENTS].sort(), told.sort());
});

test('a payer who asked is told that it is paid, or of money that did not pay it', () => {
  const reversed = { amount: '1', assetCode: 'LTC', at: '2026-03-01T12:00:00Z' };
  const mailOf = (state: CheckoutState, hasMoney: boolean, flags = {}) =>
    decidePayerMail({ state, flags, hasMoney });
  const told = CHECKOUT_STATES.map((state) => [state, mailOf(state, true), mailOf(state, false)]);
  assert.deepEqual(told, [
    ['NEW', undefined, undefined],
    ['AWAITING_PAYMENT', undefined, undefined],
    ['PENDING', undefined, undefined],
    ['UNDERPAID', 'UNDERPAID', 'UNDERPAID'],
    ['COMPLETED', 'PAID', 'PAID'],
    ['EXPIRED', 'EXPIRED', undefined],
    ['CANCELLED', 'EXPIRED', undefined],
  ]);
  assert.equal(mailOf('COMPLETED', true, { reversed }), undefined);
});
