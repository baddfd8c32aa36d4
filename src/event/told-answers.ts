// What a payer answered is told with the events of his checkout, and kept with the checkout alone.
// The text of an event names the checkout in their place, and whoever reads the text to send or to
// show it puts them in. Guarantees: who is erased is erased from every event and delivery with it,
// and what was sealed of an event stays as it was. They are put in only once they are fixed, so
// that an event comes with one text until its checkout is erased.

import { type Reader, sql } from '#db/db.ts';

/** As `answersOf` of event.ts makes it. */
const PLACE = /"answers":\{"":"([a-z0-9]{12})"\}/g;

type Told = { readonly merchantId: string; readonly body: string };

/** As they are sent: with the answers as they are now, none once they are erased. */
export async function withAnswers<One extends Told>(
  reader: Reader,
  events: readonly One[],
): Promise<One[]> {
  const ids = events.flatMap(({ body }) => Array.from(body.matchAll(PLACE), ([, id = '']) => id));
  if (ids.length === 0) return [...events];
  const rows = await reader.query<{ merchantId: string; id: string; answers: string | null }>(sql`
    select merchant_id as "merchantId", id, answers from checkout
    where id = any(${ids}::text[])
      and merchant_id = any(${events.map(({ merchantId }) => merchantId)}::text[])`);
  // A text of another merchant's may hold any id.
  const known = new Map(
    rows.map(({ merchantId, id, answers }) => [`${merchantId} ${id}`, answers]),
  );
  return events.map((event) => ({
    ...event,
    body: event.body.replace(
      PLACE,
      (_, id: string) => `"answers":${known.get(`${event.merchantId} ${id}`) ?? '{}'}`,
    ),
  }));
}
