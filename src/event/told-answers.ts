// What a payer answered is told with the events of his checkout, and kept with the checkout alone.
// The text of an event names the checkout in their place, and whoever reads the text to send or to
// show it puts them in. Guarantees: who is erased is erased from every event and delivery with it,
// and what was sealed of an event stays as it was. They are put in only once they are fixed, so
// that an event comes with one text until its checkout is erased.

import { type Reader, sql } from '#db/db.ts';

/** In a text that is kept, in place of the answers: no field of a payer has an empty name. */
export function answersOf(checkoutId: string): Readonly<Record<string, string>> {
  return { '': checkoutId };
}

/** Of an event of that checkout. One that names another is what a shop wrote itself. */
const placeOf = (checkoutId: string) => `"answers":${JSON.stringify(answersOf(checkoutId))}`;

type Told = { readonly subjectId: string; readonly body: string };

/** As they are sent: with the answers as they are now, none once they are erased. */
export async function withAnswers<One extends Told>(
  reader: Reader,
  events: readonly One[],
): Promise<One[]> {
  const hasPlace = ({ subjectId, body }: Told) => body.includes(placeOf(subjectId));
  const ids = events.filter(hasPlace).map(({ subjectId }) => subjectId);
  if (ids.length === 0) return [...events];
  const rows = await reader.query<{ id: string; answers: string | null }>(
    sql`select id, answers from checkout where id = any(${ids}::text[])`,
  );
  const known = new Map(rows.map(({ id, answers }) => [id, answers]));
  return events.map((event) => {
    const answers = known.get(event.subjectId) ?? '{}';
    // Given by a function: a `$` of an answer stands for nothing else.
    const body = event.body.replaceAll(placeOf(event.subjectId), () => `"answers":${answers}`);
    return { ...event, body };
  });
}
