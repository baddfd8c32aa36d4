import { getAsset } from '#catalog/asset.ts';
import { type Reader, sql } from '#db/db.ts';
import { movesSince } from '#ledger/ledger-day.ts';
import { amountToText } from '#money/asset-amount.ts';
import { BEGINNING, columns, END, type Report, type ReportRequest } from './report.ts';

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

type BalanceRow = {
  readonly code: string;
  readonly assetId: string;
  /** Natural side: the merchant's money is positive. */
  readonly closingUnits: bigint;
  readonly creditedUnits: bigint;
  readonly debitedUnits: bigint;
};

/**
 * From the balances of now back to the period, so that only what is younger is added up: by days,
 * and posting by posting in the days in which the period begins and ends.
 */
export function listPeriodBalances(reader: Reader, request: ReportRequest): Promise<BalanceRow[]> {
  const { merchantId, environment, from = BEGINNING, to = END } = request;
  const accounts = sql`
    select id from ledger_account where environment = ${environment} and owner = ${merchantId}`;
  return reader.query<BalanceRow>(sql`
    with moved as (
      select account_id, coalesce(sum(debited - credited) filter (where at >= ${to}), 0) as later,
        coalesce(sum(credited) filter (where at < ${to}), 0) as credited,
        coalesce(sum(debited) filter (where at < ${to}), 0) as debited
      from (${movesSince(request, { from, cut: to, accounts })}) move
      group by account_id)
    select a.code, a.asset_id as "assetId",
      coalesce(later, 0) - a.balance_units as "closingUnits",
      coalesce(credited, 0) as "creditedUnits", coalesce(debited, 0) as "debitedUnits"
    from ledger_balance a left join moved on moved.account_id = a.account_id
    where a.environment = ${environment} and a.owner = ${merchantId}
    order by a.asset_id, a.code`);
}
