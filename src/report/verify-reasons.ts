// Receipts, credits and entries tell one story: money was credited because it arrived, moved
// because of an act, and in no other amount. `ledger verify` proves that the ledger agrees with
// itself; this proves that it agrees with what it is about. Reads only, in short statements, beside
// live traffic: what is written meanwhile, above the numbers seen at the start, is for the next.
import { assert } from '#base/assert.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { type Walks, wholeProof } from '#ledger/verify-checkpoint.ts';
import {
  ACTS_WITHOUT_ENTRY,
  eventsWithoutAct,
  type NumberRange,
  ROWS_AT_ONCE,
  ROWS_MOST,
} from './acts-without-entry.ts';
import {
  type CheckoutPlace,
  completedWithoutCredit,
  FIRST_PLACE,
  receiptsWithoutEntry,
} from './receipts-without-entry.ts';

const FAULTS_MAX = 100;

/** A sentence for each fault; at most 100. `walks`: how far it had come before. */
export async function verifyReasons(
  db: Db,
  onProgress: (step: string) => void = () => undefined,
  walks: Walks = wholeProof(),
): Promise<string[]> {
  const faults: string[] = [];
  const top = await findTopNumbers(db);
  const walk = async (
    what: 'entries' | 'receipts' | 'events',
    before: bigint,
    statement: typeof entriesWithoutReason,
  ) => {
    const [from, last] = [walks.from(what), top[what]];
    let after = from > before ? from : before;
    for (; after < last && faults.length < FAULTS_MAX; after += BigInt(ROWS_AT_ONCE)) {
      const end = after + BigInt(ROWS_AT_ONCE);
      const range: NumberRange = { after, upTo: end < last ? end : last };
      const found = await db.query<{ fault: string }>(statement(range));
      faults.push(...found.map(({ fault }) => fault));
      walks.reached(what, range.upTo, faults.length === 0);
      onProgress(`${what} up to ${range.upTo} of ${last} have been compared`);
    }
  };
  await walk('entries', 0n, entriesWithoutReason);
  await walk('receipts', 0n, receiptsWithoutEntry);
  await walk('events', top.leastEvent - 1n, eventsWithoutAct);
  faults.push(...(await unpaidCheckouts(db, onProgress)));
  for (const statement of ACTS_WITHOUT_ENTRY) {
    const acts = pages<Act>(db, statement, (id) => onProgress(`acts up to ${id} were looked up`));
    for await (const { sentence, isWrong } of acts) {
      if (isWrong) faults.push(`L7: ${sentence}`);
    }
  }
  return faults.slice(0, FAULTS_MAX);
}

type Act = { readonly id: string; readonly sentence: string; readonly isWrong: boolean };

async function unpaidCheckouts(db: Db, onProgress: (step: string) => void): Promise<string[]> {
  type Row = CheckoutPlace & { readonly isUnpaid: boolean };
  const faults: string[] = [];
  let compared = 0;
  for (let after = FIRST_PLACE; ; ) {
    const rows = await db.query<Row>(completedWithoutCredit(after));
    for (const { id, isUnpaid } of rows) {
      if (isUnpaid) faults.push(`S4: checkout ${id} is COMPLETED and nothing was credited for it`);
    }
    const last = rows.at(-1);
    compared += rows.length;
    if (last !== undefined)
      onProgress(`${compared} checkouts were compared with what was credited`);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return faults;
    after = last;
  }
}

async function* pages<Row extends { readonly id: string }>(
  db: Db,
  statement: (after: string, limit: number) => Parameters<Db['query']>[0],
  reached: (id: string) => void,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await db.query<Row>(statement(after, ROWS_AT_ONCE));
    yield* rows;
    const last = rows.at(-1);
    if (last !== undefined) reached(last.id);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last.id;
  }
}

// Every statement looks at one range of row numbers and reads what belongs to it by indexes, so it
// stays short however large the tables are. What has to be there is looked up in scalar
// sub-queries, because `exists` may be answered by reading all of a table. Each row is a sentence
// about one fault.
/** What an entry is about, as it stands in other tables. */
const CAUSES = sql`
    numbered as materialized (
      select entry.*, subject::bigint as receipt_id, detail::int as generation from entry
      where act in ('receipt', 'release', 'returned') and subject ~ '^[0-9]{1,18}$'
        and detail ~ '^[0-9]{1,9}$'),
    credit as materialized (
      select n.id as entry_id, n.act, n.sign, c.*, k.merchant_id,
        c.account in ('pending', 'refunded') as is_held
      from numbered n
      join receipt_credit c on c.receipt_id = n.receipt_id and c.generation = n.generation
      join checkout k on k.id = c.checkout_id and k.id = n.subject_id
        and k.merchant_id = n.merchant_id and k.environment = n.environment
      where (n.sign = 1 or c.reversed_at is not null)
        and (n.act <> 'release' or c.released_at is not null)
        and (n.act <> 'returned' or c.returned_at is not null)),
    deposit as materialized (
      select n.id as entry_id, n.sign, c.*, a.merchant_id, a.network
      from numbered n
      join deposit_credit c on c.receipt_id = n.receipt_id and c.generation = n.generation
      join deposit_address a on a.id = c.deposit_address_id and a.id = n.subject_id
        and a.merchant_id = n.merchant_id and a.environment = n.environment
      where n.act = 'receipt' and (n.sign = 1 or c.reversed_at is not null)),
    stray as materialized (
      select n.id as entry_id, n.sign, r.asset_id, r.units,
        split_part(r.chain, ':', 2) as network
      from numbered n join receipt r on r.id = n.receipt_id and (r.purpose is null or 0 < (
        select s.id from suspense s where s.receipt_id = r.id and s.generation = n.generation))
      where n.act = 'receipt' and n.kind like 'suspense-%' and n.merchant_id is null
        and (n.sign = 1 or r.reversed_generation >= n.generation)),
    sent as materialized (
      select entry.id as entry_id, entry.sign, entry.detail, t.*,
        case when t.source like 'merchant:%' then t.merchant_id else '' end as holder,
        case when u.number is null then t.fee_taken_units else u.fee_taken_units end as taken_units,
        -- What a reorganisation undid was seen on the chain, whoever pays it elsewhere afterwards.
        t.paid_outside and u.number is null as is_outside
      from entry
      join transfer t on t.id = entry.subject and t.merchant_id = entry.merchant_id
        and t.environment = entry.environment
      left join undone_transfer u on u.transfer_id = t.id and u.number = entry.booking
        and entry.detail = case u.state when 'FAILED' then 'return' else 'complete' end
      where entry.act = 'transfer' and (u.number is not null or entry.sign = 1 and case entry.detail
        when 'reserve' then t.state not in ('QUOTED', 'EXPIRED')
        when 'requote' then t.requoted_units <> 0
        when 'complete' then t.state in ('COMPLETED', 'RETURNED')
          and entry.booking = t.undone_count + 1
        when 'return' then t.state = 'FAILED' and entry.booking = t.undone_count + 1
        else false end)),
    swapped as materialized (
      select entry.id as entry_id, s.* from entry
      join swap s on s.id = entry.subject and s.merchant_id = entry.merchant_id
        and s.environment = entry.environment and s.state = 'COMPLETED'
      where entry.act = 'swap' and entry.sign = 1),
    hedged as materialized (
      select entry.id as entry_id, entry.sign,
        -- The market of Stellar itself trades with what lies at our account there.
        case o.provider when 'stellar-dex' then 'STELLAR' else o.provider end as provider,
        o.give_asset_id, o.get_asset_id, f.*
      from entry
      join hedge_order o on o.id = entry.subject and o.environment = entry.environment
      join hedge_fill f on f.order_id = o.id and f.fill_id = entry.detail
        and (entry.sign = 1 or f.undone_at is not null)
      where entry.act = 'hedge' and entry.merchant_id is null),
    traded as materialized (
      select entry.id as entry_id, t.* from entry
      join provider_trade t on t.id = entry.subject and t.environment = entry.environment
      where entry.act = 'trade' and entry.merchant_id is null and entry.sign = 1),
    moved as materialized (
      select entry.id as entry_id, entry.detail, m.*,
        case m.direction when 'TO' then 'outside:' || m.network
          else 'custody:' || m.provider end as source,
        case m.direction when 'FROM' then 'outside:' || m.network
          else 'custody:' || m.provider end as target
      from entry
      join provider_move m on m.id = entry.subject and m.environment = entry.environment
      where entry.act = 'move' and entry.merchant_id is null and entry.sign = 1
        and (entry.detail = 'sent' or entry.detail = 'arrived' and m.arrived_at is not null)),
    left_us as materialized (
      select entry.id as entry_id, entry.sign, entry.detail,
        split_part(d.chain, ':', 2) as network, d.fee_asset_id,
        case when u.number is not null then u.rest_units else d.fee_units
          - (select coalesce(sum(t.fee_taken_units), 0) from departure_part p
            join transfer t on t.id = p.transfer_id where p.departure_id = d.id) end as rest_units,
        p.asset_id, p.units, p.purpose, p.got_asset_id, p.got_units
      from entry
      join departure d on d.id = entry.subject::bigint
        and split_part(d.chain, ':', 1) = entry.environment
      left join undone_departure u on u.departure_id = d.id and u.number = entry.booking
      left join departure_part p on p.departure_id = d.id and p.number::text = entry.detail
        and p.purpose in ('OUTSIDE', 'LOST', 'CONVERTED')
      where entry.act = 'departure' and entry.subject ~ '^[0-9]{1,18}$'
        and (u.number is not null or entry.sign = 1 and d.booked_at is not null
          and entry.booking = d.undone_count + 1)
        and (entry.detail = 'fee') = (p.number is null)),
    decided as materialized (
      select entry.id as entry_id, entry.sign, s.network, s.asset_id, s.units,
        case when a.is_payment then 'PAYMENT'
          when a.kind = 'CAME_BACK' and a.checkout_id is not null then 'PENDING_AGAIN'
          when a.kind = 'CAME_BACK' then 'ASSIGN' else a.kind end as kind,
        coalesce(a.merchant_id, '') as owner
      from entry
      join suspense_act a on a.suspense_id = entry.subject::bigint
        and a.number = entry.detail::int
        and (a.kind not in ('ASSIGN', 'CAME_BACK') or a.merchant_id = entry.merchant_id)
      join suspense s on s.id = a.suspense_id and s.environment = entry.environment
        and (entry.sign = 1 or s.state = 'GONE')
      where entry.act = 'suspense' and entry.subject ~ '^[0-9]{1,18}$'
        and entry.detail ~ '^[0-9]{1,9}$')`;

/** What that makes of the accounts, line by line. */
const ASKED = sql`
    asked (entry_id, code, owner, asset_id, units) as (
      select entry_id, 'suspense:' || network, '', asset_id, sign * units from decided
      union all select entry_id, case kind when 'ASSIGN' then 'merchant:available'
          when 'PENDING_AGAIN' then 'merchant:pending'
          when 'RETURN' then 'custody:' || network when 'PAYMENT' then 'custody:' || network else 'dust' end,
          case when kind in ('ASSIGN', 'PENDING_AGAIN') then owner else '' end, asset_id,
          -sign * units from decided
      union all
      select entry_id, 'custody:' || network, '', asset_id, sign * units from credit
        where act = 'receipt'
      union all select entry_id, 'suspense:' || network, '', asset_id, -sign * units from credit
        where act = 'receipt' and account = 'suspense'
      union all select entry_id,
          case when sign = 1 and pays_debt or sign = -1 and owed_at is not null
            then 'merchant:owed' else 'merchant:pending' end, merchant_id, asset_id, -sign * units
        from credit where act = 'receipt' and is_held
      union all select entry_id, 'merchant:pending', merchant_id, asset_id, sign * units
        from credit where act in ('release', 'returned')
      union all select entry_id, 'merchant:owed', merchant_id, asset_id, -units
        from credit where act = 'returned'
      union all select entry_id, 'merchant:available', merchant_id, settlement_asset_id,
          -sign * net_units
        from credit where act = 'release' or act = 'receipt' and account = 'available'
      union all select entry_id, 'fees', '', settlement_asset_id, -sign * fee_units
        from credit where act = 'release' or act = 'receipt' and account = 'available'
      union all select entry_id, 'custody:' || network, '', asset_id, sign * units from deposit
      union all select entry_id, 'suspense:' || network, '', asset_id, -sign * units from deposit
        where account = 'suspense'
      union all select entry_id, 'merchant:available', merchant_id, asset_id, -sign * net_units
        from deposit where account = 'available'
      union all select entry_id, 'fees', '', asset_id, -sign * fee_units
        from deposit where account = 'available'
      union all select entry_id, 'custody:' || network, '', asset_id, sign * units from stray
      union all select entry_id, 'suspense:' || network, '', asset_id, -sign * units from stray
      union all select entry_id, source, holder, asset_id,
          case detail when 'reserve' then units - requoted_units when 'requote' then requoted_units
            else -sign * units end from sent where detail <> 'complete'
      union all select entry_id, 'merchant:reserved', merchant_id, asset_id,
          case detail when 'reserve' then requoted_units - units
            when 'requote' then -requoted_units else sign * units end from sent
      union all select entry_id,
          case when is_outside then 'outside:' else 'custody:' end || network, '', asset_id,
          -sign * (target_units + coalesce(taken_units, 0) + fee_beyond_units) from sent
        where detail = 'complete'
      union all select entry_id, 'network-fees', '', asset_id, sign * (
          fee_beyond_units - case when taken_units is null then network_fee_units else 0 end)
        from sent where detail = 'complete'
      union all select entry_id, case kind when 'RETURN' then 'dust' else 'merchant:available' end,
          case kind when 'RETURN' then '' else merchant_id end, asset_id,
          sign * (taken_units - network_fee_units) from sent
        where detail = 'complete' and taken_units is not null
      union all select entry_id, 'fees', '', asset_id, -sign * fee_units from sent
        where detail = 'complete'
      union all select entry_id, 'network-fees', '', fee_asset_id, sign * rest_units from left_us
        where detail = 'fee'
      union all select entry_id, 'custody:' || network, '', fee_asset_id, -sign * rest_units
        from left_us where detail = 'fee'
      union all select entry_id,
          case purpose when 'LOST' then 'losses' when 'CONVERTED' then 'conversion-result'
            else 'outside:' || network end, '', asset_id, sign * units
        from left_us where detail <> 'fee'
      union all select entry_id, 'custody:' || network, '', asset_id, -sign * units from left_us
        where detail <> 'fee'
      union all select entry_id, code, '', got_asset_id, side * sign * got_units
        from left_us, lateral (values ('custody:' || network, 1), ('conversion-result', -1))
          as came (code, side) where purpose = 'CONVERTED'
      union all select entry_id, 'merchant:available', merchant_id, source_asset_id, source_units
        from swapped
      union all select entry_id, 'merchant:available', merchant_id, target_asset_id, -target_units
        from swapped
      union all select entry_id, 'fees', '', target_asset_id, -fee_units from swapped
      union all select entry_id, 'custody:' || provider, '', give_asset_id, -sign * sold_units
        from hedged
      union all select entry_id, 'custody:' || provider, '', get_asset_id, sign * got_units
        from hedged
      union all select entry_id, 'conversion-result', '', get_asset_id,
          sign * (closed_units - got_units) from hedged
      union all select entry_id, 'custody:' || provider, '', fee_asset_id, -sign * fee_units
        from hedged where fee_units is not null
      union all select entry_id, 'provider-fees', '', fee_asset_id, sign * fee_units
        from hedged where fee_units is not null
      union all select entry_id, 'conversion-result', '', sold_asset_id, sold_units from traded
      union all select entry_id, 'custody:' || provider, '', sold_asset_id, -sold_units from traded
      union all select entry_id, 'custody:' || provider, '', got_asset_id, got_units from traded
      union all select entry_id, 'conversion-result', '', got_asset_id, -got_units from traded
      union all select entry_id, 'custody:' || provider, '', fee_asset_id, -fee_units from traded
        where fee_units is not null
      union all select entry_id, 'provider-fees', '', fee_asset_id, fee_units from traded
        where fee_units is not null
      union all select entry_id, source, '', asset_id, -units from moved where detail = 'sent'
      union all select entry_id, 'transit:' || provider, '', asset_id,
          case detail when 'sent' then units else -units end from moved
      union all select entry_id, target, '', asset_id, arrived_units from moved
        where detail = 'arrived'
      union all select entry_id, 'provider-fees', '', asset_id, units - arrived_units from moved
        where detail = 'arrived')`;

/**
 * What each entry of a range moved, against what its reason makes it move. The legs of a conversion
 * and what rounding left are not compared: they are the rest of an entry that balances.
 */
export function entriesWithoutReason({ after, upTo }: NumberRange): Statement {
  return sql`
    with entry as materialized (
      select e.id, e.cause_key, e.kind, e.merchant_id, e.environment, e.subject_id,
        case when e.cause_key ~ '^(reorganisation/|reverse:)' then -1 else 1 end as sign,
        split_part(bare, ':', 1) as act, split_part(bare, ':', 2) as subject,
        split_part(bare, ':', 3) as detail,
        case when split_part(bare, ':', 4) ~ '^[1-9][0-9]{0,8}$'
          then split_part(bare, ':', 4)::int else 1 end as booking
      from ledger_entry e,
        regexp_replace(e.cause_key, '^(reorganisation/|reverse:)', '') as bare
      where e.id > ${after} and e.id <= ${upTo}
      limit ${ROWS_MOST}), ${CAUSES}, ${ASKED},
    expected as (
      select entry_id, code, owner, asset_id, sum(units) as units from asked group by 1, 2, 3, 4),
    posted as (
      select entry_id, code, owner, asset_id, sum(units) as units
      from entry cross join lateral (
        -- The offset keeps it from becoming a join that reads all postings.
        select p.entry_id, p.asset_id, p.units, a.code, a.owner
        from ledger_posting p join ledger_account a on a.id = p.account_id
        where p.entry_id = entry.id and a.code not in ('exchange', 'rounding') offset 0) line
      group by 1, 2, 3, 4)
    select 'L7: entry ' || id || ' (' || cause_key || ') has no reason' as fault
    from entry where not exists (select 1 from expected where expected.entry_id = entry.id)
    union all
    select 'L7: entry ' || entry_id || ' moved ' || coalesce(posted.units, 0) || ' ' || asset_id
      || ' on ' || code || ', its reason makes ' || coalesce(expected.units, 0)
    from expected full join posted using (entry_id, code, owner, asset_id)
    where coalesce(expected.units, 0) <> coalesce(posted.units, 0)
      and exists (select 1 from expected known where known.entry_id = coalesce(
        expected.entry_id, posted.entry_id))`;
}

type Tops = {
  readonly entries: bigint;
  readonly receipts: bigint;
  /** Those below went after their time. */
  readonly leastEvent: bigint;
  readonly events: bigint;
};

async function findTopNumbers(reader: Reader): Promise<Tops> {
  const [row] = await reader.query<Tops>(sql`
    select (select coalesce(max(id), 0) from ledger_entry) as entries,
      (select coalesce(max(id), 0) from receipt) as receipts,
      (select coalesce(min(number), 1) from event) as "leastEvent",
      (select coalesce(max(number), 0) from event) as events`);
  assert(row !== undefined, 'an aggregate gives a row');
  return row;
}
