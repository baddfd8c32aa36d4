import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithinRisk, listAssets, RISK_LEVELS, type RiskLevel } from './asset.ts';

const accepted: Readonly<Record<RiskLevel, readonly RiskLevel[]>> = {
  LOW: ['LOW'],
  MEDIUM: ['LOW', 'MEDIUM'],
  HIGH: ['LOW', 'MEDIUM', 'HIGH'],
};
for (const tolerance of RISK_LEVELS) {
  for (const riskLevel of RISK_LEVELS) {
    const isAccepted = accepted[tolerance].includes(riskLevel);
    test(`an account of tolerance ${tolerance} ${isAccepted ? 'takes' : 'refuses'} ${riskLevel}`, () => {
      assert.equal(isWithinRisk({ riskLevel }, tolerance), isAccepted);
    });
  }
}

test('there are assets of each level', () => {
  const levels = new Set(listAssets().map(({ riskLevel }) => riskLevel));
  assert.deepEqual([...levels].toSorted(), [...RISK_LEVELS].toSorted());
});
