// Idempotency-Key (api-contract.md 4). Guarantees: of all requests of a caller with the same key,
// in any number of processes and whatever dies in between, at most one has an effect, because
// effect and stored answer are committed by one transaction; the others get that answer. What was
// refused or failed left nothing behind, so nothing of it is stored and it may be tried again.
// Answers are stored sealed: they may hold secrets, page addresses and claim links. Not guaranteed:
// anything about what an act does outside the database handed to it.
import { createHash } from 'node:crypto';
import type { Endpoint } from '#api/endpoint.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  bytes,
  defineTable,
  insertOnly,
  integer,
  moment,
  type NewRow,
  type Row,
  text,
} from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { getMerchantDataKey, sealText, unsealText } from '#merchant/merchant-secret.ts';
import { FIRST_VERSION } from '#versions/api-version.ts';
import type { RequestHeaders } from './request-headers.ts';
import { textOfAnswer } from './send-refusal.ts';

const KEPT_DAYS = 7;
const KEPT_DAYS_MONEY = 30;
const RUNNING_RETRY_SECONDS = 1;
const FORGOTTEN_AT_ONCE = 100;

export const IDEMPOTENCY_KEY = defineTable('idempotency_key', {
  merchantId: insertOnly(text()),
  environment: insertOnly(text<Environment>()),
  key: insertOnly(text()),
  fingerprint: bytes,
  status: insertOnly(integer),
  sealedAnswer: bytes,
  createdAt: insertOnly(moment),
  keepUntil: insertOnly(moment),
});
type StoredAnswer = Row<typeof IDEMPOTENCY_KEY>;

type AnswerOnceRequest = {
  readonly caller: Owner;
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'auth'>;
  /** The Idempotency-Key as given. */
  readonly key: string;
  readonly body: Uint8Array;
  /** Of the API, that it is answered in. */
  readonly version?: string | undefined;
};

/** @throws Refusal `idempotency_key_malformed`. Undefined where there is none. */
export function readIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headers.get('idempotency-key');
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key ?? undefined;
  const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
  throw new Refusal('invalid', 'idempotency_key_malformed', message);
}

/** Whether a request with the key was answered before, whatever it was. */
export async function isAnswered(
  app: { readonly db: Db; readonly clock: Clock },
  caller: Owner,
  key: string,
): Promise<boolean> {
  return (await findStoredAnswer(app.db, caller, key, app.clock.now())) !== undefined;
}

/**
 * The text of the answer of `act`, which does all it does through the Db it is given, or of the one
 * stored before.
 * @throws Refusal conflict `idempotency_key_running` or mismatch `idempotency_key_reused`.
 */
export function answerOnce(
  app: { readonly db: Db; readonly clock: Clock; readonly keyring: Keyring },
  { caller: { merchantId, environment }, endpoint, key, ...sent }: AnswerOnceRequest,
  act: (db: Db) => Promise<object>,
): Promise<{ readonly text: string; readonly isReplayed: boolean }> {
  const owner = { merchantId, environment };
  const fingerprint = fingerprintOf(endpoint, sent);
  const { keyring } = app;
  const label = [merchantId, 'stored-answer', environment, key];
  return app.db.transact(async (tx) => {
    const now = app.clock.now();
    const [isFree, stored, dataKey] = await Promise.all([
      tryLockKey(tx, owner, key),
      findStoredAnswer(tx, owner, key, now),
      getMerchantDataKey({ db: tx, keyring }, merchantId),
    ]);
    if (stored !== undefined) {
      if (Buffer.compare(stored.fingerprint, fingerprint) !== 0) throw keyReused();
      return { text: unsealText(keyring, dataKey, label, stored.sealedAnswer), isReplayed: true };
    }
    if (!isFree) throw keyRunning();
    const answer = textOfAnswer(await act(dbWithin(tx)));
    const days = endpoint.auth === 'money' ? KEPT_DAYS_MONEY : KEPT_DAYS;
    storeAnswer(tx, {
      ...owner,
      key,
      fingerprint,
      status: 200,
      sealedAnswer: sealText(keyring, dataKey, label, answer),
      createdAt: now,
      keepUntil: now.add({ hours: 24 * days }),
    });
    return { text: answer, isReplayed: false };
  });
}

/** Until the transaction ends, however it ends. False when another transaction holds it. */
export async function tryLockKey(
  tx: Tx,
  { merchantId, environment }: Owner,
  key: string,
): Promise<boolean> {
  const name = ['idempotency', merchantId, environment, key].join('/');
  const [row] = await tx.query<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`);
  return row?.locked === true;
}

function findStoredAnswer(
  reader: Reader,
  owner: Owner,
  key: string,
  now: Temporal.Instant,
): Promise<StoredAnswer | undefined> {
  return IDEMPOTENCY_KEY.find(
    reader,
    sql`where ${ownedBy(owner)} and key = ${key} and keep_until > ${now}::timestamptz`,
  );
}

/** Also forgets a few whose time is over. */
function storeAnswer(tx: Tx, answer: NewRow<typeof IDEMPOTENCY_KEY>): void {
  tx.send(sql`
    delete from idempotency_key where ctid in (
      select ctid from idempotency_key where keep_until <= ${answer.createdAt}::timestamptz
      order by keep_until limit ${FORGOTTEN_AT_ONCE} for update skip locked)`);
  tx.send(
    IDEMPOTENCY_KEY.insert(
      [answer],
      sql`on conflict (merchant_id, environment, key) do update
        set fingerprint = excluded.fingerprint, status = excluded.status,
          sealed_answer = excluded.sealed_answer, created_at = excluded.created_at,
          keep_until = excluded.keep_until`,
    ),
  );
}

/** The first version leaves no mark: its answers were stored before there were others. */
function fingerprintOf(
  { method, path }: AnswerOnceRequest['endpoint'],
  { body, version = FIRST_VERSION }: Pick<AnswerOnceRequest, 'body' | 'version'>,
): Buffer {
  const mark = version === FIRST_VERSION ? '' : ` ${version}`;
  return createHash('sha256').update(`${method} ${path}${mark}\n`).update(body).digest();
}

function keyReused(): Refusal {
  const message = 'this Idempotency-Key was used before with another request: take a new one';
  return new Refusal('mismatch', 'idempotency_key_reused', message);
}

function keyRunning(): Refusal {
  const message = 'a request with this Idempotency-Key is still running: repeat it in a second';
  const options = { retryAfterSeconds: RUNNING_RETRY_SECONDS };
  return new Refusal('conflict', 'idempotency_key_running', message, options);
}
