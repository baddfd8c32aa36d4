// Which assets an account takes: those of its tolerance and below (specification, Risk levels).

import { type Asset, RISK_LEVELS, type RiskLevel } from './asset.ts';

/** HIGH is switched on by hand. */
export const INITIAL_RISK_TOLERANCE: RiskLevel = 'MEDIUM';

export function isWithinRisk({ riskLevel }: Pick<Asset, 'riskLevel'>, most: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(riskLevel) <= RISK_LEVELS.indexOf(most);
}
