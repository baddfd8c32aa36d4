// A checkout is decided again with each payment that becomes final: what was decided before has to
// be where a decision over everything at once would be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Credit } from '#checkout/credit.ts';
import { decideSettlement } from './decide-settlement.ts';
import type {
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementDecision,
  SettlementFacts,
} from './settlement-facts.ts';

const MILLION = 1_000_000n;
const START = Temporal.Instant.from('2026-01-01T12:00:00Z');
const at = (minutes: number) => START.add({ minutes });

const FIRST: LockFacts = {
  instructionId: 'litecoin',
  network: 'LITECOIN',
  assetId: 'LTC:NATIVE',
  arrivingUnits: 1000n,
  settlementAssetId: 'EUR:FIAT',
  settlementUnits: 5003n,
  netUnits: 4952n,
  openedAt: at(0),
  expiresAt: at(60),
};
const SECOND: LockFacts = {
  ...FIRST,
  arrivingUnits: 1200n,
  openedAt: at(100),
  expiresAt: at(160),
};
const OTHER: LockFacts = {
  ...FIRST,
  instructionId: 'stellar',
  network: 'STELLAR',
  assetId: 'XLM:NATIVE',
  settlementAssetId: 'XLM:NATIVE',
  arrivingUnits: 700n,
  settlementUnits: 700n,
  netUnits: 693n,
};
const ASSETS = [FIRST.assetId, FIRST.assetId, OTHER.assetId, 'USDC:ISSUER'];

const anyReceipts = fc
  .array(
    fc.record({
      instructionId: fc.constantFrom('litecoin', 'litecoin', 'stellar'),
      asset: fc.nat({ max: ASSETS.length - 1 }),
      units: fc.bigInt(1n, 900n),
      seen: fc.integer({ min: 0, max: 20 }),
      blocksLater: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 8 },
  )
  .map((list) =>
    list.map(
      ({ instructionId, asset, units, seen, blocksLater }, index): ReceiptFacts => ({
        id: BigInt(index + 1),
        generation: 1,
        instructionId,
        status: 'FINAL',
        assetId: ASSETS[asset] ?? FIRST.assetId,
        units,
        seenAt: at(seen * 10),
        minedAt: at(seen * 10 + blocksLater * 15),
        creditedGeneration: undefined,
        reversedGeneration: undefined,
        reversalDue: false,
      }),
    ),
  );

const anyFacts: fc.Arbitrary<SettlementFacts> = fc
  .record({
    state: fc.constantFrom('AWAITING_PAYMENT', 'EXPIRED'),
    expiresAt: fc.constant(at(60)),
    cancelled: fc.constant(false),
    feePartsPerMillion: fc.constantFrom(0, 10_000),
    underpaidTolerancePartsPerMillion: fc.constantFrom(0, 50_000),
    lateFloorPartsPerMillion: fc.constantFrom(0, 900_000, 1_000_000),
    lateDays: fc.constantFrom(0, 36_500),
    locks: fc.subarray([FIRST, SECOND, OTHER], { minLength: 1 }),
    receipts: anyReceipts,
    credits: fc.constant([]),
    networkBehind: fc.constant(false),
    waited: fc.integer({ min: 0, max: 30 }),
  })
  // Nothing is final before it was mined.
  .map(({ waited, ...facts }) => ({ ...facts, now: laterThan(facts.receipts, waited) }));

function laterThan(receipts: readonly ReceiptFacts[], steps: number): Temporal.Instant {
  const newest = receipts.reduce((latest, { minedAt }) => {
    const isLater = minedAt !== undefined && Temporal.Instant.compare(minedAt, latest) > 0;
    return isLater ? minedAt : latest;
  }, START);
  return newest.add({ minutes: steps * 10 });
}

const anyRate: fc.Arbitrary<() => CurrentRate> = fc
  .record({ numerator: fc.bigInt(1n, 9n), requiredUnits: fc.bigInt(300n, 3000n) })
  .map(({ numerator, requiredUnits }) => () => ({
    toSettlement: { numerator, denominator: 2n },
    requiredUnits,
    rateIds: [7n],
    requiredRateIds: [8n],
  }));

/** As it is kept until the next decision: what is released is from now on what it was released as. */
function carriedOut(facts: SettlementFacts, decision: SettlementDecision): SettlementFacts {
  const credited = new Set(decision.credited.map(({ receiptId }) => receiptId));
  const released = new Map(decision.released.map((credit) => [credit.receiptId, credit]));
  const before = facts.credits.map((credit) => released.get(credit.receiptId) ?? credit);
  return {
    ...facts,
    state: decision.state,
    credits: [...before, ...decision.credited],
    receipts: facts.receipts.map((receipt) =>
      credited.has(receipt.id) ? { ...receipt, creditedGeneration: 1 } : receipt,
    ),
  };
}

type Sums = { readonly units: bigint; readonly lockedUnits: bigint; readonly settled: bigint };

function sumOf(credits: readonly Credit[]): Sums {
  const sum = (part: (credit: Credit) => bigint) =>
    credits.reduce((before, credit) => before + part(credit), 0n);
  return {
    units: sum(({ units }) => units),
    lockedUnits: sum(({ lockedUnits }) => lockedUnits),
    settled: sum(({ settlementUnits }) => settlementUnits),
  };
}

/** Of the only price that there is in a story, whenever it is asked. */
function atCurrentRate({ units }: Credit, facts: SettlementFacts, rate: CurrentRate) {
  const { numerator, denominator } = rate.toSettlement ?? assert.fail('there is a price');
  const settlementUnits = (units * numerator) / denominator;
  const netUnits = (settlementUnits * (MILLION - BigInt(facts.feePartsPerMillion))) / MILLION;
  const feeUnits = settlementUnits - netUnits;
  return { settlementUnits, netUnits, feeUnits, lockedUnits: 0n, rateBasis: 'CURRENT' };
}

function isUpTo(one: Temporal.Instant, end: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, end) <= 0;
}

function lockAt({ locks }: SettlementFacts, instructionId?: string, seenAt = START) {
  const own = locks.filter((lock) => lock.instructionId === instructionId);
  return own.findLast(({ openedAt }) => isUpTo(openedAt, seenAt)) ?? own[0];
}

/** The rule a second time: its window is not over, or all was paid by what was seen before its end. */
function holds(window: LockFacts, facts: SettlementFacts, { requiredUnits = 1n }: CurrentRate) {
  if (isUpTo(facts.now, window.expiresAt)) return true;
  // Parts of a whole that every required amount divides.
  const whole = 1000n * 1200n * 700n * requiredUnits;
  let paid = 0n;
  for (const { instructionId, assetId, units, seenAt, minedAt = seenAt } of facts.receipts) {
    const lock = lockAt(facts, instructionId, seenAt);
    if (lock === undefined || lock.assetId !== assetId) continue;
    if (!isUpTo(seenAt, window.expiresAt)) continue;
    const isInTime =
      isUpTo(seenAt, lock.expiresAt) && isUpTo(minedAt, lock.expiresAt.add({ minutes: 60 }));
    const isEarlier = lock !== window && lock.instructionId === window.instructionId;
    const required = isInTime ? lock.arrivingUnits : requiredUnits;
    paid += (units * whole) / (isEarlier ? window.arrivingUnits : required);
  }
  return paid * MILLION >= whole * (MILLION - BigInt(facts.underpaidTolerancePartsPerMillion));
}

/** As it was credited while its lock holds, else what it is worth now. */
function dueOf(credit: Credit, facts: SettlementFacts, rate: CurrentRate) {
  const receipt = facts.receipts.find(({ id }) => id === credit.receiptId);
  const lock = lockAt(facts, receipt?.instructionId, receipt?.seenAt);
  assert.ok(lock !== undefined, 'it was credited under a lock');
  const isHeld = lock.settlementAssetId === lock.assetId || holds(lock, facts, rate);
  return { isHeld, due: isHeld ? moneyOf(credit) : atCurrentRate(credit, facts, rate) };
}

function moneyOf({ settlementUnits, netUnits, feeUnits, lockedUnits, rateBasis }: Credit) {
  return { settlementUnits, netUnits, feeUnits, lockedUnits, rateBasis };
}

test('one by one payments come to the same end as at once, but for what is valued again', () => {
  const ends = new Set<string>();
  const releases = { held: 0, again: 0 };
  fc.assert(
    fc.property(anyFacts, anyRate, (facts, rate) => {
      const atOnce = decideSettlement(facts, rate);
      let known: SettlementFacts = { ...facts, receipts: [] };
      let isValuedAgain = false;
      for (const receipt of facts.receipts) {
        known = { ...known, receipts: [...known.receipts, receipt] };
        const decision = decideSettlement(known, rate);
        for (const released of decision.released) {
          const credit = known.credits.find(({ receiptId }) => receiptId === released.receiptId);
          const { isHeld, due } = dueOf(credit ?? assert.fail('it was credited'), known, rate());
          assert.deepEqual(moneyOf(released), due);
          releases[isHeld ? 'held' : 'again'] += 1;
          isValuedAgain ||= !isHeld;
        }
        known = carriedOut(known, decision);
      }
      if (facts.receipts.length > 0) assert.equal(known.state, atOnce.state);
      const [sum, sumAtOnce] = [sumOf(known.credits), sumOf(atOnce.credited)];
      if (isValuedAgain) assert.equal(sum.units, sumAtOnce.units);
      else assert.deepEqual(sum, sumAtOnce);
      ends.add(atOnce.state);
    }),
    { numRuns: 3000 },
  );
  assert.ok(ends.has('COMPLETED') && ends.has('UNDERPAID'), 'both ends were met');
  assert.ok(releases.held > 100 && releases.again > 100, JSON.stringify(releases));
});

test('what was decided and carried out is decided as nothing more', () => {
  fc.assert(
    fc.property(anyFacts, anyRate, (facts, rate) => {
      const once = decideSettlement(facts, rate);
      const again = decideSettlement(carriedOut(facts, once), rate);
      assert.equal(again.state, once.state);
      assert.deepEqual([again.credited, again.released, again.reversed], [[], [], []]);
      assert.deepEqual(again.overpaid, once.overpaid);
      assert.equal(again.lateAt?.toString(), once.lateAt?.toString());
    }),
    { numRuns: 3000 },
  );
});

test('late money that pays for all of it still does when more came in the next window', () => {
  const late = (id: bigint, units: bigint, seenAt: number, minedAt: number): ReceiptFacts => ({
    id,
    generation: 1,
    instructionId: 'litecoin',
    status: 'FINAL',
    assetId: FIRST.assetId,
    units,
    seenAt: at(seenAt),
    minedAt: at(minedAt),
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    reversalDue: false,
  });
  const paid = late(1n, 300n, 70, 70);
  const facts: SettlementFacts = {
    state: 'EXPIRED',
    expiresAt: at(60),
    cancelled: false,
    feePartsPerMillion: 0,
    underpaidTolerancePartsPerMillion: 0,
    lateFloorPartsPerMillion: 1_000_000,
    lateDays: 36_500,
    locks: [FIRST, SECOND],
    receipts: [paid],
    credits: [],
    networkBehind: false,
    now: at(230),
  };
  const rate = () => ({
    toSettlement: { numerator: 5n, denominator: 2n },
    requiredUnits: 300n,
    rateIds: [7n],
    requiredRateIds: [8n],
  });
  assert.equal(decideSettlement(facts, rate).state, 'COMPLETED');
  // Seen in its window and mined long after it: it counts by what it was worth then.
  const both = { ...facts, receipts: [paid, late(2n, 225n, 140, 230)] };
  assert.equal(decideSettlement(both, rate).state, 'COMPLETED');
});
