// What a transaction has to pay that takes the place of others which wait: what nodes ask of a
// replacement (BIP-125), and what was wanted of it. Pure.
import { feeFor, type RelayPolicy } from './relay-policy.ts';
import { leastReplacementFee } from './select-coins.ts';

/** A transaction that waits, with what goes with it. */
export type WaitingPackage = { readonly feeUnits: bigint; readonly virtualSize: number };

type Replacement = {
  /** What it would pay in nobody's place. */
  readonly wantedUnits: bigint;
  readonly virtualSize: number;
  readonly policy: RelayPolicy;
};

/** In units; undefined where one of them offers as much for its size already. */
export function feeInPlaceOf(
  replaced: readonly WaitingPackage[],
  { wantedUnits, virtualSize: size, policy }: Replacement,
): bigint | undefined {
  if (replaced.length === 0) return wantedUnits;
  if (replaced.some((one) => isEnough(one, wantedUnits, size))) return undefined;
  const replacing = replaced.map((one) => leastReplacementFee(one, size, policy));
  // Of several all are paid for: what each has offered, and once the size of this one.
  const offered = replaced.reduce((sum, one) => sum + one.feeUnits, 0n);
  const onTop = offered + feeFor(size, policy.incrementalRate);
  return [onTop, ...replacing].reduce((most, one) => (one > most ? one : most), wantedUnits);
}

/** Whether what is there offers as much for its size as this one would have to. */
function isEnough({ feeUnits, virtualSize }: WaitingPackage, wanted: bigint, size: number) {
  return feeUnits * BigInt(size) >= wanted * BigInt(virtualSize);
}
