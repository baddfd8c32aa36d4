import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { EventOwner } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { listWebhookEndpointRows } from './webhook-endpoint-store.ts';

/** Newest first, those that are switched off included. */
export async function listWebhookEndpoints(
  { db }: { readonly db: Reader },
  owner: EventOwner,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{
  readonly endpoints: readonly WebhookEndpoint[];
  readonly nextCursor: string | null;
}> {
  const rows = await listWebhookEndpointRows(db, owner, { cursor, most: limit + 1 });
  const place = ({ createdAt, id }: WebhookEndpoint) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, place);
  return { endpoints: shown, nextCursor };
}
