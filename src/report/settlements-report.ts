import { timestamp } from '#base/timestamp.ts';
import { getAsset } from '#catalog/asset.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decimalToText, parseWideDecimal } from '#money/decimal.ts';
import { columns, type Report } from './report.ts';
import { listSettlements } from './report-store.ts';

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
