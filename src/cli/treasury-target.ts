// How much is to lie hot, how much cold, as an operator says it.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { findNetwork } from '#catalog/network.ts';
import { amountFromText, amountToText } from '#money/asset-amount.ts';
import {
  ANY_ASSET,
  type LiquidityPolicy,
  removeLiquidityPolicy,
  setLiquidityPolicy,
} from '#treasury/conversion-policy.ts';
import {
  type HoldingTarget,
  removeHoldingTarget,
  setHoldingTarget,
} from '#treasury/holding-target.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chosenEnvironment } from './treasury.ts';
import { assetOf } from './treasury-words.ts';

export const treasuryTargetSet: Command = {
  name: 'treasury target set',
  summary: 'say how much of an asset is to lie at watched addresses; the rest belongs elsewhere',
  usage:
    'NETWORK ASSET --target AMOUNT [--least AMOUNT] [--most AMOUNT] [--environment live|test] ' +
    `${SAID_USAGE}\n  --least, --most   within them nothing is moved; the target itself unless given`,
  options: {
    ...{ ...SAID_OPTIONS, environment: { type: 'string' }, target: { type: 'string' } },
    ...{ least: { type: 'string' }, most: { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const { network, assetId } = holdingOf(positionals);
    const targetUnits = unitsOption(values, 'target', assetId);
    if (targetUnits === undefined) throw usage('--target: how much is to be there?');
    const leastUnits = unitsOption(values, 'least', assetId) ?? targetUnits;
    const mostUnits = unitsOption(values, 'most', assetId) ?? targetUnits;
    if (leastUnits > targetUnits || targetUnits > mostUnits) {
      throw usage('--target: must not be below --least nor above --most');
    }
    const environment = chosenEnvironment(values);
    const said = saidOf(values);
    const app = await context.openApp();
    const target: HoldingTarget = {
      ...{ ...said, environment, network, assetId, leastUnits, targetUnits, mostUnits },
      setAt: app.clock.now(),
    };
    const text = (units: bigint) => amountToText(units, getAsset(assetId).decimals);
    const json = { least: text(leastUnits), target: text(targetUnits), most: text(mostUnits) };
    await app.db.transact(async (tx) => {
      setHoldingTarget(tx, target);
      noteAct(tx, {
        ...{ environment, actor: said.actor, actedAt: target.setAt, verb: 'treasury-target-set' },
        subject: `target:${network} ${assetId}`,
        details: { reason: said.reason, ...json },
      });
    });
    return {
      text: `${network} ${assetId}  from ${json.least} to ${json.most}, brought to ${json.target}`,
      json: { environment, network, asset: assetId, ...json },
    };
  },
};

export const treasuryTargetRemove: Command = {
  name: 'treasury target remove',
  summary: 'let it lie wherever it is',
  usage: `NETWORK ASSET [--environment live|test] ${BY_USAGE}`,
  options: { ...BY_OPTION, environment: { type: 'string' } },
  async run(context, { positionals, values }) {
    const holding = { ...holdingOf(positionals), environment: chosenEnvironment(values) };
    const { db, clock } = await context.openApp();
    await db.transact(async (tx) => {
      if (!(await removeHoldingTarget(tx, holding))) {
        throw new Refusal('missing', 'target_missing', ['there is no target for it']);
      }
      const { environment, network, assetId } = holding;
      noteAct(tx, {
        ...{ environment, actor: whoOf(values), actedAt: clock.now() },
        ...{ verb: 'treasury-target-remove', subject: `target:${network} ${assetId}` },
      });
    });
    return { text: `${positionals.join(' ')}: no target`, json: { ...holding } };
  },
};

function holdingOf(positionals: readonly string[]): { network: string; assetId: string } {
  const [network = '', asset = '', ...more] = positionals;
  if (more.length > 0) throw usage(`too many arguments: ${more.join(' ')}`);
  const assetId = assetOf(asset);
  if (findNetwork(network)?.assets.includes(assetId) === true) return { network, assetId };
  throw usage(`NETWORK: must be one of ${getAsset(assetId).networks.join(', ')}`);
}

function unitsOption(values: Values, name: string, assetId: string): bigint | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const units = amountFromText(text, getAsset(assetId).decimals);
  if (units !== undefined && units >= 0n) return units;
  throw usage(`--${name}: must be an amount of ${assetId}`);
}

function usage(message: string): Refusal {
  return new Refusal('invalid', 'usage', [message]);
}

// Which assets are promised only while they are held, as an operator says it.
export const treasuryLiquiditySet: Command = {
  name: 'treasury liquidity set',
  summary: 'promise an asset to whoever converts only while you hold it; * stands for any asset',
  usage: `ASSET [--environment live|test] ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, environment: { type: 'string' } },
  async run(context, { positionals, values }) {
    const assetId = promisedOf(positionals);
    const environment = chosenEnvironment(values);
    const said = saidOf(values);
    const app = await context.openApp();
    const policy: LiquidityPolicy = { ...said, environment, assetId, setAt: app.clock.now() };
    await app.db.transact(async (tx) => {
      setLiquidityPolicy(tx, policy);
      noteAct(tx, {
        ...{ environment, actor: said.actor, actedAt: policy.setAt },
        ...{ verb: 'treasury-liquidity-set', subject: `liquidity:${assetId}` },
        details: { reason: said.reason },
      });
    });
    return {
      text: `${assetId} is promised only while it is held: npx quittance treasury position`,
      json: { environment, asset: assetId },
    };
  },
};

export const treasuryLiquidityRemove: Command = {
  name: 'treasury liquidity remove',
  summary: 'promise it whether it is held or not, within the other limits',
  usage: `ASSET [--environment live|test] ${BY_USAGE}`,
  options: { ...BY_OPTION, environment: { type: 'string' } },
  async run(context, { positionals, values }) {
    const assetId = promisedOf(positionals);
    const environment = chosenEnvironment(values);
    const { db, clock } = await context.openApp();
    await db.transact(async (tx) => {
      if (!(await removeLiquidityPolicy(tx, { environment, assetId }))) {
        throw new Refusal('missing', 'liquidity_policy_missing', [`${assetId}: nothing is set`]);
      }
      noteAct(tx, {
        ...{ environment, actor: whoOf(values), actedAt: clock.now() },
        ...{ verb: 'treasury-liquidity-remove', subject: `liquidity:${assetId}` },
      });
    });
    const text = `${assetId} is promised whether it is held or not`;
    return { text, json: { environment, asset: assetId } };
  },
};

function promisedOf(positionals: readonly string[]): string {
  const asset = onePositional(positionals, 'the asset that is promised');
  return asset === ANY_ASSET ? asset : assetOf(asset);
}
