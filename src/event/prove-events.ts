// Proves what was told (W5). A digest of each event, and of where it was to be sent, goes to the
// ledger, whose seals cover it and which keeps it when the event goes after its time. Guarantees:
// no event is sealed before those of lower numbers. Not guaranteed: what was done to an event in
// the seconds before it was sealed.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import type { Row } from '#db/table.ts';
import {
  addDigests,
  type EventDigest,
  findTopDigest,
  listDigestsAfter,
} from '#ledger/seal-entries.ts';
import { type Proof, wholeProof } from '#ledger/verify-checkpoint.ts';
import { REPLAYABLE_HOURS } from './delivery.ts';
import { EVENT, EVENT_NUMBERS } from './event.ts';

/** All but the body. */
const FACTS = EVENT.only(
  'number',
  'id',
  'merchantId',
  'environment',
  'type',
  'subject',
  'subjectId',
  'sequence',
  'causeKey',
  'apiKey',
  'createdAt',
);

type SealedEvent = Row<typeof FACTS> & {
  /** SHA-256 of the text that is sent. */
  readonly bodyHash: Uint8Array;
  /** Side by side, of the deliveries made with the event; null when there are none. */
  readonly endpointIds: readonly (string | null)[] | null;
  readonly urls: readonly string[] | null;
};

const BATCH = 1_000;
const FAULTS_MAX = 100;

/** Of at most `limit` events that have none. Any number of processes may do it. */
export async function digestEvents(
  app: { readonly db: Db; readonly clock: Clock },
  { limit }: { readonly limit: number },
): Promise<void> {
  const { db } = app;
  const after = await findTopDigest(db);
  const upTo = await findSettledTop(app, EVENT_NUMBERS, after);
  if (upTo === undefined) return;
  const events = await listSealedEvents(db, { after, upTo, limit });
  await addDigests(db, events.map(digestOf));
}

/**
 * A sentence for each fault, at most 100; and how many of the sealed events are still there.
 * `proof`: how far it had come before.
 */
export async function verifyEvents(
  { db, clock }: { readonly db: Db; readonly clock: Pick<Clock, 'now'> },
  onProgress: (step: string) => void = () => undefined,
  proof: Proof = wholeProof(),
): Promise<{ readonly sealed: bigint; readonly kept: bigint; readonly faults: string[] }> {
  const faults: string[] = [];
  const { events: counted } = proof;
  let after = proof.from('digests');
  while (faults.length < FAULTS_MAX) {
    const digests = await listDigestsAfter(db, { after, limit: BATCH });
    const upTo = digests.at(-1)?.number;
    if (upTo === undefined) break;
    const [events, deliveries] = await Promise.all([
      // More than there can be: those that were never sealed are to be seen.
      listSealedEvents(db, { after, upTo, limit: 2 * BATCH }),
      db.query<{ fault: string }>(deliveriesWithoutReason({ after, upTo })),
    ]);
    faults.push(...compareEvents(digests, events, clock.now()));
    faults.push(...deliveries.map(({ fault }) => fault));
    counted.sealed += BigInt(digests.length);
    counted.kept += BigInt(events.length);
    after = upTo;
    proof.reached('digests', upTo, faults.length === 0);
    onProgress(`events up to ${upTo} were compared with their digests`);
  }
  return { ...counted, faults: faults.slice(0, FAULTS_MAX) };
}

function compareEvents(
  digests: readonly EventDigest[],
  events: readonly SealedEvent[],
  now: Temporal.Instant,
): string[] {
  const digestByNumber = new Map(digests.map((digest) => [digest.number, digest]));
  const numbers = new Set(events.map(({ number }) => number));
  const oldest = now.subtract({ hours: REPLAYABLE_HOURS });
  const gone = digests.filter(
    ({ number, toldAt }) => !numbers.has(number) && Temporal.Instant.compare(toldAt, oldest) > 0,
  );
  const missing = gone.map(
    ({ eventId, toldAt }) => `W5: event ${eventId}, told at ${toldAt}, went before its time`,
  );
  const changed = events.flatMap((event) => {
    const known = digestByNumber.get(event.number);
    if (known === undefined) return [`W5: event ${event.id} was put among sealed ones by hand`];
    if (isSame(known, digestOf(event))) return [];
    return [`W5: event ${known.eventId} is not what was sealed of it`];
  });
  return [...missing, ...changed];
}

function isSame(known: EventDigest, found: EventDigest): boolean {
  return (
    known.eventId === found.eventId &&
    Temporal.Instant.compare(known.toldAt, found.toldAt) === 0 &&
    Buffer.compare(known.digest, found.digest) === 0
  );
}

function digestOf(event: SealedEvent): EventDigest {
  const { number, id, createdAt } = event;
  const text = JSON.stringify([
    `${number}`,
    id,
    event.merchantId,
    event.environment,
    event.type,
    event.subject,
    event.subjectId,
    event.sequence,
    event.causeKey,
    event.bodyHash.toHex(),
    event.apiKey ?? null,
    createdAt.toString(),
    (event.urls ?? []).map((url, index) => [event.endpointIds?.[index], url]),
  ]);
  const digest = createHash('sha256').update(`quittance-event-1 ${text}`).digest();
  return { number, eventId: id, toldAt: createdAt, digest: new Uint8Array(digest) };
}

type NumberRange = { readonly after: bigint; readonly upTo: bigint };

/** The next events by number. Bodies stay where they are: there may be gigabytes of them. */
async function listSealedEvents(
  reader: Reader,
  { after, upTo, limit }: NumberRange & { readonly limit: number },
): Promise<SealedEvent[]> {
  const rows = await reader.query<SealedEvent>(sql`
    select ${FACTS.columnsOf('e')}, sha256(convert_to(e.body, 'UTF8')) as "bodyHash", sent.*
    from (
      select * from event where number > ${after} and number <= ${upTo}
      order by number limit ${limit}
    ) e cross join lateral (
      select array_agg(d.endpoint_id order by d.id) as "endpointIds",
        array_agg(d.url order by d.id) as urls
      from webhook_delivery d where d.event_id = e.id and d.redelivery_of is null
    ) sent
    order by e.number`);
  return rows.map((row) => FACTS.parse(row));
}

/** What is sent again goes where it went, and what is said to be delivered was answered. */
export function deliveriesWithoutReason({ after, upTo }: NumberRange): Statement {
  return sql`
    with sent as materialized (
      -- The offset keeps it from becoming a join that reads all deliveries.
      select d.* from event e cross join lateral (
        select * from webhook_delivery d where d.event_id = e.id offset 0) d
      where e.number > ${after} and e.number <= ${upTo})
    select 'W5: delivery ' || id || ' of event ' || event_id || ' goes elsewhere than the one it '
      || 'repeats' as fault
    from sent where redelivery_of is not null and (
      select o.id from webhook_delivery o where o.id = sent.redelivery_of
        and o.event_id = sent.event_id and o.url = sent.url
        and o.endpoint_id is not distinct from sent.endpoint_id) is null
    union all
    select 'W1: delivery ' || id || ' of event ' || event_id || ' was delivered by no attempt'
    from sent where state = 'DELIVERED' and (
      select a.number from webhook_attempt a where a.delivery_id = sent.id
        and a.status between 200 and 299 limit 1) is null`;
}
