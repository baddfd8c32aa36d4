// Coins of ours that go back to us, in an unsigned transaction for the wallet that has their keys:
// small ones as one while fees are low, and one that waits with a fee for what it waits for.
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { findNetwork, type NetworkInfo } from '#catalog/network.ts';
import { type DraftedMove, draftConsolidation } from '#custody/draft-consolidation.ts';
import { draftSpeedUp } from '#custody/draft-speed-up.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { sendSignedMove } from '#sending/send-signed.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandResult,
  feeRateOf,
  onePositional,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { draftView } from './draft-view.ts';
import { readBoundedInput } from './read-bounded-file.ts';
import { SIGNED_BYTES_MOST } from './send.ts';
import { writeOutFile } from './write-out-file.ts';

export const custodyConsolidate: Command = {
  name: 'custody consolidate',
  summary: 'one unsigned transaction that makes many small coins one (Bitcoin, Litecoin)',
  usage: 'NETWORK [--most 2-500] [--below AMOUNT] [--fee-rate RATE] [--by NAME] [--out FILE]',
  options: {
    most: { type: 'string' },
    below: { type: 'string' },
    'fee-rate': { type: 'string' },
    by: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const network = namedNetwork(onePositional(positionals, 'a network, as BITCOIN'));
    const { defaultAssetId: assetId } = network;
    const wish = {
      most: wholeOption(values, 'most', { initial: 100, least: 2, most: 500 }),
      belowUnits: belowOf(values, assetId),
      feeRate: feeRateOf(values),
      actor: whoOf(values),
    };
    const app = await context.openApp();
    const drafted = await draftConsolidation(app, chainOf('live', network.id), wish);
    return handedOut(drafted, assetId, values);
  },
};

export const custodySpeedUp: Command = {
  name: 'custody speed-up',
  summary: 'a payment to you waits with too low a fee: spend it back to you and pay for both',
  usage: 'NETWORK TRANSACTION [--fee-rate RATE] [--by NAME] [--out FILE]',
  options: { 'fee-rate': { type: 'string' }, by: { type: 'string' }, out: { type: 'string' } },
  async run(context, { positionals: [named = '', ...rest], values }) {
    const network = namedNetwork(named);
    const transaction = onePositional(rest, 'the id of the transaction that waits').toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['TRANSACTION: 64 hexadecimal digits']);
    }
    const wish = { transaction, feeRate: feeRateOf(values), actor: whoOf(values) };
    const app = await context.openApp();
    const drafted = await draftSpeedUp(app, chainOf('live', network.id), wish);
    return handedOut(drafted, network.defaultAssetId, values);
  },
};

/** @throws Refusal */
function namedNetwork(named: string): NetworkInfo {
  const name = named.toUpperCase();
  const network = findNetwork(name);
  if (network !== undefined) return network;
  throw new Refusal('invalid', 'usage', [`NETWORK: there is no ${name}`]);
}

export const custodySigned: Command = {
  name: 'custody signed',
  summary:
    'send what custody consolidate or speed-up drafted and you have signed; without a file once ' +
    'more what was sent before',
  usage: `ID [FILE|-] ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const [named = '', path, ...more] = positionals;
    const id = onePositional(named === '' ? [] : [named, ...more], 'the number of the draft');
    if (!/^\d{1,18}$/.test(id)) {
      throw new Refusal('invalid', 'usage', ['ID: the number that the draft was shown with']);
    }
    const returned =
      path === undefined ? undefined : await readBoundedInput(path, SIGNED_BYTES_MOST, 'FILE');
    const app = await context.openApp();
    const transaction = await sendSignedMove(app, BigInt(id), returned, whoOf(values));
    return { text: `Sent as ${transaction}.`, json: { id, transaction } };
  },
};

function handedOut(
  { id, ...drafted }: DraftedMove,
  assetId: string,
  values: Values,
): CommandResult {
  const out = textOption(values, 'out');
  if (out !== undefined) writeOutFile(out, drafted.text, { encoding: 'base64', isPrivate: true });
  const { about, json } = draftView(drafted, assetId);
  const told = out === undefined ? drafted.text : `Written to ${out}.`;
  const next =
    `Let your wallet sign it, before you draft anything else: npx quittance custody signed ${id} ` +
    'FILE. It is seen and booked.';
  return { text: [...about, told, next].join('\n'), json: { draft: { id: `${id}`, ...json } } };
}

/** @throws Refusal */
function belowOf(values: Values, assetId: string): bigint | undefined {
  const text = textOption(values, 'below');
  if (text === undefined) return undefined;
  const { decimals, assetCode } = getAsset(assetId);
  const units = amountFromText(text, decimals);
  if (units !== undefined && units > 0n) return units;
  throw new Refusal('invalid', 'usage', [
    `--below: an amount of ${assetCode} with at most ${decimals} decimals, as 0.001`,
  ]);
}
