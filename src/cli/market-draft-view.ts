// What was drafted for an order of the house at the market of a network, as an operator sees it.
import { getAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { freeingText, type MarketDraft } from '#market/market-draft.ts';
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

/** What stands behind one that whoever signs does not sign. */
function blockingText(draft: MarketDraft): string {
  return `nothing else leaves the account until then: ${freeingText(draft)}`;
}

/** Those that can land, at a look at the whole: bad where one is not signed. */
export function marketDraftFindings(drafts: readonly MarketDraft[]) {
  return drafts.map((draft) => {
    const { orderId, chain, landsUntil, heldUp } = draft;
    const about = `order ${orderId}, drafted at ${draft.draftedAt}, can land until ${landsUntil}`;
    return {
      ok: heldUp === undefined,
      what: `market ${networkOf(chain)}`,
      detail: heldUp === undefined ? about : `${about}: ${heldUp}; ${blockingText(draft)}`,
    };
  });
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
