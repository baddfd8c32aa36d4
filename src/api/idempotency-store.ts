import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';

export type KeyOwner = {
  readonly merchantId: string;
  readonly environment: Environment;
  /** The Idempotency-Key as given. */
  readonly key: string;
};

export type StoredAnswer = {
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly sealedAnswer: Uint8Array;
};

/** Until the transaction ends, however it ends. False when another transaction holds it. */
export async function tryLockKey(
  tx: Tx,
  { merchantId, environment, key }: KeyOwner,
): Promise<boolean> {
  const name = ['idempotency', merchantId, environment, key].join('/');
  const [row] = await tx.query<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`);
  return row?.locked === true;
}

export async function findStoredAnswer(
  reader: Reader,
  { merchantId, environment, key }: KeyOwner,
  now: Temporal.Instant,
): Promise<StoredAnswer | undefined> {
  const [row] = await reader.query<StoredAnswer>(sql`
    select fingerprint, status, sealed_answer as "sealedAnswer" from idempotency_key
    where merchant_id = ${merchantId} and environment = ${environment} and key = ${key}
      and keep_until > ${now}::timestamptz`);
  return row;
}

/** Also forgets a few whose time is over. */
export function storeAnswer(
  tx: Tx,
  { merchantId, environment, key }: KeyOwner,
  { fingerprint, status, sealedAnswer }: StoredAnswer,
  { now, keepUntil }: { readonly now: Temporal.Instant; readonly keepUntil: Temporal.Instant },
): void {
  tx.send(sql`
    delete from idempotency_key where ctid in (
      select ctid from idempotency_key where keep_until <= ${now}::timestamptz
      order by keep_until limit 100 for update skip locked)`);
  tx.send(sql`
    insert into idempotency_key
      (merchant_id, environment, key, fingerprint, status, sealed_answer, created_at, keep_until)
    values (${merchantId}, ${environment}, ${key}, ${fingerprint}, ${status},
      ${sealedAnswer}, ${now},
            ${keepUntil})
    on conflict (merchant_id, environment, key) do update set fingerprint = excluded.fingerprint,
      status = excluded.status, sealed_answer = excluded.sealed_answer,
      created_at = excluded.created_at,
      keep_until = excluded.keep_until`);
}
