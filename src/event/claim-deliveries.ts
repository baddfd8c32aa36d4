// The queue of deliveries. Guarantees: a delivery is leased to one worker at a time, and only the
// holder of the newest lease can record an outcome (C14); at most two of a lane are under way over
// all workers, one when its breaker is open; what is claimed is shared out between merchants first
// and lanes second, so that nobody's backlog or dead receiver delays anybody else (G8).
// Costs: a claim walks the lanes that have something pending, one index probe each, no backlog.
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Statement, sql } from '#db/db.ts';

const LANE_IN_FLIGHT_MOST = 2;
/** Failures in a row after which a lane gets one probe at a time, and pauses in between. */
export const BREAKER_FAILURES = 5;
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
  readonly body: string;
  readonly apiKey: string | undefined;
};

type ClaimRequest = {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly most: number;
  readonly troubledMost: number;
  /** Of one merchant under way, over all workers. */
  readonly merchantMost: number;
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
    // A statement of its own, so that the claim sees what the one before it committed.
    tx.send(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`);
    const claiming = tx.query<ClaimRow>(claimStatement(request));
    // Not awaited here, so that COMMIT is on its way already: a process that is stopped while it
    // reads the answer must not keep the lock. `transact` throws what the claim fails with.
    claiming.catch(() => undefined);
    return { claiming };
  });
  const rows = await answer.claiming;
  const claimed = rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)]));
  return { claimed, cursor: rows[0]?.lastLane ?? '' };
}

function claimStatement({ now, leaseUntil, ...request }: ClaimRequest): Statement {
  return sql`
    with recursive leased as materialized (
      select lane, merchant_id from webhook_delivery
      where state = 'PENDING' and lease_until > ${now}
    ), lane_load as (
      select lane, count(*)::integer as load from leased group by lane
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
        cross join lateral (
          select d.id, d.merchant_id, d.next_attempt_at from webhook_delivery d
          where d.lane = walk.lane and d.state = 'PENDING' and d.next_attempt_at <= ${now}
            and (d.lease_until is null or d.lease_until <= ${now})
          order by d.next_attempt_at, d.id
          limit greatest(0, case when trouble.consecutive_failures >= ${BREAKER_FAILURES} then 1
            else ${LANE_IN_FLIGHT_MOST}::integer end - coalesce(lane_load.load, 0))
        ) found
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
      returning d.id, d.lease_epoch as epoch, d.lane, picked.is_troubled as "isTroubled",
        d.attempt_count as "attemptCount", d.url, d.endpoint_id as "endpointId",
        d.merchant_id as "merchantId", d.environment, e.id as "eventId", e.body,
        coalesce((select endpoint.api_key from webhook_endpoint endpoint
          where endpoint.id = d.endpoint_id), e.api_key) as "apiKey",
        exists (select from webhook_endpoint endpoint
          where endpoint.id = d.endpoint_id and endpoint.disabled_at is not null)
          as "isEndpointDisabled"
    )
    select walked."lastLane", claimed.*
    from (select (select lane from walk order by step desc limit 1) as "lastLane") walked
      left join claimed on true`;
}

function toClaimed({ lastLane: _, ...claimed }: ClaimRow & ClaimedDelivery): ClaimedDelivery {
  const { endpointId, apiKey, ...row } = claimed;
  return { ...row, endpointId: endpointId ?? undefined, apiKey: apiKey ?? undefined };
}
