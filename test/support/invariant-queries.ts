// The invariants as SQL over the tables alone, written apart from the code that keeps them: each
// query gives one row for each thing that is broken, as a sentence. Letters and numbers are those
// of the invariants: L ledger, R receipts, S checkouts, W events.
import { type Statement, sql } from '#db/db.ts';
import { depositQuery } from './deposit-invariants.ts';
import { entryQuery } from './entry-invariants.ts';
import { swapQuery } from './swap-invariants.ts';
import { refundQuery, transferQuery } from './transfer-invariants.ts';

export type InvariantScope = {
  /** Only what belongs to this merchant; everything when absent. */
  readonly merchantId: string | undefined;
  readonly now: Temporal.Instant;
  /** Checkouts whose window a test has ended by hand. */
  readonly expiredByHand: readonly string[];
  /** Money may wait for a price, which is asked for every few seconds. */
  readonly waitsForPrice: boolean;
};

const ASKED_AGAIN_SECONDS = 3;

/** What holds at every committed moment. */
export function invariantQueries(scope: InvariantScope): Statement[] {
  return [
    checkoutQuery(scope),
    receiptQuery(scope),
    ledgerQuery(scope),
    entryQuery(scope),
    depositQuery(scope),
    swapQuery(scope),
    transferQuery(scope),
    refundQuery(scope),
    chainQuery(scope),
  ];
}

function ofMerchant(scope: InvariantScope, column: Statement): Statement {
  return scope.merchantId === undefined ? sql`true` : sql`${column} = ${scope.merchantId}`;
}

function checkoutQuery(scope: InvariantScope): Statement {
  return sql`
    with c as materialized (
      select id, state, version, event_sequence, created_at, expires_at, completed_at, cancelled_at,
        settle_at, settle_failures, parked_reason, webhook_url
      from checkout where ${ofMerchant(scope, sql`merchant_id`)}),
    e as materialized (
      select e.* from event e join c on e.subject = 'checkout' and e.subject_id = c.id),
    h as materialized (
      select h.* from checkout_state_change h join c on h.checkout_id = c.id),
    cr as materialized (
      select rc.* from receipt_credit rc join c on rc.checkout_id = c.id),
    completion as (
      select c.id, c.state,
        (select count(*) from e where e.subject_id = c.id and type = 'CHECKOUT_COMPLETED') as told,
        (select count(*) from cr where cr.checkout_id = c.id
          and (account = 'available' or released_at is not null)) as credits
      from c)
    select 'S3: checkout ' || id || ' is ' || state || ', completed by ' || told
      || ' events, and has ' || credits || ' credits to the merchant' as broken
    from completion
    where (state = 'COMPLETED') <> (told = 1) or told > 1 or (state = 'COMPLETED') <> (credits > 0)
    union all
    select 'S1: checkout ' || c.id || ' was COMPLETED and became ' || later.state from c
    join h done on done.checkout_id = c.id and done.state = 'COMPLETED'
    join h later on later.checkout_id = c.id and later.version > done.version
    union all
    select 'S5: checkout ' || c.id || ' is ' || c.state || ', its history says ' || coalesce(l.state, 'nothing')
    from c left join lateral (
      select state, version from h where h.checkout_id = c.id order by version desc limit 1) l on true
    where l.state is distinct from c.state or l.version > c.version
    union all
    select 'W3: checkout ' || c.id || ' has ' || count(e.id) || ' events from '
      || coalesce(min(sequence), 0) || ' to ' || coalesce(max(sequence), 0) || ', and says '
      || c.event_sequence
    from c left join e on e.subject_id = c.id group by c.id, c.event_sequence
    having count(e.id) <> c.event_sequence
      or coalesce(min(sequence), 1) <> 1 or coalesce(max(sequence), 0) <> c.event_sequence
    union all
    select 'W1: checkout ' || c.id || ' became ' || s.state || ' ' || s.times || ' times and told it '
      || coalesce(t.times, 0) || ' times'
    from c
    join (select checkout_id, state, count(*) as times from h group by 1, 2) s
      on s.checkout_id = c.id and s.state not in ('NEW', 'AWAITING_PAYMENT')
    left join (select subject_id, type, count(*) as times from e group by 1, 2) t
      on t.subject_id = c.id and t.type = 'CHECKOUT_' || s.state
    where coalesce(t.times, 0) <> s.times
    union all
    select 'W1: event ' || e.id || ' is on its way to nobody' from e join c on c.id = e.subject_id
    where c.webhook_url is not null
      and not exists (select 1 from webhook_delivery d where d.event_id = e.id)
    union all
    select 'S3: checkout ' || c.id || ' has a reversal that was not told, or the other way round'
    from c
    where exists (select 1 from cr where cr.checkout_id = c.id and reversed_at is not null
        and not ${isAssigned(sql`cr.receipt_id`, sql`cr.generation`)})
      <> exists (select 1 from e where e.subject_id = c.id and type = 'CHECKOUT_REVERSED')
    union all
    select 'W1: checkout ' || c.id || ' went from PENDING to ' || h.state || ' ' || count(*)
      || ' times without a word'
    from c join (
      select checkout_id, state, lag(state) over (partition by checkout_id order by version) as before
      from h) h on h.checkout_id = c.id
    where h.before = 'PENDING' and h.state in ('NEW', 'AWAITING_PAYMENT')
    group by c.id, h.state
    having count(*) > (select count(*) from e
      where e.subject_id = c.id and type = 'CHECKOUT_PENDING_WITHDRAWN')
    union all
    select 'S8: checkout ' || c.id || ': amount is not net + fee, or is converted at nothing'
    from c join commitment m on m.checkout_id = c.id
    where m.settlement_units <> m.net_units + m.fee_units
      or (m.settlement_asset_id = m.asset_id and m.settlement_units <> m.payment_units)
    union all
    select 'S7: the lock of checkout ' || c.id || ' on ' || m.network || ' lasts '
      || (m.expires_at - m.committed_at)
    from c join commitment m on m.checkout_id = c.id
    where m.expires_at <> m.committed_at + interval '60 minutes'
      and c.id <> all(${scope.expiredByHand}::text[])
    union all
    select 'S7: checkout ' || c.id || ' expires at ' || c.expires_at || ', its last lock at '
      || coalesce(max(m.expires_at)::text, 'never')
    from c left join commitment m on m.checkout_id = c.id
    where c.id <> all(${scope.expiredByHand}::text[])
    group by c.id, c.expires_at, c.created_at
    having c.expires_at <> coalesce(max(m.expires_at), c.created_at + interval '24 hours')
    union all
    select 'R7: checkout ' || c.id || ': the instruction of ' || m.network || ' ' || m.asset_id
      || ' is not its own'
    from c join commitment m on m.checkout_id = c.id
    left join deposit_instruction i on i.id = m.instruction_id
    where i.purpose is distinct from 'checkout' or i.purpose_id is distinct from c.id
      or i.asset_id is distinct from m.asset_id
      or split_part(i.chain, ':', 2) is distinct from m.network
    union all
    select 'C21: settling checkout ' || id || ' failed ' || settle_failures || ' times: '
      || coalesce(parked_reason, '')
    from c where settle_failures > 0 or parked_reason is not null`;
}

function receiptQuery(scope: InvariantScope): Statement {
  const waitSeconds = scope.waitsForPrice ? ASKED_AGAIN_SECONDS : 0;
  const soon = scope.now.add({ seconds: waitSeconds });
  return sql`
    with r as materialized (
      select r.*, cc.height, 'receipt ' || r.id || ' (' || r.chain || ' ' || left(r.credit_key, 16)
        || ', ' || r.status || ')' as name,
        coalesce(r.credited_generation = r.generation
          and r.reversed_generation is distinct from r.generation, false) as is_credited
      from receipt r join chain_cursor cc on cc.chain = r.chain
      where ${ofMerchant(scope, sql`r.merchant_id`)}),
    credit as materialized (
      select rc.*, r.name, r.status, r.generation as current, r.credited_generation as credited,
        coalesce(r.reversed_generation, 0) as reversed, r.is_credited, r.units as arrived,
        r.asset_id as arrived_asset, r.purpose_id, r.chain, c.state, c.settle_at
      from receipt_credit rc join r on r.id = rc.receipt_id join checkout c on c.id = rc.checkout_id)
    select 'R3: ' || name || ' was credited with ' || units || ' ' || asset_id || ' for checkout '
      || checkout_id || ', but is ' || arrived || ' ' || arrived_asset || ' for ' || purpose_id as broken
    from credit where units <> arrived or asset_id <> arrived_asset
      or (checkout_id <> purpose_id and not ${isAssigned(sql`receipt_id`, sql`generation`)})
      or network <> split_part(chain, ':', 2)
    union all
    select 'R2: ' || name || ' has a credit of generation ' || generation || ', but is credited to '
      || coalesce(credited, 0) || ' and reversed to ' || reversed
    from credit where coalesce(credited, 0) < generation
      or (reversed_at is not null) <> (reversed >= generation)
      or (generation < current and reversed_at is null)
    union all
    select 'R2: ' || r.name || ' says that ' || coalesce(r.credited_generation, 0)
      || ' generations were credited, there are ' || count(credit.receipt_id)
    from r left join (
      select receipt_id from credit
      union all select s.receipt_id from suspense s where not exists (select 1 from receipt_credit o
        where o.receipt_id = s.receipt_id and o.generation = s.generation)
    ) credit on credit.receipt_id = r.id where r.purpose = 'checkout'
    group by r.id, r.name, r.credited_generation
    having count(credit.receipt_id) <> coalesce(r.credited_generation, 0)
    union all
    select 'R5: ' || name || ' is credited and missing, and nothing counts towards its reversal'
    from r where is_credited and status in ('SEEN', 'GONE') and gone_height is null
    union all
    select 'R5: ' || name || ' is final with ' || (height - block_height + 1) || ' of '
      || confirmations_required || ' confirmations'
    from r where status = 'FINAL'
      and (final_at is null or height - block_height + 1 < confirmations_required)
    union all
    select 'R8: ' || name || ' stands above the cursor, at ' || block_height || ' of ' || height
    from r where block_height > height
    union all
    select 'R8: ' || r.name || ' stands in another block than ours' from r
    join chain_block b on b.chain = r.chain and b.height = r.block_height
    where b.hash <> r.block_hash
    union all
    select 'R6: ' || r.name || ' is final, not credited, and nobody was told'
    from r join checkout c on c.id = r.purpose_id
    where r.purpose = 'checkout' and r.status = 'FINAL' and not r.is_credited
      and (c.settle_at is null or c.settle_at > ${soon})
    union all
    select 'R6: ' || name || ' is final and pending, although checkout ' || checkout_id
      || ' is completed'
    from credit where state = 'COMPLETED' and account = 'pending' and released_at is null
      and reversed_at is null and status = 'FINAL' and generation = current
      and (settle_at is null or settle_at > ${soon})
    union all
    select 'S4: ' || name || ' is earned, although checkout ' || checkout_id || ' is ' || state
    from credit where state <> 'COMPLETED' and (account = 'available' or released_at is not null)`;
}

const ANY_GENERATION = sql`s.generation`;

/** Booked in suspense, and left it because a person assigned it as a payment of a checkout. */
export function isAssigned(receiptId: Statement, generation: Statement): Statement {
  return sql`exists (select 1 from suspense s
    join suspense_act sa on sa.suspense_id = s.id and sa.is_payment
    where s.receipt_id = ${receiptId} and s.generation = ${generation})`;
}

/** Every credit, release and reversal has its entry and no other; the sums are the credits. */
function ledgerQuery(scope: InvariantScope): Statement {
  return sql`
    with credit as materialized (
      select rc.checkout_id, rc.network, rc.asset_id, rc.units, rc.settlement_asset_id,
        rc.net_units, rc.fee_units, rc.account, rc.released_at, rc.pays_debt, rc.owed_at,
        rc.returned_at, rc.receipt_id || ':' || rc.generation as key,
        -- The entry of what was assigned is that of the act of the person.
        case when not ${isAssigned(sql`rc.receipt_id`, sql`rc.generation`)}
          then rc.reversed_at end as reversed_at,
        coalesce(rc.account = 'available' or rc.released_at is not null, false) as is_earned
      from receipt_credit rc join checkout c on c.id = rc.checkout_id
      where ${ofMerchant(scope, sql`c.merchant_id`)}),
    entry as materialized (
      select e.* from ledger_entry e where e.subject_id in (select id from checkout)
        and ${ofMerchant(scope, sql`e.merchant_id`)}),
    due as (
      select checkout_id, 'receipt:' || key as cause from credit
      union all select checkout_id, 'release:' || key from credit where released_at is not null
      union all select checkout_id, 'reorganisation/receipt:' || key from credit
        where reversed_at is not null
      union all select checkout_id, 'reorganisation/release:' || key from credit
        where reversed_at is not null and released_at is not null
      union all select checkout_id, 'returned:' || key from credit where returned_at is not null),
    asked as (
      select checkout_id, 'custody:' || network as code, asset_id, units from credit
        where reversed_at is null
      union all select checkout_id, case when pays_debt then 'merchant:owed' else
          'merchant:pending' end, asset_id, -units from credit
        where account in ('pending', 'refunded') and released_at is null
      union all select checkout_id, case when owed_at is null then 'merchant:pending' else
          'merchant:owed' end, asset_id, units from credit
        where account in ('pending', 'refunded') and released_at is null
          and reversed_at is not null
      union all select checkout_id, 'merchant:pending', asset_id, units from credit
        where returned_at is not null
      union all select checkout_id, 'merchant:owed', asset_id, -units from credit
        where returned_at is not null
      union all select checkout_id, 'suspense:' || network, asset_id, -units from credit
        where reversed_at is null and account = 'suspense'
      union all select checkout_id, 'merchant:available', settlement_asset_id, -net_units
        from credit where reversed_at is null and is_earned
      union all select checkout_id, 'fees', settlement_asset_id, -fee_units
        from credit where reversed_at is null and is_earned),
    expected as (
      select checkout_id, code, asset_id, sum(units) as units from asked group by 1, 2, 3),
    line as materialized (
      select e.id, e.subject_id, a.code, p.asset_id, p.units from entry e
      join ledger_posting p on p.entry_id = e.id join ledger_account a on a.id = p.account_id),
    account as materialized (
      select a.code, a.asset_id, a.merchant_id, a.balance_units,
        coalesce((select sum(p.units) from ledger_posting p where p.account_id = a.account_id), 0)
          as posted_units,
        coalesce((select sum(p.units) from ledger_posting p
          where p.account_id = a.account_id and p.units > 0
            and (select e.is_reversal from ledger_entry e where e.id = p.entry_id)), 0)
          as reversed_units
      from ledger_balance a
      where a.merchant_id is not null and ${ofMerchant(scope, sql`a.merchant_id`)}),
    posted as (
      select subject_id as checkout_id, code, asset_id, sum(units) as units from line
      where code not in ('exchange', 'rounding') group by 1, 2, 3)
    select 'L7: ' || coalesce('no entry for ' || due.cause, 'no reason for the entry ' || entry.cause_key) as broken
    from due full join entry on entry.cause_key = due.cause and entry.subject_id = due.checkout_id
    where due.cause is null or entry.cause_key is null
    union all
    select 'R6: checkout ' || checkout_id || ': ' || code || ' holds ' || coalesce(posted.units, 0)
      || ' ' || asset_id || ', its receipts make ' || coalesce(expected.units, 0)
    from expected full join posted using (checkout_id, code, asset_id)
    where coalesce(expected.units, 0) <> coalesce(posted.units, 0)
    union all
    select 'L1: entry ' || id || ' is out of balance by ' || sum(units) || ' ' || asset_id
    from line group by id, asset_id having sum(units) <> 0
    union all
    select 'L4: ' || code || ' ' || asset_id || ' of ' || merchant_id || ' says '
      || balance_units || ', its postings say ' || posted_units
    from account where balance_units <> posted_units
    union all
    select 'L6: ' || code || ' ' || asset_id || ' of ' || merchant_id || ' is overdrawn by '
      || balance_units || ', reversals took ' || reversed_units
    from account where case when code = 'merchant:owed' then balance_units < 0
      else balance_units > 0 and balance_units > reversed_units end`;
}

/**
 * R8 against the truth of the simulated chains, up to where our branch and theirs agree. Chains
 * that are not simulated have no row in sandbox_chain and are not looked at.
 */
function chainQuery(scope: InvariantScope): Statement {
  return sql`
    with branch as materialized (
      -- Nearly always they agree up to where we have read; only else it is looked for.
      select cc.chain, coalesce((
        select s.height from sandbox_block s
        where s.chain = cc.chain and s.height = cc.height and s.hash = cc.hash), (
        select max(b.height) from chain_block b
        join sandbox_block s on s.chain = b.chain and s.height = b.height and s.hash = b.hash
        where b.chain = cc.chain and b.height > cc.height - 60)) as height
      from chain_cursor cc join sandbox_chain sc on sc.chain = cc.chain),
    own as materialized (
      select id, chain, destination from deposit_instruction i
      where ${ofMerchant(scope, sql`i.merchant_id`)}),
    sent as not materialized (
      select t.*, case when t.chain like '%:LIGHTNING' then t.destination
        else t.transaction || ':' || t.position end as credit_key
      from sandbox_transfer t where t.state = 'MINED')
    select 'R8: ' || sent.units || ' ' || sent.asset_id || ' in block ' || sent.block_height || ' of '
      || sent.chain || ' (' || left(sent.credit_key, 16) || ') is recorded as '
      || coalesce(r.status || ' ' || r.units || ' in block ' || coalesce(r.block_height, 0), 'nothing')
      as broken
    from own i
    join sent on sent.chain = i.chain and sent.destination = i.destination
    join branch on branch.chain = i.chain and sent.block_height <= branch.height
    left join receipt r on r.chain = sent.chain and r.credit_key = sent.credit_key
    where r.id is null
      or r.status not in ('INCLUDED', 'FINAL') or r.block_height <> sent.block_height
      or r.units <> sent.units or r.asset_id <> sent.asset_id
      or (r.instruction_id <> i.id and not ${isAssigned(sql`r.id`, ANY_GENERATION)})
    union all
    select 'R8: receipt ' || r.id || ' stands in block ' || r.block_height || ' of ' || r.chain
      || ', which does not hold it'
    from receipt r join branch on branch.chain = r.chain and r.block_height <= branch.height
    where ${ofMerchant(scope, sql`r.merchant_id`)} and not exists (
      select 1 from sent where sent.chain = r.chain and sent.credit_key = r.credit_key
        and sent.block_height = r.block_height and sent.units = r.units)`;
}

/** What custody lost: transfers with the fee they paid, the rest of network fees, and moves. */
const leftCustody = sql`
  select environment, network, asset_id,
    target_units + coalesce(fee_taken_units, 0) + fee_beyond_units as units
  from transfer where state in ('COMPLETED', 'RETURNED') and not paid_outside
  union all
  select split_part(d.chain, ':', 1), split_part(d.chain, ':', 2), d.fee_asset_id,
    coalesce(d.fee_units, 0) - (select coalesce(sum(t.fee_taken_units), 0) from departure_part p
      join transfer t on t.id = p.transfer_id where p.departure_id = d.id)
  from departure d where d.booked_at is not null
  union all
  select split_part(d.chain, ':', 1), split_part(d.chain, ':', 2), p.asset_id, p.units
  from departure d join departure_part p on p.departure_id = d.id
  where d.booked_at is not null and p.purpose in ('OUTSIDE', 'LOST', 'CONVERSION', 'CONVERTED')
  union all
  select split_part(d.chain, ':', 1), split_part(d.chain, ':', 2), p.got_asset_id, -p.got_units
  from departure d join departure_part p on p.departure_id = d.id
  where d.booked_at is not null and p.purpose in ('CONVERSION', 'CONVERTED')`;

/** What holds of the whole database only. */
export function wholeQueries(): Statement[] {
  return [
    sql`
      with held as (
        select split_part(r.chain, ':', 1) as environment, split_part(r.chain, ':', 2) as network,
          r.asset_id, sum(r.units) filter (where r.credited_generation = r.generation
            and r.reversed_generation is distinct from r.generation) as units,
          sum(r.units) filter (where r.status = 'FINAL'
            and r.credited_generation is distinct from r.generation) as waiting,
          sum(r.units) filter (where r.status <> 'FINAL' and r.credited_generation = r.generation
            and r.reversed_generation is distinct from r.generation) as uncertain
        from receipt r group by 1, 2, 3),
      sent as (
        select environment, network, asset_id,
          sum(units) as units from (${leftCustody}) gone group by 1, 2, 3),
      custody as (
        select environment, split_part(code, ':', 2) as network, asset_id, balance_units as units
        from ledger_balance where code ~ '^custody:[A-Z]')
      select 'L10: custody of ' || network || ' ' || asset_id || ' is ' || coalesce(custody.units, 0)
        || ', credited receipts make ' || coalesce(held.units, 0) || ', sent was '
        || coalesce(sent.units, 0) || ' (final and not credited '
        || coalesce(waiting, 0) || ', credited and uncertain ' || coalesce(uncertain, 0) || ')'
        as broken
      from held full join custody using (environment, network, asset_id)
      full join sent using (environment, network, asset_id)
      where coalesce(held.units, 0) - coalesce(sent.units, 0) <> coalesce(custody.units, 0)`,
  ];
}

/**
 * What holds when every chain has been read to its tip and nothing is left to be decided: all that
 * arrived is in exactly one place, and custody is what the simulated chains hold.
 */
export function settledQueries(scope: InvariantScope): Statement[] {
  return [
    sql`
      select 'R6: receipt ' || id || ' (' || chain || ', ' || status || ') is '
        || case when status = 'FINAL' then 'not credited' else 'still credited' end as broken
      from receipt r where ${ofMerchant(scope, sql`r.merchant_id`)}
        and (status = 'FINAL') <> coalesce(credited_generation = generation
          and reversed_generation is distinct from generation, false)
      union all
      select 'S5: checkout ' || id || ' (' || state || ') waits to be decided since ' || settle_at
      from checkout where settle_at <= ${scope.now} and ${ofMerchant(scope, sql`merchant_id`)}`,
    ...(scope.merchantId === undefined ? [custodyAgainstChains] : []),
  ];
}

const custodyAgainstChains = sql`
  with sent as (
    select split_part(t.chain, ':', 2) as network, t.asset_id, sum(t.units) as units
    from sandbox_transfer t join chain_cursor cc on cc.chain = t.chain
    where t.state = 'MINED' and t.block_height <= cc.height
      and t.destination not like 'elsewhere-%'
      -- What our own transactions pay, us or others, is what left.
      and not exists (select 1 from departure d
        where d.chain = t.chain and d.transaction = t.transaction) group by 1, 2),
  gone as (
    select network, asset_id, sum(units) as units from (${leftCustody}) left_us
    where environment = 'test' group by 1, 2),
  custody as (
    select split_part(code, ':', 2) as network, asset_id, balance_units as units
    from ledger_balance where code ~ '^custody:[A-Z]' and environment = 'test')
  select 'L10: ' || network || ' holds ' || coalesce(sent.units, 0) || ' ' || asset_id
    || ' for us, ' || coalesce(gone.units, 0) || ' were sent away, custody says ' || coalesce(custody.units, 0) as broken
  from sent full join custody using (network, asset_id) full join gone using (network, asset_id)
  where coalesce(sent.units, 0) - coalesce(gone.units, 0) <> coalesce(custody.units, 0)
    and exists (select 1 from chain_cursor where chain = 'test:' || network)`;
