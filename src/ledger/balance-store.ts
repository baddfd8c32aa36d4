import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { Account, MerchantAccountCode } from './account.ts';

/** Units as stored: debit positive. */
export function listBalances(
  reader: Reader,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
): Promise<{ code: MerchantAccountCode; assetId: string; units: bigint }[]> {
  return reader.query(sql`
    select code, asset_id as "assetId", balance_units as units from ledger_balance
    where environment = ${environment} and owner = ${merchantId}
    order by asset_id, code`);
}

/** Units as stored: debit positive. */
export async function findBalance(
  reader: Reader,
  { environment, merchantId, code, assetId }: Account,
): Promise<bigint | undefined> {
  const [row] = await reader.query<{ units: bigint }>(sql`
    select balance_units as units from ledger_balance
    where environment = ${environment} and owner = ${merchantId ?? ''}
      and code = ${code} and asset_id = ${assetId}`);
  return row?.units;
}
