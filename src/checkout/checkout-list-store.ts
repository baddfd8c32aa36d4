// SQL of the list of checkouts, private to this folder.

import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { CheckoutFilter } from './list-checkouts.ts';

/** Only the conditions that are asked for: each can be read from an index, or costs nothing. */
export function listCheckoutPlaces(
  reader: Reader,
  owner: { readonly merchantId: string; readonly environment: Environment },
  { state, from, to, customerId, meta }: CheckoutFilter,
  { cursor, most }: { readonly cursor: PagePlace | undefined; readonly most: number },
): Promise<PagePlace[]> {
  const { at, id } = placeNewestFirst(cursor);
  const conditions = [
    ...(state === undefined ? [] : [sql`and state = ${state}`]),
    ...(from === undefined ? [] : [sql`and created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`and created_at < ${to}`]),
    ...(customerId === undefined ? [] : [sql`and customer_id = ${customerId}`]),
    ...(meta.size === 0 ? [] : [holdsMeta(meta)]),
  ].reduce((all, condition) => sql`${all} ${condition}`, sql``);
  return reader.query<PagePlace>(sql`
    select id, created_at as at from checkout
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
      and (created_at, id) < (${at}, ${id}) ${conditions}
    order by created_at desc, id desc limit ${most}`);
}

/** `meta` is compared as the JSON text it came as: no number is rounded, none is too large. */
function holdsMeta(meta: ReadonlyMap<string, string>): Statement {
  return sql`and not exists (
    select 1 from unnest(${[...meta.keys()]}::text[], ${[...meta.values()]}::text[])
      as wanted(name, value)
    where (meta::json ->> wanted.name) is distinct from wanted.value)`;
}
