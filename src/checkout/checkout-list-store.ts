// SQL of the list of checkouts, private to this folder.

import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';
import type { CheckoutFilter } from './list-checkouts.ts';

/** `meta` is compared as the JSON text it came as: no number is rounded, none is too large. */
export function listCheckoutPlaces(
  reader: Reader,
  owner: { readonly merchantId: string; readonly environment: Environment },
  { state, from, to, customerId, meta }: CheckoutFilter,
  { cursor, most }: { readonly cursor: PagePlace | undefined; readonly most: number },
): Promise<PagePlace[]> {
  return reader.query<PagePlace>(sql`
    select id, created_at as at from checkout
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
      and (${cursor?.at ?? null}::timestamptz is null
        or (created_at, id) < (${cursor?.at ?? null}::timestamptz, ${cursor?.id ?? null}::text))
      and (${state ?? null}::text is null or state = ${state ?? null}::text)
      and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or created_at < ${to ?? null}::timestamptz)
      and (${customerId ?? null}::text is null or customer_id = ${customerId ?? null}::text)
      and not exists (
        select 1 from unnest(${[...meta.keys()]}::text[], ${[...meta.values()]}::text[])
          as wanted(name, value)
        where (meta::json ->> wanted.name) is distinct from wanted.value)
    order by created_at desc, id desc limit ${most}`);
}
