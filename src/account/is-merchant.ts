import { type Reader, sql } from '#db/db.ts';

export async function isMerchant(reader: Reader, id: string): Promise<boolean> {
  return (await reader.query(sql`select 1 from merchant where id = ${id}`)).length === 1;
}
