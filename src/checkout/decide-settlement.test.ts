import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CheckoutState } from './checkout.ts';
import { decideSettlement } from './decide-settlement.ts';
import type {
  CreditFacts,
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementFacts,
} from './settlement-facts.ts';

const START = Temporal.Instant.from('2026-01-01T12:00:00Z');
const at = (minutes: number) => START.add({ minutes });

const LOCK: LockFacts = {
  instructionId: 'instruction1',
  network: 'LITECOIN',
  assetId: 'LTC:NATIVE',
  paymentUnits: 1000n,
  settlementAssetId: 'LTC:NATIVE',
  settlementUnits: 1000n,
  netUnits: 990n,
  expiresAt: at(60),
};

function receipt(id: number, changes: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return {
    id: BigInt(id),
    generation: 1,
    instructionId: 'instruction1',
    status: 'FINAL',
    assetId: 'LTC:NATIVE',
    units: 1000n,
    seenAt: at(10),
    minedAt: at(12),
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    reversalDue: false,
    ...changes,
  };
}

function facts(changes: Partial<SettlementFacts> = {}): SettlementFacts {
  return {
    state: 'AWAITING_PAYMENT',
    expiresAt: at(60),
    cancelled: false,
    acceptedUnderpaid: false,
    feePartsPerMillion: 10_000,
    underpaidTolerancePartsPerMillion: 0,
    locks: [LOCK],
    receipts: [],
    credits: [],
    networkBehind: false,
    now: at(20),
    ...changes,
  };
}

const SAME_PRICE = (): CurrentRate => ({
  toSettlement: { numerator: 1n, denominator: 1n },
  requiredUnits: 1000n,
});
const NO_RATE = (): CurrentRate => ({ toSettlement: undefined, requiredUnits: undefined });
const decide = (changes: Partial<SettlementFacts>, rate = SAME_PRICE) =>
  decideSettlement(facts(changes), rate);

type Row = readonly [name: string, changes: Partial<SettlementFacts>, state: CheckoutState];
const seen = { status: 'SEEN', minedAt: undefined } as const;
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
    { state: 'UNDERPAID', acceptedUnderpaid: true, receipts: [receipt(1, { units: 1n })] },
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
  const [credit] = decide({ receipts: [receipt(1)] }).credits;
  assert.equal(credit?.settlementUnits, 1000n);
  assert.equal(credit?.netUnits, 990n);
  assert.equal(credit?.feeUnits, 10n);
  assert.equal(credit?.rateBasis, 'LOCKED');
  assert.equal(credit?.account, 'available');
});

test('an underpaid receipt is credited as pending, and released when the rest arrives', () => {
  const first = receipt(1, { units: 400n });
  const pending = decide({ receipts: [first] });
  assert.deepEqual(
    pending.credits.map(({ account }) => account),
    ['pending'],
  );
  const credit: CreditFacts = {
    receiptId: 1n,
    generation: 1,
    lockedUnits: 400n,
    requiredNowUnits: undefined,
    account: 'pending',
    released: false,
    reversed: false,
    owed: false,
  };
  const after = decide({
    state: 'UNDERPAID',
    receipts: [{ ...first, creditedGeneration: 1 }, receipt(2, { units: 600n })],
    credits: [credit],
  });
  assert.equal(after.state, 'COMPLETED');
  assert.deepEqual(after.releases, [{ receiptId: 1n, generation: 1 }]);
  assert.deepEqual(
    after.credits.map(({ receiptId, account }) => [receiptId, account]),
    [[2n, 'available']],
  );
});

test('a receipt that the ledger knows is not credited again', () => {
  const decision = decide({
    state: 'COMPLETED',
    receipts: [receipt(1, { creditedGeneration: 1 })],
  });
  assert.deepEqual(decision.credits, []);
});

test('a receipt reversed and mined again is credited as a new generation', () => {
  const again = receipt(1, { generation: 2, creditedGeneration: 1, reversedGeneration: 1 });
  const decision = decide({ state: 'COMPLETED', receipts: [again] });
  assert.deepEqual(
    decision.credits.map(({ generation }) => generation),
    [2],
  );
});

test('refunded money pays for nothing; taken away and back, it pays for the refund', () => {
  const credit = {
    receiptId: 1n,
    generation: 1,
    lockedUnits: 600n,
    requiredNowUnits: undefined,
    account: 'refunded',
    released: false,
    reversed: false,
    owed: false,
  } as const;
  const refunded = receipt(1, { units: 600n, creditedGeneration: 1 });
  const alone = decide({ state: 'UNDERPAID', receipts: [refunded], credits: [credit] });
  assert.equal(alone.state, 'AWAITING_PAYMENT');
  assert.deepEqual([alone.credits, alone.releases], [[], []]);

  const more = receipt(2, { units: 999n });
  const next = decide({ receipts: [refunded, more], credits: [credit] });
  assert.equal(next.state, 'UNDERPAID');
  assert.equal(next.credits[0]?.lockedUnits, 999n);

  const lost = { ...refunded, status: 'GONE', reversalDue: true } as const;
  const reversal = decide({ receipts: [lost], credits: [credit] });
  assert.deepEqual(reversal.reversals, [{ receiptId: 1n, generation: 1 }]);
  const again = { ...refunded, generation: 2, reversedGeneration: 1 };
  const back = decide({ receipts: [again], credits: [{ ...credit, reversed: true, owed: true }] });
  assert.equal(back.state, 'AWAITING_PAYMENT');
  assert.deepEqual(
    back.credits.map((one) => [one.account, one.units, one.netUnits, one.paysDebt]),
    [['refunded', 600n, 0n, true]],
  );
});

test('a credited receipt that the chain lost is reversed once', () => {
  const lost = receipt(1, { status: 'GONE', creditedGeneration: 1, reversalDue: true });
  assert.deepEqual(decide({ state: 'COMPLETED', receipts: [lost] }).reversals, [
    { receiptId: 1n, generation: 1 },
  ]);
  const done = { ...lost, reversedGeneration: 1 };
  assert.deepEqual(decide({ state: 'COMPLETED', receipts: [done] }).reversals, []);
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
  const [credit] = decide({ receipts: [receipt(1, { assetId: 'BTC:NATIVE', units: 7n })] }).credits;
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
  const rate = (): CurrentRate => ({
    toSettlement: { numerator: 4n, denominator: 1n },
    requiredUnits: 1250n,
  });
  const [credit] = decide(
    { locks: [EURO_LOCK], receipts: [receipt(1, { units: 1500n })] },
    rate,
  ).credits;
  assert.equal(credit?.rateBasis, 'MIXED');
  assert.equal(credit?.lockedUnits, 1000n);
  assert.equal(credit?.settlementUnits, 5000n + 2000n);
});

test('late money is converted at the rate of now and completes when it is worth enough', () => {
  const late = receipt(1, { units: 800n, seenAt: at(61), minedAt: at(62) });
  const risen = (): CurrentRate => ({
    toSettlement: { numerator: 7n, denominator: 1n },
    requiredUnits: 800n,
  });
  const decision = decide(
    { locks: [EURO_LOCK], state: 'EXPIRED', now: at(90), receipts: [late] },
    risen,
  );
  assert.equal(decision.state, 'COMPLETED');
  assert.equal(decision.credits[0]?.rateBasis, 'CURRENT');
  assert.equal(decision.credits[0]?.settlementUnits, 5600n);
  assert.equal(decision.lateAt?.toString(), at(61).toString());
});

test('late money in the amount that was asked completes although the price fell', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  const fallen = (): CurrentRate => ({
    toSettlement: { numerator: 1n, denominator: 1n },
    requiredUnits: 4000n,
  });
  assert.equal(
    decide({ locks: [EURO_LOCK], now: at(90), receipts: [late] }, fallen).state,
    'COMPLETED',
  );
});

test('money seen in time whose block came more than a window after the end is not locked', () => {
  const slow = receipt(1, { seenAt: at(59), minedAt: at(121) });
  const decision = decide({ locks: [EURO_LOCK], now: at(130), receipts: [slow] });
  assert.equal(decision.credits[0]?.rateBasis, 'CURRENT');
});

test('without a rate late money waits, uncredited and not completed', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  const decision = decide({ locks: [EURO_LOCK], now: at(90), receipts: [late] }, NO_RATE);
  assert.equal(decision.state, 'PENDING');
  assert.deepEqual(decision.credits, []);
  assert.equal(decision.waitsForRate, true);
  assert.equal(
    decision.decideAgainAt?.toString(),
    START.add({ minutes: 90, seconds: 3 }).toString(),
  );
});

test('without a conversion late money needs no rate', () => {
  const late = receipt(1, { seenAt: at(61), minedAt: at(62) });
  assert.equal(decide({ now: at(90), receipts: [late] }, NO_RATE).state, 'COMPLETED');
});

test('two ways of paying add up by the share of each', () => {
  const other: LockFacts = {
    ...LOCK,
    instructionId: 'instruction2',
    assetId: 'BTC:NATIVE',
    network: 'BITCOIN',
    paymentUnits: 10n,
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
        const paymentUnits = parts.reduce((sum, part) => sum + part, 0n);
        const netUnits = (settlementUnits * 99n) / 100n;
        const lock = { ...EURO_LOCK, paymentUnits, settlementUnits, netUnits };
        const decision = decide({
          locks: [lock],
          receipts: parts.map((units, index) => receipt(index + 1, { units })),
        });
        const total = (pick: (credit: (typeof decision.credits)[number]) => bigint) =>
          decision.credits.reduce((sum, credit) => sum + pick(credit), 0n);
        assert.equal(decision.state, 'COMPLETED');
        assert.equal(
          total((credit) => credit.settlementUnits),
          settlementUnits,
        );
        assert.equal(
          total((credit) => credit.netUnits + credit.feeUnits),
          settlementUnits,
        );
        for (const credit of decision.credits)
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
          decision.credits.reduce((sum, credit) => sum + credit.settlementUnits, 0n);
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
        decision.credits.map(({ receiptId }) => receiptId).sort(),
        final.map(({ id }) => id).sort(),
      );
    }),
    { numRuns: 2000 },
  );
});
