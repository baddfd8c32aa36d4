// Small coins of ours as one, while fees are low: an unsigned transaction for the wallet that has
// their keys.
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import { draftConsolidation } from '#custody/draft-consolidation.ts';
import { amountFromText } from '#money/asset-amount.ts';
import {
  type Command,
  feeRateOf,
  onePositional,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { draftView } from './draft-view.ts';
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
    const name = onePositional(positionals, 'a network, as BITCOIN').toUpperCase();
    const network = findNetwork(name);
    if (network === undefined) {
      throw new Refusal('invalid', 'usage', [`NETWORK: there is no ${name}`]);
    }
    const { defaultAssetId: assetId } = network;
    const wish = {
      most: wholeOption(values, 'most', { initial: 100, least: 2, most: 500 }),
      belowUnits: belowOf(values, assetId),
      feeRate: feeRateOf(values),
      actor: whoOf(values),
    };
    const drafted = await draftConsolidation(await context.openApp(), chainOf('live', name), wish);
    const out = textOption(values, 'out');
    if (out !== undefined) writeOutFile(out, drafted.text, { encoding: 'base64', isPrivate: true });
    const { about, json } = draftView(drafted, assetId);
    const told = out === undefined ? drafted.text : `Written to ${out}.`;
    const next =
      'Let your wallet sign it and send it, before you draft anything else; it is seen and booked.';
    return { text: [...about, told, next].join('\n'), json: { draft: json } };
  },
};

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
