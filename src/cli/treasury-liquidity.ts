// Which assets are promised only while they are held, as an operator says it.
import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import {
  ANY_ASSET,
  type LiquidityPolicy,
  removeLiquidityPolicy,
  setLiquidityPolicy,
} from '#treasury/conversion-policy.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  whoOf,
} from './command.ts';
import { chosenEnvironment } from './treasury.ts';
import { assetOf } from './treasury-words.ts';

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
