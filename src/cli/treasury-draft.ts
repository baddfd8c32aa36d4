// An order of the house at the market of a network, as a transaction for a wallet.
import { getAsset } from '#catalog/asset.ts';
import { draftConversion } from '#market/draft-conversion.ts';
import { amountToText } from '#money/asset-amount.ts';
import { hedgeOrderView } from '#treasury/treasury-position.ts';
import { BY_OPTION, BY_USAGE, type Command, onePositional, whoOf } from './command.ts';
import { draftView } from './draft-view.ts';

export const treasuryDraft: Command = {
  name: 'treasury draft',
  summary: 'put an order at stellar-dex together as a transaction for your wallet to sign and send',
  usage: `ORDER ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const orderId = onePositional(
      positionals,
      'the order, as npx quittance treasury list names it',
    );
    const app = await context.openApp();
    const { marketSlippagePartsPerMillion: slippagePartsPerMillion } = app.config;
    const wish = { orderId, actor: whoOf(values), slippagePartsPerMillion };
    const { order, leastUnits, drafted } = await draftConversion(app, wish);
    const { giveAssetId, getAssetId } = order;
    const text = (assetId: string, units: bigint) =>
      `${amountToText(units, getAsset(assetId).decimals)} ${assetId}`;
    const [sells, least] = [
      text(giveAssetId, order.giveUnits - order.filledUnits),
      text(getAssetId, leastUnits),
    ];
    const { about, json } = draftView(drafted, giveAssetId);
    const lines = [
      `Sells ${sells} for at least ${least}, from your account to your account.`,
      ...about,
      json.text,
      '',
      'Sign and send it with your wallet: it is seen and booked with what really came.',
      'Until it has landed, or can land no more, its part of the position stays counted.',
    ];
    return {
      text: lines.join('\n'),
      json: { order: hedgeOrderView(order), sells, least, draft: json },
    };
  },
};
