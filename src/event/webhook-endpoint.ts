// Account-wide receivers of events, beside the webhook URL of each checkout (api-contract.md 7),
// and the SQL of their table. What is sent to one is signed with a secret of its own.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  bytes,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import { DIALECT_EVENTS, type WebhookFormat } from '#dialect/speak-dialect.ts';
import type { Keyring } from '#installation/keyring.ts';
import { lockMerchant } from '#merchant/merchant.ts';
import {
  assertOverlap,
  getMerchantDataKey,
  newWebhookSecret,
  sealText,
  unsealText,
  type WebhookSecrets,
} from '#merchant/merchant-secret.ts';
import { keptApiVersion, LATEST_VERSION } from '#versions/api-version.ts';
import { enqueueTestEvent } from './enqueue-event.ts';
import type { EventType } from './event.ts';

/** Receivers of one account in one environment at a time. */
export const WEBHOOK_ENDPOINTS_MOST = 20;

export const WEBHOOK_ENDPOINT = defineTable('webhook_endpoint', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  url: text(),
  /** Undefined means all. */
  eventTypes: optional(texts<EventType>()),
  /** Key whose secret makes X-Webhook-Auth. */
  apiKey: optional(text()),
  /** In whose words its webhooks are. */
  format: text<WebhookFormat>(),
  /** Of the API, that its events are told in; read by `keptApiVersion`. */
  apiVersion: text(),
  sealedSecret: bytes,
  /** While a rotation is under way. */
  sealedPreviousSecret: selectOnly(optional(bytes)),
  previousSecretUntil: selectOnly(optional(moment)),
  createdAt: moment,
  /** Deleted by the merchant, or switched off by its own answer 410. */
  disabledAt: selectOnly(optional(moment)),
});

const SHOWN = WEBHOOK_ENDPOINT.only(
  'id',
  'merchantId',
  'environment',
  'url',
  'eventTypes',
  'apiKey',
  'format',
  'apiVersion',
  'createdAt',
  'disabledAt',
);
type WebhookEndpoint = Row<typeof SHOWN>;

const SECRETS = WEBHOOK_ENDPOINT.only(
  'merchantId',
  'sealedSecret',
  'sealedPreviousSecret',
  'previousSecretUntil',
);

type App = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: Keyring;
};

/** The secret is told here and never again. */
type Told = { readonly endpoint: WebhookEndpoint; readonly secret: string };

/** @throws Refusal conflict `webhook_endpoints_too_many`. */
export async function createWebhookEndpoint(
  app: App,
  { merchantId, environment, apiKey }: Owner & { readonly apiKey: string },
  request: {
    readonly url: string;
    readonly eventTypes: readonly EventType[] | undefined;
    /** As ours unless given. */
    readonly format?: WebhookFormat | undefined;
    /** The newest unless given. */
    readonly apiVersion?: string | undefined;
    /** A new one unless given. */
    readonly secret?: string | undefined;
  },
): Promise<Told> {
  const id = newId(app.random);
  const { format = 'QUITTANCE' } = request;
  const eventTypes = heardIn(format, request.eventTypes);
  const { secret, sealedSecret } = await newSecret(app, merchantId, id, request.secret);
  const endpoint = {
    id,
    merchantId,
    environment,
    // The lane of its deliveries is cut from this text: one spelling of one origin.
    url: URL.parse(request.url)?.href ?? request.url,
    eventTypes,
    apiKey,
    format,
    apiVersion: request.apiVersion ?? LATEST_VERSION,
    createdAt: app.clock.now(),
    disabledAt: undefined,
  };
  const made = await app.db.transact(async (tx) => {
    // A statement of its own: one that waits for a lock still counts what there was before.
    await lockMerchant(tx, merchantId);
    const unlessTooMany = sql`
      where (select count(*) from webhook_endpoint
        where ${ownedBy(endpoint)} and disabled_at is null) < ${WEBHOOK_ENDPOINTS_MOST}
      returning id`;
    return tx.query(WEBHOOK_ENDPOINT.insert([{ ...endpoint, sealedSecret }], unlessTooMany));
  });
  if (made.length === 0) {
    const message = `an account has at most ${WEBHOOK_ENDPOINTS_MOST} webhook endpoints`;
    throw new Refusal('conflict', 'webhook_endpoints_too_many', message);
  }
  return { endpoint, secret };
}

/** @throws Refusal invalid for what the words of another service do not have. */
function heardIn(
  format: WebhookFormat,
  wanted: readonly EventType[] | undefined,
): readonly EventType[] | undefined {
  if (format === 'QUITTANCE') return wanted;
  const known: readonly EventType[] = DIALECT_EVENTS;
  const unknown = wanted?.find((type) => !known.includes(type));
  if (unknown === undefined) return wanted ?? known;
  throw new Refusal('invalid', 'validation_failed', [
    `eventTypes: ${format} has no word for ${unknown}; it has for ${known.join(', ')}`,
  ]);
}

/** Newest first, those that are switched off included. */
export async function listWebhookEndpoints(
  { db }: { readonly db: Reader },
  owner: Owner,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{
  readonly endpoints: readonly WebhookEndpoint[];
  readonly nextCursor: string | null;
}> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await SHOWN.select(
    db,
    sql`where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  const placeOf = ({ createdAt, id }: WebhookEndpoint) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, placeOf);
  return { endpoints: shown, nextCursor };
}

/**
 * Nothing more is sent to it, but for an attempt that is under way. Its deliveries stay visible.
 * Repeating it changes nothing.
 * @throws Refusal missing `webhook_endpoint_missing`.
 */
export async function disableWebhookEndpoint(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  owner: Owner,
  id: string,
): Promise<void> {
  const now = clock.now();
  const rows = await db.single((tx) =>
    tx.query(sql`
      with closed as (
        update webhook_endpoint set disabled_at = coalesce(disabled_at, ${now}::timestamptz)
        where id = ${id} and ${ownedBy(owner)}
        returning id
      ), stopped as (
        update webhook_delivery d
        set state = 'DISABLED', finished_at = ${now}::timestamptz,
          reason = 'the endpoint was deleted'
        from closed where d.endpoint_id = closed.id and d.state = 'PENDING'
          and (d.lease_until is null or d.lease_until <= ${now}::timestamptz)
      )
      select id from closed`),
  );
  if (rows.length === 0) throw endpointMissing();
}

/**
 * A new secret; both sign until the overlap (0 to 24 hours) is over. A second rotation within it
 * ends the oldest secret.
 * @throws Refusal missing `webhook_endpoint_missing`; conflict `endpoint_disabled`.
 */
export async function rotateWebhookEndpointSecret(
  app: App,
  owner: Owner,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<Told> {
  assertOverlap(overlapHours);
  const { secret, sealedSecret } = await newSecret(app, owner.merchantId, id);
  const endpoint = await app.db.transact(async (tx) => {
    const found = await lockOpen(tx, owner, id);
    tx.send(sql`
      update webhook_endpoint set sealed_secret = ${sealedSecret},
        sealed_previous_secret = sealed_secret,
        previous_secret_until = ${app.clock.now().add({ hours: overlapHours })}
      where id = ${id}`);
    return found;
  });
  return { endpoint, secret };
}

/**
 * In which version of the API it is told of what happens from now on; what has happened is told,
 * also once more, in the version in which it was written down. Repeating it changes nothing.
 * @throws Refusal missing `webhook_endpoint_missing`; conflict `endpoint_disabled`.
 */
export async function pinEndpointVersion(
  { db }: { readonly db: Db },
  owner: Owner,
  { id, apiVersion }: { readonly id: string; readonly apiVersion: string },
): Promise<WebhookEndpoint> {
  return db.transact(async (tx) => {
    const found = await lockOpen(tx, owner, id);
    tx.send(sql`update webhook_endpoint set api_version = ${apiVersion} where id = ${id}`);
    return { ...found, apiVersion };
  });
}

/** @throws Refusal missing `webhook_endpoint_missing`; conflict `endpoint_disabled`. */
async function lockOpen(tx: Tx, owner: Owner, id: string): Promise<WebhookEndpoint> {
  const found = await SHOWN.find(tx, sql`where id = ${id} and ${ownedBy(owner)} for no key update`);
  if (found === undefined) throw endpointMissing();
  if (found.disabledAt !== undefined) {
    throw new Refusal('conflict', 'endpoint_disabled', 'The endpoint is disabled.');
  }
  return found;
}

/**
 * Tells one receiver of something that has not happened, so that its owner sees what it makes of
 * it: written, signed, sent and tried again as every event is, and said to be a test. `data`: JSON
 * text of an object. Wake the delivery loop after the commit. Answers the id of the event.
 * @throws Refusal missing `webhook_endpoint_missing`; conflict `endpoint_disabled`.
 */
export async function sendTestEvent(
  { db, clock, random }: Omit<App, 'keyring'>,
  owner: Owner,
  { id, type, data }: { readonly id: string; readonly type: EventType; readonly data: string },
): Promise<{ readonly eventId: string }> {
  const eventId = newId(random);
  await db.transact(async (tx) => {
    const [receiver] = await tx.query<{ url: string; sequence: number; isDisabled: boolean }>(sql`
      update webhook_endpoint set event_sequence = event_sequence + 1
      where id = ${id} and ${ownedBy(owner)}
      returning url, event_sequence as sequence, disabled_at is not null as "isDisabled"`);
    if (receiver === undefined) throw endpointMissing();
    const { url, sequence, isDisabled } = receiver;
    if (isDisabled) throw new Refusal('conflict', 'endpoint_disabled', 'The endpoint is disabled.');
    const { merchantId, environment } = owner;
    const about = { merchantId, environment, type, subjectId: id, sequence };
    const causeKey = `test-event:${eventId}`;
    enqueueTestEvent(tx, { id: eventId, ...about, causeKey, data, createdAt: clock.now() }, url);
  });
  return { eventId };
}

/** What is sent to it is signed with these. Two queries. */
export async function webhookEndpointSecrets(
  app: { readonly db: Reader; readonly keyring: Keyring },
  endpointId: string,
  now: Temporal.Instant,
): Promise<WebhookSecrets> {
  const found = await SECRETS.find(app.db, sql`where id = ${endpointId}`);
  assert(found !== undefined, `there is no webhook endpoint ${endpointId}`);
  const { merchantId, sealedSecret, sealedPreviousSecret: previous } = found;
  const dataKey = await getMerchantDataKey(app, merchantId);
  const label = labelOf(merchantId, endpointId);
  const open = (sealed: Uint8Array) => unsealText(app.keyring, dataKey, label, sealed);
  const until = found.previousSecretUntil;
  const isOver = until === undefined || Temporal.Instant.compare(until, now) <= 0;
  if (previous === undefined || isOver) return { current: open(sealedSecret) };
  return { current: open(sealedSecret), previous: open(previous) };
}

export function webhookEndpointView(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes ?? null,
    format: endpoint.format,
    apiVersion: keptApiVersion(endpoint.apiVersion),
    timestamp: timestamp(endpoint.createdAt),
    disabledTime: endpoint.disabledAt === undefined ? null : timestamp(endpoint.disabledAt),
  };
}

async function newSecret(
  app: App,
  merchantId: string,
  endpointId: string,
  given?: string,
): Promise<{ readonly secret: string; readonly sealedSecret: Uint8Array }> {
  const secret = given ?? newWebhookSecret(app.random);
  const dataKey = await getMerchantDataKey(app, merchantId);
  const label = labelOf(merchantId, endpointId);
  return { secret, sealedSecret: sealText(app.keyring, dataKey, label, secret) };
}

/** A secret that was moved to another row does not open. */
function labelOf(merchantId: string, endpointId: string): readonly string[] {
  return [merchantId, 'webhook-endpoint', endpointId];
}

function endpointMissing(): Refusal {
  return new Refusal('missing', 'webhook_endpoint_missing', 'id: no such webhook endpoint');
}
