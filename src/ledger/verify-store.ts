import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { AccountCode } from './account.ts';

export type CheckedAccount = {
  readonly id: bigint;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly code: AccountCode;
  readonly assetId: string;
  readonly balanceUnits: bigint;
  readonly postedUnits: bigint;
  /** What reversals took out of it, all together. */
  readonly reversedUnits: bigint;
};

/** One statement, so that a balance and its postings are of one moment. */
export function listAccountsAfter(
  reader: Reader,
  after: bigint,
  limit: number,
): Promise<CheckedAccount[]> {
  return reader.query<CheckedAccount>(sql`
    select a.account_id as id, a.environment, a.merchant_id as "merchantId", a.code,
      a.asset_id as "assetId", a.balance_units as "balanceUnits",
      coalesce((select sum(p.units) from ledger_posting p where p.account_id = a.account_id), 0)
        as "postedUnits",
      coalesce((
        select sum(p.units) from ledger_posting p join ledger_entry e on e.id = p.entry_id
        where p.account_id = a.account_id and p.units > 0 and e.is_reversal), 0) as "reversedUnits"
    from ledger_balance a where a.account_id > ${after} order by a.account_id limit ${limit}`);
}

export function listUnbalancedAssets(
  reader: Reader,
  limit: number,
): Promise<{ environment: string; assetId: string; units: bigint }[]> {
  return reader.query(sql`
    select environment, asset_id as "assetId", sum(balance_units) as units
    from ledger_balance group by environment, asset_id having sum(balance_units) <> 0
    order by environment, asset_id limit ${limit}`);
}

export function listOrphanPostings(
  reader: Reader,
  limit: number,
): Promise<{ entryId: bigint; lines: bigint }[]> {
  return reader.query(sql`
    select entry_id as "entryId", count(*) as lines from ledger_posting p
    where not exists (select 1 from ledger_entry e where e.id = p.entry_id)
    group by entry_id order by entry_id limit ${limit}`);
}

export function listRepeatedCauses(
  reader: Reader,
  limit: number,
): Promise<{ causeKey: string; times: bigint }[]> {
  return reader.query(sql`
    select cause_key as "causeKey", count(*) as times from ledger_entry
    group by cause_key having count(*) > 1 order by cause_key limit ${limit}`);
}

export async function findTopEntry(reader: Reader): Promise<bigint> {
  const [row] = await reader.query<{ top: bigint }>(sql`
    select coalesce(max(id), 0) as top from ledger_entry`);
  return row?.top ?? 0n;
}
