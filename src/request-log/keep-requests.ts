// Requests on their way into the log. Guarantees: noting one costs a request no statement and no
// wait, and never throws; what waits is bounded in number and bytes; what is too much, or cannot be
// written, is missed and counted, and the count is written as soon as anything can be.
// Not guaranteed: that each request is in the log. A process that dies takes a second of it along.

import { findKeyOwners, noteOlderVersions } from '#access/api-key.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Db } from '#db/db.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { type ApiRequest, addMissed, insertRequests, type MissedCount } from './api-request.ts';
import { cutBody, cutHeaders, cutQuery, READ_BYTES_MOST } from './cut-secrets.ts';

/** Of one key in a minute; of one that nobody proved. */
const KEY_MOST = 600;
const UNPROVEN_MOST = 60;
const WAITING_MOST = 2_000;
const WAITING_BYTES_MOST = 16 * 1024 * 1024;
/** Read, cut and written at once: some milliseconds of work. */
const BATCH = 100;
const MINUTE_MS = 60_000;

/** As it came and as it was answered; nothing cut yet. */
export type NotedRequest = Pick<
  ApiRequest,
  'id' | 'apiKey' | 'scope' | 'method' | 'path' | 'status' | 'errorCode' | 'durationMs' | 'address'
> & {
  /** Whose the key is; undefined: nobody proved it, and nothing is kept of what was sent. */
  readonly owner: Owner | undefined;
  /** Of the API; undefined: it was refused before that was known. */
  readonly version?: string | undefined;
  readonly query: string;
  readonly requestHeaders: Iterable<readonly [name: string, value: string]>;
  readonly requestBody: Uint8Array;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answerBody: string;
};

type Waiting = Omit<NotedRequest, 'requestBody' | 'answerBody'> & {
  readonly at: Temporal.Instant;
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** Undefined: too long to be looked through. */
  readonly requestBody: Uint8Array | undefined;
  readonly answerBody: string | undefined;
};

export type RequestLog = {
  note(request: NotedRequest): void;
  /** Writes what waits, a batch of it. @throws what the database says */
  write(): Promise<'idle' | 'busy'>;
};

type RequestLogApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

export function createRequestLog(app: RequestLogApp): RequestLog {
  const { clock } = app;
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let minute = 0;
  const ofMinute = new Map<string, number>();
  /** Counted without an hour, since a count costs each request something: it is that of writing. */
  const missed = new Map<string, { readonly owner: Owner; requests: bigint }>();

  function isTooMany(key: string, most: number): boolean {
    const now = Math.floor(clock.monotonicMs() / MINUTE_MS);
    if (now !== minute) ofMinute.clear();
    minute = now;
    const count = (ofMinute.get(key) ?? 0) + 1;
    ofMinute.set(key, count);
    return count > most;
  }

  function miss(owner: Owner | undefined, requests = 1n): void {
    // Of a key that nobody proved it is not known whose count it is.
    if (owner === undefined) return;
    const key = `${owner.merchantId} ${owner.environment}`;
    const known = missed.get(key);
    if (known === undefined) missed.set(key, { owner, requests });
    else known.requests += requests;
  }

  function takeMissed(): MissedCount[] {
    if (missed.size === 0) return [];
    const hour = clock.now().round({ smallestUnit: 'hour', roundingMode: 'floor' });
    const counts = Array.from(missed.values(), ({ owner, requests }) => {
      const { merchantId, environment } = owner;
      return { merchantId, environment, hour, requests };
    });
    missed.clear();
    return counts;
  }

  return {
    note(request) {
      const { owner, apiKey } = request;
      const most = owner === undefined ? UNPROVEN_MOST : KEY_MOST;
      const bucket = owner === undefined ? `${apiKey}?` : apiKey;
      const isFull = waiting.length >= WAITING_MOST || waitingBytes >= WAITING_BYTES_MOST;
      if (isFull || isTooMany(bucket, most)) {
        miss(owner);
        return;
      }
      const one = toWaiting(request, clock.now());
      waiting.push(one);
      waitingBytes += bytesOf(one);
    },
    async write() {
      const batch = waiting.splice(0, BATCH);
      const counts = takeMissed();
      waitingBytes -= batch.reduce((sum, one) => sum + bytesOf(one), 0);
      if (batch.length === 0 && counts.length === 0) return 'idle';
      try {
        await writeBatch(app, batch, counts);
      } catch (error) {
        for (const { owner } of batch) miss(owner);
        for (const { requests, ...owner } of counts) miss(owner, requests);
        app.log.warn('requests are not in the log', { count: batch.length, error });
        throw error;
      }
      return waiting.length > 0 ? 'busy' : 'idle';
    },
  };
}

function toWaiting(request: NotedRequest, at: Temporal.Instant): Waiting {
  const { owner, requestBody, answerBody } = request;
  const answerBytes = Buffer.byteLength(answerBody);
  const keeps = (bytes: number) => owner !== undefined && bytes <= READ_BYTES_MOST;
  return {
    ...request,
    at,
    requestBytes: requestBody.length,
    answerBytes,
    requestBody: keeps(requestBody.length) ? requestBody : undefined,
    answerBody: keeps(answerBytes) ? answerBody : undefined,
  };
}

/** What one holds in memory, about. */
function bytesOf({ requestBody, answerBody, query }: Waiting): number {
  return 2_000 + query.length + (requestBody?.length ?? 0) + 2 * (answerBody?.length ?? 0);
}

async function writeBatch(
  { db }: RequestLogApp,
  batch: readonly Waiting[],
  counts: readonly MissedCount[],
): Promise<void> {
  const unproven = batch.filter(({ owner }) => owner === undefined).map(({ apiKey }) => apiKey);
  const owners = await findKeyOwners(db, [...new Set(unproven)]);
  const rows = batch.flatMap((one) => {
    const owner = one.owner ?? owners.get(one.apiKey);
    return owner === undefined ? [] : [toRow(one, owner)];
  });
  await db.transact(async (tx) => {
    insertRequests(tx, rows);
    addMissed(tx, counts);
    noteOlderVersions(tx, askedInOlder(batch));
  });
}

/** Of each key the last one. */
function askedInOlder(batch: readonly Waiting[]) {
  const asked = batch.flatMap(({ apiKey, owner, version = LATEST_VERSION, at }) =>
    owner === undefined || version === LATEST_VERSION ? [] : [{ apiKey, version, at }],
  );
  return [...new Map(asked.map((one) => [one.apiKey, one])).values()];
}

function toRow(one: Waiting, { merchantId, environment }: Owner): ApiRequest {
  const { id, apiKey, scope, method, path, status, errorCode, durationMs, address } = one;
  const { at, requestBytes, answerBytes, requestBody, answerBody } = one;
  const isProven = one.owner !== undefined;
  return {
    ...{ id, merchantId, environment, apiKey, scope, method, path, status, errorCode, durationMs },
    ...{ address, requestBytes, answerBytes, at },
    query: isProven ? cutQuery(one.query) : undefined,
    requestHeaders: isProven ? cutHeaders(one.requestHeaders) : undefined,
    requestBody: cutBody(requestBody && new TextDecoder().decode(requestBody)),
    answerHeaders: isProven ? cutHeaders(Object.entries(one.answerHeaders)) : undefined,
    answerBody: cutBody(answerBody),
  };
}
