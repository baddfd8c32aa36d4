// What a failure shows of money on its way out: without it a seed that depends on the moment, and
// does not fail again, could not be understood.
import { type Statement, sql } from '#db/db.ts';
import type { Story } from './story.ts';

const TOLD_MOST = 30;

/** Orders, what was signed for them, what left, and what our transactions became on the chains. */
export async function tellOut({ world, shop }: Pick<Story, 'world' | 'shop'>): Promise<string[]> {
  const ours = [...world.wallet.sent.keys()];
  const parts: readonly (readonly [string, Statement])[] = [
    [
      'order',
      sql`select concat_ws(' ', id, kind, state, network, asset_id, target_units, 'to', account,
          'by', left(transaction, 8), held_up, stuck_at) as line
        from transfer where merchant_id = ${shop.merchantId} and by_hand order by committed_at, id`,
    ],
    [
      'attempt',
      sql`select concat_ws(' ', id, kind, left(transaction, 8), 'for', transfer_ids, 'spends',
          spends, 'over', over_at) as line
        from attempt where transaction = any(${ours}::text[])
          or transfer_ids && array(select id from transfer where merchant_id = ${shop.merchantId})
        order by id`,
    ],
    [
      'departure',
      sql`select concat_ws(' ', d.id, left(d.transaction, 8), d.status, 'at', d.block_height,
          'fee', d.fee_units, 'booked', d.booked_at, 'undone', d.undone_count, 'spends', d.spends,
          (select string_agg(concat_ws(' ', p.units, p.asset_id, p.purpose, p.transfer_id,
            p.decided_by), '; ' order by p.number) from departure_part p
            where p.departure_id = d.id)) as line
        from departure d where d.seen_at >= ${world.wallet.since} order by d.id desc
        limit ${TOLD_MOST}`,
    ],
    [
      'on the chain',
      sql`select concat_ws(' ', chain, left(transaction, 8), state, block_height, units, asset_id,
          'to', left(destination, 24), 'spends', spends) as line
        from sandbox_transfer where created_at >= ${world.wallet.since}
          and (transaction = any(${ours}::text[]) or spends && array(
            select transaction || ':' || position from sandbox_transfer)
            or spends[1] like 'own/%')
        order by id desc limit ${TOLD_MOST}`,
    ],
  ];
  const told = await Promise.all(
    parts.map(async ([what, statement]) => {
      const rows = await world.db.query<{ line: string }>(statement);
      return rows.map(({ line }) => `${what}: ${line}`);
    }),
  );
  return told.flat();
}
