import { Refusal } from '#base/refusal.ts';

const overlapHoursMax = 24;

/**
 * @throws Refusal unless the overlap is a whole number of hours from 0 to 24 (api-contract.md 3).
 */
export function assertOverlap(overlapHours: number): void {
  if (Number.isInteger(overlapHours) && overlapHours >= 0 && overlapHours <= overlapHoursMax)
    return;
  const fault = `The overlap of a rotation is 0 to ${overlapHoursMax} whole hours.`;
  throw new Refusal('invalid', 'rotation_overlap', fault);
}
