// The child that pays for its parent (CPFP): what a transaction has to pay that spends our outputs
// of one that waits, so that miners take both. Pure.
//
// Guarantees: child, parent and all that the parent waits for reach the rate together; the child
// alone reaches it too; one that takes the place of another child pays what nodes ask of a
// replacement (BIP-125); inputs = fee + change, to the unit; what comes back is not dust.
import { dustLimit, feeFor, type RelayPolicy } from './relay-policy.ts';
import { byOutpoint, type Coin, type CoinSelection, leastReplacementFee } from './select-coins.ts';
import { NO_INPUTS, transactionWeight, virtualSize, withInput } from './transaction-size.ts';

/** The transaction, and what it hangs from that is in no block either. */
export type WaitingPackage = { readonly feeUnits: bigint; readonly virtualSize: number };

type SpeedUp<C extends Coin> = {
  /** Our outputs of the transaction, at least one. */
  readonly outputs: readonly C[];
  readonly parents: WaitingPackage;
  /** What spends them back to us already, each by itself, and would go. */
  readonly replaced: readonly WaitingPackage[];
  readonly changeScript: Uint8Array;
  /** Units for 1,000 virtual bytes. */
  readonly feeRate: bigint;
  readonly policy: RelayPolicy;
};

export type SpeedUpRefusal =
  /** It pays the rate already. */
  | { readonly refused: 'fast-enough' }
  /** What arrives does not pay the fee and leave more than dust. */
  | { readonly refused: 'too-little'; readonly missingUnits: bigint };

export function decideSpeedUp<C extends Coin>({
  outputs,
  parents,
  replaced,
  changeScript,
  feeRate,
  policy,
}: SpeedUp<C>): CoinSelection<C> | SpeedUpRefusal {
  if (parents.feeUnits >= feeFor(parents.virtualSize, feeRate)) return { refused: 'fast-enough' };
  const tally = outputs.map(({ kind }) => kind).reduce(withInput, NO_INPUTS);
  const size = virtualSize(transactionWeight(tally, [changeScript.length]));
  const together = feeFor(parents.virtualSize + size, feeRate) - parents.feeUnits;
  const replacing = replaced.map((one) => leastReplacementFee(one, size, policy));
  // Of several all are paid for: what each has offered, and once the size of this one.
  const offered = replaced.reduce((sum, one) => sum + one.feeUnits, 0n);
  const onTop = replaced.length === 0 ? 0n : offered + feeFor(size, policy.incrementalRate);
  const wanted = largest([together, feeFor(size, feeRate)]);
  if (replaced.some((one) => isEnough(one, wanted, size))) return { refused: 'fast-enough' };
  const feeUnits = largest([wanted, onTop, ...replacing]);
  const changeUnits = outputs.reduce((sum, { units }) => sum + units, 0n) - feeUnits;
  const leastUnits = dustLimit(changeScript, policy);
  if (changeUnits < leastUnits) {
    return { refused: 'too-little', missingUnits: leastUnits - changeUnits };
  }
  return { inputs: outputs.toSorted(byOutpoint), feeUnits, changeUnits, virtualSize: size };
}

/** Whether the child that is there offers as much for its size as this one would have to. */
function isEnough({ feeUnits, virtualSize: size }: WaitingPackage, wanted: bigint, own: number) {
  return feeUnits * BigInt(own) >= wanted * BigInt(size);
}

function largest(some: readonly bigint[]): bigint {
  return some.reduce((most, one) => (one > most ? one : most), 0n);
}
