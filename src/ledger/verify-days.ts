// The sums by day against balances (L13): what the days of an account say, with what was posted
// after the entries that are in them, is what the account holds. Balances are proved by themselves
// (verify-balances.ts). Which day a posting is in is not looked at: it follows from its entry.
import { type Reader, sql } from '#db/db.ts';
import { type Account, accountText } from './account.ts';

const ACCOUNTS_AT_ONCE = 500;
/** A follower that is further behind is on its way: then there is nothing to compare yet. */
const BEHIND_MOST = 10_000n;

export async function verifyDays(
  reader: Reader,
  tell: (fault: string) => void,
  onProgress: (step: string) => void,
): Promise<void> {
  let accounts = 0;
  for (let after = 0n; ; ) {
    const rows = await listSummedAfter(reader, after);
    for (const row of rows) {
      after = row.id;
      if (row.behind > BEHIND_MOST) {
        onProgress(`the sums by day are ${row.behind} entries behind, and are not compared`);
        return;
      }
      const summed = row.daysUnits + row.laterUnits;
      if (summed === row.balanceUnits) continue;
      const { environment, merchantId, code, assetId } = row;
      const name = accountText({ environment, merchantId, code, assetId });
      tell(
        `L13: account ${row.id} (${name}) has a balance of ${row.balanceUnits} units, its days and ` +
          `what came after them sum to ${summed}`,
      );
    }
    accounts += rows.length;
    onProgress(`the days of ${accounts} accounts were compared`);
    if (rows.length < ACCOUNTS_AT_ONCE) return;
  }
}

type Summed = Required<Account> & {
  readonly id: bigint;
  readonly balanceUnits: bigint;
  readonly daysUnits: bigint;
  readonly laterUnits: bigint;
  /** How many numbers of entries the sums are behind. */
  readonly behind: bigint;
};

/** One statement, so that balances, days and what came after them are of one moment. */
function listSummedAfter(reader: Reader, after: bigint): Promise<Summed[]> {
  return reader.query<Summed>(sql`
    with place as materialized (
      select coalesce((select entry_id from ledger_day_follow), 0) as id,
        coalesce((select max(id) from ledger_entry), 0) as top),
    later as materialized (
      select account_id, sum(units) as units from ledger_posting
      where entry_id > (select id from place)
        and entry_id <= (
          select case when top - id <= ${BEHIND_MOST} then top else id end from place)
      group by account_id)
    select a.account_id as id, a.environment, a.merchant_id as "merchantId", a.code,
      a.asset_id as "assetId", a.balance_units as "balanceUnits", place.top - place.id as behind,
      coalesce(later.units, 0) as "laterUnits",
      coalesce((select sum(debited_units - credited_units) from ledger_day d
        where d.account_id = a.account_id), 0) as "daysUnits"
    from place cross join ledger_balance a left join later on later.account_id = a.account_id
    where a.account_id > ${after} and a.owner <> ''
    order by a.account_id limit ${ACCOUNTS_AT_ONCE}`);
}
