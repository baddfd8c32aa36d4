// Trades in the account at an exchange that carried out no order of the house: somebody traded
// there by hand, or nobody knows any more what it was for. They are listed, and booked on the word
// of a person, so that what the ledger has at the provider is what lies there. Guarantees: the
// amounts are those of the exchange; the same trade is booked once; a part that an order has
// booked, or still books, is not booked here. Not guaranteed: that a part which a person entered
// under a name of his own (`treasury fill`) is known as one.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { findAssetByCode, getAsset, listAssets } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db, Reader } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { TraderClient } from '#trader/client.ts';
import { listOrdersAt } from '#treasury/hedge-order.ts';
import { noteTrade, type ProviderTrade } from '#treasury/note-move.ts';
import { listProviderUnits } from '#treasury/treasury-position.ts';
import { type BookedSides, decideSides, decideStray, type StrayTrade } from './decide-trade.ts';

type TradesApp = { readonly db: Db; readonly clock: Clock };

/** Only live keys are at exchanges. */
const ENVIRONMENT: Environment = 'live';

type Strays = {
  readonly trades: readonly StrayTrade[];
  /** Else there are more than the exchange was asked for: ask since later. */
  readonly isWhole: boolean;
  /** Markets of which the exchange may not have told all: nobody can but who looks there. */
  readonly unlisted: readonly string[];
};

/** Those of the last days that fit no order. @throws Outage, Refusal of the trader */
export async function listStrayTrades(
  { db, clock }: TradesApp,
  client: Pick<TraderClient, 'trades'>,
  { provider, days }: { readonly provider: string; readonly days: number },
): Promise<Strays> {
  const since = clock.now().subtract({ hours: 24 * days });
  const codes = [...new Set(listAssets(ENVIRONMENT).map(({ assetCode }) => assetCode))];
  const told = await client.trades(provider, codes, since);
  if (told.answer === 'refused') {
    throw new Refusal('conflict', told.code, `the trader refuses: ${told.reason}`);
  }
  const known = await listKnown(db, provider);
  const { isWhole, unlisted } = told;
  return { trades: decideStray(told.trades, known), isWhole, unlisted };
}

async function listKnown(reader: Reader, provider: string) {
  const { orders, fills, trades } = await listOrdersAt(reader, ENVIRONMENT, provider);
  const explained = trades.map(({ symbol, tradeId }) => ({ symbol, id: tradeId }));
  return { orders, fills, explained };
}

type Explained = {
  readonly provider: string;
  readonly days: number;
  /** Market and id, as `listStrayTrades` has them. */
  readonly symbol: string;
  readonly tradeId: string;
  /** What was really taken, where the exchange does not say it rightly. */
  readonly fee: { readonly assetId: string; readonly units: bigint } | undefined;
  readonly actor: string;
  readonly reason: string;
};

/**
 * What would be booked of it.
 * @throws Refusal missing `trade_missing`, conflict `trade_explained`, `trade_not_bookable`
 */
export async function findStrayTrade(
  app: TradesApp,
  client: Pick<TraderClient, 'trades'>,
  wanted: Omit<Explained, 'actor' | 'reason'>,
): Promise<{ readonly trade: StrayTrade; readonly sides: BookedSides }> {
  const { provider, symbol, tradeId } = wanted;
  const { trades } = await listStrayTrades(app, client, wanted);
  const trade = trades.find((one) => one.symbol === symbol && one.id === tradeId);
  if (trade === undefined) {
    await requireUnexplained(app.db, wanted);
    throw new Refusal('missing', 'trade_missing', [
      `${tradeId} in ${symbol}: npx quittance treasury trades ${provider} lists no such trade ` +
        `of the last ${wanted.days} days: --days looks further back`,
    ]);
  }
  const held = await listProviderUnits(app.db, ENVIRONMENT, provider);
  const assetOf = (code: string) =>
    held.find(({ assetId }) => getAsset(assetId).assetCode === code)?.assetId ??
    findAssetByCode(code)?.id;
  const { fee } = wanted;
  const sides = decideSides(fee === undefined ? trade : { ...trade, fees: [] }, assetOf);
  if ('refused' in sides) {
    throw new Refusal('conflict', 'trade_not_bookable', [`${tradeId}: ${sides.refused}`]);
  }
  return { trade, sides: fee === undefined ? sides : { ...sides, fee } };
}

/** @throws Refusal conflict `trade_explained` */
async function requireUnexplained(
  reader: Reader,
  { provider, symbol, tradeId }: Pick<Explained, 'provider' | 'symbol' | 'tradeId'>,
): Promise<void> {
  const { trades } = await listOrdersAt(reader, ENVIRONMENT, provider);
  const booked = trades.find((one) => one.symbol === symbol && one.tradeId === tradeId);
  if (booked === undefined) return;
  throw new Refusal('conflict', 'trade_explained', [
    `${tradeId} in ${symbol} is booked already, by ${booked.actor}: nothing is to be done`,
  ]);
}

/** Books it. Repeating it is refused. @throws as `findStrayTrade` */
export async function explainTrade(
  app: TradesApp & { readonly random: Random },
  client: Pick<TraderClient, 'trades'>,
  wanted: Explained,
): Promise<ProviderTrade> {
  const { provider, symbol, tradeId, actor, reason } = wanted;
  const { trade, sides } = await findStrayTrade(app, client, wanted);
  const { sold, got, fee } = sides;
  const request = {
    ...{ environment: ENVIRONMENT, provider, symbol, tradeId, actor, reason },
    tradedAt: Temporal.Instant.from(trade.at),
    ...{ soldAssetId: sold.assetId, soldUnits: sold.units },
    ...{ gotAssetId: got.assetId, gotUnits: got.units },
    ...{ feeAssetId: fee?.assetId, feeUnits: fee?.units },
  };
  return noteTrade(app, request, async (tx) => {
    // A part of an order may have been booked since it was listed.
    const isStray = decideStray([trade], { ...(await listKnown(tx, provider)), explained: [] });
    if (isStray.length === 0) {
      throw new Outage('the trader', { cause: new Error(`${tradeId} belongs to an order by now`) });
    }
    noteAct(tx, {
      ...{ environment: ENVIRONMENT, actor, verb: 'treasury-explain', actedAt: app.clock.now() },
      subject: `trade:${provider}:${symbol}:${tradeId}`,
      details: {
        ...{ reason, sold: amountOf(sold.assetId, sold.units) },
        got: amountOf(got.assetId, got.units),
        ...(fee && { fee: amountOf(fee.assetId, fee.units) }),
      },
    });
  });
}

function amountOf(assetId: string, moved: bigint): string {
  return `${amountToText(moved, getAsset(assetId).decimals)} ${assetId}`;
}
