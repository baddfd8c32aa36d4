// 200,000 rows of one merchant in every table that is listed (20,000 in a short run).
import type { Db } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';
import { rawStatement } from '#db/statement.ts';
import { byLength } from './run-length.ts';

export const ROWS = byLength({ short: 20_000, long: 200_000 });
const merchantId = 'm00000000001';
export const owner = { merchantId, environment: 'live' } as const;
export const start = Temporal.Instant.from('2025-01-01T00:00:00Z');

/** `at` and `id` of row n; three rows have the same time. */
export const row = (n: number): PagePlace => ({
  at: start.add({ seconds: Math.floor(n / 3) * 60 }),
  id: String(n).padStart(12, '0'),
});
const atText = (n: string) => `timestamptz '${start}' + floor(${n} / 3) * interval '1 minute'`;
const series = (n: string) => `from generate_series(1, ${ROWS}) as ${n}`;

type Fill = { readonly table: string; readonly columns: string; readonly values: string };

/** What lists leave out (deleted, of another kind) is most of the table, and the newest of it. */
const isLeftOut = `n % 20 <> 0`;
const fills: readonly Fill[] = [
  {
    table: 'merchant',
    columns: 'id, name, sealed_data_key, created_at',
    values: `'m' || lpad(n::text, 11, '0'), 'm', '', at`,
  },
  {
    table: 'customer',
    columns: 'id, merchant_id, environment, email, created_at, updated_at, deleted_at',
    values: `id, m, 'live', 'a@example.org', at, at, case when ${isLeftOut} then at end`,
  },
  {
    table: 'beneficiary',
    columns:
      'id, merchant_id, environment, label, network, account, created_at, usable_at, deleted_at, seal',
    values: `id, m, 'live', id, 'SEPA', '{}', at, at, case when ${isLeftOut} then at end,
      decode(repeat('07', 32), 'hex')`,
  },
  {
    table: 'checkout',
    columns: `id, merchant_id, environment, type, origin, page_token_hash, customer_id, payload,
      billing_currency, total, settlement_asset, language, offers, fee_parts_per_million,
      underpaid_tolerance_parts_per_million, late_floor_parts_per_million, state, created_at,
      expires_at, quoted_until, completed_at`,
    values: `id, m, 'live', 'HOSTED', 'API', sha256(id::bytea), 'c' || n % 1000, '{}', 'EUR', 1,
      'ORIGIN', 'en', '[]', 0, 0, 900000, 'COMPLETED', at, at, at, at`,
  },
  {
    table: 'deposit_instruction',
    columns: `id, chain, merchant_id, purpose, purpose_id, asset_id, destination, address,
      source_id, source_index, integrity_mac, created_at`,
    values: `id, case when ${isLeftOut} then 'live:LITECOIN' else 'live:LIGHTNING' end, m,
      'checkout', id, 'BTC:NATIVE', id, id, 1, n, '', at`,
  },
  {
    table: 'deposit_address',
    columns: `id, merchant_id, environment, network, asset_id, instruction_id,
      fee_parts_per_million, created_at`,
    values: `id, m, 'live', 'LITECOIN', 'LTC:NATIVE', id, 0, at`,
  },
  {
    table: 'transfer',
    columns: `id, merchant_id, environment, kind, network, asset_id, account, units,
      network_fee_units, fee_units, source, target_units, state, created_at, expires_at`,
    values: `id, m, 'live', case when ${isLeftOut} then 'REFUND' else 'TRANSFER' end, 'SEPA',
      'EUR:FIAT', '{}', 1, 0, 0, 'merchant:available', 1, 'QUOTED', at, at`,
  },
  {
    table: 'refund',
    columns: `id, merchant_id, environment, checkout_id, kind, context, network, asset_id, units,
      state, transfer_id, created_at`,
    values: `id, m, 'live', id, 'full', 'COMPLETED_CHECKOUT', 'SEPA', 'EUR:FIAT', 1, 'UNDER_WAY',
      id, at`,
  },
  {
    table: 'event',
    columns: `id, merchant_id, environment, type, subject, subject_id, sequence, cause_key, body,
      created_at`,
    values: `id, m, 'live', 'CHECKOUT_COMPLETED', 'checkout', 's' || n / 4, 1 + n % 4, id, '{}', at`,
  },
  {
    table: 'webhook_delivery',
    columns: `event_id, merchant_id, environment, url, lane, state, attempt_count,
      next_attempt_at, created_at, finished_at`,
    values: `id, m, 'live', 'https://example.org', 'a', 'DELIVERED', 1, at, at, at`,
  },
  {
    table: 'suspense',
    columns: `receipt_id, generation, environment, network, asset_id, units, reason, merchant_id,
      state, found_at, resolved_at`,
    values: `n, 1, 'live', 'LITECOIN', 'LTC:NATIVE', 1, 'UNKNOWN_INDEX', m, 'RETURNED', at, at`,
  },
  {
    table: 'approval',
    columns: `subject, environment, merchant_id, about, digest, asked_at, approver, approved_at,
      seal`,
    values: `id, 'live', m, 'a', '', at, 'b', at, ''`,
  },
  {
    table: 'taking',
    columns: `merchant_id, environment, day, network, asset_id, language, currency, payments`,
    values: `m, 'live', timestamptz '2000-01-01Z' + n * interval '1 day', 'LITECOIN',
      'LTC:NATIVE', 'en', 'EUR', 1`,
  },
  {
    // A few of each shop: nearly nobody pays twice.
    table: 'bill_paid_again',
    columns: 'checkout_id, bill_id, merchant_id, environment, paid_by, noted_at',
    values: `id, id, 'm' || lpad(n::text, 11, '0'), 'live', id, at`,
  },
  {
    table: 'webhook_endpoint',
    columns: `id, merchant_id, environment, url, sealed_secret, created_at, disabled_at`,
    values: `id, m, 'live', 'https://example.org', '', at, at`,
  },
  {
    table: 'ledger_entry',
    columns: 'cause_key, kind, environment, merchant_id, subject_id, occurred_at',
    values: `id, case when ${isLeftOut} then 'credit' else 'refund-complete' end, 'live', m, id, at`,
  },
];

const postings = `
  insert into ledger_account (environment, merchant_id, code, asset_id)
  values ('live', null, 'custody:LITECOIN', 'LTC:NATIVE'), ('live', null, 'fees', 'LTC:NATIVE'),
    ('live', '${merchantId}', 'merchant:available', 'LTC:NATIVE');
  insert into ledger_posting (entry_id, position, account_id, asset_id, environment, owner, units)
  select e.id, line.position, a.id, 'LTC:NATIVE', 'live', a.owner, line.units
  from ledger_entry e, (values (1, 'custody:LITECOIN', 10), (2, 'fees', -1),
    (3, 'merchant:available', -9)) as line(position, code, units)
  join ledger_account a on a.code = line.code`;

/** Without triggers and foreign keys: only how much is read is looked at. */
export async function fillLongTables(db: Db): Promise<void> {
  await db.transact(async (tx) => {
    await tx.query(rawStatement('set local statement_timeout = 0'));
    await tx.query(rawStatement('set local session_replication_role = replica'));
    // As many pages as ten times the rows would have.
    for (const table of ['ledger_entry', 'ledger_posting']) {
      await tx.query(rawStatement(`alter table ${table} set (fillfactor = 10)`));
    }
    // Of 100 million postings the sample that PostgreSQL takes has an entry rarely twice, and makes
    // it expect 125 postings of each, where there are five.
    await tx.query(
      rawStatement('alter table ledger_posting alter entry_id set (n_distinct = -0.008)'),
    );
    for (const { table, columns, values } of fills) {
      await tx.query(
        rawStatement(`insert into ${table} (${columns})
          select ${values} from (select n, lpad(n::text, 12, '0') as id, ${atText('n')} as at,
            '${merchantId}' as m ${series('n')}) as rows order by n`),
      );
    }
    await tx.query(rawStatement(postings));
  });
  await db.query(rawStatement('analyze'));
}
