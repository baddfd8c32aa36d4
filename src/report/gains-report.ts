// What a merchant received, sold and sent away, each with its worth in one currency at that moment,
// its cost and the gain: sums over the postings of the merchant's own accounts, so that reserving
// and releasing are nothing. Guarantees: units tie to the ledger; what has no price within a day
// before says so, and makes up no gain. A conversion, by a swap or when a checkout settles in
// another asset, is worth what was received by it. Always from the beginning: cost has no other.
import { timestamp } from '#base/instant.ts';
import { FIAT_ISSUER, getAsset, listAssets } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import { parseWideDecimal } from '#money/decimal.ts';
import { divideUnits, powerOfTen } from '#money/rounding.ts';
import { type CostMethod, costMovements } from './cost-basis.ts';
import { BEGINNING, columns, END, type ReportRow } from './report.ts';

export const GAINS_COLUMNS = columns(
  ...['time', 'entry', 'kind', 'subjectId', 'event', 'assetId', 'amount*', 'value*', 'cost*'],
  ...['gain*', 'amountLeft*', 'costLeft*'],
);

type GainsRequest = Owner & {
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
  /** Code of a currency of a state. */
  readonly currency: string;
  readonly method: CostMethod;
};

/** Rows of the period; what came before counts, and is not shown. Oldest first. */
export async function readGains(reader: Reader, request: GainsRequest): Promise<ReportRow[]> {
  const { from = BEGINNING, currency, method } = request;
  const moved = valued(await listMoved(reader, request), currency);
  const costed = costMovements(moved, method);
  const money = (units: bigint | undefined) =>
    units === undefined ? null : amountToText(units, getCurrency(currency).decimals);
  return moved.flatMap((row, index) => {
    const told = costed[index];
    if (told === undefined || Temporal.Instant.compare(row.occurredAt, from) < 0) return [];
    const { decimals } = getAsset(row.assetId);
    return [
      {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        event: row.units > 0n ? 'RECEIVED' : row.isDisposal ? 'SOLD' : 'SENT',
        assetId: row.assetId,
        amount: amountToText(row.units, decimals),
        value: money(row.value),
        cost: money(told.cost),
        gain: money(told.gain),
        amountLeft: amountToText(told.unitsLeft, decimals),
        costLeft: money(told.costLeft),
      },
    ];
  });
}

type MovedRow = {
  readonly entry: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly assetId: string;
  readonly units: bigint;
  /** US dollars for a whole unit, at that moment. */
  readonly price: string | null;
  readonly currencyPrice: string | null;
};

type ValuedRow = MovedRow & { readonly value: bigint | undefined; readonly isDisposal: boolean };

function valued(rows: readonly MovedRow[], currency: string): ValuedRow[] {
  return [...Map.groupBy(rows, ({ entry }) => entry).values()].flatMap((entry) => {
    const worth = entry.map((row) => ({ ...row, value: worthOf(row, currency) }));
    const [received, another] = worth.filter(({ units }) => units > 0n);
    const given = worth.filter(({ units }) => units < 0n);
    const isOne = received !== undefined && another === undefined && given.length === 1;
    return worth.map((row) => {
      const isDisposal = row.units < 0n && received !== undefined;
      return { ...row, isDisposal, value: isDisposal && isOne ? received.value : row.value };
    });
  });
}

/** In units of the currency, half even; of what leaves as well, without a sign. */
function worthOf({ assetId, units, price, currencyPrice }: MovedRow, currency: string) {
  const size = units < 0n ? -units : units;
  if (assetId === `${currency}:${FIAT_ISSUER}`) return size;
  if (price === null || currencyPrice === null) return undefined;
  const [of, by] = [parseWideDecimal(price), parseWideDecimal(currencyPrice)];
  const { decimals } = getAsset(assetId);
  const above = size * of.coefficient * powerOfTen(by.scale + getCurrency(currency).decimals);
  return divideUnits(above, by.coefficient * powerOfTen(of.scale + decimals), 'half-even');
}

/** What each entry made of the merchant's own accounts together, by asset. */
function listMoved(reader: Reader, request: GainsRequest): Promise<MovedRow[]> {
  const { merchantId, environment, to = END, currency } = request;
  const assets = listAssets();
  const priceOf = (code: ReturnType<typeof sql>) => sql`
    (select case when ${code} = 'USD' then '1' else (
      select r.usd_price::text from rate r
      where r.environment = ${environment} and r.code = ${code} and r.observed_at <= m.occurred_at
        and (${environment} = 'test' or r.observed_at > m.occurred_at - interval '1 day')
      order by r.observed_at desc, r.id desc limit 1) end)`;
  return reader.query<MovedRow>(sql`
    with m as (
      select e.id, e.occurred_at, e.kind, e.subject_id, a.asset_id, -sum(p.units) as units
      from ledger_entry e join ledger_posting p on p.entry_id = e.id
        join ledger_account a on a.id = p.account_id
      where e.merchant_id = ${merchantId} and e.environment = ${environment}
        and e.occurred_at < ${to} and a.merchant_id = ${merchantId}
      group by e.id, a.asset_id having sum(p.units) <> 0)
    select m.id as entry, m.occurred_at as "occurredAt", m.kind, m.subject_id as "subjectId",
      m.asset_id as "assetId", m.units, ${priceOf(sql`c.code`)} as price,
      ${priceOf(sql`${currency}::text`)} as "currencyPrice"
    from m join unnest(${assets.map(({ id }) => id)}::text[],
      ${assets.map(({ assetCode }) => assetCode)}::text[]) as c (id, code) on c.id = m.asset_id
    order by m.occurred_at, m.id, m.asset_id`);
}
