// What conversions leave open. The house took one asset and promised another: until an order
// closes it (hedge-order.ts), the price of both is its own risk. Summed from the database at each
// question, never remembered.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { listPostedSince } from '#ledger/account.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { add, compare, type Decimal } from '#money/decimal.ts';
import { type RateBook, usdValue } from '#rates/rate-book.ts';
import { listReservedUnits } from './hedge-order.ts';

const POSITION_LOCK = 7_203_400_451n;

/** Whoever adds to the position, or closes a part of it, waits for others who do. */
export async function lockPosition(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${POSITION_LOCK})`);
}

type Side = 'taken' | 'promised';
type SideAmount = AssetAmount & { readonly side: Side };

/** By asset, each above zero. */
export type OpenUnits = Readonly<Record<Side, ReadonlyMap<string, bigint>>>;

/** What was converted, and no order has closed. */
export async function listConvertedUnits(
  reader: Reader,
  environment: Environment,
): Promise<SideAmount[]> {
  const balances = await reader.query<AssetAmount>(sql`
    select asset_id as "assetId", balance_units as units from ledger_balance
    where environment = ${environment} and owner = '' and code = 'exchange' and balance_units <> 0
    order by asset_id`);
  return sidesOf(balances);
}

/** Of that, what no order under way is about to close. */
export async function readUnreserved(reader: Reader, environment: Environment): Promise<OpenUnits> {
  const [converted, reserved] = await Promise.all([
    listConvertedUnits(reader, environment),
    listReservedUnits(reader, environment),
  ]);
  const left = (side: Side, closing: 'give' | 'close') =>
    new Map(
      converted
        .filter((one) => one.side === side)
        .map(({ assetId, units }): [string, bigint] => {
          const kept = reserved.find((one) => one.side === closing && one.assetId === assetId);
          return [assetId, units - (kept?.units ?? 0n)];
        })
        .filter(([, units]) => units > 0n),
    );
  return { taken: left('taken', 'give'), promised: left('promised', 'close') };
}

/**
 * Locked and not converted yet: windows that are open, and those that ended while
 * money that came in time is on its way. A window that ended otherwise guarantees nothing (decision
 * 29). `merchantId`: those of one merchant; empty for all.
 */
export function listPromisedUnits(
  reader: Reader,
  environment: Environment,
  now: Temporal.Instant,
  merchantId = '',
): Promise<SideAmount[]> {
  return reader.query(sql`
    with promised as (
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from commitment m join checkout c on c.id = m.checkout_id
      where m.asset_id <> m.settlement_asset_id and m.expires_at > ${now}
        and c.environment = ${environment} and c.state <> 'COMPLETED'
        and ${merchantId} in ('', c.merchant_id)
      union all
      select m.asset_id, m.payment_units, m.settlement_asset_id, m.settlement_units
      from checkout c join commitment m on m.checkout_id = c.id
      where c.environment = ${environment} and c.state = 'PENDING'
        and c.settlement_asset <> 'ORIGIN' and m.asset_id <> m.settlement_asset_id
        and m.expires_at <= ${now} and ${merchantId} in ('', c.merchant_id)
    )
    select 'taken' as side, asset_id as "assetId", sum(payment_units) as units
    from promised group by asset_id
    union all
    select 'promised', settlement_asset_id, sum(settlement_units)
    from promised group by settlement_asset_id`);
}

/**
 * What was converted for one merchant with live keys since then, whether an order closed it or not:
 * the position is the house's, and no part of it is one merchant's.
 */
export async function listConvertedFor(
  reader: Reader,
  merchantId: string,
  since: Temporal.Instant,
): Promise<SideAmount[]> {
  const owner = { merchantId, environment: 'live' } as const;
  return sidesOf(await listPostedSince(reader, owner, 'exchange', since));
}

/** Of balances of `exchange`: below zero is what the house took. */
function sidesOf(balances: readonly AssetAmount[]): SideAmount[] {
  return balances.map(({ assetId, units }) =>
    units < 0n ? { side: 'taken', assetId, units: -units } : { side: 'promised', assetId, units },
  );
}

/**
 * What is open in US dollars: of the two sides the one that is worth more now. Undefined when a
 * price is missing.
 */
export function usdOfOpen(
  book: RateBook,
  amounts: readonly SideAmount[],
  now: Temporal.Instant,
): Decimal | undefined {
  const [one, other] = (['taken', 'promised'] as const).map((side) =>
    usdValue(
      book,
      'live',
      amounts.filter((amount) => amount.side === side),
      now,
    ),
  );
  if (one === undefined || other === undefined) return undefined;
  return compare(one, other) < 0 ? other : one;
}

/** Both together; undefined when a price is missing. */
export function sumOfOpen(...parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  return parts.reduce((sum, part) => (sum && part ? add(sum, part) : undefined));
}
