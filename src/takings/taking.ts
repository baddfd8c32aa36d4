// What came in, summed by day, and the SQL of its table: rows are as many as there are kinds of
// money in a day, however many people paid. A sale counts on the day on which it was completed, as
// in the report of taxes, and stays: what the network took back later needs a person, and no past.

import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  coded,
  defineTable,
  fractional,
  integer,
  moment,
  type NewRow,
  type Row,
  text,
  units,
} from '#db/table.ts';
import { decimalToText, parseWideDecimal } from '#money/decimal.ts';

const TAKING = defineTable('taking', {
  merchantId: text(),
  environment: text<Environment>(),
  /** Its beginning in UTC. */
  day: moment,
  /** Empty: not known. */
  network: text(),
  assetId: text(),
  /** Empty: not known, and of what has no checkout. */
  language: text(),
  /** Of bills; empty where there are none. */
  currency: text(),
  payments: integer,
  total: coded(fractional, {
    decode: (stored) => parseWideDecimal(String(stored)),
    encode: decimalToText,
  }),
  /** Of what was paid without a bill. */
  units,
});
export type Taking = Row<typeof TAKING>;

/** Of the days from `since` to `now`, in no order. */
export function listTakings(
  reader: Reader,
  owner: Owner,
  { since, now }: { readonly since: Temporal.Instant; readonly now: Temporal.Instant },
): Promise<Taking[]> {
  // With both ends, the one plan for all merchants reads from the index.
  return TAKING.select(reader, sql`where ${ownedBy(owner)} and day >= ${since} and day <= ${now}`);
}

/** Of the days, whatever was paid and on which network: what that is worth is the same. */
export async function listDailyTakings(
  reader: Reader,
  owner: Owner,
  { since, until }: { readonly since: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<Taking[]> {
  type Found = Pick<Taking, 'day' | 'currency' | 'assetId' | 'units'> & {
    readonly payments: bigint;
    readonly total: string;
  };
  const rows = await reader.query<Found>(sql`
    select day, currency, case when currency = '' then asset_id else '' end as "assetId",
      sum(payments)::bigint as payments, sum(total)::text as total, sum(units) as units
    from taking where ${ownedBy(owner)} and day >= ${since} and day <= ${until}
    group by 1, 2, 3`);
  const { merchantId, environment } = owner;
  return rows.map(({ payments, total, ...row }) => ({
    ...{ merchantId, environment, network: '', language: '' },
    ...{ ...row, payments: Number(payments), total: parseWideDecimal(total) },
  }));
}

/** No two of them are of the same kind. */
export function addTakings(tx: Tx, added: readonly NewRow<typeof TAKING>[]): void {
  if (added.length === 0) return;
  tx.send(
    TAKING.insert(
      added,
      sql`on conflict (merchant_id, environment, day, network, asset_id, language, currency)
        do update set payments = taking.payments + excluded.payments,
          total = taking.total + excluded.total, units = taking.units + excluded.units`,
    ),
  );
}
