// What is told to merchants (api-contract.md 7), who may hear it, and the SQL of its table.
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { NumberedTable } from '#db/settled-top.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { type ExactNumber, type ExactObject, parseStoredObject } from '#money/exact-json.ts';
import type { Delivery } from './delivery.ts';
import { withAnswers } from './told-answers.ts';

export { answersOf } from './told-answers.ts';

export const EVENT_TYPES = [
  'CHECKOUT_COMPLETED',
  'CHECKOUT_PENDING',
  'CHECKOUT_UNDERPAID',
  'CHECKOUT_EXPIRED',
  'CHECKOUT_CANCELLED',
  'CHECKOUT_REVERSED',
  'CHECKOUT_RESTORED',
  'CHECKOUT_PENDING_WITHDRAWN',
  'CHECKOUT_MISDIRECTED',
  'CHECKOUT_PAID_AGAIN',
  'UNDERPAID_ACCEPTED',
  'REFUND_RESTS',
  'REFUND_COMPLETED',
  'REFUND_FAILED',
  'REFUND_REOPENED',
  'REFUND_RETURNED',
  'DEPOSIT_PENDING',
  'DEPOSIT_PENDING_WITHDRAWN',
  'DEPOSIT_COMPLETED',
  'DEPOSIT_REVERSED',
  'DEPOSIT_MISDIRECTED',
  'SUSPENSE_RESOLVED',
  'SWAP_COMPLETED',
  'SWAP_FAILED',
  'TRANSFER_COMPLETED',
  'TRANSFER_FAILED',
  'TRANSFER_REOPENED',
  'TRANSFER_RETURNED',
  'SETTLEMENT_SKIPPED',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const EVENT_SUBJECTS = [
  'checkout',
  'deposit-address',
  'refund',
  'settlement-rule',
  'suspense',
  'swap',
  'transfer',
  /** Of test events alone: nothing of them has happened. */
  'webhook-endpoint',
] as const;
type EventSubject = (typeof EVENT_SUBJECTS)[number];

export const EVENT = defineTable('event', {
  id: text(),
  /** Order in which events are sealed. */
  number: selectOnly(bigInteger),
  merchantId: text(),
  environment: text<Environment>(),
  type: text<EventType>(),
  subject: text<EventSubject>(),
  subjectId: text(),
  /** Rises per subject: a receiver that keeps the highest ends in the true state. */
  sequence: integer,
  causeKey: text(),
  /** The exact text that is sent, frozen when the event was written; answers stand elsewhere. */
  body: text(),
  /** Key whose secret makes X-Webhook-Auth: the one that created the subject. */
  apiKey: optional(text()),
  createdAt: moment,
});
export type Event = Row<typeof EVENT>;

/**
 * What a key must be allowed to hear of an event, in lists and through its account-wide receivers:
 * as much as to ask for the same thing over the API.
 */
const HEARD_WITH: readonly (readonly [types: RegExp, scopes: readonly string[]])[] = [
  [/^(?:TRANSFER|SETTLEMENT)_/, ['money']],
  // Whoever makes checkouts names a webhook that is told of their refunds.
  [/^REFUND_/, ['money', 'checkout']],
  [/^SWAP_/, ['money', 'read']],
  [/^/, ['read', 'checkout']],
];

/** One of these is enough; a key without scopes may hear everything. */
export function scopesToHear(type: EventType): readonly string[] {
  return HEARD_WITH.find(([types]) => types.test(type))?.[1] ?? [];
}

/** Undefined `scopes` of a key mean everything. */
export function mayHear(scopes: readonly string[] | undefined, type: EventType): boolean {
  return scopes === undefined || scopesToHear(type).some((scope) => scopes.includes(scope));
}

/**
 * A receiver hears no more than the key that registers it may ask for. `wanted`: all when absent.
 * @throws Refusal forbidden `scope_missing`
 */
export function refuseUnheard(
  scopes: readonly string[] | undefined,
  wanted: readonly EventType[] = EVENT_TYPES,
): void {
  const unheard = wanted.find((type) => !mayHear(scopes, type));
  if (unheard === undefined) return;
  const missing = scopesToHear(unheard).join(' or ');
  const message = `${unheard} is told to keys with the scope ${missing}: name other eventTypes`;
  throw new Refusal('forbidden', 'scope_missing', message);
}

export const EVENT_NUMBERS: NumberedTable = {
  name: EVENT.name,
  top: sql`select coalesce(max(number), 0) from event`,
};

/** What happened to what, without what was sent of it. */
const HAPPENED = EVENT.only(
  'number',
  'merchantId',
  'environment',
  'type',
  'subjectId',
  'causeKey',
  'createdAt',
);
export type Happened = Row<typeof HAPPENED>;

/** Unlike a test event. */
const HAS_HAPPENED = sql`subject <> 'webhook-endpoint'`;

/** In order of their numbers. */
export function listHappened(
  reader: Reader,
  request: {
    readonly types: readonly EventType[];
    readonly after: bigint;
    readonly upTo: bigint;
    readonly since: Temporal.Instant;
    readonly limit: number;
  },
): Promise<Happened[]> {
  const { types, after, upTo, since, limit } = request;
  return HAPPENED.select(
    reader,
    sql`where number > ${after} and number <= ${upTo} and type = any(${types}::text[])
      and ${HAS_HAPPENED} and created_at >= ${since} order by number limit ${limit}`,
  );
}

/** Of one owner, by its index: what happened from `from` on, before `to`. */
export function listHappenedBetween(
  reader: Reader,
  owner: Owner,
  request: {
    readonly types: readonly EventType[];
    readonly from: Temporal.Instant;
    readonly to: Temporal.Instant;
  },
): Promise<Happened[]> {
  const { types, from, to } = request;
  return HAPPENED.select(
    reader,
    sql`where ${ownedBy(owner)} and created_at >= ${from} and created_at < ${to}
      and type = any(${types}::text[]) and ${HAS_HAPPENED}`,
  );
}

type ListEventsRequest = Owner & {
  readonly type?: EventType | undefined;
  readonly subjectId?: string;
  /** Of the key that asks; undefined: everything. */
  readonly scopes?: readonly string[] | undefined;
  /** The page begins after it. */
  readonly cursor?: PagePlace | undefined;
  readonly limit: number;
};

/** Newest first. Events that come in between pages neither repeat nor hide others. */
export async function listEvents(
  { db }: { readonly db: Reader },
  { cursor, limit, type, subjectId, scopes, ...owner }: ListEventsRequest,
): Promise<{ readonly events: readonly Event[]; readonly nextCursor: string | null }> {
  const { at, id } = placeNewestFirst(cursor);
  const heard = EVENT_TYPES.filter((one) => mayHear(scopes, one));
  const types = type === undefined ? heard : heard.filter((one) => one === type);
  // One more than asked tells whether there is a next page.
  const most = limit + 1;
  const before = sql`${ownedBy(owner)} and (created_at, id) < (${at}, ${id})`;
  // With every kind of subject named it is found by (subject, subject_id, sequence).
  const which =
    subjectId !== undefined
      ? sql`subject = any(${EVENT_SUBJECTS}::text[]) and subject_id = ${subjectId}
          and type = any(${types}::text[]) and ${before}`
      : types.length === EVENT_TYPES.length
        ? before
        : idsOfTypes(owner, types, { at, id }, most);
  const rows = await EVENT.select(
    db,
    sql`where ${which} order by created_at desc, id desc limit ${most}`,
  );
  const placeOf = ({ createdAt, id }: Event) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, placeOf);
  return { events: await withAnswers(db, shown), nextCursor };
}

/**
 * Of each type no more is read than is shown. Between two places, and not `type = …`: the one plan
 * for all types would else walk by time through all events of a shop.
 */
function idsOfTypes(
  owner: Owner,
  types: readonly EventType[],
  { at, id }: PagePlace,
  most: number,
): Statement {
  // With the owner once more: Citus finds the shard by it.
  return sql`${ownedBy(owner)} and id = any(array(
    select found.id from unnest(${types}::text[]) as wanted (one) cross join lateral (
      select id, created_at from event
      where ${ownedBy(owner)} and (type, created_at, id) < (wanted.one, ${at}, ${id})
        and type >= wanted.one
      order by type desc, created_at desc, id desc limit ${most}) as found
    order by found.created_at desc, found.id desc limit ${most}))`;
}

/** Of these things, of each the newest; oldest first. */
export async function listEventsAbout(
  reader: Reader,
  { merchantId, environment }: Owner,
  subjects: readonly Pick<Event, 'subject' | 'subjectId'>[],
  most: number,
): Promise<Event[]> {
  const [kinds, ids] = [
    subjects.map(({ subject }) => subject),
    subjects.map(({ subjectId }) => subjectId),
  ];
  const rows = await reader.query<object>(sql`
    select found.* from unnest(${kinds}::text[], ${ids}::text[]) as asked (kind, about)
    cross join lateral (
      select ${EVENT.columns} from event
      where subject = asked.kind and subject_id = asked.about
        and merchant_id = ${merchantId} and environment = ${environment}
      order by sequence desc limit ${most}
    ) as found order by found."createdAt", found.number`);
  return withAnswers(reader, rows.map(EVENT.parse));
}

/** Undefined also for somebody else's. */
export async function findEvent(
  { db }: { readonly db: Reader },
  { eventId, ...owner }: Owner & { readonly eventId: string },
): Promise<Event | undefined> {
  const found = await EVENT.find(db, sql`where id = ${eventId} and ${ownedBy(owner)}`);
  return found && (await withAnswers(db, [found]))[0];
}

/** Which of these cause keys were told already, also by events that were forgotten since. */
export async function listToldCauses(
  reader: Reader,
  causeKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (causeKeys.length === 0) return new Set();
  const rows = await reader.query<Pick<Event, 'causeKey'>>(sql`
    select cause_key as "causeKey" from event where cause_key = any(${causeKeys}::text[])
    union all
    select cause_key from unnest(${causeKeys}::text[]) cause_key
    where exists (select from told_cause where cause = md5(cause_key)::uuid)`);
  return new Set(rows.map(({ causeKey }) => causeKey));
}

/** The form of `body`, which `eventBody` makes. */
type Written = ExactObject & {
  readonly eventType: EventType;
  readonly data: ExactObject;
  readonly id: string;
  readonly created: string;
  readonly sequence: ExactNumber;
  readonly apiVersion: string;
  /** Of test events alone. */
  readonly test?: true;
};

/** In lists: exactly what was sent, and how far each sending has come. */
export function eventView({ body }: Event, deliveries: readonly Delivery[]) {
  const written = parseStoredObject(body) as Written;
  const sequence = Number(written.sequence.text);
  return { ...written, sequence, deliveries: deliveries.map(deliveryView) };
}

function deliveryView(delivery: Delivery) {
  const last = delivery.attempts.at(-1);
  const isPending = delivery.state === 'PENDING';
  return {
    url: delivery.url,
    webhookEndpointId: delivery.endpointId ?? null,
    state: delivery.state,
    attempts: delivery.attemptCount,
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    nextAttempt: isPending ? timestamp(delivery.nextAttemptAt) : null,
    finishedTime: delivery.finishedAt === undefined ? null : timestamp(delivery.finishedAt),
    reason: delivery.reason ?? null,
  };
}
