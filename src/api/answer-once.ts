// Idempotency-Key (api-contract.md 4). Guarantees: of all requests of a caller with the same key,
// in any number of processes and whatever dies in between, at most one has an effect, because
// effect and stored answer are committed by one transaction; the others get that answer. What was
// refused or failed left nothing behind, so nothing of it is stored and it may be tried again.
// Answers are stored sealed: they may hold secrets, page addresses and claim links. Not guaranteed:
// anything about what an act does outside the database handed to it.
import { createHash } from 'node:crypto';
import type { Caller } from '#account/caller.ts';
import type { Keyring } from '#account/keyring.ts';
import { getMerchantDataKey, sealText, unsealText } from '#account/merchant-secret.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Endpoint } from './endpoint.ts';
import { findStoredAnswer, storeAnswer, tryLockKey } from './idempotency-store.ts';

const keepDays = 7;
const keepDaysMoney = 30;
const runningRetrySeconds = 1;

export type AnswerOnceRequest = {
  readonly caller: Pick<Caller, 'merchantId' | 'environment'>;
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'auth'>;
  readonly key: string;
  readonly body: Uint8Array;
};

/** @throws Refusal `idempotency_key_malformed`. Undefined where there is none. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key ?? undefined;
  const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
  throw new Refusal('invalid', 'idempotency_key_malformed', message);
}

/** Whether a request with the key was answered before, whatever it was. */
export async function isAnswered(
  app: { readonly db: Db; readonly clock: Clock },
  { merchantId, environment }: AnswerOnceRequest['caller'],
  key: string,
): Promise<boolean> {
  const owner = { merchantId, environment, key };
  return (await findStoredAnswer(app.db, owner, app.clock.now())) !== undefined;
}

/**
 * The text of the answer of `act`, which does all it does through the Db it is given, or of the one
 * stored before.
 * @throws Refusal conflict `idempotency_key_running` or mismatch `idempotency_key_reused`.
 */
export function answerOnce(
  app: { readonly db: Db; readonly clock: Clock; readonly keyring: Keyring },
  { caller, endpoint, key, body }: AnswerOnceRequest,
  act: (db: Db) => Promise<unknown>,
): Promise<{ readonly text: string; readonly isReplayed: boolean }> {
  const owner = { merchantId: caller.merchantId, environment: caller.environment, key };
  const fingerprint = fingerprintOf(endpoint, body);
  const { keyring } = app;
  const label = [caller.merchantId, 'stored-answer', caller.environment, key];
  return app.db.transact(async (tx) => {
    const now = app.clock.now();
    const [isFree, stored, dataKey] = await Promise.all([
      tryLockKey(tx, owner),
      findStoredAnswer(tx, owner, now),
      getMerchantDataKey({ db: tx, keyring }, caller.merchantId),
    ]);
    if (stored !== undefined) {
      if (Buffer.compare(stored.fingerprint, fingerprint) !== 0) throw keyReused();
      const text = unsealText(keyring, dataKey, label, stored.sealedAnswer);
      return { text, isReplayed: true };
    }
    if (!isFree) throw keyRunning();
    const text = stringifyExact(await act(dbWithin(tx)));
    const days = endpoint.auth === 'money' ? keepDaysMoney : keepDays;
    const keepUntil = now.add({ hours: 24 * days });
    const sealedAnswer = sealText(keyring, dataKey, label, text);
    storeAnswer(tx, owner, { fingerprint, status: 200, sealedAnswer }, { now, keepUntil });
    return { text, isReplayed: false };
  });
}

function fingerprintOf({ method, path }: AnswerOnceRequest['endpoint'], body: Uint8Array): Buffer {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest();
}

function keyReused(): Refusal {
  const message = 'this Idempotency-Key was used before with another request: take a new one';
  return new Refusal('mismatch', 'idempotency_key_reused', message);
}

function keyRunning(): Refusal {
  const message = 'a request with this Idempotency-Key is still running: repeat it in a second';
  const options = { retryAfterSeconds: runningRetrySeconds };
  return new Refusal('conflict', 'idempotency_key_running', message, options);
}
