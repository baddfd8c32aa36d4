// SQL of webhook_endpoint, private to this folder.

import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { EventOwner, EventType } from './event.ts';
import { type WebhookEndpoint, webhookEndpointsMost } from './webhook-endpoint.ts';

type WebhookEndpointRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  url: string;
  event_types: EventType[] | null;
  api_key: string | null;
  created_at: Temporal.Instant;
  disabled_at: Temporal.Instant | null;
};

/**
 * False when the account has as many as it may have: counted once nobody else is making one. Two
 * statements, because one that waits for a lock still counts what there was before.
 */
export async function insertWebhookEndpoint(
  tx: Tx,
  made: WebhookEndpoint,
  sealedSecret: Uint8Array,
): Promise<boolean> {
  await tx.query(sql`select from merchant where id = ${made.merchantId} for no key update`);
  const rows = await tx.query(sql`
    insert into webhook_endpoint (id, merchant_id, environment, url, event_types, sealed_secret,
      api_key, created_at)
    select ${made.id}, ${made.merchantId}, ${made.environment}, ${made.url},
      ${made.eventTypes ?? null}::text[], ${sealedSecret}::bytea, ${made.apiKey ?? null},
      ${made.createdAt}::timestamptz
    where (select count(*) from webhook_endpoint
      where merchant_id = ${made.merchantId} and environment = ${made.environment}
        and disabled_at is null) < ${webhookEndpointsMost}
    returning id`);
  return rows.length === 1;
}

export async function listWebhookEndpointRows(
  reader: Reader,
  owner: EventOwner,
  { cursor, most }: { readonly cursor: PagePlace | undefined; readonly most: number },
): Promise<WebhookEndpoint[]> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await reader.query<WebhookEndpointRow>(sql`
    select id, merchant_id, environment, url, event_types, api_key, created_at, disabled_at
    from webhook_endpoint
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
      and (created_at, id) < (${at}, ${id})
    order by created_at desc, id desc limit ${most}`);
  return rows.map(toEndpoint);
}

/** With what waits to be sent to it. False when there is none of this owner. */
export async function disableWebhookEndpoint(
  tx: Tx,
  owner: EventOwner,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    with closed as (
      update webhook_endpoint set disabled_at = coalesce(disabled_at, ${now}::timestamptz)
      where id = ${id} and merchant_id = ${owner.merchantId}
        and environment = ${owner.environment}
      returning id
    ), stopped as (
      update webhook_delivery d
      set state = 'DISABLED', finished_at = ${now}::timestamptz, reason = 'the endpoint was deleted'
      from closed where d.endpoint_id = closed.id and d.state = 'PENDING'
        and (d.lease_until is null or d.lease_until <= ${now}::timestamptz)
    )
    select id from closed`);
  return rows.length === 1;
}

export type SealedEndpointSecrets = {
  readonly merchantId: string;
  readonly current: Uint8Array;
  readonly previous: Uint8Array | null;
  readonly previousUntil: Temporal.Instant | null;
};

export async function findSealedEndpointSecrets(
  reader: Reader,
  id: string,
): Promise<SealedEndpointSecrets | undefined> {
  const [row] = await reader.query<SealedEndpointSecrets>(sql`
    select merchant_id as "merchantId", sealed_secret as current,
      sealed_previous_secret as previous, previous_secret_until as "previousUntil"
    from webhook_endpoint where id = ${id}`);
  return row;
}

/** Locked until the end of the transaction. Undefined when there is none of this owner. */
export async function lockWebhookEndpoint(
  tx: Tx,
  owner: EventOwner,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<WebhookEndpointRow>(sql`
    select id, merchant_id, environment, url, event_types, api_key, created_at, disabled_at
    from webhook_endpoint
    where id = ${id} and merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    for no key update`);
  return row === undefined ? undefined : toEndpoint(row);
}

export function replaceEndpointSecret(
  tx: Tx,
  id: string,
  next: { readonly sealed: Uint8Array; readonly previousUntil: Temporal.Instant },
): void {
  tx.send(sql`
    update webhook_endpoint set sealed_secret = ${next.sealed},
      sealed_previous_secret = sealed_secret, previous_secret_until = ${next.previousUntil}
    where id = ${id}`);
}

function toEndpoint(row: WebhookEndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    url: row.url,
    eventTypes: row.event_types ?? undefined,
    apiKey: row.api_key ?? undefined,
    createdAt: row.created_at,
    disabledAt: row.disabled_at ?? undefined,
  };
}
