// The queue of deliveries. Guarantees: a delivery is leased to one worker at a time, and only the
// holder of the newest lease can record an outcome (C14); of a lane as many are under way over all
// workers as whoever claims gives it room for, one when its breaker is open; events of one subject
// go to one receiver one after another, in their order, and one that failed again and again holds
// up no later one; what is claimed is shared out between merchants first and lanes second, so that
// nobody's backlog or dead receiver delays anybody else (G8).
// Costs: a claim walks the lanes that have something pending, one index probe each, no backlog; in
// a lane it looks at the first that are due, and at the last events of the subject of each.

import type { Environment } from '#catalog/chain.ts';
import { type Db, type Statement, sql, type Tx } from '#db/db.ts';
import type { WebhookFormat } from '#dialect/speak-dialect.ts';
import {
  type DeliveryAttempt,
  type DeliveryState,
  DISABLED_REASON,
  GONE_REASON,
} from './delivery.ts';
import { withAnswers } from './told-answers.ts';

/** Looked at in a lane for such that nothing holds up. */
const LOOKED_AT_MOST = 500;
/** Before an event: those further back went before the ones between, or these would wait too. */
const EARLIER_MOST = 32;
/** Attempts after which an event does not hold up those of its subject that follow. */
const HOLDS_UP_ATTEMPTS = 3;
/** Failures in a row after which a lane gets one probe at a time, and pauses in between. */
const BREAKER_FAILURES = 5;
const LANES_PER_WALK = 500;
/** Claims follow one another: otherwise two workers could each give a lane its share. */
const CLAIM_LOCK = 7_305_001n;

export type ClaimedDelivery = {
  readonly id: bigint;
  readonly epoch: bigint;
  readonly lane: string;
  /** The lane's last attempt failed. */
  readonly isTroubled: boolean;
  readonly attemptCount: number;
  readonly url: string;
  readonly endpointId: string | undefined;
  /** The endpoint was switched off while this was leased: it is not sent. */
  readonly isEndpointDisabled: boolean;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly eventId: string;
  /** What the event is about. */
  readonly subjectId: string;
  readonly body: string;
  /** Of the API, that it is told in. */
  readonly apiVersion: string;
  readonly apiKey: string | undefined;
  /** In whose words it is sent. */
  readonly format: WebhookFormat;
  /** What its event was written in; undefined where nothing was traced then. */
  readonly traceParent: string | undefined;
};

export type LaneRoom = { readonly lane: string; readonly most: number };

type ClaimRequest = {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly most: number;
  readonly troubledMost: number;
  /** Of one merchant under way, over all workers. */
  readonly merchantMost: number;
  /** Of one lane under way, over all workers: in `wide` ones so many, else `laneMost`. */
  readonly laneMost: number;
  readonly wide: readonly LaneRoom[];
  /** Lane after which the walk goes on; '' to begin. */
  readonly cursor: string;
};

export type Claim = {
  readonly claimed: readonly ClaimedDelivery[];
  /** For the next claim; '' when the walk came to the end. */
  readonly cursor: string;
};

/** None at all is one row with the last lane alone. */
type ClaimRow = { readonly lastLane: string | null } & (ClaimedDelivery | NoDelivery);
type NoDelivery = { readonly [Field in keyof ClaimedDelivery]: null };

export async function claimDeliveries(db: Db, request: ClaimRequest): Promise<Claim> {
  const answer = await db.transact(async (tx) => {
    // A statement of its own, so that the claim sees what the one before it committed. The plan of
    // the claim is kept: one that was made while few waited would read the table for each lane.
    tx.send(
      sql`select set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK})`,
    );
    const claiming = tx.query<ClaimRow>(claimStatement(request));
    // Not awaited here, so that COMMIT is on its way already: a process that is stopped while it
    // reads the answer must not keep the lock. `transact` throws what the claim fails with.
    claiming.catch(() => undefined);
    return { claiming };
  });
  const rows = await answer.claiming;
  const claimed = rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)]));
  return { claimed: await withAnswers(db, claimed), cursor: rows[0]?.lastLane ?? '' };
}

function claimStatement({ now, leaseUntil, ...request }: ClaimRequest): Statement {
  return sql`
    with recursive leased as materialized (
      select lane, merchant_id from webhook_delivery
      where state = 'PENDING' and lease_until > ${now}
    ), lane_load as (
      select lane, count(*)::integer as load from leased group by lane
    ), wide as (
      select * from unnest(${request.wide.map(({ lane }) => lane)}::text[],
        ${request.wide.map(({ most }) => most)}::integer[]) as w (lane, most)
    ), merchant_load as (
      select merchant_id, count(*)::integer as load from leased group by merchant_id
    ), walk (lane, step) as (
      (select lane, 1 from webhook_delivery
      where state = 'PENDING' and lane > ${request.cursor} order by lane limit 1)
      union all
      select (select d.lane from webhook_delivery d
        where d.state = 'PENDING' and d.lane > walk.lane order by d.lane limit 1), walk.step + 1
      from walk where walk.lane is not null and walk.step < ${LANES_PER_WALK}
    ), due as (
      select found.id, found.merchant_id, found.next_attempt_at,
        coalesce(trouble.consecutive_failures, 0) > 0 as is_troubled,
        row_number() over (partition by walk.lane order by found.next_attempt_at, found.id)
          as lane_rank
      from walk
        left join webhook_lane trouble on trouble.lane = walk.lane
        left join lane_load on lane_load.lane = walk.lane
        left join wide on wide.lane = walk.lane
        cross join lateral (${selectFree(now, request.laneMost)}) found
      where walk.lane is not null and (trouble.held_until is null or trouble.held_until <= ${now})
    ), shared as (
      select due.id, due.is_troubled, due.next_attempt_at, coalesce(merchant_load.load, 0)
        + row_number() over (partition by due.merchant_id
            order by due.is_troubled, due.lane_rank, due.next_attempt_at, due.id) as merchant_rank
      from due left join merchant_load using (merchant_id)
    ), ranked as (
      select id, is_troubled, merchant_rank, next_attempt_at, row_number() over (
        partition by is_troubled order by merchant_rank, next_attempt_at, id) as trouble_rank
      from shared where merchant_rank <= ${request.merchantMost}
    ), picked as (
      select d.id, ranked.is_troubled
      from ranked join webhook_delivery d on d.id = ranked.id
      where (not ranked.is_troubled or ranked.trouble_rank <= ${request.troubledMost})
        -- Again, because the newest version of the row is locked, not the one that was ranked.
        and d.state = 'PENDING' and d.next_attempt_at <= ${now}
        and (d.lease_until is null or d.lease_until <= ${now})
      order by ranked.is_troubled, ranked.merchant_rank, ranked.next_attempt_at, d.id
      limit ${request.most}
      for update of d skip locked
    ), claimed as (
      update webhook_delivery d
      set lease_until = ${leaseUntil}, lease_epoch = d.lease_epoch + 1
      from picked, event e
      where d.id = picked.id and e.id = d.event_id
      returning d.id, d.lease_epoch as epoch, d.lane, picked.is_troubled as "isTroubled", e.body,
        d.attempt_count as "attemptCount", d.url, d.endpoint_id as "endpointId", d.environment,
        d.merchant_id as "merchantId", e.id as "eventId", e.subject_id as "subjectId", e.trace_parent as "traceParent",
        coalesce((select endpoint.api_key from webhook_endpoint endpoint
          where endpoint.id = d.endpoint_id), e.api_key) as "apiKey",
        coalesce((select endpoint.format from webhook_endpoint endpoint
          where endpoint.id = d.endpoint_id), 'QUITTANCE') as format,
        d.api_version as "apiVersion",
        exists (select from webhook_endpoint endpoint
          where endpoint.id = d.endpoint_id and endpoint.disabled_at is not null)
          as "isEndpointDisabled"
    )
    select walked."lastLane", claimed.*
    from (select (select lane from walk order by step desc limit 1) as "lastLane") walked
      left join claimed on true`;
}

/** Of the lane of `walk`, as many as it has room for and nothing holds up. */
function selectFree(now: Temporal.Instant, laneMost: number): Statement {
  return sql`
    select d.id, d.merchant_id, d.next_attempt_at from (
      select * from webhook_delivery d
      where d.lane = walk.lane and d.state = 'PENDING' and d.next_attempt_at <= ${now}
        and (d.lease_until is null or d.lease_until <= ${now})
      order by d.next_attempt_at, d.id limit ${LOOKED_AT_MOST}
    ) d join event told on told.id = d.event_id
    where not exists (${selectHoldingUp()})
    order by d.next_attempt_at, d.id
    limit greatest(0, case when trouble.consecutive_failures >= ${BREAKER_FAILURES} then 1
      else coalesce(wide.most, ${laneMost}) end - coalesce(lane_load.load, 0))`;
}

/** On its way to the same receiver as `d`, and told before `told` of the same subject. */
function selectHoldingUp(): Statement {
  return sql`
    select from (
      select e.id from event e
      where e.subject = told.subject and e.subject_id = told.subject_id
        and e.sequence < told.sequence
      order by e.sequence desc limit ${EARLIER_MOST}
    ) earlier join webhook_delivery ahead on ahead.event_id = earlier.id
    where ahead.state = 'PENDING' and ahead.attempt_count < ${HOLDS_UP_ATTEMPTS}
      and ahead.url = d.url and ahead.endpoint_id is not distinct from d.endpoint_id`;
}

function toClaimed({ lastLane: _, ...claimed }: ClaimRow & ClaimedDelivery): ClaimedDelivery {
  const { endpointId, apiKey, traceParent, ...row } = claimed;
  return {
    ...row,
    endpointId: endpointId ?? undefined,
    apiKey: apiKey ?? undefined,
    traceParent: traceParent ?? undefined,
  };
}

// Writes down the outcomes of attempts. Guarantees: only the holder of the newest lease writes
// (C14); state, attempt and the lane's trouble change in one statement, a batch at a time.
export type DeliveryOutcome = Omit<DeliveryAttempt, 'number'> & {
  readonly id: bigint;
  readonly epoch: bigint;
  readonly state: DeliveryState;
  readonly nextAttemptAt: Temporal.Instant | undefined;
  readonly reason: string | undefined;
  /** What the attempt says about the lane; 'none' when it is our own fault. */
  readonly laneEffect: 'answered' | 'failed' | 'none';
  readonly holdUntil: Temporal.Instant | undefined;
};

/**
 * The outcomes with their attempts, in one statement. Returns the ids that were recorded: whoever
 * lost the lease in between is left out. `lanePausesMs` are the pauses of an open breaker.
 */
export async function recordOutcomes(
  db: Db,
  outcomes: readonly DeliveryOutcome[],
  lanePausesMs: readonly number[],
  now: Temporal.Instant,
): Promise<bigint[]> {
  const record = (tx: Tx) => tx.query<{ id: bigint }>(recordStatement(outcomes, lanePausesMs, now));
  const gone = outcomes.filter(({ state }) => state === 'DISABLED').map(({ id }) => id);
  const rows = await (gone.length === 0
    ? db.single(record)
    : db.transact((tx) => {
        const recorded = record(tx);
        tx.send(disableGone(gone, now));
        return recorded;
      }));
  return rows.map(({ id }) => id);
}

function recordStatement(
  outcomes: readonly DeliveryOutcome[],
  lanePausesMs: readonly number[],
  now: Temporal.Instant,
): Statement {
  const column = <Value>(pick: (outcome: DeliveryOutcome) => Value) =>
    outcomes.map((outcome) => pick(outcome) ?? null);
  return sql`
    with outcome as (
      select * from unnest(
        ${column(({ id }) => id)}::bigint[], ${column(({ epoch }) => epoch)}::bigint[],
        ${column(({ state }) => state)}::text[],
        ${column(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
        ${column(({ reason }) => reason)}::text[],
        ${column(({ attemptedAt }) => attemptedAt)}::timestamptz[],
        ${column(({ durationMs }) => durationMs)}::integer[],
        ${column(({ status }) => status)}::integer[], ${column(({ error }) => error)}::text[],
        ${column(({ answerExcerpt }) => answerExcerpt)}::text[],
        ${column(({ laneEffect }) => laneEffect)}::text[],
        ${column(({ holdUntil }) => holdUntil)}::timestamptz[]
      ) as o (id, epoch, state, next_attempt_at, reason, attempted_at, duration_ms, status, error,
        answer_excerpt, lane_effect, hold_until)
    ), decided as (
      -- Nothing is repeated for an endpoint that was switched off during the attempt.
      select o.id, o.epoch, o.next_attempt_at, o.attempted_at, o.duration_ms, o.status, o.error,
        o.answer_excerpt, o.lane_effect, o.hold_until,
        case when off.id is null then o.state else 'DISABLED' end as state,
        case when off.id is null then o.reason else ${DISABLED_REASON} end as reason
      from outcome o join webhook_delivery d on d.id = o.id
        left join webhook_endpoint off
          on off.id = d.endpoint_id and off.disabled_at is not null and o.state = 'PENDING'
    ), recorded as (
      update webhook_delivery d
      set state = o.state, attempt_count = d.attempt_count + 1, lease_until = null,
        next_attempt_at = coalesce(o.next_attempt_at, d.next_attempt_at), reason = o.reason,
        finished_at = case when o.state <> 'PENDING' then ${now}::timestamptz end
      from decided o
      where d.id = o.id and d.lease_epoch = o.epoch and d.state = 'PENDING'
        and d.lease_until is not null
      returning d.id, d.lane, d.attempt_count as number, o.attempted_at, o.duration_ms, o.status,
        o.error, o.answer_excerpt, o.lane_effect, o.hold_until
    ), attempted as (
      insert into webhook_attempt
        (delivery_id, number, attempted_at, duration_ms, status, error, answer_excerpt)
      select id, number, attempted_at, duration_ms, status, error, answer_excerpt from recorded
    ), effect as (
      select lane, bool_or(lane_effect = 'answered') as is_answered, max(hold_until) as hold_until,
        bool_or(lane_effect = 'failed') as is_failed,
        least(${BREAKER_FAILURES}, count(*) filter (where lane_effect = 'failed'
          -- What was sent before the pause says nothing of the receiver after it.
          and (known.consecutive_failures >= ${BREAKER_FAILURES}
            and known.held_until > attempted_at) is not true))::integer as failures
      from recorded left join webhook_lane known using (lane) group by lane
    ), healed as (
      delete from webhook_lane using effect
      where webhook_lane.lane = effect.lane and effect.is_answered
    ), troubled as (
      insert into webhook_lane as known (lane, consecutive_failures, held_until)
      select lane, failures, greatest(hold_until, ${lanePause(sql`failures`, lanePausesMs, now)})
      from effect where not is_answered and is_failed order by lane
      on conflict (lane) do update set
        consecutive_failures = ${failuresAfter},
        held_until = greatest(known.held_until, excluded.held_until,
          case when excluded.consecutive_failures > 0
            then ${lanePause(failuresAfter, lanePausesMs, now)} end)
    )
    select id from recorded`;
}

/**
 * Many attempts may be under way when a receiver stops to answer: together they open the breaker,
 * and are not taken for as many failed probes. Behind an open breaker one probe fails at a time.
 */
const failuresAfter = sql`(known.consecutive_failures + least(excluded.consecutive_failures,
  greatest(1, ${BREAKER_FAILURES} - known.consecutive_failures)))`;

/** Null below the limit of the breaker. */
function lanePause(failures: Statement, pausesMs: readonly number[], now: Temporal.Instant) {
  return sql`case when ${failures} >= ${BREAKER_FAILURES} then ${now}::timestamptz
    + interval '1 millisecond' * (${pausesMs}::integer[])[least(
      ${failures} - ${BREAKER_FAILURES - 1}, ${pausesMs.length})] end`;
}

/**
 * Also updates what else waits for the same receiver, except what is under way now: it will have an
 * outcome of its own.
 */
function disableGone(ids: readonly bigint[], now: Temporal.Instant): Statement {
  return sql`
    with gone as (
      select d.lane, d.endpoint_id, d.url, e.subject, e.subject_id
      from webhook_delivery d join event e on e.id = d.event_id
      where d.id = any(${ids}) and d.state = 'DISABLED'
    ), closed as (
      update webhook_endpoint set disabled_at = ${now}
      where id in (select endpoint_id from gone) and disabled_at is null
    )
    update webhook_delivery d
    set state = 'DISABLED', finished_at = ${now}, reason = ${GONE_REASON}
    from gone, event e
    where d.lane = gone.lane and d.state = 'PENDING' and e.id = d.event_id
      and (d.lease_until is null or d.lease_until <= ${now})
      and case when gone.endpoint_id is not null then d.endpoint_id = gone.endpoint_id
        else d.endpoint_id is null and d.url = gone.url and e.subject = gone.subject
          and e.subject_id = gone.subject_id end`;
}

/** Gives leases back unused: the deliveries are due again at once. */
export function releaseDeliveries(claimed: readonly Pick<ClaimedDelivery, 'id' | 'epoch'>[]) {
  return sql`
    update webhook_delivery d set lease_until = null
    from unnest(${claimed.map(({ id }) => id)}::bigint[],
      ${claimed.map(({ epoch }) => epoch)}::bigint[]) as given (id, epoch)
    where d.id = given.id and d.lease_epoch = given.epoch and d.state = 'PENDING'`;
}

/**
 * Parks what has waited behind an open breaker for longer than the whole schedule takes: its own
 * attempts would never be used up (W1).
 */
export function parkUnreachable(
  now: Temporal.Instant,
  createdBefore: Temporal.Instant,
  most: number,
): Statement {
  return sql`
    with unreachable as materialized (
      select d.id from webhook_lane trouble join webhook_delivery d on d.lane = trouble.lane
      where trouble.consecutive_failures >= ${BREAKER_FAILURES} and d.state = 'PENDING'
        and d.created_at < ${createdBefore} and (d.lease_until is null or d.lease_until <= ${now})
      limit ${most}
      for update of d skip locked
    )
    update webhook_delivery d set state = 'PARKED', finished_at = ${now},
      reason = 'the receiver answered no event for the whole time of the schedule'
    from unreachable where d.id = unreachable.id
    returning d.id`;
}
