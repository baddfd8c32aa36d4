import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { columns, type Report } from './report.ts';
import { listPeriodBalances } from './report-store.ts';

/** Few rows, one an account and asset: always one page. */
export const balancesReport: Report = {
  name: 'balances',
  summary: 'Balances at the beginning and the end of the period, and what moved between',
  columns: columns(
    'account',
    'assetId',
    'assetCode',
    'opening*',
    'credits*',
    'debits*',
    'closing*',
  ),
  async read(reader, request) {
    const found = await listPeriodBalances(reader, request);
    const rows = found.map(({ code, assetId, closingUnits, creditedUnits, debitedUnits }) => {
      const { assetCode, decimals } = getAsset(assetId);
      return {
        account: code,
        assetId,
        assetCode,
        opening: amountToText(closingUnits - creditedUnits + debitedUnits, decimals),
        credits: amountToText(creditedUnits, decimals),
        debits: amountToText(debitedUnits, decimals),
        closing: amountToText(closingUnits, decimals),
      };
    });
    return { rows, nextCursor: null };
  },
};
