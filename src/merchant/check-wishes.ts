// What an account may say of payment, and why not. Pure: whoever sets it (a form, a command, a
// program) is told the same. Each fault begins with the name of the setting.

import { findAsset, isWithinRisk, type RiskLevel } from '#catalog/asset.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import {
  CONFIRMATIONS_MOST,
  type ConfirmationTiers,
  defaultConfirmations,
  listDeepNetworks,
} from '#catalog/network.ts';
import { isWayName, type Way, wayName } from '#catalog/way.ts';

/** What is credited as it was paid. */
const ORIGIN_ASSET = 'ORIGIN';

type WishFault = {
  readonly code: 'settlement' | 'methods' | 'depths';
  readonly said: string;
};

export function settlementFault(assetId: string, risk: RiskLevel): WishFault | undefined {
  if (assetId === ORIGIN_ASSET) return undefined;
  const asset = findAsset(assetId);
  if (asset?.settlement === true && isWithinRisk(asset, risk)) return undefined;
  const said = `settlementAsset: ORIGIN, or an asset with settlement up to risk level ${risk}`;
  return { code: 'settlement', said };
}

/** `known`: what was said before, which may name what is gone since; `now`: what is received now. */
export function waysFault(asked: Ways, known: Ways, now: readonly Way[]): WishFault | undefined {
  const said = [...WAYS_NAMES.flatMap((field) => known[field]), ...now.map(wayName)];
  for (const field of WAYS_NAMES) {
    const ways = asked[field];
    const wrong = ways.find(
      (way, index) => ways.indexOf(way) !== index || !(said.includes(way) || isWayName(way)),
    );
    if (wrong !== undefined) {
      const why = `${field}: ${wrong} is no way to pay, such as BITCOIN BTC:NATIVE, or stands twice`;
      return { code: 'methods', said: why };
    }
  }
  const isLeft = now.length === 0 || now.some((way) => !asked.methodsOff.includes(wayName(way)));
  return isLeft ? undefined : { code: 'methods', said: 'methodsOff: no way to pay would be left' };
}

const WAYS_NAMES = ['methodOrder', 'methodsOff', 'methodsRecommended'] as const;
type Ways = Readonly<Record<(typeof WAYS_NAMES)[number], readonly string[]>>;

/** What is said of ways to pay. */
export function givenWays(wishes: Partial<Ways>): Partial<Ways> {
  return Object.fromEntries(
    WAYS_NAMES.flatMap((name) => (wishes[name] === undefined ? [] : [[name, wishes[name]]])),
  );
}

export function confirmationsFault(asked: AskedConfirmations): WishFault | undefined {
  const deep = listDeepNetworks().map(({ id }) => id);
  for (const [network, tiers] of Object.entries(asked)) {
    const [small, medium, large] = tiers;
    const isRight =
      deep.includes(network) &&
      tiers.every((one) => Number.isInteger(one) && one >= 1 && one <= CONFIRMATIONS_MOST) &&
      small <= medium &&
      medium <= large;
    if (isRight) continue;
    const said = `confirmations: of ${deep.join(', ')} three whole numbers from 1 to ${CONFIRMATIONS_MOST}, for small, medium and large amounts, none below the one before`;
    return { code: 'depths', said };
  }
  return undefined;
}

export type AskedConfirmations = Readonly<Record<string, ConfirmationTiers>>;

/** Without those that ask for what is usual. */
export function unusual(asked: AskedConfirmations, environment: Environment): AskedConfirmations {
  return Object.fromEntries(
    Object.entries(asked).filter(([network, tiers]) =>
      defaultConfirmations(chainOf(environment, network)).some((usual, at) => usual !== tiers[at]),
    ),
  );
}
