// Who takes the other side when a merchant converts at a guaranteed price. With a test key it is
// the house; with a live key it is the house only within the limit that its operator set (decision
// 31). Guarantees: what is open is summed from the database, never remembered; a conversion that
// was covered under the lock stays within the limit whatever is committed at the same time; what
// cannot be valued is not covered.

import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { add, compare, type Decimal } from '#money/decimal.ts';
import { type RateBook, usdValue } from '#rates/rate-book.ts';

export type ExposureApp = {
  readonly rates: RateBook;
  /** Undefined: no live conversion at all. */
  readonly exposureLimitUsd?: Decimal | undefined;
};

/** What is taken, and what is promised for it. */
export type Conversion = { readonly from: AssetAmount; readonly to: AssetAmount };

/** Why a conversion cannot be promised; undefined when it can. */
export type Cover = (conversion: Conversion) => string | undefined;

/**
 * With a test key the house itself is the other side. With a live key that is an open position,
 * which its operator has to allow (decision 31).
 * @throws Refusal unavailable `exchange_missing`.
 */
export function requireExchange(
  { exposureLimitUsd }: Pick<ExposureApp, 'exposureLimitUsd'>,
  environment: Environment,
): void {
  if (environment === 'test' || exposureLimitUsd !== undefined) return;
  const message =
    'live swaps need an exposure limit of the operator, and EXPOSURE_LIMIT_USD is not set';
  throw new Refusal('unavailable', 'exchange_missing', message);
}

const EXPOSURE_LOCK = 7_203_400_451n;

/** What is open and what may be added to it, as of now. Nothing is asked for test keys. */
export async function openCover(
  app: ExposureApp,
  reader: Reader,
  environment: Environment,
  now: Temporal.Instant,
): Promise<Cover> {
  if (environment === 'test') return () => undefined;
  const limit = app.exposureLimitUsd;
  if (limit === undefined) return noLimitReason;
  const open = await openPositionUsd(app.rates, reader, now);
  return ({ from, to }) => {
    if (from.assetId === to.assetId) return undefined;
    const value = larger(app.rates, [from], [to], now);
    if (open === undefined || value === undefined) {
      return 'the open position of conversions cannot be valued: a current rate is missing';
    }
    const isWithin = compare(add(open, value), limit) <= 0;
    return isWithin ? undefined : 'conversions have reached the exposure limit of the operator';
  };
}

/**
 * The same for whoever is about to commit it: others who convert wait until this transaction ends.
 * @throws Refusal conflict `conversion_not_covered`.
 */
export async function requireCover(
  app: ExposureApp,
  tx: Tx,
  environment: Environment,
  conversion: Conversion,
  now: Temporal.Instant,
): Promise<void> {
  if (environment === 'test' || conversion.from.assetId === conversion.to.assetId) return;
  await tx.query(sql`select pg_advisory_xact_lock(${EXPOSURE_LOCK})`);
  const cover = await openCover(app, tx, environment, now);
  const reason = cover(conversion);
  if (reason !== undefined) throw new Refusal('conflict', 'conversion_not_covered', reason);
}

function noLimitReason({ from, to }: Conversion): string | undefined {
  if (from.assetId === to.assetId) return undefined;
  return `a conversion to ${to.assetId} is not covered: EXPOSURE_LIMIT_USD is not set`;
}

/** Undefined when a price is missing. */
async function openPositionUsd(
  book: RateBook,
  reader: Reader,
  now: Temporal.Instant,
): Promise<Decimal | undefined> {
  const [exchange, promised] = await Promise.all([
    listExchangeUnits(reader),
    listPromisedUnits(reader, now),
  ]);
  const held = larger(
    book,
    exchange.filter(({ units }) => units < 0n).map(absolute),
    exchange.filter(({ units }) => units > 0n),
    now,
  );
  const locked = larger(
    book,
    promised.filter(({ side }) => side === 'from'),
    promised.filter(({ side }) => side === 'to'),
    now,
  );
  return held === undefined || locked === undefined ? undefined : add(held, locked);
}

function absolute({ assetId, units }: AssetAmount): AssetAmount {
  return { assetId, units: -units };
}

/** Prices have moved since: the side that is worth more counts. */
function larger(
  book: RateBook,
  taken: readonly AssetAmount[],
  promised: readonly AssetAmount[],
  now: Temporal.Instant,
): Decimal | undefined {
  const one = usdValue(book, 'live', taken, now);
  const other = usdValue(book, 'live', promised, now);
  if (one === undefined || other === undefined) return undefined;
  return compare(one, other) < 0 ? other : one;
}

/** What was converted: below zero what the house took, above what it gave (docs/money.md). */
function listExchangeUnits(reader: Reader): Promise<AssetAmount[]> {
  return reader.query<AssetAmount>(sql`
    select asset_id as "assetId", balance_units as units from ledger_balance
    where environment = 'live' and owner = '' and code = 'exchange' and balance_units <> 0
    order by asset_id`);
}

/**
 * Locked and not converted yet: windows that are open, and those that ended while money that came
 * in time is on its way. A window that ended otherwise guarantees nothing (decision 29).
 */
function listPromisedUnits(
  reader: Reader,
  now: Temporal.Instant,
): Promise<(AssetAmount & { readonly side: 'from' | 'to' })[]> {
  return reader.query(sql`
    with promised as (
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from commitment m join checkout c on c.id = m.checkout_id
      where m.asset_id <> m.settlement_asset_id and m.expires_at > ${now}
        and c.environment = 'live' and c.state <> 'COMPLETED'
      union all
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from checkout c join commitment m on m.checkout_id = c.id
      where c.environment = 'live' and c.state = 'PENDING' and c.settlement_asset <> 'ORIGIN'
        and m.asset_id <> m.settlement_asset_id and m.expires_at <= ${now}
    )
    select 'from' as side, asset_id as "assetId", sum(payment_units) as units
    from promised group by asset_id
    union all
    select 'to', settlement_asset_id, sum(settlement_units)
    from promised group by settlement_asset_id`);
}
