// Which of our unspent outputs ("coins") pay for something, and what is left. Pure and
// repeatable: the same coins in any order give the same answer.
//
// Guarantees: inputs = payments + fee + change, to the unit; the fee is never below the rate for
// the size of the signed transaction, and above it only by change that is not worth its own
// output, which is less than what that output costs plus the dust limit; no output below the dust
// limit; at most 100,000 virtual bytes; a replacement spends every coin of what it replaces, so
// that at most one of the two can land, and pays what BIP-125 (rules 3 and 4) and Bitcoin Core
// ask.
//
// As few inputs as can be, because each costs a fee; of those the smallest coins that suffice,
// because the change cannot be spent again before it is confirmed.
import { assert } from '#base/assert.ts';
import { dustLimit, feeFor, type RelayPolicy } from './relay-policy.ts';
import {
  type InputKind,
  type InputTally,
  inputWeight,
  MOST_WEIGHT,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
  withoutInput,
} from './transaction-size.ts';

export type Coin = {
  readonly transaction: string;
  /** Which output of it. */
  readonly vout: number;
  readonly units: bigint;
  readonly kind: InputKind;
  /** Unconfirmed ones are not spent: what they hang from may be replaced. */
  readonly confirmations: number;
};

export type ScriptPayment = { readonly script: Uint8Array; readonly units: bigint };

/** What went out and has not landed. */
type ReplacedAttempt<C extends Coin> = {
  readonly coins: readonly C[];
  /** Of it, and of what spends its outputs and would go with it. */
  readonly feeUnits: bigint;
  /** As it was signed. */
  readonly virtualSize: number;
};

export type CoinOrder<C extends Coin> = {
  readonly coins: readonly C[];
  /** May be none for a replacement, which then pays everything back to us. */
  readonly payments: readonly ScriptPayment[];
  readonly changeScript: Uint8Array;
  /** Units for 1,000 virtual bytes. */
  readonly feeRate: bigint;
  readonly policy: RelayPolicy;
  readonly replaces?: ReplacedAttempt<C> | undefined;
};

export type CoinSelection<C extends Coin> = {
  /** In order of transaction and output. */
  readonly inputs: readonly C[];
  readonly feeUnits: bigint;
  /** 0 where there is no output for it. */
  readonly changeUnits: bigint;
  /** At most, once it is signed. */
  readonly virtualSize: number;
};

type CoinRefusal =
  /** `missingUnits`: beside all coins worth spending; the input of another one costs on top. */
  | { readonly refused: 'too-little'; readonly missingUnits: bigint }
  /** Takes more inputs, or has more payments, than one transaction holds. */
  | { readonly refused: 'too-large'; readonly virtualSize: number }
  /** Payment number `payment`, from 0, is less than what is relayed. */
  | { readonly refused: 'dust'; readonly payment: number; readonly leastUnits: bigint };

export function selectCoins<C extends Coin>(order: CoinOrder<C>): CoinSelection<C> | CoinRefusal {
  const { payments, policy, replaces } = order;
  assert(payments.length > 0 || replaces !== undefined, 'nothing is to be paid');
  for (const [payment, { script, units }] of payments.entries()) {
    const leastUnits = dustLimit(script, policy);
    if (units < leastUnits) return { refused: 'dust', payment, leastUnits };
  }
  const terms = termsOf(order);
  const fixed = replaces?.coins ?? [];
  const spendable = worthSpending(order, fixed);
  let purse = fixed.reduce(withCoin, EMPTY);
  let taken = 0;
  for (; !isEnough(purse, terms); taken += 1) {
    const next = spendable[taken];
    if (next === undefined) return tooLittle(purse, terms);
    purse = withCoin(purse, next);
    if (weightOf(purse, terms.scripts) > MOST_WEIGHT) return tooLarge(purse, terms);
  }
  const chosen = smallestSufficient(spendable, taken, purse, terms);
  purse = [...fixed, ...chosen].reduce(withCoin, EMPTY);
  const { feeUnits, changeUnits, weight } = settle(purse, terms);
  if (weight > MOST_WEIGHT) return tooLarge(purse, terms);
  const inputs = [...fixed, ...chosen].sort(byOutpoint);
  return { inputs, feeUnits, changeUnits, virtualSize: virtualSize(weight) };
}

/** What is being asked for, in numbers. */
type Terms = {
  readonly paidUnits: bigint;
  /** Lengths of the scripts of the payments, then also of the change. */
  readonly scripts: readonly number[];
  readonly scriptsWithChange: readonly number[];
  readonly leastChangeUnits: bigint;
  /** The least fee of so many virtual bytes. */
  readonly feeOf: (virtualBytes: number) => bigint;
};

/** Coins put together. */
type Purse = { readonly units: bigint; readonly tally: InputTally };
const EMPTY: Purse = { units: 0n, tally: NO_INPUTS };

function termsOf<C extends Coin>(order: CoinOrder<C>): Terms {
  const { payments, changeScript, policy, feeRate, replaces } = order;
  const scripts = payments.map(({ script }) => script.length);
  return {
    paidUnits: payments.reduce((sum, { units }) => sum + units, 0n),
    scripts,
    scriptsWithChange: [...scripts, changeScript.length],
    leastChangeUnits: dustLimit(changeScript, policy),
    feeOf: (virtualBytes) => {
      const fee = feeFor(virtualBytes, feeRate);
      if (replaces === undefined) return fee;
      const least = leastReplacementFee(replaces, virtualBytes, policy);
      return least > fee ? least : fee;
    },
  };
}

/**
 * In units. BIP-125: at least the fees of what is replaced (rule 3), and for its own size the
 * incremental rate on top (rule 4). Bitcoin Core and Litecoin Core want a higher rate besides.
 */
export function leastReplacementFee(
  replaced: Pick<ReplacedAttempt<Coin>, 'feeUnits' | 'virtualSize'>,
  virtualBytes: number,
  { incrementalRate }: RelayPolicy,
): bigint {
  const onTop = replaced.feeUnits + feeFor(virtualBytes, incrementalRate);
  const sameRate = (replaced.feeUnits * BigInt(virtualBytes)) / BigInt(replaced.virtualSize);
  return onTop > sameRate ? onTop : sameRate + 1n;
}

/** Those that bring more than they cost, the best first. */
function worthSpending<C extends Coin>(
  { coins, feeRate }: CoinOrder<C>,
  fixed: readonly C[],
): readonly C[] {
  const known = new Set(fixed.map(outpoint));
  const isKnown = (coin: C) => known.size > 0 && known.has(outpoint(coin));
  const valued = coins
    .filter((coin) => coin.confirmations > 0 && !isKnown(coin))
    // Exact, in parts of 4,000 of a unit: a rate is for 1,000 bytes, which are 4,000 of weight.
    .map((coin) => ({
      coin,
      worth: 4000n * coin.units - feeRate * BigInt(inputWeight(coin.kind)),
    }))
    .filter(({ worth }) => worth > 0n)
    .sort((one, other) =>
      one.worth === other.worth
        ? byOutpoint(one.coin, other.coin)
        : one.worth > other.worth
          ? -1
          : 1,
    );
  const sorted = valued.map(({ coin }) => coin);
  // The same coin twice stands side by side now.
  const isTwice = sorted.some((coin, at) => {
    const next = sorted[at + 1];
    return next !== undefined && byOutpoint(coin, next) === 0;
  });
  assert(!isTwice, 'a coin is named twice');
  return sorted;
}

/**
 * As many of `sorted` as suffice already (its first `taken`), each in turn exchanged for the least
 * one that still suffices, beginning with the least.
 */
function smallestSufficient<C extends Coin>(
  sorted: readonly C[],
  taken: number,
  filled: Purse,
  terms: Terms,
): readonly C[] {
  const chosen = new Set(sorted.slice(0, taken));
  let purse = filled;
  for (const coin of sorted.slice(0, taken).reverse()) {
    const rest = withoutCoin(purse, coin);
    const suffices = (other: C) => isEnough(withCoin(rest, other), terms);
    let at = lastSufficient(sorted, suffices);
    let other = sorted[at];
    while (at >= taken && other !== undefined && chosen.has(other)) other = sorted[--at];
    if (other === undefined || at < taken || !suffices(other)) continue;
    chosen.delete(coin);
    chosen.add(other);
    purse = withCoin(rest, other);
  }
  return [...chosen];
}

/** The last index up to which all suffice, by halving; -1 for none. */
function lastSufficient<C>(sorted: readonly C[], suffices: (one: C) => boolean): number {
  let low = -1;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && suffices(one)) low = middle;
    else high = middle;
  }
  return low;
}

function withCoin({ units, tally }: Purse, coin: Coin): Purse {
  return { units: units + coin.units, tally: withInput(tally, coin.kind) };
}

function withoutCoin({ units, tally }: Purse, coin: Coin): Purse {
  return { units: units - coin.units, tally: withoutInput(tally, coin.kind) };
}

function weightOf({ tally }: Purse, scripts: readonly number[]): number {
  return transactionWeight(tally, scripts);
}

/** Below zero by what is missing; the fee is that of the smallest transaction that does it. */
function restOf(purse: Purse, { paidUnits, scripts, scriptsWithChange, ...terms }: Terms): bigint {
  const isBack = scripts.length === 0;
  const size = virtualSize(weightOf(purse, isBack ? scriptsWithChange : scripts));
  const needed = paidUnits + terms.feeOf(size) + (isBack ? terms.leastChangeUnits : 0n);
  return purse.units - needed;
}

function isEnough(purse: Purse, terms: Terms): boolean {
  return purse.tally.count > 0 && restOf(purse, terms) >= 0n;
}

type Settled = Pick<CoinSelection<Coin>, 'feeUnits' | 'changeUnits'> & { readonly weight: number };

/** What is over becomes change where it is worth an output, and fee where it is not. */
function settle(purse: Purse, terms: Terms): Settled {
  const { paidUnits, scripts, scriptsWithChange, leastChangeUnits, feeOf } = terms;
  const weight = weightOf(purse, scriptsWithChange);
  const feeUnits = feeOf(virtualSize(weight));
  const changeUnits = purse.units - paidUnits - feeUnits;
  if (changeUnits >= leastChangeUnits) return { feeUnits, changeUnits, weight };
  return {
    feeUnits: purse.units - paidUnits,
    changeUnits: 0n,
    weight: weightOf(purse, scripts),
  };
}

function tooLittle(purse: Purse, terms: Terms): CoinRefusal {
  return { refused: 'too-little', missingUnits: -restOf(purse, terms) };
}

function tooLarge(purse: Purse, { scripts }: Terms): CoinRefusal {
  return { refused: 'too-large', virtualSize: virtualSize(weightOf(purse, scripts)) };
}

function outpoint({ transaction, vout }: Coin): string {
  return `${transaction}:${vout}`;
}

export function byOutpoint(one: Coin, other: Coin): number {
  if (one.transaction !== other.transaction) return one.transaction < other.transaction ? -1 : 1;
  return one.vout - other.vout;
}
