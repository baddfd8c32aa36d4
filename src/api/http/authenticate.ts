// Who calls (api-contract.md 3; service.md, Authentication). Guarantees: at most one database round
// trip, none while keys are remembered; every failure up to the MAC is one and the same 401,
// whatever was wrong; the checks after it (403) are only told to somebody who holds the secret.
// Nothing of the body is parsed here. Not here: how often a signature may be used, which is the
// next step of a request (`mac`).

import type { Scope } from '#access/api-key.ts';
import {
  type ApiKeyRecord,
  type Caller,
  findApiKey,
  findApiKeyByBasic,
  type KeyCache,
} from '#access/caller.ts';
import { addressAllowed } from '#access/ip-address.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db, type Reader, sql } from '#db/db.ts';
import { bytes, defineTable, moment, text } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import type { RequestHeaders } from './request-headers.ts';
import { verifyDigest } from './verify-digest.ts';

export type AuthenticateApp = {
  readonly db: Reader;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly keyCache?: KeyCache | undefined;
};

/** What a signature covers, and where it came from. */
type SignedRequest = {
  readonly headers: RequestHeaders;
  /** As received. */
  readonly body: Uint8Array;
  /** Of the client, behind trusted proxies. */
  readonly address: string;
};

export type Authenticated = {
  readonly caller: Caller;
  /** Hex of the verified MAC; undefined with X-Basic. */
  readonly mac: string | undefined;
};

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** `public` needs no credentials; the others are the replay classes of api-contract.md 3. */
type AuthClass = 'public' | 'read' | 'create' | 'idempotent' | 'money';

/** What a route asks of its caller. */
export type Route = {
  readonly method: (typeof METHODS)[number];
  /** Without the version prefix, lower case, as it is signed. */
  readonly path: string;
  readonly auth: AuthClass;
  /** What the key must be allowed to do; `any` key will do for `any`. */
  readonly scope: Scope | 'any';
  /** X-Basic is a static value that stays valid, so it never opens what moves money. */
  readonly digestOnly: boolean;
};

/** service.md: less than 30 seconds old; and up to 5 s ahead of our clock. */
const AGE_MS_MAX = 30_000;
const AHEAD_MS_MAX = 5_000;

/**
 * At once where the key is remembered: to wait for what is there costs each request of a busy shop
 * something. Throws, or rejects where it had to wait.
 * @throws Refusal unauthenticated or forbidden; Outage when the database is away.
 */
export function authenticate(
  app: AuthenticateApp,
  route: Route,
  request: SignedRequest,
): Authenticated | Promise<Authenticated> {
  assert(route.auth !== 'public', 'a public route asks for no credentials');
  const { headers } = request;
  const basic = headers.get('x-basic');
  const digest = readDigestHeaders(headers);
  // Both at once leave open which of them was meant.
  if ((basic === null) === (digest === undefined)) throw authenticationFailed();
  if (basic !== null) return authenticateBasic(app, route, request, basic);
  assert(digest !== undefined, 'one of the two methods is there');
  const ageMs = app.clock.now().epochMilliseconds - Number(digest.timestamp) * 1000;
  if (ageMs >= AGE_MS_MAX || ageMs < -AHEAD_MS_MAX) throw authenticationFailed();
  // For requests that move money the database is asked each time, so that a key revoked a moment
  // ago moves nothing more.
  const keyCache = route.auth === 'money' ? undefined : app.keyCache;
  const remembered = keyCache?.find(digest.key);
  const proven = remembered && proveDigest(route, request, digest, remembered);
  return proven ?? authenticateDigest({ ...app, keyCache }, route, request, digest, remembered);
}

/** `refused`: a remembered key that the signature is not of. */
async function authenticateDigest(
  app: AuthenticateApp,
  route: Route,
  request: SignedRequest,
  digest: DigestHeaders,
  refused: ApiKeyRecord | undefined,
): Promise<Authenticated> {
  const { keyCache } = app;
  if (refused === undefined) {
    const record = await findApiKey(app, digest.key);
    const authenticated = proveDigest(route, request, digest, record);
    if (authenticated !== undefined) return authenticated;
  }
  // A remembered key is found without the database, an unknown one never is. The difference in
  // time must not tell which keys exist.
  if (keyCache?.find(digest.key) !== undefined)
    await findApiKey({ ...app, keyCache: undefined }, digest.key);
  throw authenticationFailed();
}

type DigestHeaders = {
  readonly key: string;
  readonly signature: string;
  readonly timestamp: string;
};

/**
 * Undefined when none is there. A header sent twice arrives joined by a comma, which no syntax
 * allows.
 */
function readDigestHeaders(headers: RequestHeaders): DigestHeaders | undefined {
  const key = headers.get('x-digest-key');
  const signature = headers.get('x-digest-signature');
  const timestamp = headers.get('x-digest-timestamp');
  if (key === null && signature === null && timestamp === null) return undefined;
  const isSyntax =
    /^[a-z0-9]{12}$/.test(key ?? '') &&
    /^[0-9a-f]{64}$/.test(signature ?? '') &&
    /^[1-9][0-9]{9}$/.test(timestamp ?? '');
  if (!isSyntax || key === null || signature === null || timestamp === null) {
    throw authenticationFailed();
  }
  return { key, signature, timestamp };
}

/** Undefined when key or signature are wrong. @throws Refusal forbidden */
function proveDigest(
  route: Route,
  { body, address }: SignedRequest,
  { signature, timestamp }: DigestHeaders,
  record: ApiKeyRecord | undefined,
): Authenticated | undefined {
  const { method, path } = route;
  const signed = { path, timestampText: timestamp, method, body };
  // An unknown key has no secrets; checking them costs the same.
  const isVerified = verifyDigest(signed, record?.secrets ?? [], signature);
  if (record === undefined || !isVerified) return undefined;
  refuseAddress(route, record, address);
  refuseScope(route, record);
  return { caller: signingCaller(record), mac: signature };
}

const SIGNING_CALLERS = new WeakMap<ApiKeyRecord, Caller>();

/** The same for all requests with a key, as long as it is remembered. */
function signingCaller(record: ApiKeyRecord): Caller {
  const known = SIGNING_CALLERS.get(record);
  if (known !== undefined) return known;
  const caller: Caller = { ...record.caller, method: 'digest' };
  SIGNING_CALLERS.set(record, caller);
  return caller;
}

async function authenticateBasic(
  app: AuthenticateApp,
  route: Route,
  { address }: SignedRequest,
  value: string,
): Promise<Authenticated> {
  const record = await findApiKeyByBasic(app, value);
  if (record === undefined) throw authenticationFailed();
  if (!record.basicAllowed || route.digestOnly) {
    const message = 'X-Basic is not accepted here with this key: use digest authentication';
    throw new Refusal('forbidden', 'method_not_accepted', message);
  }
  refuseAddress(route, record, address);
  refuseScope(route, record);
  return { caller: { ...record.caller, method: 'basic' }, mac: undefined };
}

/** Two settings (api-contract.md 3): who may call at all, and from where money may be moved. */
function refuseAddress(route: Route, { allowed, caller }: ApiKeyRecord, address: string): void {
  const { calls, withdrawals } = allowed;
  if (calls !== undefined && !addressAllowed(calls, address)) {
    const message = `calls from ${address} are not on the IP allow-list of this account`;
    throw new Refusal('forbidden', 'address_not_allowed', message);
  }
  if (route.auth !== 'money' || addressAllowed(withdrawals, address)) return;
  // Whoever calls from behind a router cannot know which address of theirs is seen here.
  const { environment } = caller;
  const how =
    `npx quittance allow-list add ${address} --for withdrawals --environment ${environment}, ` +
    'or IP addresses in the dashboard';
  if (withdrawals.length === 0) {
    const message = `money-moving calls are closed until an address is listed for them: ${how}`;
    throw new Refusal('forbidden', 'allow_list_empty', message);
  }
  const message = `${address} is not listed for money-moving calls: ${how}`;
  throw new Refusal('forbidden', 'address_not_allowed', message);
}

function refuseScope({ scope }: Route, { caller }: ApiKeyRecord): void {
  if (scope === 'any' || caller.scopes === undefined || caller.scopes.includes(scope)) return;
  throw new Refusal('forbidden', 'scope_missing', `this key has no scope ${scope}`);
}

/** One text for all of it: what exactly was wrong helps only somebody who is guessing. */
function authenticationFailed(): Refusal {
  return new Refusal(
    'unauthenticated',
    'authentication_failed',
    'check key, signature, timestamp and signed text',
  );
}

// Signatures of money-moving requests are good for one request (api-contract.md 3, X2). Guarantees:
// of any number of requests with the same signature, in any number of processes and whatever dies
// in between, at most one gets past this. The row is committed before the act begins: a request
// that dies on the way has used its signature up, and its sender signs again.

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
