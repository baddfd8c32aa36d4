import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CheckoutState } from '#checkout/checkout.ts';
import { evidenceText } from '#checkout/credit.ts';
import {
  at,
  decide,
  LOCK,
  NO_RATE,
  pendingCredit,
  rateOf,
  receipt,
  seen,
} from '#test/support/settlement-facts.ts';
import type { LockFacts, ReceiptFacts, SettlementFacts } from './settlement-facts.ts';

type Row = readonly [name: string, changes: Partial<SettlementFacts>, state: CheckoutState];
const TABLE: readonly Row[] = [
  ['nothing chosen', { state: 'NEW', locks: [] }, 'NEW'],
  ['nothing chosen for 24 hours', { state: 'NEW', locks: [], now: at(60) }, 'EXPIRED'],
  ['chosen, no money', {}, 'AWAITING_PAYMENT'],
  ['no money at the end of the window', { now: at(60) }, 'EXPIRED'],
  ['no money one minute before the end', { now: at(59) }, 'AWAITING_PAYMENT'],
  [
    'window over while the network is unheard',
    { now: at(99), networkBehind: true },
    'AWAITING_PAYMENT',
  ],
  ['money seen', { receipts: [receipt(1, seen)] }, 'PENDING'],
  ['money in a block', { receipts: [receipt(1, { status: 'INCLUDED' })] }, 'PENDING'],
  [
    'money in a block when the window ends',
    { receipts: [receipt(1, { status: 'INCLUDED' })], now: at(300) },
    'PENDING',
  ],
  [
    'unconfirmed money just after the window',
    { receipts: [receipt(1, seen)], now: at(61) },
    'PENDING',
  ],
  [
    'unconfirmed money one more window later',
    { receipts: [receipt(1, seen)], now: at(120) },
    'EXPIRED',
  ],
  ['money that was replaced', { receipts: [receipt(1, { status: 'GONE' })] }, 'AWAITING_PAYMENT'],
  ['paid in full', { receipts: [receipt(1)] }, 'COMPLETED'],
  ['paid too much', { receipts: [receipt(1, { units: 1001n })] }, 'COMPLETED'],
  ['paid one unit less', { receipts: [receipt(1, { units: 999n })] }, 'UNDERPAID'],
  [
    'underpaid when the window ends',
    { receipts: [receipt(1, { units: 999n })], now: at(90) },
    'UNDERPAID',
  ],
  [
    'paid in two parts',
    { receipts: [receipt(1, { units: 400n }), receipt(2, { units: 600n })] },
    'COMPLETED',
  ],
  [
    'one part final, one on its way',
    { receipts: [receipt(1, { units: 400n }), receipt(2, { ...seen, units: 600n })] },
    'PENDING',
  ],
  [
    'within the tolerance',
    { underpaidTolerancePartsPerMillion: 1000, receipts: [receipt(1, { units: 999n })] },
    'COMPLETED',
  ],
  [
    'below the tolerance',
    { underpaidTolerancePartsPerMillion: 1000, receipts: [receipt(1, { units: 998n })] },
    'UNDERPAID',
  ],
  [
    'paid late',
    {
      state: 'EXPIRED',
      now: at(500),
      receipts: [receipt(1, { seenAt: at(400), minedAt: at(401) })],
    },
    'COMPLETED',
  ],
  [
    'late money seen',
    { state: 'EXPIRED', now: at(401), receipts: [receipt(1, { ...seen, seenAt: at(400) })] },
    'PENDING',
  ],
  ['cancelled', { cancelled: true }, 'CANCELLED'],
  [
    'cancelled, then paid',
    { state: 'CANCELLED', cancelled: true, receipts: [receipt(1)] },
    'COMPLETED',
  ],
  [
    'underpaid and accepted',
    {
      state: 'UNDERPAID',
      receipts: [receipt(1, { units: 1n, creditedGeneration: 1 })],
      credits: [pendingCredit(1, 1n, { acceptedAt: at(0) })],
    },
    'COMPLETED',
  ],
  [
    'another asset than was asked for',
    { receipts: [receipt(1, { assetId: 'BTC:NATIVE' })] },
    'AWAITING_PAYMENT',
  ],
  [
    'completed, then all of it gone',
    { state: 'COMPLETED', receipts: [receipt(1, { status: 'GONE', creditedGeneration: 1 })] },
    'COMPLETED',
  ],
];

for (const [name, changes, state] of TABLE) {
  test(`${name}: ${state}`, () => assert.equal(decide(changes).state, state));
}

test('a payment in full credits exactly what the lock guaranteed', () => {
  const [credit] = decide({ receipts: [receipt(1)] }).credited;
  assert.equal(credit?.settlementUnits, 1000n);
  assert.equal(credit?.netUnits, 990n);
  assert.equal(credit?.feeUnits, 10n);
  assert.equal(credit?.rateBasis, 'LOCKED');
  assert.equal(credit?.account, 'available');
});

test('an underpaid receipt is credited as pending, and released when the rest arrives', () => {
  const first = receipt(1, { units: 400n });
  const short = decide({ receipts: [first] });
  assert.deepEqual(
    short.credited.map(({ account }) => account),
    ['pending'],
  );
  const credit = pendingCredit(1, 400n);
  const after = decide({
    state: 'UNDERPAID',
    receipts: [{ ...first, creditedGeneration: 1 }, receipt(2, { units: 600n })],
    credits: [credit],
  });
  assert.equal(after.state, 'COMPLETED');
  assert.deepEqual(after.released, [{ ...credit, releasedAt: at(20) }]);
  assert.deepEqual(
    after.credited.map(({ receiptId, account }) => [receiptId, account]),
    [[2n, 'available']],
  );
});

test('a receipt that the ledger knows is not credited again', () => {
  const decision = decide({
    state: 'COMPLETED',
    receipts: [receipt(1, { creditedGeneration: 1 })],
  });
  assert.deepEqual(decision.credited, []);
});

test('a receipt reversed and mined again is credited as a new generation', () => {
  const again = receipt(1, { generation: 2, creditedGeneration: 1, reversedGeneration: 1 });
  const decision = decide({ state: 'COMPLETED', receipts: [again] });
  assert.deepEqual(
    decision.credited.map(({ generation }) => generation),
    [2],
  );
});

test('refunded money pays for nothing; taken away and back, it pays for the refund', () => {
  const credit = pendingCredit(1, 600n, { account: 'refunded' });
  const refunded = receipt(1, { units: 600n, creditedGeneration: 1 });
  const alone = decide({ state: 'UNDERPAID', receipts: [refunded], credits: [credit] });
  assert.equal(alone.state, 'AWAITING_PAYMENT');
  assert.deepEqual([alone.credited, alone.released], [[], []]);

  const more = receipt(2, { units: 999n });
  const next = decide({ receipts: [refunded, more], credits: [credit] });
  assert.equal(next.state, 'UNDERPAID');
  // What was refunded has used its part of the lock.
  assert.equal(next.credited[0]?.lockedUnits, 400n);
  assert.equal(next.credited[0]?.rateBasis, 'MIXED');

  const lost = { ...refunded, status: 'GONE', reversalDue: true } as const;
  const reversal = decide({ receipts: [lost], credits: [credit] });
  assert.deepEqual(reversal.reversed, [{ ...credit, reversedAt: at(20), owedAt: at(20) }]);
  const again = { ...refunded, generation: 2, reversedGeneration: 1 };
  const back = decide({
    receipts: [again],
    credits: [{ ...credit, reversedAt: at(0), owedAt: at(0) }],
  });
  assert.equal(back.state, 'AWAITING_PAYMENT');
  assert.deepEqual(
    back.credited.map((one) => [one.account, one.units, one.netUnits, one.paysDebt]),
    [['refunded', 600n, 0n, true]],
  );
});

test('a credited receipt that the chain lost is reversed once', () => {
  const lost = receipt(1, { status: 'GONE', creditedGeneration: 1, reversalDue: true });
  const credits = [pendingCredit(1, 1000n, { account: 'available' })];
  assert.deepEqual(decide({ state: 'COMPLETED', receipts: [lost], credits }).reversed, [
    { ...credits[0], reversedAt: at(20) },
  ]);
  const done = { ...lost, reversedGeneration: 1 };
  assert.deepEqual(decide({ state: 'COMPLETED', receipts: [done], credits }).reversed, []);
});

test('money after completion is credited and counted as extra', () => {
  const decision = decide({
    state: 'COMPLETED',
    receipts: [receipt(1, { creditedGeneration: 1 }), receipt(2)],
  });
  assert.equal(decision.extraReceipts, 1);
  assert.deepEqual(decision.overpaid, { assetId: 'LTC:NATIVE', units: 1000n });
});

test('another asset than was asked for goes to suspense and is never converted', () => {
  const [credit] = decide({
    receipts: [receipt(1, { assetId: 'BTC:NATIVE', units: 7n })],
  }).credited;
  assert.equal(credit?.account, 'suspense');
  assert.equal(credit?.settlementUnits, 0n);
});

const EURO_LOCK: LockFacts = {
  ...LOCK,
  settlementAssetId: 'EUR:FIAT',
  settlementUnits: 5000n,
  netUnits: 4950n,
};

test('a lock covers the required amount only, the excess is converted at the rate of now', () => {
  const rate = rateOf(4n, 1250n);
  const [credit] = decide(
    { locks: [EURO_LOCK], receipts: [receipt(1, { units: 1500n })] },
    rate,
  ).credited;
  assert.equal(credit?.rateBasis, 'MIXED');
  assert.equal(credit?.lockedUnits, 1000n);
  assert.equal(credit?.settlementUnits, 5000n + 2000n);
});

test('late money is converted at the rate of now and completes when it is worth enough', () => {
  const late = receipt(1, { units: 800n, seenAt: at(61), minedAt: at(62) });
  const risen = rateOf(7n, 800n);
  const decision = decide(
    { locks: [EURO_LOCK], state: 'EXPIRED', now: at(90), receipts: [late] },
    risen,
  );
  assert.equal(decision.state, 'COMPLETED');
  assert.equal(decision.credited[0]?.rateBasis, 'CURRENT');
  assert.equal(decision.credited[0]?.settlementUnits, 5600n);
  assert.equal(decision.lateAt?.toString(), at(61).toString());
});

test('late money completes when it is worth the floor of the merchant, and not below it', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  const at90 = { locks: [EURO_LOCK], now: at(90), receipts: [late] };
  assert.equal(decide(at90, rateOf(1n, 1111n)).state, 'COMPLETED');
  const fallen = decide(at90, rateOf(1n, 1112n));
  assert.equal(fallen.state, 'UNDERPAID');
  assert.equal(fallen.credited[0]?.account, 'pending');
  assert.equal(fallen.lateAt?.toString(), at(61).toString());
  const strict = { ...at90, lateFloorPartsPerMillion: 1_000_000 };
  assert.equal(decide(strict, rateOf(1n, 1001n)).state, 'UNDERPAID');
  assert.equal(decide(strict, rateOf(1n, 1000n)).state, 'COMPLETED');
});

test('money later than the merchant allows is pending: it is accepted or refunded, not a sale by itself', () => {
  const days = (count: number) => at(60 + count * 24 * 60);
  const seenAt = (moment: Temporal.Instant) =>
    receipt(1, { seenAt: moment, minedAt: moment.add({ minutes: 1 }) });
  const facts = { locks: [EURO_LOCK], lateDays: 14, now: days(30) };
  const same = rateOf(1n, 1000n);
  assert.equal(decide({ ...facts, receipts: [seenAt(days(14))] }, same).state, 'COMPLETED');
  const later = decide({ ...facts, receipts: [seenAt(days(15))] }, same);
  assert.equal(later.state, 'UNDERPAID');
  assert.equal(later.credited[0]?.account, 'pending');
  assert.equal(later.lateAt?.toString(), days(15).toString());
  const inTime = decide({ ...facts, lateDays: 0, receipts: [receipt(1)] }, same);
  assert.equal(inTime.state, 'COMPLETED');
  // What it lacks is not made up for by money that came too late.
  const short = receipt(1, { units: 900n, creditedGeneration: 1 });
  const rest = receipt(2, { units: 100n, seenAt: days(15), minedAt: days(15) });
  const both = { ...facts, credits: [pendingCredit(1, 900n)], receipts: [short, rest] };
  assert.equal(decide(both, same).state, 'UNDERPAID');
  assert.equal(decide({ ...both, lateDays: 36_500 }, same).state, 'COMPLETED');
});

test('the floor is for prices that fall: who sends less than was asked for pays less, late or not', () => {
  const inTime = receipt(1, { units: 900n, creditedGeneration: 1 });
  const facts = { now: at(90), credits: [pendingCredit(1, 900n)] };
  assert.equal(decide({ ...facts, receipts: [inTime] }).state, 'UNDERPAID');
  const late = (units: bigint) => receipt(2, { units, seenAt: at(61), minedAt: at(62) });
  assert.equal(decide({ ...facts, receipts: [inTime, late(99n)] }).state, 'UNDERPAID');
  assert.equal(decide({ ...facts, receipts: [inTime, late(100n)] }).state, 'COMPLETED');
  const short = receipt(1, { units: 950n, seenAt: at(61), minedAt: at(62) });
  assert.equal(decide({ now: at(90), receipts: [short] }).state, 'UNDERPAID');
  assert.equal(decide({ now: at(90), receipts: [short] }, rateOf(1n, 950n)).state, 'COMPLETED');
});

test('money seen in time whose block came more than a window after the end is not locked', () => {
  const slow = receipt(1, { seenAt: at(59), minedAt: at(121) });
  const decision = decide({ locks: [EURO_LOCK], now: at(130), receipts: [slow] });
  assert.equal(decision.credited[0]?.rateBasis, 'CURRENT');
});

test('without a rate late money waits, uncredited and not completed', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  const decision = decide({ locks: [EURO_LOCK], now: at(90), receipts: [late] }, NO_RATE);
  assert.equal(decision.state, 'PENDING');
  assert.deepEqual(decision.credited, []);
  assert.equal(decision.waitsForRate, true);
  assert.equal(decision.decideAgainAt?.toString(), at(90).add({ seconds: 3 }).toString());
});

test('without a rate nobody knows what late money is worth, converted or not', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  const waiting = decide({ now: at(90), receipts: [late] }, NO_RATE);
  assert.equal(waiting.state, 'PENDING');
  assert.equal(waiting.waitsForRate, true);
  const extra = decide({ state: 'COMPLETED', now: at(90), receipts: [late] }, NO_RATE);
  assert.equal(extra.credited[0]?.account, 'available');
});

test('two ways of paying add up by the share of each', () => {
  const other: LockFacts = {
    ...LOCK,
    instructionId: 'instruction2',
    assetId: 'BTC:NATIVE',
    network: 'BITCOIN',
    arrivingUnits: 10n,
    settlementAssetId: 'BTC:NATIVE',
    settlementUnits: 10n,
    netUnits: 10n,
  };
  const half = receipt(1, { units: 500n });
  const rest = receipt(2, { instructionId: 'instruction2', assetId: 'BTC:NATIVE', units: 5n });
  assert.equal(decide({ locks: [LOCK, other], receipts: [half, rest] }).state, 'COMPLETED');
  const less = { ...rest, units: 4n };
  assert.equal(decide({ locks: [LOCK, other], receipts: [half, less] }).state, 'UNDERPAID');
});

test('parts that fill the lock add up to exactly what was guaranteed, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt(1n, 10n ** 20n), { minLength: 1, maxLength: 8 }),
      fc.bigInt(1n, 10n ** 22n),
      (parts, settlementUnits) => {
        const arrivingUnits = parts.reduce((sum, part) => sum + part, 0n);
        const netUnits = (settlementUnits * 99n) / 100n;
        const lock = { ...EURO_LOCK, arrivingUnits, settlementUnits, netUnits };
        const decision = decide({
          locks: [lock],
          receipts: parts.map((units, index) => receipt(index + 1, { units })),
        });
        const total = (pick: (credit: (typeof decision.credited)[number]) => bigint) =>
          decision.credited.reduce((sum, credit) => sum + pick(credit), 0n);
        assert.equal(decision.state, 'COMPLETED');
        assert.equal(
          total((credit) => credit.settlementUnits),
          settlementUnits,
        );
        assert.equal(
          total((credit) => credit.netUnits + credit.feeUnits),
          settlementUnits,
        );
        for (const credit of decision.credited)
          assert.ok(credit.netUnits >= 0n && credit.feeUnits >= 0n);
      },
    ),
    { numRuns: 2000 },
  );
});

const anyReceipt = fc.record({
  status: fc.constantFrom('SEEN', 'INCLUDED', 'FINAL', 'GONE' as const),
  units: fc.bigInt(1n, 1500n),
  seen: fc.integer({ min: 0, max: 200 }),
});

test('the state does not depend on the order in which facts are listed', () => {
  fc.assert(
    fc.property(
      fc.array(anyReceipt, { maxLength: 6 }),
      fc.integer({ min: 0, max: 250 }),
      (list, now) => {
        const receipts = list.map(({ status, units, seen: minute }, index) =>
          receipt(index + 1, {
            status: status as ReceiptFacts['status'],
            units,
            seenAt: at(minute),
            minedAt: status === 'SEEN' ? undefined : at(minute + 1),
          }),
        );
        const forwards = decide({ receipts, now: at(now) });
        const backwards = decide({ receipts: [...receipts].reverse(), now: at(now) });
        assert.equal(forwards.state, backwards.state);
        const credited = (decision: typeof forwards) =>
          decision.credited.reduce((sum, credit) => sum + credit.settlementUnits, 0n);
        assert.equal(credited(forwards), credited(backwards));
      },
    ),
    { numRuns: 3000 },
  );
});

test('completed is never left, and nothing is credited beyond what is final', () => {
  fc.assert(
    fc.property(fc.array(anyReceipt, { maxLength: 6 }), (list) => {
      const receipts = list.map(({ status, units, seen: minute }, index) =>
        receipt(index + 1, { status: status as ReceiptFacts['status'], units, seenAt: at(minute) }),
      );
      const decision = decide({ state: 'COMPLETED', receipts, now: at(250) });
      assert.equal(decision.state, 'COMPLETED');
      const final = receipts.filter(({ status }) => status === 'FINAL');
      assert.deepEqual(
        decision.credited.map(({ receiptId }) => receiptId).sort(),
        final.map(({ id }) => id).sort(),
      );
    }),
    { numRuns: 2000 },
  );
});

const SECOND: LockFacts = {
  ...EURO_LOCK,
  arrivingUnits: 2000n,
  openedAt: at(100),
  expiresAt: at(160),
};

test('nobody keeps a price by paying nearly all of it: what is left of a lock is worth what it is', () => {
  const most = receipt(1, { units: 990n, creditedGeneration: 1 });
  const rest = receipt(2, { units: 10n, seenAt: at(500), minedAt: at(501) });
  const facts = {
    locks: [EURO_LOCK],
    state: 'UNDERPAID',
    now: at(510),
    receipts: [most, rest],
    credits: [pendingCredit(1, 990n)],
  } as const;
  assert.equal(decide(facts, rateOf(1n, 100_000n)).state, 'UNDERPAID');
  const same = decide(facts, rateOf(5n, 1000n));
  assert.equal(same.state, 'COMPLETED');
  assert.deepEqual(
    same.released.map(({ rateBasis, settlementUnits }) => [rateBasis, settlementUnits]),
    [['CURRENT', 4950n]],
  );
});

test('what the merchant accepts after the lock ended is credited at what it is worth then', () => {
  const facts = {
    locks: [EURO_LOCK],
    state: 'UNDERPAID',
    receipts: [receipt(1, { units: 990n, creditedGeneration: 1 })],
    credits: [pendingCredit(1, 990n, { settlementAssetId: 'EUR:FIAT', acceptedAt: at(0) })],
  } as const;
  const inTime = decide({ ...facts, now: at(59) }, rateOf(1n, 9000n));
  assert.equal(inTime.state, 'COMPLETED');
  assert.equal(inTime.released[0]?.rateBasis, 'LOCKED');
  const after = decide({ ...facts, now: at(61) }, rateOf(1n, 9000n));
  assert.equal(after.released[0]?.settlementUnits, 990n);
  assert.deepEqual(JSON.parse(evidenceText(after.released[0]!)).current.rateIds, ['7']);
  const unknown = decide({ ...facts, now: at(61) }, NO_RATE);
  assert.equal(unknown.state, 'PENDING');
  assert.equal(unknown.waitsForRate, true);
  assert.deepEqual(unknown.released, []);
});

test('parts that were all seen in time keep the lock, however late they become final', () => {
  const first = receipt(1, { units: 400n, creditedGeneration: 1 });
  const second = receipt(2, { units: 600n, seenAt: at(59), minedAt: at(100) });
  const decision = decide(
    {
      locks: [EURO_LOCK],
      now: at(130),
      receipts: [first, second],
      credits: [pendingCredit(1, 400n)],
    },
    rateOf(1n, 9000n),
  );
  assert.equal(decision.state, 'COMPLETED');
  assert.equal(decision.released[0]?.rateBasis, 'LOCKED');
  assert.equal(decision.credited[0]?.settlementUnits, 3000n);
});

test('what was accepted completes, and not less: a part of it that is lost leaves it underpaid', () => {
  const facts = {
    state: 'UNDERPAID',
    credits: [
      pendingCredit(1, 500n, { acceptedAt: at(0) }),
      pendingCredit(2, 400n, { acceptedAt: at(0) }),
    ],
  } as const;
  const first = receipt(1, { units: 500n, creditedGeneration: 1 });
  const second = receipt(2, { units: 400n, creditedGeneration: 1 });
  assert.equal(decide({ ...facts, receipts: [first, second] }).state, 'COMPLETED');
  const lost = { ...second, status: 'GONE', reversalDue: true } as const;
  const one = receipt(3, { units: 1n });
  assert.equal(decide({ ...facts, receipts: [first, lost, one] }).state, 'UNDERPAID');
});

test('money belongs to the window that was open when it was first seen', () => {
  const late = receipt(1, { units: 1000n, seenAt: at(99), minedAt: at(101) });
  const inSecond = receipt(2, { units: 2000n, seenAt: at(100), minedAt: at(101) });
  const facts = { locks: [SECOND, EURO_LOCK], now: at(110) };
  const rate = rateOf(2n, 2000n);
  assert.equal(decide({ ...facts, receipts: [late] }, rate).state, 'UNDERPAID');
  const [credit] = decide({ ...facts, receipts: [inSecond] }, rate).credited;
  assert.deepEqual([credit?.rateBasis, credit?.settlementUnits], ['LOCKED', 5000n]);
  assert.equal(JSON.parse(evidenceText(credit!)).lockOpenedAt, at(100).toString());
});

test('what a lock has covered stays with it, also when the next window opens at that very moment', () => {
  const first = receipt(1, {
    units: 600n,
    seenAt: at(100),
    minedAt: at(100),
    creditedGeneration: 1,
  });
  const evidence = JSON.stringify({ lockOpenedAt: at(0).toString() });
  const facts = {
    locks: [{ ...EURO_LOCK, expiresAt: at(100) }, SECOND],
    credits: [pendingCredit(1, 600n, { evidence })],
    now: at(110),
  };
  const second = receipt(2, { units: 2000n, seenAt: at(105), minedAt: at(106) });
  const { credited } = decide({ ...facts, receipts: [first, second] }, rateOf(2n, 2000n));
  assert.deepEqual(
    credited.map((credit) => [credit.rateBasis, credit.lockedUnits]),
    [['LOCKED', 2000n]],
  );
});

test('earlier money counts at the price of the window in which the rest is paid', () => {
  const first = receipt(1, { units: 400n, creditedGeneration: 1 });
  const facts = { locks: [EURO_LOCK, SECOND], now: at(130), credits: [pendingCredit(1, 400n)] };
  const rest = (units: bigint) => receipt(2, { units, seenAt: at(120), minedAt: at(121) });
  const rate = rateOf(2n, 2100n);
  assert.equal(decide({ ...facts, receipts: [first, rest(1199n)] }, rate).state, 'UNDERPAID');
  assert.equal(decide({ ...facts, receipts: [first, rest(1600n)] }, rate).state, 'COMPLETED');
  const halved: LockFacts = { ...SECOND, arrivingUnits: 500n };
  const cheaper = { ...facts, locks: [EURO_LOCK, halved] };
  assert.equal(
    decide({ ...cheaper, receipts: [first, rest(99n)] }, rateOf(10n, 500n)).state,
    'UNDERPAID',
  );
  const paid = decide({ ...cheaper, receipts: [first, rest(100n)] }, rateOf(10n, 505n));
  assert.equal(paid.state, 'COMPLETED');
  assert.equal(paid.released[0]?.settlementUnits, 4000n);
  assert.equal(paid.credited[0]?.rateBasis, 'LOCKED');
});

test('a lock covers the required amount once, whatever becomes of a refund', () => {
  const refunded = receipt(1, { units: 500n, creditedGeneration: 1 });
  const again = receipt(2, { units: 1000n });
  const credits = [pendingCredit(1, 500n, { account: 'refunded' })];
  const rate = rateOf(1n, 9000n);
  const paid = decide({ locks: [EURO_LOCK], receipts: [refunded, again], credits }, rate);
  assert.equal(paid.state, 'COMPLETED');
  assert.deepEqual(
    paid.credited.map((credit) => [credit.rateBasis, credit.lockedUnits, credit.settlementUnits]),
    [['MIXED', 500n, 3000n]],
  );
});
