// Signatures of money-moving requests are good for one request (api-contract.md 3, X2). Guarantees:
// of any number of requests with the same signature, in any number of processes and whatever dies
// in between, at most one gets past this. The row is committed before the act begins: a request
// that dies on the way has used its signature up, and its sender signs again.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db } from '#db/db.ts';
import { insertUsedSignature } from './signature-store.ts';

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
