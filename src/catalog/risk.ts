// Which assets an account takes: those of its tolerance and below (specification, Risk levels).

import { Refusal } from '#base/refusal.ts';
import { type Asset, RISK_LEVELS, type RiskLevel } from './asset.ts';

export function isWithinRisk({ riskLevel }: Pick<Asset, 'riskLevel'>, most: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(riskLevel) <= RISK_LEVELS.indexOf(most);
}

/** @throws Refusal `validation_failed`: the account would hold something riskier than it takes. */
export function requireTolerated(
  field: string,
  { id, riskLevel }: Pick<Asset, 'id' | 'riskLevel'>,
  most: RiskLevel,
): void {
  if (isWithinRisk({ riskLevel }, most)) return;
  throw new Refusal('invalid', 'validation_failed', [
    `${field}: ${id} has risk level ${riskLevel}, this account takes assets ` +
      `up to ${most} (PUT /account-settings, or npx quittance merchant set --risk-tolerance)`,
  ]);
}
