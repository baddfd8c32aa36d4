// Signatures of money-moving requests are good for one request (api-contract.md 3, X2). Guarantees:
// of any number of requests with the same signature, in any number of processes and whatever dies
// in between, at most one gets past this. The row is committed before the act begins: a request
// that dies on the way has used its signature up, and its sender signs again.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db, sql, type Tx } from '#db/db.ts';

/** Longer than a signature is accepted by its age, so that a forgotten one is worthless. */
const keptSeconds = 120;

/** @throws Refusal conflict `signature_used`. `mac` is the hexadecimal text that was verified. */
export async function useSignature(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { apiKey, mac }: { readonly apiKey: string; readonly mac: string },
): Promise<void> {
  const usedAt = clock.now();
  const row = { apiKey, mac: Uint8Array.fromHex(mac), usedAt };
  const forgetBefore = usedAt.subtract({ seconds: keptSeconds });
  try {
    await db.single((tx) => insertUsedSignature(tx, row, forgetBefore));
  } catch (error) {
    const isUsed =
      error instanceof ConstraintViolation && error.constraint === 'used_signature_pkey';
    if (!isUsed) throw error;
    const message = 'this signature was used before: sign the request again with the time of now';
    throw new Refusal('conflict', 'signature_used', message, { cause: error });
  }
}

/** Also forgets a few of the signatures used before `forgetBefore`. */
async function insertUsedSignature(
  tx: Tx,
  row: { readonly apiKey: string; readonly mac: Uint8Array; readonly usedAt: Temporal.Instant },
  forgetBefore: Temporal.Instant,
): Promise<void> {
  await tx.query(sql`
    with old as (
      delete from used_signature where (api_key, mac) in (
        select api_key, mac from used_signature where used_at < ${forgetBefore}::timestamptz
        order by used_at limit 100 for update skip locked)
    )
    insert into used_signature (api_key, mac, used_at)
    values (${row.apiKey}, ${row.mac}, ${row.usedAt})`);
}
