// R5 by looking on: nothing is credited that was not seen final before it or with it. A step that
// makes something final and undoes it again looks in between.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';

type Seen = {
  readonly id: bigint;
  readonly generation: number;
  readonly isFinal: boolean;
  readonly credited: number[];
};

export function listSeen(reader: Reader, { shop }: Story): Promise<Seen[]> {
  return reader.query<Seen>(sql`
    select r.id, r.generation, r.status = 'FINAL' as "isFinal",
      array(select generation from receipt_credit where receipt_id = r.id) as credited
    from receipt r where r.merchant_id = ${shop.merchantId}`);
}

export function checkFinality({ seenFinal }: Story, rows: readonly Seen[]): string[] {
  const broken: string[] = [];
  for (const { id, generation, isFinal, credited } of rows) {
    if (isFinal) seenFinal.add(`${id}/${generation}`);
    for (const one of credited) {
      if (!seenFinal.has(`${id}/${one}`)) {
        broken.push(`R5: receipt ${id} (generation ${one}) was credited and never seen final`);
      }
    }
  }
  return broken;
}
