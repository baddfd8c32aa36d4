import { type Reader, sql, type Tx } from '#db/db.ts';
import type { LogoDrawing } from './logo.ts';

export function deleteLogo(tx: Tx, merchantId: string): void {
  tx.send(sql`delete from merchant_logo where merchant_id = ${merchantId}`);
}

export function insertLogoDrawing(tx: Tx, merchantId: string, drawing: LogoDrawing): void {
  const { scale, hash, ink, width, height, content } = drawing;
  tx.send(sql`
    insert into merchant_logo (merchant_id, scale, hash, ink, width, height, content)
    values (${merchantId}, ${scale}, ${hash}, ${ink}, ${width}, ${height}, ${content})`);
}

/** Nobody else changes its logo until the transaction ends. False for an unknown merchant. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from merchant where id = ${merchantId} for no key update`);
  return rows.length > 0;
}

export async function selectLogoContent(
  reader: Reader,
  hash: string,
  merchantId: string | null,
): Promise<Uint8Array | undefined> {
  const [row] = await reader.query<{ content: Uint8Array }>(sql`
    select content from merchant_logo where hash = ${hash}
      ${merchantId === null ? sql`` : sql`and merchant_id = ${merchantId}`}
    limit 1`);
  return row?.content;
}
