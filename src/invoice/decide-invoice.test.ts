import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type InvoicePayment, PAYING_SECONDS } from '#deposit/money-out.ts';
import { decideAllowed, decideInvoice } from './decide-invoice.ts';

const BEGIN = Temporal.Instant.from('2026-01-01T12:00:00Z');
const at = (seconds: number) => BEGIN.add({ seconds });
const HOUR = 3600;

describe('what follows for an invoice of an hour that was ordered once', () => {
  const none = { kind: 'none', reason: 'no route' } as const;
  const flying = { kind: 'under-way' } as const;
  const paid = { kind: 'paid', preimage: 'ab', feeUnits: 1n } as const;
  for (const [found, seconds, expected] of [
    [paid, 1, 'paid'],
    [paid, 10 * HOUR, 'paid'],
    [flying, 1, 'wait'],
    [flying, 10 * HOUR, 'wait'],
    [none, 1, 'wait'],
    [none, 29, 'wait'],
    [none, 30, 'order'],
    [none, HOUR - 31, 'order'],
    [none, HOUR - 30, 'wait'],
    [none, HOUR + 1, 'wait'],
    [none, HOUR + 299, 'wait'],
    [none, HOUR + 300, 'over'],
  ] as const) {
    test(`${found.kind} after ${seconds} s: ${expected}`, () => {
      const live = { expiresAt: at(HOUR), orderedAt: BEGIN, orders: 1, byHand: false };
      assert.equal(decideInvoice(live, found, at(seconds)).kind, expected);
    });
  }

  test('what a person was shown is never ordered nor given up', () => {
    const shown = { expiresAt: at(HOUR), orderedAt: undefined, orders: 0, byHand: true };
    for (const seconds of [1, HOUR, 100 * HOUR]) {
      assert.equal(decideInvoice(shown, none, at(seconds)).kind, 'wait');
      assert.equal(decideInvoice(shown, paid, at(seconds)).kind, 'paid');
    }
  });
});

for (const [limits, units, ordered, expected] of [
  [undefined, 1n, 0n, /LIGHTNING_PAY\)/],
  [{ paymentUnits: 10n, dayUnits: 15n }, 10n, 0n, undefined],
  [{ paymentUnits: 10n, dayUnits: 15n }, 11n, 0n, /LIGHTNING_PAY_MOST of 10/],
  [{ paymentUnits: 10n, dayUnits: 15n }, 10n, 5n, undefined],
  [{ paymentUnits: 10n, dayUnits: 15n }, 10n, 6n, /LIGHTNING_PAY_DAY_MOST of 15/],
] as const) {
  test(`${units} after ${ordered} is ${expected === undefined ? '' : 'not '}allowed`, () => {
    const against = decideAllowed(limits, units, ordered);
    if (expected === undefined) assert.equal(against, undefined);
    else assert.match(against ?? '', expected);
  });
}

/** What can happen between two looks. */
const EVENTS = ['look', 'lost', 'late', 'fly', 'fail', 'settle', 'pass'] as const;

/**
 * A node as they are: it refuses what has expired by its own clock; it goes on for its time after an
 * order; it knows payments by hash; orders arrive, are lost, or arrive later than they were given.
 */
function world() {
  let now = 0;
  let invoice = 0;
  let live: { expiresAt: number; orderedAt: number; orders: number; hash: number } | undefined;
  const states = new Map<number, 'flying' | 'paid' | 'failed'>();
  const late: { readonly hash: number; readonly expiresAt: number; readonly arrivesAt: number }[] =
    [];
  const clockApart = 100;
  let end: 'paid' | undefined;

  const arrive = (hash: number, expiresAt: number, conduct: 'fly' | 'fail' | 'settle') => {
    const state = states.get(hash);
    if (now - clockApart >= expiresAt || state === 'flying' || state === 'paid') return;
    states.set(hash, ({ fly: 'flying', fail: 'failed', settle: 'paid' } as const)[conduct]);
  };
  const found = (hash: number): InvoicePayment => {
    const state = states.get(hash);
    if (state === 'paid') return { kind: 'paid', preimage: '', feeUnits: 0n };
    return state === 'flying' ? { kind: 'under-way' } : { kind: 'none', reason: undefined };
  };
  const order = (how: (typeof EVENTS)[number], delay: number) => {
    assert.ok(live !== undefined);
    const { hash, expiresAt } = live;
    if (how === 'late') late.push({ hash, expiresAt, arrivesAt: now + delay });
    else if (how === 'fly' || how === 'fail' || how === 'settle') arrive(hash, expiresAt, how);
  };
  return {
    step(how: (typeof EVENTS)[number], seconds: number, lasts: number) {
      now += seconds;
      for (const one of late.splice(0)) {
        if (one.arrivesAt > now) late.push(one);
        else arrive(one.hash, one.expiresAt, 'settle');
      }
      for (const [hash, state] of states) {
        if (state !== 'flying' || (how !== 'settle' && how !== 'fail')) continue;
        states.set(hash, how === 'settle' ? 'paid' : 'failed');
      }
      if (end !== undefined) return;
      if (live === undefined) {
        invoice += 1;
        live = { hash: invoice, expiresAt: now + lasts, orderedAt: now, orders: 1 };
        return order(how, Math.min(seconds, PAYING_SECONDS));
      }
      const given = { ...live, expiresAt: at(live.expiresAt), orderedAt: at(live.orderedAt) };
      const next = decideInvoice({ ...given, byHand: false }, found(live.hash), at(now));
      if (next.kind === 'paid') end = 'paid';
      else if (next.kind === 'over') live = undefined;
      else if (next.kind === 'order') {
        live = { ...live, orderedAt: now, orders: live.orders + 1 };
        order(how, Math.min(seconds, PAYING_SECONDS));
      }
    },
    paid: () => [...states].filter(([, state]) => state === 'paid').map(([hash]) => hash),
    open: () => live?.hash,
    end: () => end,
    given: () => invoice,
  };
}

test('whatever a node does and whenever, of all invoices of one order one is paid at most, and what is given up never', () => {
  const happening = fc.tuple(
    fc.constantFrom(...EVENTS),
    fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 5_000 })),
  );
  let [paid, replaced] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 60 }),
      fc.integer({ min: 61, max: 4_000 }),
      (happenings, lasts) => {
        const one = world();
        for (const [how, seconds] of happenings) {
          one.step(how, seconds, lasts);
          assert.ok(one.paid().length <= 1, `paid were ${one.paid().join(', ')}`);
          if (one.paid().length === 1 && one.end() === undefined) {
            assert.equal(one.open(), one.paid()[0], 'what was paid is still asked about');
          }
        }
        if (one.end() === 'paid') paid += 1;
        if (one.given() > 1) replaced += 1;
      },
    ),
    { numRuns: 2_000 },
  );
  assert.ok(paid > 100 && replaced > 50, `the rare is tried: ${paid} paid, ${replaced} replaced`);
});
