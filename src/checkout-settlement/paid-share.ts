// Sums of shares of a charge: so many units of so many that all of it costs. Grouped by what all of
// it costs, so that the sum of many payments of one lock is exact and costs one division.

/** A share of everything; a part of it is far below the smallest unit of any amount. */
export const WHOLE_SHARE = 10n ** 48n;

export type ShareSum = {
  /** `required`: units that all of the charge costs. */
  add(units: bigint, required: bigint): void;
  /**
   * In parts of WHOLE_SHARE, each group rounded up, so that somebody who pays exactly never seems
   * to pay too little.
   */
  total(): bigint;
};

export function createShareSum(): ShareSum {
  const unitsByRequired = new Map<bigint, bigint>();
  return {
    add(units, required) {
      unitsByRequired.set(required, (unitsByRequired.get(required) ?? 0n) + units);
    },
    total() {
      let sum = 0n;
      for (const [required, units] of unitsByRequired) {
        sum += (units * WHOLE_SHARE + required - 1n) / required;
      }
      return sum;
    },
  };
}
