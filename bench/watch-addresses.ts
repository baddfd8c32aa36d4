// Many watched addresses at once.

import { type Db, sql } from '#db/db.ts';
import { ASSET, CHAIN } from './bench-network.ts';

/** As `addressOf` of the bench network; without the foreign keys, which hold by construction. */
export async function watchAddresses(db: Db, merchantId: string, size: number): Promise<void> {
  await db.transact(async (tx) => {
    tx.send(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
        destination, address, integrity_mac, created_at)
      select substr(md5('i' || n), 1, 12), ${CHAIN}, ${merchantId}, 'checkout',
        substr(md5('c' || n), 1, 12), ${ASSET}, made.address, made.address,
        sha256(convert_to(n::text, 'UTF8')), now()
      from generate_series(1, ${size}::int) n cross join lateral (
        select 'tltc1q' || substr(encode(sha256(convert_to('watched ' || n, 'UTF8')), 'hex'), 1, 38)
          as address) made`);
  });
  await db.query(sql`vacuum analyze deposit_instruction`);
  await db.query(sql`checkpoint`);
}
