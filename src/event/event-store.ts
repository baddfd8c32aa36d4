import type { Environment } from '#catalog/chain.ts';
import { type Statement, sql } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { EventToEnqueue } from './enqueue-event.ts';
import {
  type DeliveryState,
  EVENT_SUBJECTS,
  type EventOwner,
  type EventSubject,
  type EventType,
} from './event.ts';
import { scopesToHear } from './event-scopes.ts';

/** Of what was under way to an endpoint when it was deleted or answered 410. */
export const disabledReason = 'the endpoint is switched off';
export const goneReason = 'the receiver answered 410 Gone to an earlier event';

/**
 * The event, the delivery to the subject's own URL, and one to each endpoint that wants its type
 * and whose key may hear it.
 * After a 410 from that URL its further deliveries are written as DISABLED: visible, not sent.
 */
export function insertEvent(event: EventToEnqueue, url: string | undefined): Statement {
  const { merchantId, environment, subject, subjectId, sequence, createdAt } = event;
  return sql`
    with told as (
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, api_key, created_at)
      values (${event.id}, ${merchantId}, ${environment}, ${event.type}, ${subject}, ${subjectId},
        ${sequence}, ${event.causeKey}, ${event.body}, ${event.apiKey ?? null}, ${createdAt})
      returning id, merchant_id, environment, type, created_at
    ), receiver as (
      select null::text as endpoint_id, ${url ?? null}::text as url, coalesce((
        select d.state = 'DISABLED' from event e join webhook_delivery d on d.event_id = e.id
        where e.subject = ${subject} and e.subject_id = ${subjectId} and e.sequence < ${sequence}
          and d.endpoint_id is null and d.url = ${url ?? null}::text
        order by e.sequence desc, d.id desc limit 1
      ), false) as is_gone
      where ${url ?? null}::text is not null
      union all
      select endpoint.id, endpoint.url, false
      from told join webhook_endpoint endpoint
        on endpoint.merchant_id = told.merchant_id and endpoint.environment = told.environment
      left join api_key k on k.key = endpoint.api_key
      where endpoint.disabled_at is null
        and (k.scopes is null or k.scopes && ${scopesToHear(event.type)}::text[])
        and (endpoint.event_types is null or told.type = any(endpoint.event_types))
    )
    insert into webhook_delivery (event_id, merchant_id, environment, endpoint_id, url, lane, state,
      next_attempt_at, created_at, finished_at, reason)
    select told.id, told.merchant_id, told.environment, receiver.endpoint_id, receiver.url,
      told.merchant_id || ' ' || told.environment || ' '
        || coalesce(lower(substring(receiver.url from '^[A-Za-z]+://[^/?#]*')), ''),
      case when is_gone then 'DISABLED' else 'PENDING' end, told.created_at, told.created_at,
      case when is_gone then told.created_at end, case when is_gone then ${goneReason} end
    from told cross join receiver`;
}

export type EventRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  type: EventType;
  subject: EventSubject;
  subject_id: string;
  sequence: number;
  cause_key: string;
  body: string;
  api_key: string | null;
  created_at: Temporal.Instant;
};

export function selectEvents(
  owner: EventOwner,
  filter: {
    readonly type?: EventType | undefined;
    readonly subjectId?: string | undefined;
    readonly unheard: readonly EventType[];
  },
  after: PagePlace | undefined,
  limit: number,
): Statement {
  const { type, subjectId, unheard } = filter;
  const { at, id } = placeNewestFirst(after);
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  const isHeard = unheard.length === 0 ? sql`` : sql`and type <> all(${unheard}::text[])`;
  // With every kind of subject named it is found by (subject, subject_id, sequence).
  const ofSubject =
    subjectId === undefined
      ? sql``
      : sql`and subject = any(${EVENT_SUBJECTS}::text[]) and subject_id = ${subjectId}`;
  return sql`
    select id, merchant_id, environment, type, subject, subject_id, sequence, cause_key, body,
      api_key, created_at
    from event
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
      and (created_at, id) < (${at}, ${id}) ${ofType} ${ofSubject}
      ${isHeard}
    order by created_at desc, id desc
    limit ${limit}`;
}

export function selectEvent(owner: EventOwner, eventId: string): Statement {
  return sql`
    select id, merchant_id, environment, type, subject, subject_id, sequence, cause_key, body,
      api_key, created_at
    from event
    where id = ${eventId} and merchant_id = ${owner.merchantId}
      and environment = ${owner.environment}`;
}

/** Which of the cause keys were told already, also by events that were forgotten since. */
export function selectToldCauses(causeKeys: readonly string[]): Statement {
  return sql`
    select cause_key from event where cause_key = any(${causeKeys}::text[])
    union all
    select cause_key from unnest(${causeKeys}::text[]) cause_key
    where exists (select from told_cause where cause = md5(cause_key)::uuid)`;
}

/** A delivery with one of its attempts, or with none. */
export type DeliveryAttemptRow = {
  id: bigint;
  event_id: string;
  endpoint_id: string | null;
  url: string;
  state: DeliveryState;
  attempt_count: number;
  next_attempt_at: Temporal.Instant;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  reason: string | null;
  redelivery_of: bigint | null;
  number: number | null;
  attempted_at: Temporal.Instant | null;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  answer_excerpt: string | null;
};

export function selectDeliveries(owner: EventOwner, eventIds: readonly string[]): Statement {
  return sql`
    select d.id, d.event_id, d.endpoint_id, d.url, d.state, d.attempt_count, d.next_attempt_at,
      d.created_at, d.finished_at, d.reason, d.redelivery_of, a.number, a.attempted_at,
      a.duration_ms, a.status, a.error, a.answer_excerpt
    from event e join webhook_delivery d on d.event_id = e.id
      left join webhook_attempt a on a.delivery_id = d.id
    where e.id = any(${eventIds}::text[]) and e.merchant_id = ${owner.merchantId}
      and e.environment = ${owner.environment}
    order by d.id, a.number`;
}

export type RedeliveryRow = {
  state: DeliveryState;
  event_created_at: Temporal.Instant;
  is_endpoint_disabled: boolean;
};

export function lockForRedelivery(owner: EventOwner, deliveryId: bigint): Statement {
  return sql`
    select d.state, e.created_at as event_created_at,
      endpoint.disabled_at is not null as is_endpoint_disabled
    from webhook_delivery d join event e on e.id = d.event_id
      left join webhook_endpoint endpoint on endpoint.id = d.endpoint_id
    where d.id = ${deliveryId} and d.merchant_id = ${owner.merchantId}
      and d.environment = ${owner.environment}
    for no key update of d`;
}

/** A held lane is opened for one probe: somebody is looking on. */
export function insertRedelivery(deliveryId: bigint, now: Temporal.Instant): Statement {
  return sql`
    with opened as (
      update webhook_lane set held_until = null
      where lane = (select lane from webhook_delivery where id = ${deliveryId})
    )
    insert into webhook_delivery (event_id, merchant_id, environment, endpoint_id, url, lane, state,
      next_attempt_at, created_at, redelivery_of)
    select event_id, merchant_id, environment, endpoint_id, url, lane, 'PENDING',
      ${now}::timestamptz, ${now}::timestamptz, id
    from webhook_delivery where id = ${deliveryId}
    returning id`;
}
