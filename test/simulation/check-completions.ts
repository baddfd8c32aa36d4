// S2, S4 computed again from nothing but what the chains hold in the end: prices of the sandbox
// never move, so money that came late counts for what was asked. Also counts what happened.
import { sql } from '#db/db.ts';
import type { Story } from './story.ts';

type Ended = {
  readonly id: string;
  readonly state: string;
  readonly flags: string;
  readonly tolerance: number;
  readonly reversals: number;
  readonly required: bigint[];
  readonly arrived: bigint[];
};

const MILLION = 1_000_000n;

export async function checkCompletions(story: Story): Promise<string[]> {
  const { world, shop, counters } = story;
  const rows = await world.db.query<Ended>(sql`
    select c.id, c.state, c.flags, c.underpaid_tolerance_parts_per_million as tolerance,
      (select count(*)::int from receipt_credit where checkout_id = c.id
        and reversed_at is not null) as reversals,
      array(select payment_units from commitment m where m.checkout_id = c.id
        order by instruction_id) as required,
      array(select coalesce((select sum(t.units) from sandbox_transfer t
          where t.chain = i.chain and t.destination = i.destination and t.state = 'MINED'
            and t.asset_id = m.asset_id), 0)
        from commitment m join deposit_instruction i on i.id = m.instruction_id
        where m.checkout_id = c.id order by m.instruction_id) as arrived
    from checkout c where c.merchant_id = ${shop.merchantId}`);
  const broken: string[] = [];
  for (const row of rows) {
    const { id, state, reversals } = row;
    const isPaid = isPaidInFull(row);
    if (isPaid && state !== 'COMPLETED') broken.push(`S2: ${id} is paid in full and ${state}`);
    if (!isPaid && state === 'COMPLETED' && reversals === 0) {
      broken.push(`S4: ${id} is COMPLETED, for ${row.arrived} of ${row.required}`);
    }
    const hasMoney = row.arrived.some((units) => units > 0n);
    if (!isPaid && state !== 'COMPLETED' && hasMoney !== (state === 'UNDERPAID')) {
      broken.push(`S2: ${id} is ${state}, ${row.arrived} of ${row.required} arrived`);
    }
    if (reversals > 0 && state === 'COMPLETED' && !row.flags.includes('"reversed"')) {
      broken.push(`4.8: ${id} lost money and is not marked`);
    }
    count(story, row);
  }
  const [seen] = await world.db.query<{ receipts: number }>(sql`
    select count(*)::int as receipts from receipt where merchant_id = ${shop.merchantId}`);
  counters.receipts += seen?.receipts ?? 0;
  return broken;
}

/** Exact fractions, as the rule says: nothing is rounded inside. */
function isPaidInFull({ required, arrived, tolerance }: Ended): boolean {
  let numerator = 0n;
  let denominator = 1n;
  required.forEach((units, index) => {
    numerator = numerator * units + (arrived[index] ?? 0n) * denominator;
    denominator *= units;
  });
  return numerator * MILLION >= denominator * (MILLION - BigInt(tolerance));
}

function count({ counters }: Story, { state, flags, reversals }: Ended): void {
  if (state === 'COMPLETED') counters.completed += 1;
  if (state === 'UNDERPAID') counters.underpaid += 1;
  if (state === 'EXPIRED') counters.expired += 1;
  if (state === 'CANCELLED') counters.cancelled += 1;
  if (state === 'COMPLETED' && flags.includes('"late"')) counters.completedLate += 1;
  if (flags.includes('"overpaid"')) counters.overpaid += 1;
  counters.reversals += reversals;
}
