import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Reader, sql } from '#db/db.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decimalToText, parseWideDecimal } from '#money/decimal.ts';
import { afterOf, columns, entriesInPeriod, type Report, type ReportRequest } from './report.ts';

/** What a reorganisation took back is a row of negative amounts. */
export const settlementsReport: Report = {
  name: 'settlements',
  summary: 'Every payment that became available, with what was paid, credited and kept as a fee',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'customerId', 'billingCurrency', 'total*'],
    ...['sourceAssetId', 'sourceAmount*', 'settlementAssetId', 'amount*', 'fee*', 'netAmount*'],
    'meta',
  ),
  async read(reader, request) {
    const found = await listSettlements(reader, request);
    const { shown, nextCursor } = cutPage(found, request.limit, ({ occurredAt, entry }) => ({
      at: occurredAt,
      id: String(entry),
    }));
    const rows = shown.map((row) => {
      const target = getAsset(row.settlementAssetId);
      const shownUnits = (units: bigint) => amountToText(units, target.decimals);
      return {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        customerId: row.customerId,
        billingCurrency: row.billingCurrency,
        total: row.total === null ? null : decimalToText(parseWideDecimal(row.total)),
        sourceAssetId: row.sourceAssetId,
        sourceAmount: amountToText(row.sourceUnits, getAsset(row.sourceAssetId).decimals),
        settlementAssetId: row.settlementAssetId,
        amount: shownUnits(row.netUnits + row.feeUnits),
        fee: shownUnits(row.feeUnits),
        netAmount: shownUnits(row.netUnits),
        meta: row.meta,
      };
    });
    return { rows, nextCursor };
  },
};

type SettlementRow = {
  readonly entry: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly customerId: string | null;
  readonly billingCurrency: string | null;
  /** JSON text. */
  readonly meta: string | null;
  /** Trailing zeros as the column has them. */
  readonly total: string | null;
  readonly sourceAssetId: string;
  readonly sourceUnits: bigint;
  readonly settlementAssetId: string;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
};

/**
 * Entries that made arrived, pending or assigned money available, and those that took it back
 * (negative). What comes back of a transfer is no settlement: neither what was reserved beyond the
 * fee of its network, nor what a bank returned.
 */
function listSettlements(reader: Reader, request: ReportRequest): Promise<SettlementRow[]> {
  const { at, entry } = afterOf(request);
  const isSource = sql`(a.code like 'custody:%' or a.code like 'suspense:%'
    or a.code = 'merchant:pending')`;
  return reader.query<SettlementRow>(sql`
    select e.id as entry, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId",
      c.customer_id as "customerId", c.billing_currency as "billingCurrency",
      c.total::text as total, c.meta, line.*
    from ledger_entry e
    cross join lateral (
      select max(a.asset_id) filter (where ${isSource}) as "sourceAssetId",
        sum(p.units) filter (where ${isSource}) as "sourceUnits",
        max(a.asset_id) filter (where a.code = 'merchant:available') as "settlementAssetId",
        -sum(p.units) filter (where a.code = 'merchant:available') as "netUnits",
        coalesce(-sum(p.units) filter (where a.code = 'fees'), 0) as "feeUnits",
        bool_or(a.code = 'merchant:reserved') as "isSent"
      from ledger_posting p join ledger_account a on a.id = p.account_id where p.entry_id = e.id
    ) line
    left join ledger_entry original on original.id = e.corrects_entry
    left join checkout c on c.id = e.subject_id
    where ${entriesInPeriod(request)}
      and line."sourceUnits" is not null and line."netUnits" is not null and not line."isSent"
      and coalesce(original.kind, e.kind) <> 'suspense-came-back'
      and (e.occurred_at, e.id) > (${at}, ${entry})
    order by e.occurred_at, e.id limit ${request.limit + 1}`);
}
