// One event on its way to one URL, with its attempts, and the SQL of their tables. How it is sent
// is in deliver-events.ts.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { ConstraintViolation, type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  bigInteger,
  defineTable,
  insertOnly,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { Wake } from '#runtime/loop.ts';

/** PENDING until an attempt succeeds, the schedule is over, or the receiver answers 410. */
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'PARKED', 'DISABLED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Of what was under way to an endpoint when it was deleted or answered 410. */
export const DISABLED_REASON = 'the endpoint is switched off';
export const GONE_REASON = 'the receiver answered 410 Gone to an earlier event';

/**
 * How long a parked or delivered event can be sent again (api-contract.md 7): none goes before.
 */
export const REPLAYABLE_HOURS = 60 * 24;

export const WEBHOOK_DELIVERY = defineTable('webhook_delivery', {
  id: selectOnly(bigInteger),
  eventId: text(),
  merchantId: insertOnly(text()),
  environment: insertOnly(text()),
  /** The account-wide endpoint; undefined for the webhook URL of a checkout. */
  endpointId: optional(text()),
  url: text(),
  /** All deliveries of one merchant to one origin. */
  lane: insertOnly(text()),
  state: text<DeliveryState>(),
  attemptCount: selectOnly(integer),
  nextAttemptAt: moment,
  createdAt: moment,
  finishedAt: optional(moment),
  reason: optional(text()),
  redeliveryOf: optional(bigInteger),
  /** Of the API, that it is told in at each attempt: that of its receiver when it was told. */
  apiVersion: insertOnly(text()),
});

export const WEBHOOK_ATTEMPT = defineTable('webhook_attempt', {
  deliveryId: insertOnly(bigInteger),
  number: integer,
  attemptedAt: moment,
  durationMs: integer,
  status: optional(integer),
  error: optional(text()),
  answerExcerpt: optional(text()),
});

export type DeliveryAttempt = Row<typeof WEBHOOK_ATTEMPT>;
export type Delivery = Row<typeof WEBHOOK_DELIVERY> & {
  readonly attempts: readonly DeliveryAttempt[];
};

/** Deliveries of one event with their attempts, oldest first; none for somebody else's event. */
export async function listDeliveries(
  { db }: { readonly db: Reader },
  { eventId, ...owner }: Owner & { readonly eventId: string },
): Promise<Delivery[]> {
  const found = await listDeliveriesOf({ db }, { ...owner, eventIds: [eventId] });
  return found.get(eventId) ?? [];
}

/** A delivery with one of its attempts, or with none. */
type DeliveryRow = Row<typeof WEBHOOK_DELIVERY> & {
  readonly [Field in keyof DeliveryAttempt]: DeliveryAttempt[Field] | null;
};

/** The same for several events, by the id of each; those without deliveries are left out. */
export async function listDeliveriesOf(
  { db }: { readonly db: Reader },
  { eventIds, ...owner }: Owner & { readonly eventIds: readonly string[] },
): Promise<ReadonlyMap<string, Delivery[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.query<DeliveryRow>(sql`
    select ${WEBHOOK_DELIVERY.columnsOf('d')}, ${WEBHOOK_ATTEMPT.columnsOf('a')}
    from event e join webhook_delivery d on d.event_id = e.id
      left join webhook_attempt a on a.delivery_id = d.id
    where e.id = any(${eventIds}::text[]) and e.merchant_id = ${owner.merchantId}
      and e.environment = ${owner.environment}
    order by d.id, a.number`);
  const deliveries = Array.from(Map.groupBy(rows, ({ id }) => id).values(), toDelivery);
  return Map.groupBy(deliveries, ({ eventId }) => eventId);
}

function toDelivery(rows: readonly DeliveryRow[]): Delivery {
  const parts = rows.map((row) => {
    const parsed = WEBHOOK_DELIVERY.parse(WEBHOOK_ATTEMPT.parse(row));
    const { number, attemptedAt, durationMs, status, error, answerExcerpt, ...delivery } = parsed;
    const attempt = { number, attemptedAt, durationMs, status, error, answerExcerpt };
    return { delivery, attempt: number === null ? [] : [attempt] };
  });
  return { ...parts[0]!.delivery, attempts: parts.flatMap(({ attempt }) => attempt) };
}

export type RedeliverApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly wakes?: { readonly deliver: Pick<Wake, 'wake'> } | undefined;
};

/**
 * Sends a delivered, parked or disabled delivery again: a new delivery of the same event, with the
 * same id and body, and the whole schedule before it. Returns its id.
 * @throws Refusal missing `delivery_unknown`; conflict `delivery_pending`, `event_too_old` (after
 * 60 days, api-contract.md 7), `endpoint_disabled`.
 */
export async function redeliverEvent(
  { db, clock, wakes }: RedeliverApp,
  { deliveryId, ...owner }: Owner & { readonly deliveryId: bigint },
): Promise<{ deliveryId: bigint }> {
  const now = clock.now();
  try {
    const redelivered = await db.transact(async (tx) => {
      const [known] = await tx.query<Replayable>(sql`
        select d.state, e.created_at as "toldAt",
          endpoint.disabled_at is not null as "isEndpointDisabled"
        from webhook_delivery d join event e on e.id = d.event_id
          left join webhook_endpoint endpoint on endpoint.id = d.endpoint_id
        where d.id = ${deliveryId} and d.merchant_id = ${owner.merchantId}
          and d.environment = ${owner.environment}
        for no key update of d`);
      refuseUnlessReplayable(known, now);
      // A lane on hold is opened for one attempt, because a person is waiting to see the result.
      const [row] = await tx.query<{ id: bigint }>(sql`
        with opened as (
          update webhook_lane set held_until = null
          where lane = (select lane from webhook_delivery where id = ${deliveryId})
        )
        ${repeatDelivery(sql`d.id = ${deliveryId}`, now)}`);
      return { deliveryId: row?.id ?? deliveryId };
    });
    wakes?.deliver.wake();
    return redelivered;
  } catch (error) {
    if (error instanceof ConstraintViolation && error.constraint === 'webhook_delivery_once') {
      throw pending();
    }
    throw error;
  }
}

const isParked = sql`d.state = 'PARKED'
  and not exists (select 1 from webhook_delivery again where again.redelivery_of = d.id)`;

/** Those that nobody sent again, as `npx quittance parked list` shows them (list-parked.ts). */
export function selectParkedDeliveries(): Statement {
  return sql`
    select 'delivery' as kind, d.id::text, d.finished_at as since, d.reason as why,
      false as "isMended"
    from webhook_delivery d where ${isParked}`;
}

/** Sends one of them again. Answers no row when it does not wait. */
export function retryParkedDelivery(id: string, now: Temporal.Instant): Statement {
  return repeatDelivery(sql`d.id::text = ${id} and ${isParked}`, now);
}

/** Those of an owner that fail, or were given up and not sent again: `what`, `id`, `since`. */
export function selectFailing(owner: Owner, most: number): Statement {
  return sql`
    (select 'webhook-failing' as what, event_id as id, created_at as since from webhook_delivery
    where ${ownedBy(owner)} and state = 'PENDING' and attempt_count > 0
    order by created_at limit ${most})
    union all
    (select 'webhook-given-up', event_id, finished_at from (
      select id, event_id, finished_at, state from webhook_delivery
      where ${ownedBy(owner)} and state = 'PARKED'
      order by finished_at desc limit ${most}) d where ${isParked})`;
}

/** A new delivery of the same event to the same receiver. `isIt` names the old one `d`. */
function repeatDelivery(isIt: Statement, now: Temporal.Instant): Statement {
  return sql`
    insert into webhook_delivery (event_id, merchant_id, environment, endpoint_id, url, lane,
      state, next_attempt_at, created_at, redelivery_of, api_version)
    select event_id, merchant_id, environment, endpoint_id, url, lane, 'PENDING',
      ${now}::timestamptz, ${now}::timestamptz, id, api_version
    from webhook_delivery d where ${isIt}
    returning id`;
}

type Replayable = Pick<Delivery, 'state'> & {
  readonly toldAt: Temporal.Instant;
  readonly isEndpointDisabled: boolean;
};

function refuseUnlessReplayable(
  known: Replayable | undefined,
  now: Temporal.Instant,
): asserts known is Replayable {
  if (known === undefined) {
    throw new Refusal('missing', 'delivery_unknown', 'There is no such delivery.');
  }
  if (known.state === 'PENDING') throw pending();
  const oldest = now.subtract({ hours: REPLAYABLE_HOURS });
  if (Temporal.Instant.compare(known.toldAt, oldest) < 0) {
    const text = `The event is older than ${REPLAYABLE_HOURS / 24} days.`;
    throw new Refusal('conflict', 'event_too_old', text);
  }
  if (known.isEndpointDisabled) {
    throw new Refusal('conflict', 'endpoint_disabled', 'The endpoint is disabled.');
  }
}

function pending(): Refusal {
  const text = 'The event is already being delivered to this receiver.';
  return new Refusal('conflict', 'delivery_pending', text);
}

/**
 * Sends an event again to each of its receivers that it is not on its way to.
 * @throws Refusal conflict `event_without_receiver`, and those of `redeliverEvent` when it can be
 * sent to nobody.
 */
export async function redeliverToAll(
  app: RedeliverApp,
  { eventId, ...owner }: Owner & { readonly eventId: string },
): Promise<void> {
  const latest = new Map<string, Delivery>();
  for (const delivery of await listDeliveries(app, { ...owner, eventId })) {
    latest.set(`${delivery.endpointId ?? ''} ${delivery.url}`, delivery);
  }
  if (latest.size === 0) {
    const text = 'nobody was to be told: set a webhook, or register an endpoint for later events';
    throw new Refusal('conflict', 'event_without_receiver', text);
  }
  const refusals: Refusal[] = [];
  for (const { id } of latest.values()) {
    try {
      await redeliverEvent(app, { ...owner, deliveryId: id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === latest.size && refusals[0] !== undefined) throw refusals[0];
}

/**
 * Further attempts at a merchant's TEST webhooks come so much earlier, none before now. Gives how
 * many were moved.
 */
export async function bringAttemptsNearer(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { merchantId, minutes }: { readonly merchantId: string; readonly minutes: number },
): Promise<number> {
  const now = clock.now();
  const moved = await db.single((tx) =>
    tx.query(sql`
      update webhook_delivery d set next_attempt_at =
        greatest(next_attempt_at - make_interval(mins => ${minutes}), ${now}::timestamptz)
      from event e where e.id = d.event_id and e.merchant_id = ${merchantId}
        and e.environment = 'test' and d.state = 'PENDING' and d.next_attempt_at > ${now}
      returning d.id`),
  );
  return moved.length;
}

/** Looked at in one measure: more than that is told as that many. */
const MEASURED_MOST = 10_000;

export type DeliveryBacklog = {
  /** Those that wait, up to 10,000. */
  readonly waiting: number;
  /** Since when the oldest of these waits. */
  readonly oldestAt: Temporal.Instant | null;
  /** Since when the oldest waits that nobody has tried to send yet. */
  readonly untriedSince: Temporal.Instant | null;
  /** Receivers that are not asked for a while, because they failed again and again. */
  readonly receiversAway: number;
};

/** How much waits to be delivered, in two short looks at what is not delivered. */
export async function measureDeliveries(
  reader: Reader,
  now: Temporal.Instant,
): Promise<DeliveryBacklog> {
  const [[backlog], [lanes]] = await Promise.all([
    reader.query<Omit<DeliveryBacklog, 'receiversAway'>>(sql`
      select count(*)::integer as waiting, min(created_at) as "oldestAt",
        min(next_attempt_at) filter (where attempt_count = 0) as "untriedSince"
      from (select created_at, next_attempt_at, attempt_count from webhook_delivery
        where state = 'PENDING' limit ${MEASURED_MOST}) d`),
    reader.query<{ count: number }>(sql`
      select count(*)::integer as count from (select 1 from webhook_lane
        where held_until > ${now} limit ${MEASURED_MOST}) l`),
  ]);
  const empty = { waiting: 0, oldestAt: null, untriedSince: null };
  return { ...(backlog ?? empty), receiversAway: lanes?.count ?? 0 };
}
