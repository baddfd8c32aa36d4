// The child that pays for its parent (CPFP): what a transaction has to pay that spends our outputs
// of one that waits, so that miners take both. Pure.
//
// Guarantees: child, parent and all that the parent waits for reach the rate together; the child
// alone reaches it too; one that takes the place of another child pays what nodes ask of a
// replacement (BIP-125); inputs = fee + change, to the unit; what comes back is not dust.
import { dustLimit, feeFor, type RelayPolicy } from './relay-policy.ts';
import { feeInPlaceOf, type WaitingPackage } from './replacement-fee.ts';
import { byOutpoint, type Coin, type CoinSelection } from './select-coins.ts';
import { NO_INPUTS, transactionWeight, virtualSize, withInput } from './transaction-size.ts';

type SpeedUp<C extends Coin> = {
  /** Our outputs of the transaction, at least one. */
  readonly outputs: readonly C[];
  /** The transaction, and what it hangs from that is in no block either. */
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
  const alone = feeFor(size, feeRate);
  const wantedUnits = together > alone ? together : alone;
  const feeUnits = feeInPlaceOf(replaced, { wantedUnits, virtualSize: size, policy });
  if (feeUnits === undefined) return { refused: 'fast-enough' };
  const changeUnits = outputs.reduce((sum, { units }) => sum + units, 0n) - feeUnits;
  const leastUnits = dustLimit(changeScript, policy);
  if (changeUnits < leastUnits) {
    return { refused: 'too-little', missingUnits: leastUnits - changeUnits };
  }
  return { inputs: outputs.toSorted(byOutpoint), feeUnits, changeUnits, virtualSize: size };
}
