// What somebody who looks on after a step knows: steps choose by it, and rare things are counted.
import { sql } from '#db/db.ts';
import type { Known, Story, ToSend, Unexplained } from './story.ts';

export const NOTHING_KNOWN: Known = {
  states: new Map(),
  available: new Map(),
  claimable: [],
  suspended: [],
  isSending: false,
  toSend: [],
  unexplained: [],
  landed: [],
};

export async function lookAround({ world, shop, counters, checkouts }: Story): Promise<Known> {
  const { merchantId } = shop;
  const since = checkouts[0]?.createdAt ?? world.clock.now();
  const [states, balances, refunds, suspended, open, waiting, toSend, unexplained, landed] =
    await world.db.read((reader) =>
      Promise.all([
        reader.query<{ id: string; state: string }>(sql`
        select id, state from checkout where merchant_id = ${merchantId}`),
        reader.query<{ assetId: string; units: bigint }>(sql`
        select asset_id as "assetId", -balance_units as units from ledger_balance
        where merchant_id = ${merchantId} and code = 'merchant:available' and balance_units < 0
        order by asset_id`),
        reader.query<{ id: string; network: string }>(sql`
        select id, network from refund where merchant_id = ${merchantId}
          and state = 'AWAITING_ADDRESS' order by created_at, id`),
        reader.query<{ id: bigint; network: string }>(sql`
        select id, network from suspense where state = 'OPEN'
          and (merchant_id = ${merchantId} or (merchant_id is null and found_at >= ${since}))
        order by id`),
        reader.query<{ count: number }>(sql`
        select count(*)::int as count from transfer where merchant_id = ${merchantId}
          and state in ('RESERVED', 'SUBMITTED') and account is not null`),
        reader.query<{ count: number }>(sql`
        select count(*)::int as count from receipt r join checkout c on c.id = r.purpose_id
        where c.merchant_id = ${merchantId} and r.status = 'FINAL'
          and r.credited_generation is distinct from r.generation
          and c.settle_at > ${world.clock.now()}`),
        reader.query<ToSend>(sql`
        select id, network, asset_id as "assetId", target_units as units, kind, transaction
        from transfer where merchant_id = ${merchantId} and state = 'TO_SEND'
        order by committed_at, id`),
        reader.query<Unexplained>(sql`
        select d.id as "departureId", p.number, split_part(d.chain, ':', 2) as network,
          p.destination, p.asset_id as "assetId", p.units, p.got_units is not null as "isExchanged"
        from departure d join departure_part p on p.departure_id = d.id
        where d.seen_at >= ${world.wallet.since} and d.status <> 'GONE' and p.purpose is null
        order by d.id, p.number`),
        reader.query<Known['landed'][number]>(sql`
        select id, asset_id as "assetId", target_units as units from transfer
        where merchant_id = ${merchantId} and state = 'COMPLETED' and network = 'STELLAR'
        order by id`),
      ]),
    );
  if (world.market.isMissing()) counters.missingPriceWhenMoneyCame += waiting[0]?.count ?? 0;
  return {
    states: new Map(states.map(({ id, state }) => [id, state])),
    available: new Map(balances.map(({ assetId, units }) => [assetId, units])),
    claimable: refunds,
    suspended,
    isSending: (open[0]?.count ?? 0) > 0,
    toSend,
    unexplained,
    landed,
  };
}
