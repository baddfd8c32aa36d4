// What owners of a contract of ours (a Safe) have signed, by the hash that they sign: whoever
// drafts the same again needs nobody to sign twice. And the SQL of the table.
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, insertOnly, moment, text } from '#db/table.ts';
import type { OwnerSignature } from '#deposit/money-out.ts';

export const OWNER_SIGNATURE = defineTable('owner_signature', {
  chain: text<ChainId>(),
  digest: text(),
  owner: text(),
  signature: text(),
  enteredAt: insertOnly(moment),
});

export function listOwnerSignatures(
  reader: Reader,
  chain: ChainId,
  digest: string,
): Promise<readonly OwnerSignature[]> {
  return OWNER_SIGNATURE.select(
    reader,
    sql`where chain = ${chain} and digest = ${digest} order by owner`,
  );
}

/** One of an owner who signed it already stays as it is. */
export function insertOwnerSignatures(
  tx: Tx,
  { chain, digest }: { readonly chain: ChainId; readonly digest: string },
  signatures: readonly OwnerSignature[],
  enteredAt: Temporal.Instant,
): void {
  if (signatures.length === 0) return;
  const rows = signatures.map(({ owner, signature }) => {
    return { chain, digest, owner, signature, enteredAt };
  });
  tx.send(OWNER_SIGNATURE.insert(rows, sql`on conflict do nothing`));
}
