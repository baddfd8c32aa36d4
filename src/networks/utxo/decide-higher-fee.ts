// The same coins of ours once more to ourselves, with a higher fee, in the place of what waits
// (RBF). Pure.
//
// Guarantees: it spends exactly what the other one spends, so that only one of both lands; it pays
// the rate, and what nodes ask of a replacement (BIP-125); inputs = fee + change, to the unit; what
// comes back is not dust.
import { dustLimit, feeFor, type RelayPolicy } from './relay-policy.ts';
import { feeInPlaceOf, type WaitingPackage } from './replacement-fee.ts';
import { byOutpoint, type Coin, type CoinSelection } from './select-coins.ts';
import { NO_INPUTS, transactionWeight, virtualSize, withInput } from './transaction-size.ts';

type HigherFee<C extends Coin> = {
  /** All that the other one spends. */
  readonly coins: readonly C[];
  /** The other one, with what hangs from it. */
  readonly replaced: WaitingPackage;
  readonly changeScript: Uint8Array;
  /** Units for 1,000 virtual bytes. */
  readonly feeRate: bigint;
  readonly policy: RelayPolicy;
};

export type HigherFeeRefusal =
  /** It pays the rate already. */
  | { readonly refused: 'fast-enough' }
  /** The coins do not pay the fee and leave more than dust. */
  | { readonly refused: 'too-little'; readonly missingUnits: bigint };

export function decideHigherFee<C extends Coin>({
  coins,
  replaced,
  changeScript,
  feeRate,
  policy,
}: HigherFee<C>): CoinSelection<C> | HigherFeeRefusal {
  const tally = coins.map(({ kind }) => kind).reduce(withInput, NO_INPUTS);
  const size = virtualSize(transactionWeight(tally, [changeScript.length]));
  const wantedUnits = feeFor(size, feeRate);
  const feeUnits = feeInPlaceOf([replaced], { wantedUnits, virtualSize: size, policy });
  if (feeUnits === undefined) return { refused: 'fast-enough' };
  const changeUnits = coins.reduce((sum, { units }) => sum + units, 0n) - feeUnits;
  const leastUnits = dustLimit(changeScript, policy);
  if (changeUnits < leastUnits) {
    return { refused: 'too-little', missingUnits: leastUnits - changeUnits };
  }
  return { inputs: coins.toSorted(byOutpoint), feeUnits, changeUnits, virtualSize: size };
}
