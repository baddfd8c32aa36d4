// Which small coins are worth being one, and what is left of them: pure and repeatable.
//
// Guarantees: only confirmed coins, each of which brings more than its input costs; inputs = fee +
// change, to the unit; the fee is that of the size at the rate; what comes back is not dust; at
// most 100,000 virtual bytes. The smallest come first: they are what makes payments dear later.
import { dustLimit, feeFor, type RelayPolicy } from './relay-policy.ts';
import { byOutpoint, type Coin, type CoinSelection } from './select-coins.ts';
import {
  inputWeight,
  MOST_WEIGHT,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
} from './transaction-size.ts';

export type Consolidation<C extends Coin> = {
  readonly coins: readonly C[];
  /** Spent at once. */
  readonly most: number;
  /** Only those that hold less; all when undefined. */
  readonly belowUnits: bigint | undefined;
  readonly changeScript: Uint8Array;
  /** Units for 1,000 virtual bytes. */
  readonly feeRate: bigint;
  readonly policy: RelayPolicy;
};

export type ConsolidationRefusal =
  /** Of those that are confirmed and small enough so many are worth their fee, of so many. */
  | { readonly refused: 'too-few'; readonly worthIt: number; readonly found: number }
  /** All of them together leave less than what is relayed. */
  | { readonly refused: 'dust'; readonly leastUnits: bigint };

export function decideConsolidation<C extends Coin>({
  coins,
  most,
  belowUnits,
  changeScript,
  feeRate,
  policy,
}: Consolidation<C>): CoinSelection<C> | ConsolidationRefusal {
  const found = coins.filter(
    ({ confirmations, units }) =>
      confirmations > 0 && (belowUnits === undefined || units < belowUnits),
  );
  // A rate is for 1,000 virtual bytes, which are 4,000 of weight.
  const worthIt = found
    .filter(({ units, kind }) => 4000n * units > feeRate * BigInt(inputWeight(kind)))
    .sort(smallestFirst);
  const inputs: C[] = [];
  let tally = NO_INPUTS;
  for (const coin of worthIt.slice(0, most)) {
    const more = withInput(tally, coin.kind);
    if (transactionWeight(more, [changeScript.length]) > MOST_WEIGHT) break;
    inputs.push(coin);
    tally = more;
  }
  if (inputs.length < 2) return { refused: 'too-few', worthIt: inputs.length, found: found.length };
  const size = virtualSize(transactionWeight(tally, [changeScript.length]));
  const feeUnits = feeFor(size, feeRate);
  const changeUnits = inputs.reduce((sum, { units }) => sum + units, 0n) - feeUnits;
  const leastUnits = dustLimit(changeScript, policy);
  if (changeUnits < leastUnits) return { refused: 'dust', leastUnits };
  return { inputs: inputs.sort(byOutpoint), feeUnits, changeUnits, virtualSize: size };
}

function smallestFirst(one: Coin, other: Coin): number {
  if (one.units !== other.units) return one.units < other.units ? -1 : 1;
  return byOutpoint(one, other);
}
