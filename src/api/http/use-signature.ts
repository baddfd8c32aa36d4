// Signatures of money-moving requests are good for one request (api-contract.md 3, X2). Guarantees:
// of any number of requests with the same signature, in any number of processes and whatever dies
// in between, at most one gets past this. The row is committed before the act begins: a request
// that dies on the way has used its signature up, and its sender signs again.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db, sql } from '#db/db.ts';
import { bytes, defineTable, moment, text } from '#db/table.ts';

export const USED_SIGNATURE = defineTable('used_signature', {
  apiKey: text(),
  mac: bytes,
  usedAt: moment,
});

/** Longer than a signature is accepted by its age, so that a forgotten one is worthless. */
const KEPT_SECONDS = 120;

/** @throws Refusal conflict `signature_used`. `mac` is the hexadecimal text that was verified. */
export async function useSignature(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { apiKey, mac }: { readonly apiKey: string; readonly mac: string },
): Promise<void> {
  const usedAt = clock.now();
  const row = { apiKey, mac: Uint8Array.fromHex(mac), usedAt };
  const forgetBefore = usedAt.subtract({ seconds: KEPT_SECONDS });
  // Also forgets a few of the old ones.
  const use = sql`
    with old as (
      delete from used_signature where (api_key, mac) in (
        select api_key, mac from used_signature where used_at < ${forgetBefore}::timestamptz
        order by used_at limit 100 for update skip locked)
    )
    ${USED_SIGNATURE.insert([row])}`;
  try {
    await db.single((tx) => tx.query(use));
  } catch (error) {
    const isUsed =
      error instanceof ConstraintViolation && error.constraint === 'used_signature_pkey';
    if (!isUsed) throw error;
    const message = 'this signature was used before: sign the request again with the time of now';
    throw new Refusal('conflict', 'signature_used', message, { cause: error });
  }
}
