// Rows for the hand-written transactions, copied from one that our own code made: the same sizes,
// the same plans.

import { hash } from 'node:crypto';
import { type Db, sql } from '#db/db.ts';
import type { Shop } from './bench-database.ts';

/** Which checkout number `number` (from 1) of a pool is; the scripts compute it the same way. */
export function pooledId(pool: string, number: number): string {
  return hash('md5', `${pool}${number}`).slice(0, 12);
}

/** Uncommitted copies of a checkout. */
export async function copyCheckouts(
  db: Db,
  sampleId: string,
  { pool, count, shop }: { readonly pool: string; readonly count: number; readonly shop: Shop },
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      with made as (
        insert into checkout (id, merchant_id, environment, api_key, type, origin, page_token_hash,
          payload, meta, billing_currency, total, settlement_asset, language, webhook_url,
          return_url, offers, fee_parts_per_million, underpaid_tolerance_parts_per_million,
          late_floor_parts_per_million, state, created_at, expires_at, quoted_until, settle_at)
        select substr(md5(${pool}::text || n), 1, 12), ${shop.merchantId}, environment, ${shop.key},
          type, origin, sha256(convert_to(${pool}::text || n, 'UTF8')), payload, meta,
          billing_currency, total, settlement_asset, language, webhook_url, return_url, offers,
          fee_parts_per_million, underpaid_tolerance_parts_per_million,
          late_floor_parts_per_million, 'NEW', now(), now() + interval '24 hours',
          now() + interval '60 minutes', now() + interval '24 hours'
        from checkout cross join generate_series(1, ${count}::int) n where id = ${sampleId}
        returning id, state, created_at)
      insert into checkout_state_change (checkout_id, version, state, changed_at)
      select id, 1, state, created_at from made`),
  );
}

/** The commitments of a pool, as commit.sql would have made them. */
export async function commitPool(
  db: Db,
  sampleId: string,
  { pool, count, shop }: { readonly pool: string; readonly count: number; readonly shop: Shop },
): Promise<void> {
  await db.transact(async (tx) => {
    tx.send(sql`
      insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
        destination, address, integrity_mac, created_at)
      select substr(md5('i' || ${pool}::text || n), 1, 12), chain, ${shop.merchantId}, purpose,
        substr(md5(${pool}::text || n), 1, 12), asset_id,
        'tltc1q' || md5(${pool}::text || n) || 'qqqqqq',
        'tltc1q' || md5(${pool}::text || n) || 'qqqqqq', integrity_mac, created_at
      from deposit_instruction cross join generate_series(1, ${count}::int) n
      where purpose_id = ${sampleId}`);
    tx.send(sql`
      insert into commitment (checkout_id, network, asset_id, instruction_id, payment_units,
        settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at, expires_at)
      select substr(md5(${pool}::text || n), 1, 12), network, asset_id,
        substr(md5('i' || ${pool}::text || n), 1, 12), payment_units, settlement_asset_id,
        settlement_units, net_units, fee_units, rates, committed_at, expires_at
      from commitment cross join generate_series(1, ${count}::int) n
      where checkout_id = ${sampleId}`);
    await tx.query(sql`
      with changed as (
        update checkout set source_network = 'LITECOIN', source_asset_id = 'LTC:NATIVE',
          expires_at = now() + interval '60 minutes', state = 'AWAITING_PAYMENT', version = 2,
          settle_at = now() + interval '60 minutes'
        where id = any (select substr(md5(${pool}::text || n), 1, 12)
                        from generate_series(1, ${count}::int) n)
        returning id)
      insert into checkout_state_change (checkout_id, version, state, changed_at)
      select id, 2, 'AWAITING_PAYMENT', now() from changed`);
  });
}

/** Statistics and a written-out log before each measured run, so that neither falls into one. */
export async function settleDown(db: Db): Promise<void> {
  await db.query(sql`analyze`);
  await db.query(sql`checkpoint`);
}

/** The columns of a checkout that the scripts write again, as text. */
export async function checkoutVariables(db: Db, id: string): Promise<Record<string, string>> {
  const [row] = await db.query<Record<string, string>>(sql`
    select payload, meta, total::text, webhook_url as webhook, return_url, offers
    from checkout where id = ${id}`);
  if (row === undefined) throw new Error(`no checkout ${id}`);
  return row;
}
