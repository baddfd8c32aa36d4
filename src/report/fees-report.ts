import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { cutPage } from '#db/page-cursor.ts';
import { amountToText } from '#money/asset-amount.ts';
import { listPostings, placeOfPosting } from './ledger-report.ts';
import { columns, type Report } from './report.ts';

/** A fee that was given back, as after a reorganisation, is negative. */
export const feesReport: Report = {
  name: 'fees',
  summary: 'Every fee: of the service, and of networks on transfers',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'feeType', 'assetId', 'assetCode', 'amount*'],
  ),
  async read(reader, request) {
    const found = await listPostings(reader, request, 'fees');
    const { shown, nextCursor } = cutPage(found, request.limit, placeOfPosting);
    const rows = shown.map((row) => {
      const { assetCode, decimals } = getAsset(row.assetId);
      return {
        time: timestamp(row.occurredAt),
        entry: String(row.entry),
        kind: row.kind,
        subjectId: row.subjectId,
        feeType: row.code === 'fees' ? 'service' : 'network',
        assetId: row.assetId,
        assetCode,
        amount: amountToText(-row.units, decimals),
      };
    });
    return { rows, nextCursor };
  },
};
