// What is worth bringing together: a pure function. Nothing is moved that costs more to move than
// it is worth, by the prices of now; what nobody can value is moved only where the operator said
// from which amount on. Tokens go first, since they are paid for with the coins beside them.
import type { Watcher } from '#deposit/network.ts';
import { compare, type Decimal } from '#money/decimal.ts';

type SweepSurvey = Awaited<ReturnType<NonNullable<Watcher['sweeper']>['survey']>>;
export type SweepHolding = SweepSurvey['holdings'][number];

export type SweepFacts = {
  readonly survey: SweepSurvey;
  /** What units of an asset are worth now, in one currency; undefined when nobody knows. */
  readonly worthOf: (assetId: string, units: bigint) => Decimal | undefined;
  /** From how many units on the operator wants it moved, by asset. */
  readonly above: ReadonlyMap<string, bigint>;
  readonly hasGasAccount: boolean;
  /** Nobody asks for it: then only what is above these amounts. */
  readonly isAutomatic: boolean;
};

export type SweepStep = {
  readonly address: string;
  readonly assetId: string;
  /** What arrives where it is collected. */
  readonly units: bigint;
  /** Most that it costs, with the coins that it needs first. */
  readonly costUnits: bigint;
  /** Coins that it needs first; zero when it has enough. */
  readonly topUpUnits: bigint;
};

export type LeftThere = Pick<SweepHolding, 'address' | 'assetId' | 'units'> & {
  readonly reason: string;
};

type SweepDecision = { readonly steps: SweepStep[]; readonly left: LeftThere[] };

/** The fee may rise between the coins for gas and what they pay for. */
const TOP_UP_PERCENT = 125n;

export function decideSweep(facts: SweepFacts): SweepDecision {
  const steps: SweepStep[] = [];
  const left: LeftThere[] = [];
  const { coinAssetId, holdings } = facts.survey;
  for (const [, here] of Map.groupBy(holdings, ({ address }) => address)) {
    const coin = here.find(({ assetId }) => assetId === coinAssetId);
    let coins = coin?.units ?? 0n;
    const before = steps.length;
    for (const token of here.filter((one) => one !== coin)) {
      if (isBelowLimit(facts, token)) continue;
      const step = tokenStep(facts, token, coins);
      if ('reason' in step) left.push(step);
      else {
        steps.push(step);
        coins = step.topUpUnits > 0n ? 0n : coins - step.costUnits;
      }
    }
    // The coins pay for the tokens; what is left of them goes the next time.
    if (coin === undefined || steps.length > before || isBelowLimit(facts, coin)) continue;
    const step = coinStep(coin);
    if ('reason' in step) left.push(step);
    else steps.push(step);
  }
  return { steps, left };
}

export type GasDecision = {
  readonly heldUnits: bigint;
  /** What one address with tokens takes of it at most, with the fee of giving it. */
  readonly eachUnits: bigint;
  readonly isEnough: boolean;
};

/** Of the account that gives coins for gas; `waiting`: addresses whose tokens are to be moved. */
export function decideGas(
  { topUpCostUnits, gas }: Pick<SweepSurvey, 'topUpCostUnits' | 'gas'>,
  waiting: number,
): GasDecision | undefined {
  if (gas === undefined) return undefined;
  const { heldUnits, tokenCostUnits } = gas;
  const eachUnits = topUpCostUnits + (tokenCostUnits * TOP_UP_PERCENT) / 100n;
  const neededUnits = eachUnits * BigInt(Math.max(waiting, 1));
  return { heldUnits, eachUnits, isEnough: heldUnits >= neededUnits };
}

function isBelowLimit({ above, isAutomatic }: SweepFacts, holding: SweepHolding): boolean {
  const limit = above.get(holding.assetId);
  return isAutomatic && (limit === undefined || holding.units < limit);
}

function tokenStep(facts: SweepFacts, token: SweepHolding, coins: bigint): SweepStep | LeftThere {
  const { survey, above, worthOf, hasGasAccount } = facts;
  const { address, assetId, units, costUnits } = token;
  if (costUnits === undefined) return leave(token, REFUSED);
  const lacks = coins < costUnits;
  const total = costUnits + (lacks ? survey.topUpCostUnits : 0n);
  const [worth, cost] = [worthOf(assetId, units), worthOf(survey.coinAssetId, total)];
  if (worth !== undefined && cost !== undefined) {
    if (compare(worth, cost) <= 0) return leave(token, TOO_LITTLE);
  } else if (units < (above.get(assetId) ?? units + 1n)) {
    return leave(token, 'nobody knows what it is worth: say from which amount on (SWEEP_ABOVE)');
  }
  if (lacks && !hasGasAccount) {
    return leave(token, 'there is no coin to pay its gas with: set GAS_ACCOUNT, or send it some');
  }
  const topUpUnits = lacks ? (costUnits * TOP_UP_PERCENT) / 100n - coins : 0n;
  return { address, assetId, units, costUnits: total, topUpUnits };
}

function coinStep(coin: SweepHolding): SweepStep | LeftThere {
  const { address, assetId, costUnits } = coin;
  if (costUnits === undefined) return leave(coin, REFUSED);
  const units = coin.units - costUnits;
  if (units <= costUnits) return leave(coin, TOO_LITTLE);
  return { address, assetId, units, costUnits, topUpUnits: 0n };
}

const REFUSED = 'the chain would refuse it: its token, or one of the two addresses, is stopped';
const TOO_LITTLE = 'moving it costs more than it is worth';

function leave({ address, assetId, units }: SweepHolding, reason: string): LeftThere {
  return { address, assetId, units, reason };
}
