// What was drafted for an order of the house at the market of a network, as an operator sees it.
import { getAsset } from '#catalog/asset.ts';
import { blockingText, type MarketDraft } from '#market/market-draft.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { HedgeOrder } from '#treasury/hedge-order.ts';

export function marketDraftLine(order: HedgeOrder, draft: MarketDraft): string {
  const { sells, sellsAsset, least, leastAsset, end, until, heldUp } = marketDraftView(
    order,
    draft,
  );
  const line =
    `    drafted: ${sells} ${sellsAsset} for at least ${least} ${leastAsset}, ` +
    `${end ?? `can land until ${until}`}${heldUp === null ? '' : `; ${heldUp}`}`;
  return end === null && heldUp !== null ? `${line}\n    ${blockingText(draft)}` : line;
}

export function marketDraftView({ giveAssetId, getAssetId }: HedgeOrder, draft: MarketDraft) {
  const { units, leastUnits, landsUntil, endState, heldUp } = draft;
  return {
    ...{ sells: amountToText(units, getAsset(giveAssetId).decimals), sellsAsset: giveAssetId },
    ...{ least: amountToText(leastUnits, getAsset(getAssetId).decimals), leastAsset: getAssetId },
    /** LANDED or OVER; null while it can land. */
    ...{ end: endState ?? null, until: landsUntil.toString(), heldUp: heldUp ?? null },
  };
}
