import { timestamp } from '#base/timestamp.ts';
import { getAsset } from '#catalog/asset.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { columns, type Report } from './report.ts';
import { listPostings, type PostingRow } from './report-store.ts';

/** Positive is more of the merchant's money. */
export const ledgerReport: Report = {
  name: 'ledger',
  summary: 'Every movement on the accounts of the merchant',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'account', 'assetId', 'assetCode', 'amount*'],
    'correctsEntry',
  ),
  async read(reader, request) {
    const found = await listPostings(reader, request, 'own');
    const { shown, nextCursor } = cutPage(found, request.limit, placeOfPosting);
    const rows = shown.map((row) => {
      const { assetCode, decimals } = getAsset(row.assetId);
      return {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        account: row.code,
        assetId: row.assetId,
        assetCode,
        amount: amountToText(-row.units, decimals),
        correctsEntry: row.correctsEntry === null ? null : String(row.correctsEntry),
      };
    });
    return { rows, nextCursor };
  },
};

export function placeOfPosting({ occurredAt, entry, position }: PostingRow) {
  return { at: occurredAt, id: `${entry}x${position}` };
}
