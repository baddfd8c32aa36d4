// What a decision costs when somebody pays a checkout in very many small parts: 8,000 final
// receipts against 1,000. A decision that looks at each receipt once costs eight times as much (and
// what the collector takes), one that compares each with each sixty-four times. The 1,000 are of
// another checkout each time: the same ones again would be in the cache of the processor, which
// 8,000 outgrow, and the figure would tell its size.

import type { Credit } from '#checkout/credit.ts';
import { decideSettlement } from '#checkout-settlement/decide-settlement.ts';
import type {
  CurrentRate,
  LockFacts,
  ReceiptFacts,
  SettlementFacts,
} from '#checkout-settlement/settlement-facts.ts';
import { pendingCredit } from '#test/support/settlement-facts.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureOf, threadMs, timeInTurns } from './measure.ts';

const MANY = 8_000;
const FEW = 1_000;
const AIM = { atMost: 12 };
const START = Temporal.Instant.from('2026-01-01T12:00:00Z');
const at = (minutes: number) => START.add({ minutes });

const LOCK: LockFacts = {
  instructionId: 'instruction1',
  network: 'LITECOIN',
  assetId: 'LTC:NATIVE',
  arrivingUnits: 10n ** 12n,
  settlementAssetId: 'EUR:FIAT',
  settlementUnits: 10n ** 6n,
  netUnits: 99n * 10n ** 4n,
  openedAt: at(0),
  expiresAt: at(60),
};

const rate = (): CurrentRate => ({
  toSettlement: { numerator: 1n, denominator: 10n ** 6n },
  requiredUnits: 10n ** 12n,
  rateIds: [],
  requiredRateIds: [],
});

/** Half of them pending from before, half just final; every fourth came late, at its own price. */
function paidInParts(count: number): SettlementFacts {
  const receipts: ReceiptFacts[] = [];
  const credits: Credit[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = BigInt(number);
    const isPending = number % 2 === 0;
    const isLate = number % 4 < 2;
    receipts.push({
      id,
      generation: 1,
      instructionId: LOCK.instructionId,
      status: 'FINAL',
      assetId: LOCK.assetId,
      units: 1_000_000n + id,
      seenAt: at(isLate ? 90 : 10),
      minedAt: undefined,
      creditedGeneration: isPending ? 1 : undefined,
      reversedGeneration: undefined,
      reversalDue: false,
    });
    if (!isPending) continue;
    const units = 1_000_000n + id;
    const whole = { settlementAssetId: LOCK.settlementAssetId };
    const inPart = { ...whole, lockedUnits: 0n, rateBasis: 'CURRENT' as const };
    const requiredNowUnits = 10n ** 12n + id;
    credits.push(pendingCredit(id, units, isLate ? { ...inPart, requiredNowUnits } : whole));
  }
  return {
    state: 'UNDERPAID',
    expiresAt: LOCK.expiresAt,
    cancelled: false,
    feePartsPerMillion: 10_000,
    underpaidTolerancePartsPerMillion: 0,
    lateFloorPartsPerMillion: 900_000,
    lateDays: 36_500,
    locks: [LOCK],
    receipts,
    credits,
    networkBehind: false,
    now: at(100),
  };
}

export async function measureDecide(bench: Bench): Promise<Figure[]> {
  const many = paidInParts(MANY);
  const eight = Array.from({ length: MANY / FEW }, () => paidInParts(FEW));
  const [ours, eightTimes] = await timeInTurns(
    { runs: 60, warmUps: 20, clock: threadMs },
    async () => void decideSettlement(many, rate),
    // As many receipts as ours: else the collector, and whatever else runs, would meet ours alone.
    async () => {
      for (const few of eight) decideSettlement(few, rate);
    },
  );
  const reference = eightTimes / (MANY / FEW);
  bench.say(`decide: ${MANY} receipts ${ours.toFixed(1)} ms, ${FEW} ${reference.toFixed(1)} ms`);
  const named = {
    name: `decide (${MANY.toLocaleString('en')} receipts of a checkout)`,
    against: `${FEW.toLocaleString('en')} receipts`,
    unit: 'ms' as const,
    aim: AIM,
  };
  return [figureOf(named, ours, reference)];
}
