// What an operator sees of the house's position: what is open by asset, in dollars and against the
// limit, which orders are under way, what lies at providers and on the way to them.
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { type AssetAmount, amountToText } from '#money/asset-amount.ts';
import { decimalToText, roundDecimal } from '#money/decimal.ts';
import { isHeldOnly, listLiquidityPolicies } from './conversion-policy.ts';
import { type ExposureApp, listPausedCodes, readOpenUsd } from './exposure.ts';
import { type HedgeFill, type HedgeOrder, listOrders } from './hedge-order.ts';
import { listHoldings } from './holding-target.ts';
import { freeUnits, listLiquidity } from './liquidity.ts';
import { listConvertedUnits, listPromisedUnits, readUnreserved } from './open-position.ts';
import { listMovesUnderWay, type ProviderMove } from './provider-move.ts';

type PositionApp = ExposureApp & { readonly db: Reader };

type Held = { readonly code: string; readonly assetId: string; readonly units: bigint };

const ORDERS_MOST = 1_000;

/** Amounts in whole coins, without their sign: `side` says which. */
export async function treasuryPosition(
  app: PositionApp,
  environment: Environment,
  now: Temporal.Instant,
) {
  const { db, rates, exposureLimitUsd, merchantExposureLimitUsd } = app;
  const isLive = environment === 'live';
  const [converted, windows, unreserved, orders, moves, held, usd, pausedCodes, holdings, liquid] =
    await Promise.all([
      listConvertedUnits(db, environment),
      isLive ? listPromisedUnits(db, environment, now) : [],
      readUnreserved(db, environment),
      listOrders(db, environment, { isOpen: true, most: ORDERS_MOST }),
      listMovesUnderWay(db, environment),
      listHeld(db, environment),
      isLive ? readOpenUsd(rates, db, now) : undefined,
      listPausedCodes(app, db, environment, now),
      listHoldings(db, environment),
      listHeldOnly(db, environment, now),
    ]);
  return {
    environment,
    open: converted.map(({ side, assetId, units }) => ({
      side,
      asset: assetId,
      amount: amountText(assetId, units),
      withoutOrder: amountText(assetId, unreserved[side].get(assetId) ?? 0n),
    })),
    lockedByWindows: windows.map(({ side, assetId, units }) => ({
      side,
      asset: assetId,
      amount: amountText(assetId, units),
    })),
    openUsd: usd === undefined ? null : decimalToText(roundDecimal(usd, 2, 'up')),
    limitUsd: exposureLimitUsd === undefined ? null : decimalToText(exposureLimitUsd),
    merchantLimitUsd:
      merchantExposureLimitUsd === undefined ? null : decimalToText(merchantExposureLimitUsd),
    /** Their price moves too fast: nothing is converted at it now. */
    pausedCodes,
    orders: orders.map(hedgeOrderView),
    moves: moves.map(providerMoveView),
    /** At watched addresses and elsewhere, and what is to be moved where a target is set. */
    holdings,
    /** Assets that are promised only while they are held. */
    liquidity: liquid,
    accounts: held.map(({ code, assetId, units }) => ({
      account: code,
      asset: assetId,
      amount: amountText(assetId, units),
    })),
  };
}

/** What is there of each asset that has a policy; `*` alone says nothing of one. */
async function listHeldOnly(reader: Reader, environment: Environment, now: Temporal.Instant) {
  const policies = await listLiquidityPolicies(reader, environment);
  if (policies.length === 0) return [];
  const held = (await listLiquidity(reader, environment, now)).filter(({ assetId }) =>
    isHeldOnly(policies, assetId),
  );
  return held.map((one) => {
    const { assetId } = one;
    const text = (units: bigint) => amountText(assetId, units);
    return {
      asset: assetId,
      ...{ hot: text(one.hotUnits), cold: text(one.coldUnits), owed: text(one.owedUnits) },
      ...{ forOrders: text(one.orderedUnits), lockedByWindows: text(one.lockedUnits) },
      free: text(freeUnits(one)),
    };
  });
}

/** At providers, on the way, and what came of hedges: gain is above zero, as are fees paid. */
function listHeld(reader: Reader, environment: Environment): Promise<Held[]> {
  return reader.query<Held>(sql`
    select code, asset_id as "assetId",
      case code when 'conversion-result' then -balance_units else balance_units end as units
    from ledger_balance where environment = ${environment} and owner = '' and balance_units <> 0
      and (code in ('conversion-result', 'provider-fees') or code like 'transit:%'
        or code ~ '^custody:[a-z]')
    order by code, asset_id`);
}

/** What the ledger says that a provider holds for us. */
export function listProviderUnits(
  reader: Reader,
  environment: Environment,
  provider: string,
): Promise<AssetAmount[]> {
  return reader.query<AssetAmount>(sql`
    select asset_id as "assetId", balance_units as units from ledger_balance
    where environment = ${environment} and owner = '' and code = ${`custody:${provider}`}
      and balance_units <> 0
    order by asset_id`);
}

export function hedgeOrderView(order: HedgeOrder) {
  const { giveAssetId, getAssetId } = order;
  return {
    id: order.id,
    environment: order.environment,
    provider: order.provider,
    state: order.state,
    byHand: order.isByHand,
    /** Whether the exchange may still fill it, or has not said what it filled. */
    atExchange: order.isAtExchange,
    clientOrderId: order.clientOrderId ?? null,
    sells: amountText(giveAssetId, order.giveUnits),
    sellsAsset: giveAssetId,
    sold: amountText(giveAssetId, order.filledUnits),
    closes: amountText(getAssetId, order.closesUnits),
    closesAsset: getAssetId,
    closed: amountText(getAssetId, order.closedUnits),
    cause: order.causeKey ?? null,
    by: order.actor,
    reason: order.reason,
    reservedAt: order.reservedAt.toString(),
    orderedBy: order.orderedBy ?? null,
    orderedAt: order.orderedAt?.toString() ?? null,
    cancelledBy: order.cancelledBy ?? null,
    cancelReason: order.cancelReason ?? null,
    endedAt: order.endedAt?.toString() ?? null,
  };
}

export function hedgeFillView(
  { giveAssetId, getAssetId }: HedgeOrder,
  { feeAssetId, feeUnits, ...fill }: HedgeFill,
) {
  const hasFee = feeAssetId !== undefined && feeUnits !== undefined;
  return {
    id: fill.fillId,
    sold: amountText(giveAssetId, fill.soldUnits),
    got: amountText(getAssetId, fill.gotUnits),
    closed: amountText(getAssetId, fill.closedUnits),
    /** Gain is above zero. */
    result: amountText(getAssetId, fill.gotUnits - fill.closedUnits),
    fee: hasFee ? amountText(feeAssetId, feeUnits) : null,
    feeAsset: feeAssetId ?? null,
    by: fill.actor,
    bookedAt: fill.bookedAt.toString(),
    undoneAt: fill.undoneAt?.toString() ?? null,
    undoneBy: fill.undoneBy ?? null,
    undoneReason: fill.undoneReason ?? null,
  };
}

export function providerMoveView(move: ProviderMove) {
  const { assetId, arrivedUnits } = move;
  return {
    id: move.id,
    environment: move.environment,
    provider: move.provider,
    direction: move.direction,
    network: move.network,
    asset: assetId,
    amount: amountText(assetId, move.units),
    reference: move.reference,
    by: move.actor,
    reason: move.reason,
    sentAt: move.sentAt.toString(),
    arrived: arrivedUnits === undefined ? null : amountText(assetId, arrivedUnits),
    arrivedAt: move.arrivedAt?.toString() ?? null,
  };
}

function amountText(assetId: string, units: bigint): string {
  return amountToText(units, getAsset(assetId).decimals);
}
