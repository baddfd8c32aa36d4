// What an observation writes of the transactions that move money of ours away: seen, in a block,
// out of it again, or in the place of another one.
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { NewDeparture, OwnOutput } from './decide-departures.ts';
import { DEPARTURE } from './departure.ts';

/** Of these outputs those that a transaction of ours sent to ourselves. */
export async function listOwnParts(
  reader: Reader,
  chain: ChainId,
  outpoints: readonly string[],
): Promise<ReadonlyMap<string, OwnOutput>> {
  if (outpoints.length === 0) return new Map();
  const rows = await reader.query<OwnOutput & { creditKey: string }>(sql`
    select credit_key as "creditKey", asset_id as "assetId", units from departure_part
    where chain = ${chain} and purpose = 'OWN' and credit_key = any(${outpoints}::text[])`);
  return new Map(rows.map(({ creditKey, ...output }) => [creditKey, output]));
}

/** What stood above this height is unconfirmed again. Answers those that are booked. */
export async function undoDepartures(
  tx: Tx,
  chain: ChainId,
  ancestorHeight: bigint,
): Promise<readonly string[]> {
  const undone = await tx.query<{ transaction: string; isBooked: boolean }>(sql`
    update departure set status = 'SEEN', block_height = null, block_hash = null
    where chain = ${chain} and block_height > ${ancestorHeight}
    returning transaction, booked_at is not null as "isBooked"`);
  return undone.filter(({ isBooked }) => isBooked).map(({ transaction }) => transaction);
}

/** What is told now knows more of our coins in it than what was told before it was booked. */
const isBetter = sql`(departure.booked_at is null
  and cardinality(excluded.spends) > cardinality(departure.spends))`;

/** Writes each once, however often it is reported; a block outweighs what was merely seen. */
export function writeDepartures(
  tx: Tx,
  chain: ChainId,
  departures: readonly NewDeparture[],
  { seenAt, requiredOf }: { seenAt: Temporal.Instant; requiredOf: (one: NewDeparture) => number },
): void {
  for (const departure of departures) {
    const { transaction, spends, fee, block, parts } = departure;
    const row = {
      chain,
      transaction,
      spends,
      feeAssetId: fee.assetId,
      feeUnits: fee.units,
      status: block === undefined ? ('SEEN' as const) : ('INCLUDED' as const),
      blockHeight: block?.height,
      blockHash: block?.hash,
      confirmationsRequired: requiredOf(departure),
      seenAt,
    };
    tx.send(
      DEPARTURE.insert(
        [row],
        sql`on conflict (chain, transaction) do update set
          status = case when excluded.status = 'INCLUDED' then 'INCLUDED'
            when departure.status = 'GONE' then 'SEEN' else departure.status end,
          block_height = coalesce(excluded.block_height, departure.block_height),
          block_hash = coalesce(excluded.block_hash, departure.block_hash),
          -- With every coin of ours that it spends its fee is known.
          spends = case when ${isBetter} then excluded.spends else departure.spends end,
          fee_units = case when ${isBetter} then excluded.fee_units else departure.fee_units end`,
      ),
    );
    tx.send(sql`
      insert into departure_part
        (departure_id, number, chain, credit_key, destination, asset_id, units, got_asset_id,
          got_units, claimable_id, reclaimable_at, purpose)
      select d.id, given.number, ${chain}, given.credit_key, given.destination, given.asset_id,
        given.units, given.got_asset_id, given.got_units, given.claimable_id, given.reclaimable_at,
        given.purpose
      from departure d, json_to_recordset(${JSON.stringify(parts.map(partRecord))}::json) as given
        (number int, credit_key text, destination text, asset_id text, units numeric,
          got_asset_id text, got_units numeric, claimable_id text, reclaimable_at timestamptz,
          purpose text)
      where d.chain = ${chain} and d.transaction = ${transaction}
      on conflict (departure_id, number) do nothing`);
    // A node keeps one of those that spend the same, in a block or waiting. The other one is not
    // proven to be lost with that: should it be mined, it is INCLUDED then.
    if (spends.length > 0) {
      tx.send(sql`
        update departure set status = 'GONE' where chain = ${chain} and status = 'SEEN'
          and spends && ${spends}::text[] and transaction <> ${transaction}`);
    }
  }
}

function partRecord(part: NewDeparture['parts'][number], index: number) {
  return {
    number: index + 1,
    credit_key: part.creditKey,
    destination: part.destination,
    asset_id: part.assetId,
    units: String(part.units),
    got_asset_id: part.got?.assetId ?? null,
    got_units: part.got === undefined ? null : String(part.got.units),
    claimable_id: part.claimable?.id ?? null,
    reclaimable_at: part.claimable?.reclaimableAt?.toString() ?? null,
    purpose: part.isOwn ? 'OWN' : null,
  };
}
