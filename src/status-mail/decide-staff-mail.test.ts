// Which mail people of a merchant get: every event in every state, against one table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKOUT_STATES, type CheckoutState } from '#checkout/checkout.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { getsMail, STAFF_MAILS, STAFF_ROLES, type StaffRole } from '#staff/role.ts';
import { decideStaffMail, STAFF_EVENTS } from './decide-staff-mail.ts';

/** Whatever the state, unless it stands below. */
const ALWAYS: Partial<Readonly<Record<EventType, string>>> = {
  CHECKOUT_MISDIRECTED: 'misdirected',
  DEPOSIT_MISDIRECTED: 'misdirected',
  CHECKOUT_PAID_AGAIN: 'again',
  CHECKOUT_REVERSED: 'reversed',
  DEPOSIT_REVERSED: 'reversed',
  REFUND_FAILED: 'failed',
  REFUND_RETURNED: 'failed',
  TRANSFER_FAILED: 'failed',
  TRANSFER_RETURNED: 'failed',
};
const IN_STATE: Readonly<Record<string, string>> = {
  'CHECKOUT_COMPLETED COMPLETED': 'PAID',
  'CHECKOUT_UNDERPAID UNDERPAID': 'underpaid',
};

function toldOf(
  type: EventType,
  state: CheckoutState,
  flags: object = {},
  isBillPaidAgain = false,
): string | undefined {
  const mail = decideStaffMail(type, { state, flags, isBillPaidAgain });
  return mail?.kind === 'NEEDS_PERSON' ? mail.reason : mail?.kind;
}

test('people are told of what is paid, and of what needs one of them, and of nothing else', () => {
  for (const type of EVENT_TYPES) {
    for (const state of CHECKOUT_STATES) {
      const wanted = ALWAYS[type] ?? IN_STATE[`${type} ${state}`];
      assert.equal(toldOf(type, state), wanted, `${type} in ${state}`);
    }
  }
  const reversed = { amount: '1', assetCode: 'LTC', at: '2026-03-01T12:00:00Z' };
  assert.equal(toldOf('CHECKOUT_COMPLETED', 'COMPLETED', { reversed }), undefined);
});

test('who pays an invoice again is told as what needs a person, not as a sale', () => {
  for (const type of EVENT_TYPES) {
    for (const state of CHECKOUT_STATES) {
      const isPaid = type === 'CHECKOUT_COMPLETED' && state === 'COMPLETED';
      const wanted = isPaid ? 'billAgain' : toldOf(type, state);
      assert.equal(toldOf(type, state, {}, true), wanted, `${type} in ${state}`);
    }
  }
});

test('what is decided on is what is read', () => {
  const told = EVENT_TYPES.filter((type) => CHECKOUT_STATES.some((state) => toldOf(type, state)));
  assert.deepEqual([...STAFF_EVENTS].sort(), told.sort());
});

/** Who may get what, and what of it comes unless he has said what he wants. */
const BY_ROLE: Readonly<Record<StaffRole, readonly [may: string, unasked: string]>> = {
  OWNER: ['PAID NEEDS_PERSON DAILY_SUMMARY', 'NEEDS_PERSON'],
  ADMIN: ['PAID NEEDS_PERSON DAILY_SUMMARY', ''],
  DEVELOPER: ['PAID', ''],
  ACCOUNTANT: ['PAID DAILY_SUMMARY', ''],
  CASHIER: ['PAID', ''],
  VIEWER: ['PAID', ''],
};

test('nobody is mailed what his role does not show him, whatever he wishes', () => {
  for (const role of STAFF_ROLES) {
    const [may, unasked] = BY_ROLE[role];
    const listed = (wishes: readonly string[] | undefined) =>
      STAFF_MAILS.filter((kind) => getsMail(role, wishes, kind)).join(' ');
    assert.equal(listed(STAFF_MAILS), may, role);
    assert.equal(listed(undefined), unasked, role);
    assert.equal(listed([]), '', role);
  }
});
