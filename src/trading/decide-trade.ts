// Which trades in the account at an exchange belong to no order of the house, and what one of them
// is in the ledger. Pure. Guarantees: a part that is booked, or that its order books by itself, is
// never listed; what is sold and taken as a fee is rounded up, what came down.
import { getAsset } from '#catalog/asset.ts';
import { decimalToText, isZero, parseWideDecimal } from '#money/decimal.ts';
import type { ExchangeTrade } from '#trader/protocol.ts';
import type { HedgeOrder } from '#treasury/hedge-order.ts';
import { unitsOfText } from './decide-traded.ts';

/** By the trade as the exchange names it: market and id. */
type TradeName = Pick<ExchangeTrade, 'symbol' | 'id'>;

type OwnOrder = Pick<
  HedgeOrder,
  'id' | 'state' | 'isAtExchange' | 'isByHand' | 'giveAssetId' | 'getAssetId' | 'clientOrderId'
>;

type Known = {
  /** Orders of the house at this provider. */
  readonly orders: readonly OwnOrder[];
  /** Parts that are booked and were not taken back. */
  readonly fills: readonly { readonly orderId: string; readonly fillId: string }[];
  /** Booked without an order. */
  readonly explained: readonly TradeName[];
};

export type StrayTrade = ExchangeTrade & {
  /** The order that it was sent for, which books nothing of it any more. */
  readonly orderId: string | undefined;
};

/** Oldest first. */
export function decideStray(trades: readonly ExchangeTrade[], known: Known): StrayTrade[] {
  return trades
    .flatMap((trade) => {
      if (known.explained.some(({ symbol, id }) => symbol === trade.symbol && id === trade.id)) {
        return [];
      }
      const isPart = known.orders.some(
        (order) =>
          isOfMarket(order, trade) &&
          known.fills.some(({ orderId, fillId }) => orderId === order.id && fillId === trade.id),
      );
      if (isPart) return [];
      const { clientOrderId } = trade;
      const sentFor = known.orders.find(
        (order) => clientOrderId !== undefined && order.clientOrderId === clientOrderId,
      );
      return sentFor !== undefined && isUnderWay(sentFor)
        ? []
        : [{ ...trade, orderId: sentFor?.id }];
    })
    .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
}

/** The trader asks for it until it has ended: its parts are booked by themselves. */
function isUnderWay({ state, isAtExchange, isByHand }: OwnOrder): boolean {
  return isAtExchange || (state === 'ORDERED' && !isByHand);
}

/** The exchange knows one USDC, whatever networks it came over. */
function isOfMarket({ giveAssetId, getAssetId }: OwnOrder, trade: ExchangeTrade): boolean {
  const codes = [giveAssetId, getAssetId].map((id) => getAsset(id).assetCode);
  return codes[0] === trade.soldCode && codes[1] === trade.gotCode;
}

type Side = { readonly assetId: string; readonly units: bigint };
export type BookedSides = {
  readonly sold: Side;
  readonly got: Side;
  readonly fee: Side | undefined;
};

/**
 * `assetOf`: which asset of ours a code is there. A sentence for what it cannot be booked for.
 */
export function decideSides(
  { soldCode, soldAmount, gotCode, gotAmount, fees }: ExchangeTrade,
  assetOf: (code: string) => string | undefined,
): BookedSides | { readonly refused: string } {
  const [soldId, gotId] = [assetOf(soldCode), assetOf(gotCode)];
  if (soldId === undefined || gotId === undefined) {
    return { refused: `${soldId === undefined ? soldCode : gotCode} is no asset here` };
  }
  const [fee, ...others] = fees.filter(({ amount }) => !isZero(parseWideDecimal(amount)));
  if (others.length > 0) return { refused: 'it has several fees: say with --fee what was taken' };
  const feeId = fee && assetOf(fee.code);
  if (fee !== undefined && feeId === undefined) {
    const took = `${decimalToText(parseWideDecimal(fee.amount))} ${fee.code}`;
    return { refused: `its fee of ${took} is in no asset here: say with --fee what was taken` };
  }
  const feeUnits = feeId === undefined ? 0n : unitsOfText(feeId, fee?.amount ?? '0', 'up');
  return {
    sold: { assetId: soldId, units: unitsOfText(soldId, soldAmount, 'up') },
    got: { assetId: gotId, units: unitsOfText(gotId, gotAmount, 'down') },
    fee: feeId === undefined || feeUnits === 0n ? undefined : { assetId: feeId, units: feeUnits },
  };
}
