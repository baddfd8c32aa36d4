// What of an asset should lie at addresses that are watched and signed for (hot), and what
// elsewhere (cold). Pure.

type Bounds = {
  /** Below it money is brought back, above `mostUnits` it is put away: both to `targetUnits`. */
  readonly leastUnits: bigint;
  readonly targetUnits: bigint;
  readonly mostUnits: bigint;
};

type HoldingMove = {
  readonly to: 'hot' | 'cold';
  readonly units: bigint;
  /** What would still be missing: there is not as much elsewhere. */
  readonly missingUnits: bigint;
};

/** Undefined: it lies where it should. */
export function decideHolding(
  { hotUnits, coldUnits }: { readonly hotUnits: bigint; readonly coldUnits: bigint },
  { leastUnits, targetUnits, mostUnits }: Bounds,
): HoldingMove | undefined {
  if (hotUnits > mostUnits) {
    return { to: 'cold', units: hotUnits - targetUnits, missingUnits: 0n };
  }
  if (hotUnits >= leastUnits) return undefined;
  const wantedUnits = targetUnits - hotUnits;
  const thereUnits = coldUnits > 0n ? coldUnits : 0n;
  const units = thereUnits < wantedUnits ? thereUnits : wantedUnits;
  return { to: 'hot', units, missingUnits: wantedUnits - units };
}
