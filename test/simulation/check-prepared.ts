// A refund is signed, or a person is told how to send it, only while the payment that it gives back
// stands: in a block that is deep enough, credited, and not given back by others before it.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';

type Row = {
  readonly id: string;
  readonly isPart: boolean;
  readonly times: number;
  readonly units: bigint;
  /** Of its checkout and way: what stands, and what others were prepared to give back. */
  readonly standing: bigint;
  readonly others: bigint;
  /** Of its own credits: those that do not stand. */
  readonly fallen: number;
};

export function listPrepared(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    with credit as (
      select rc.*, r.status = 'FINAL' and r.generation = rc.generation and rc.reversed_at is null
        and r.reversed_generation is distinct from r.generation as stands
      from receipt_credit rc join receipt r on r.id = rc.receipt_id
      join checkout c on c.id = rc.checkout_id where c.merchant_id = ${shop.merchantId}),
    prepared as (
      select r.*, r.context = 'UNDERPAID_CHECKOUT' as is_part,
        (t.signed_transaction is not null)::int + (t.shown_at is not null)::int
          + (select count(*)::int from attempt a where a.transfer_ids @> array[t.id]) as times
      from refund r join transfer t on t.id = r.transfer_id
      where r.merchant_id = ${shop.merchantId})
    select p.id, is_part as "isPart", times, units,
      (select coalesce(sum(c.units), 0) from credit c where c.checkout_id = p.checkout_id
        and c.network = p.network and c.asset_id = p.asset_id and stands
        and (c.account = 'available' or c.released_at is not null)) as standing,
      (select coalesce(sum(o.units), 0) from prepared o where o.checkout_id = p.checkout_id
        and o.network = p.network and o.asset_id = p.asset_id and o.id <> p.id
        and not o.is_part and o.times > 0 and o.state not in ('FAILED', 'RETURNED')
        and o.created_at <= p.created_at and o.id < p.id) as others,
      (select count(*)::int from credit c where c.refund_id = p.id and not stands) as fallen
    from prepared p where times > 0`);
}

export function checkPrepared({ oracle }: Story, rows: readonly Row[]): string[] {
  return rows.flatMap(({ id, isPart, times, units, standing, others, fallen }) => {
    if ((oracle.prepared.get(id) ?? 0) >= times) return [];
    oracle.prepared.set(id, times);
    const isRight = isPart ? fallen === 0 : standing >= units + others;
    if (isRight) return [];
    return [
      `T6: refund ${id} of ${units} is sent, and ${fallen} of its payments do not stand ` +
        `(${standing} of its way do, ${others} were given back)`,
    ];
  });
}
