import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutState } from '#checkout/checkout.ts';
import { type BillCheckout, type BillStanding, decideBill } from './decide-bill.ts';

const NOW = Temporal.Instant.from('2026-03-10T12:00:00Z');
const ISSUED = { kind: 'INVOICE', state: 'ISSUED', dueOn: '2026-03-10' } as const;

function checkout(state: CheckoutState, more: Partial<BillCheckout> = {}): BillCheckout {
  const completedAt = state === 'COMPLETED' ? NOW : undefined;
  const quotedUntil = NOW.add({ minutes: 5 });
  return { checkoutId: 'first', state, flags: {}, quotedUntil, completedAt, ...more };
}
const later = { checkoutId: 'later' };
const over = { quotedUntil: NOW };
const reversed = { flags: { reversed: { amount: '1', assetCode: 'BTC', at: '' } } };

/** State, checkouts, and how it stands then. */
const CASES: readonly (readonly [
  name: string,
  bill: Parameters<typeof decideBill>[0],
  checkouts: readonly BillCheckout[],
  stands: Partial<BillStanding>,
])[] = [
  ['nobody has tried to pay', ISSUED, [], { state: 'ISSUED', payBy: 'new', isOverdue: false }],
  ['a draft', { ...ISSUED, state: 'DRAFT' }, [], { state: 'DRAFT', payBy: undefined }],
  ['the day after it was due', { ...ISSUED, dueOn: '2026-03-09' }, [], { isOverdue: true }],
  ['its price holds', ISSUED, [checkout('NEW')], { payBy: 'first', isUnderWay: false }],
  ['its price is over', ISSUED, [checkout('NEW', over)], { payBy: 'new' }],
  ['a way was chosen', ISSUED, [checkout('AWAITING_PAYMENT')], { payBy: 'first' }],
  ['it expired', ISSUED, [checkout('EXPIRED')], { payBy: 'new' }],
  [
    'money was seen for an older one',
    ISSUED,
    [checkout('PENDING', over), checkout('NEW', later)],
    { payBy: 'first', isUnderWay: true, state: 'ISSUED' },
  ],
  [
    'a part is missing',
    ISSUED,
    [checkout('UNDERPAID', over)],
    { payBy: 'first', isUnderWay: true },
  ],
  [
    'it is paid',
    { ...ISSUED, dueOn: '2026-01-01' },
    [checkout('COMPLETED')],
    { state: 'PAID', payBy: undefined, isOverdue: false, paidBy: ['first'], paidAt: NOW },
  ],
  [
    'it is paid again',
    ISSUED,
    [checkout('COMPLETED', { completedAt: NOW.add({ hours: 1 }) }), checkout('COMPLETED', later)],
    { paidBy: ['later', 'first'], paidAt: NOW },
  ],
  [
    'the network took the payment back',
    ISSUED,
    [checkout('COMPLETED', reversed)],
    { state: 'ISSUED', payBy: 'new', paidBy: [] },
  ],
  [
    'cancelled after it was paid',
    { ...ISSUED, state: 'CANCELLED' },
    [checkout('COMPLETED')],
    { state: 'CANCELLED', payBy: undefined, paidBy: ['first'] },
  ],
  [
    'a cancellation is never paid',
    { ...ISSUED, kind: 'CANCELLATION', dueOn: '2026-01-01' },
    [],
    { state: 'ISSUED', payBy: undefined, isOverdue: false },
  ],
];

for (const [name, bill, checkouts, stands] of CASES) {
  test(name, () => {
    const decided = decideBill(bill, checkouts, NOW);
    const told = Object.keys(stands).map((key) => [key, decided[key as keyof BillStanding]]);
    assert.deepEqual(Object.fromEntries(told), stands);
  });
}
