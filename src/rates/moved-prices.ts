// Which prices moved too far to be held for anybody: whoever knows the new one first would choose
// between it and a quote of a moment ago. Looked up each time, so that every process sees the same
// and none forgets it by starting anew.
import { type Reader, sql } from '#db/db.ts';
import { PRICED_CODES } from './rate.ts';

/** How far a live price may move, from its lowest to its highest, and in which time. */
export type PriceMove = { readonly partsPerMillion: number; readonly minutes: number };

/** Codes of assets and currencies whose live price moved by more than that up to now. */
export async function listMovedCodes(
  reader: Reader,
  { partsPerMillion, minutes }: PriceMove,
  now: Temporal.Instant,
): Promise<string[]> {
  const since = now.subtract({ minutes });
  const rows = await reader.query<{ code: string }>(sql`
    select asked.code from unnest(${PRICED_CODES}::text[]) as asked (code) cross join lateral (
      select min(usd_price) as low, max(usd_price) as high from rate
      where environment = 'live' and rate.code = asked.code
        and observed_at > ${since} and observed_at <= ${now}
    ) as seen
    where seen.high * 1000000 > seen.low * (1000000 + ${partsPerMillion}::integer)
    order by asked.code`);
  return rows.map(({ code }) => code);
}
