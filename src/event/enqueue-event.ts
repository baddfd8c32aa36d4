// An event is written in the transaction that changes what it tells of, with one delivery for each
// receiver.
import { keyMayOneOf, versionOfKey } from '#access/api-key.ts';
import { assert } from '#base/assert.ts';
import { type Statement, sql, type Tx } from '#db/db.ts';
import { currentTrace } from '#tracing/trace.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { GONE_REASON } from './delivery.ts';
import { type Event, type EventType, scopesToHear } from './event.ts';

type EventToEnqueue = Omit<Event, 'apiKey' | 'body' | 'number'> & {
  /** JSON text of an object, for example `{"checkout":{...}}`. */
  readonly data: string;
  readonly apiKey?: string | undefined;
  /** The webhook URL of the subject itself; account-wide endpoints are found here. */
  readonly webhookUrl?: string | undefined;
};

/**
 * One pipelined statement, sent with COMMIT. A cause key that was told before fails the
 * transaction with ConstraintViolation `event_cause_key_key`, a sequence that was used before with
 * `event_subject_subject_id_sequence_key`. Wake the delivery loop after the commit.
 */
export function enqueueEvent(tx: Tx, event: EventToEnqueue): void {
  const { webhookUrl } = event;
  // The lane is cut from this text: spellings of one origin must not become two lanes.
  const url = webhookUrl === undefined ? undefined : (URL.parse(webhookUrl)?.href ?? webhookUrl);
  tx.send(insertEvent(event, eventBody(event), receiversOf(event, url)));
}

/**
 * To one receiver alone: `subjectId` names it. Its text says that it is a test.
 * Wake the delivery loop after the commit.
 */
export function enqueueTestEvent(
  tx: Tx,
  event: Omit<EventToEnqueue, 'subject' | 'webhookUrl'>,
  url: string,
): void {
  const told = { ...event, subject: 'webhook-endpoint' } as const;
  const receiver = sql`select ${event.subjectId}::text as endpoint_id, ${url}::text as url,
    false as is_gone,
    (select api_version from webhook_endpoint where id = ${event.subjectId}) as api_version`;
  tx.send(insertEvent(told, eventBody({ ...told, isTest: true }), receiver));
}

/**
 * The text that is stored with the event and sent, byte for byte, at each attempt to a receiver of
 * the newest version; of an older one, what `eventTextIn` always makes of it: the shape of
 * service.md "Events", and id, created, sequence, apiVersion. `data` goes in as it is: amounts
 * inside `payload` must keep every digit.
 */
export function eventBody(
  event: Pick<EventToEnqueue, 'id' | 'sequence' | 'createdAt' | 'data'> & {
    readonly type: EventType;
    readonly isTest?: boolean;
  },
): string {
  const { id, type, createdAt, sequence, data, isTest = false } = event;
  assert(data.startsWith('{') && data.endsWith('}'), 'data is the text of a JSON object');
  // service.md: timestamps are ISO 8601 with offset.
  const at = createdAt.toZonedDateTimeISO('UTC').toString({ timeZoneName: 'never' });
  return (
    `{"eventType":${JSON.stringify(type)},"data":${data},"id":${JSON.stringify(id)}` +
    `,"created":${JSON.stringify(at)},"sequence":${sequence}` +
    `,"apiVersion":${JSON.stringify(LATEST_VERSION)}${isTest ? ',"test":true' : ''}}`
  );
}

/**
 * The subject's own URL, and each endpoint that wants its type and whose key may hear it. After a
 * 410 from that URL its further deliveries are written as DISABLED: visible, not sent.
 */
function receiversOf(event: EventToEnqueue, url: string | undefined): Statement {
  const { subject, subjectId, sequence } = event;
  return sql`
      select null::text as endpoint_id, ${url ?? null}::text as url, coalesce((
        select d.state = 'DISABLED' from event e join webhook_delivery d on d.event_id = e.id
        where e.subject = ${subject} and e.subject_id = ${subjectId} and e.sequence < ${sequence}
          and d.endpoint_id is null and d.url = ${url ?? null}::text
        order by e.sequence desc, d.id desc limit 1
      ), false) as is_gone, ${versionOfKey(sql`${event.apiKey ?? null}::text`)} as api_version
      where ${url ?? null}::text is not null
      union all
      select endpoint.id, endpoint.url, false, endpoint.api_version
      from told join webhook_endpoint endpoint
        on endpoint.merchant_id = told.merchant_id and endpoint.environment = told.environment
      where endpoint.disabled_at is null
        and ${keyMayOneOf(sql`endpoint.api_key`, scopesToHear(event.type))}
        and (endpoint.event_types is null or told.type = any(endpoint.event_types))`;
}

/** The event, and a delivery to each receiver: `endpoint_id`, `url`, `is_gone`, `api_version`. */
function insertEvent(event: EventToEnqueue, body: string, receivers: Statement): Statement {
  const { merchantId, environment, subject, subjectId, sequence, createdAt } = event;
  return sql`
    with told as (
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, api_key, created_at, trace_parent)
      values (${event.id}, ${merchantId}, ${environment}, ${event.type}, ${subject}, ${subjectId},
        ${sequence}, ${event.causeKey}, ${body}, ${event.apiKey ?? null}, ${createdAt},
        ${currentTrace() ?? null})
      returning id, merchant_id, environment, type, created_at
    ), receiver as (${receivers})
    insert into webhook_delivery (event_id, merchant_id, environment, endpoint_id, url, lane, state,
      next_attempt_at, created_at, finished_at, reason, api_version)
    select told.id, told.merchant_id, told.environment, receiver.endpoint_id, receiver.url,
      told.merchant_id || ' ' || told.environment || ' '
        || coalesce(lower(substring(receiver.url from '^[A-Za-z]+://[^/?#]*')), ''),
      case when is_gone then 'DISABLED' else 'PENDING' end, told.created_at, told.created_at,
      case when is_gone then told.created_at end, case when is_gone then ${GONE_REASON} end,
      receiver.api_version
    from told cross join receiver`;
}
