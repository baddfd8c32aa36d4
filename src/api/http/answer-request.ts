// One request from its bytes to its answer, in the order of api-contract.md 3:
//   client IP -> size and framing -> exact route -> header syntax -> age -> key -> MAC
//   -> method allowed and IP allow-list -> scope -> replay class -> rate limit -> strict JSON ->
//   schema -> object in tenant
// (Repeats of the class `create` are counted at the act: what an Idempotency-Key replays is none.)
// Guarantees: nothing of a body is parsed before its sender is known; every failure becomes an
// answer in the one shape; an answer always carries its request id. Knows no HTTP library and no
// socket.

import type { IncomingMessage } from 'node:http';
import type { Caller } from '#access/caller.ts';
import { type ApiApp, BASE_PATH, type Call, type Endpoint } from '#api/endpoint.ts';
import { findRoutes } from '#api/routes.ts';
import { actFrom } from '#audit/acting-from.ts';
import { assert } from '#base/assert.ts';
import { isId, newId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { answerInVersion, faultsInVersion, requestInNewest } from '#versions/adapt-version.ts';
import { FIRST_VERSION, readApiVersion, VERSION_HEADER } from '#versions/api-version.ts';
import { deprecationHeaders } from '#versions/deprecations.ts';
import { answerOnce, isAnswered, readIdempotencyKey } from './answer-once.ts';
import { type Authenticated, authenticate, useSignature } from './authenticate.ts';
import { entityTagOf, isNamed } from './entity-tag.ts';
import {
  clientAddress,
  type RateLimitSettings,
  type RateLimits,
  type ReplayWindow,
} from './limits.ts';
import { pageLinks } from './page-links.ts';
import { readInput, refuseFraming } from './read-input.ts';
import type { RequestHeaders } from './request-headers.ts';
import {
  type Answer,
  DocumentAnswer,
  notModifiedAnswer,
  refusalAnswer,
  successAnswer,
  textOfAnswer,
} from './send-refusal.ts';

/** With its body, and what is noted of it for whoever counts requests. */
export type WithBody = IncomingMessage & { rawBody?: Buffer; route?: string };

/** As received: nothing decoded, nothing normalised. */
export type ReceivedRequest = {
  readonly method: string;
  /** Origin form: path and query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
  /** Told of the route as the program names it, with its parameters open. */
  readonly onRoute?: (template: string) => void;
};

export type AnswerRequestApp = ApiApp & {
  readonly config: {
    /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly string[];
    readonly rateLimits: RateLimitSettings;
  };
};

/** What is remembered from request to request, in this process. */
type RequestMemory = {
  readonly replays: ReplayWindow;
  readonly limits: RateLimits;
};

/** The body of the answer and the headers that are not those of every answer. */
type CarriedOut = {
  readonly text: string;
  readonly extra: Readonly<Record<string, string>>;
  /** The caller has this text already. */
  readonly isKnown?: boolean;
};

/** What became known of a request on its way. */
type Seen = {
  /** Those only the place of failure knows, as `allow`. */
  readonly refusalHeaders: Record<string, string>;
  /** Where the caller stands with the limits that count it. */
  readonly limitHeaders: Record<string, string>;
  /** Which version it is answered in, and that it uses what has something newer. */
  versionHeaders: Readonly<Record<string, string>>;
  version?: string;
  /** One that asks for credentials. */
  endpoint?: Endpoint;
  address?: string;
  /** Whose key was proven. */
  caller?: Caller;
};

const ORIGIN_URL_MAX = 2048;
const REPLAYED_HEADERS = { 'idempotent-replayed': 'true' };

export async function answerRequest(
  app: AnswerRequestApp,
  memory: RequestMemory,
  request: ReceivedRequest,
): Promise<Answer> {
  const requestId = newId(app.random);
  const startedMs = app.clock.monotonicMs();
  const seen: Seen = { refusalHeaders: {}, limitHeaders: {}, versionHeaders: {} };
  let answer: Answer;
  try {
    const { text, extra, isKnown = false } = await carryOut(app, memory, request, seen);
    const headers = { ...seen.limitHeaders, ...seen.versionHeaders };
    addHeaders(headers, extra);
    answer = isKnown
      ? notModifiedAnswer(requestId, headers)
      : successAnswer(text, requestId, headers);
  } catch (error) {
    const headers = { ...seen.limitHeaders, ...seen.versionHeaders, ...seen.refusalHeaders };
    answer = refusalAnswer(inVersionOf(seen, error), requestId, app.log, headers);
  }
  const { endpoint, address = '', caller, version } = seen;
  if (endpoint !== undefined) {
    const namedKey = request.headers.get('x-digest-key') ?? '';
    const asked = { scope: endpoint.scope, address, caller, namedKey, version };
    noteRequest(app, request, { requestId, startedMs, asked, answer });
  }
  return answer;
}

/** What the log says of who asked, and for what. */
export type Asked = {
  readonly scope: string;
  readonly address: string;
  /** Whose key was proven. */
  readonly caller?: Caller | undefined;
  /** Empty where none was named. */
  readonly namedKey: string;
  readonly version?: string | undefined;
};

/** Into the log of the shop whose key was proven, or named; nobody waits for it. */
export function noteRequest(
  { requestLog, clock }: AnswerRequestApp,
  { method, target, headers, body }: ReceivedRequest,
  answered: {
    readonly requestId: string;
    readonly startedMs: number;
    readonly asked: Asked;
    readonly answer: Answer;
  },
): void {
  const { requestId, startedMs, asked, answer } = answered;
  const { scope, address, caller, namedKey, version } = asked;
  const apiKey = caller?.apiKey ?? namedKey;
  if (requestLog === undefined || !isId(apiKey)) return;
  const [path, query] = splitTarget(target);
  requestLog.note({
    id: requestId,
    owner: caller,
    ...{ apiKey, scope, method, path, query, address, version },
    status: answer.status,
    errorCode: answer.headers['x-error-code'],
    durationMs: Math.round(clock.monotonicMs() - startedMs),
    requestHeaders: headers,
    requestBody: body,
    answerHeaders: answer.headers,
    answerBody: answer.body,
  });
}

async function carryOut(
  app: AnswerRequestApp,
  memory: RequestMemory,
  request: ReceivedRequest,
  seen: Seen,
): Promise<CarriedOut> {
  const { headers, body, target } = request;
  const forwardedFor = headers.get('x-forwarded-for');
  const address = clientAddress(request.remoteAddress, forwardedFor, app.config.trustedProxies);
  const [path = '', query = ''] = splitTarget(target);
  const endpoint = findEndpoint(memory, request, path, address, seen);
  request.onRoute?.(`${BASE_PATH}${endpoint.template ?? endpoint.path}`);
  if (endpoint.auth !== 'public') Object.assign(seen, { endpoint, address });

  const originUrl = originUrlOf(headers);
  const callOf = <Who>(caller: Who) => new ReceivedCall(request, originUrl, caller);
  if (endpoint.auth === 'public') {
    memory.limits.takeAnonymous(address, seen.limitHeaders);
    const call: Call = callOf(undefined);
    const value = await endpoint.answer(app, call, readVersioned(endpoint, request, query, seen));
    return answerText(endpoint, request, inVersion(endpoint, seen, value));
  }
  const proof = authenticateLimited(app, memory, endpoint, request, address, seen);
  const authenticated = proof instanceof Promise ? await proof : proof;
  const { caller } = authenticated;
  const key = endpoint.method === 'POST' ? readIdempotencyKey(headers) : undefined;
  const input = readVersioned(endpoint, request, query, seen);
  const call = callOf(callerInVersion(caller, seen));
  if (endpoint.method === 'GET') {
    const value = await endpoint.answer(app, call, input);
    return answerText(endpoint, request, inVersion(endpoint, seen, value));
  }
  const act = async (db: Db) => {
    if (endpoint.auth === 'create') refuseRepeat(memory.replays, authenticated);
    const actApp = db === app.db ? app : { ...app, db };
    const value = await actFrom(address, () => endpoint.answer(actApp, call, input));
    return inVersion(endpoint, seen, value);
  };
  if (key === undefined) return answerText(endpoint, request, await act(app.db));
  const beforehand = endpoint.beforehand?.(app, call, input);
  if (beforehand !== undefined && !(await isAnswered(app, caller, key))) await beforehand();
  const { text, isReplayed } = await answerOnce(
    app,
    { caller, endpoint, key, body, version: seen.version },
    act,
  );
  return { text, extra: isReplayed ? REPLAYED_HEADERS : {} };
}

/**
 * In the newest shape. The version is that of the header, else that of the key, else the oldest.
 * @throws Refusal `version_unknown`, and what is wrong with the input.
 */
function readVersioned(
  endpoint: Endpoint,
  { headers, body }: ReceivedRequest,
  query: string,
  seen: Seen,
): ExactJson {
  const { operationId } = endpoint;
  const named = headers.get(VERSION_HEADER);
  const kept = seen.caller?.apiVersion;
  const usual = kept ?? FIRST_VERSION;
  // Also what is said to one that is not known.
  seen.versionHeaders = { [VERSION_HEADER]: usual };
  const version = named === null ? usual : readApiVersion(named);
  seen.version = version;
  if (version !== usual) seen.versionHeaders = { [VERSION_HEADER]: version };
  const input = readInput(endpoint, body, query);
  // Who names no version where nobody is asked who he is does not use an older one.
  const isUsed = named !== null || kept !== undefined;
  const notices = isUsed ? deprecationHeaders(version, operationId, input) : undefined;
  if (notices !== undefined) seen.versionHeaders = { ...seen.versionHeaders, ...notices };
  return requestInNewest(version, operationId, input);
}

function inVersion({ operationId }: Endpoint, { version }: Seen, value: object): object {
  if (version === undefined || value instanceof DocumentAnswer) return value;
  return answerInVersion(version, operationId, value);
}

/** A refusal names fields as the caller does. */
function inVersionOf({ endpoint, version }: Seen, error: unknown): unknown {
  if (!(error instanceof Refusal) || endpoint === undefined || version === undefined) return error;
  const { kind, code, details, retryAfterSeconds } = error;
  const said = faultsInVersion(version, endpoint.operationId, details);
  if (said === details) return error;
  return new Refusal(kind, code, said, { ...(retryAfterSeconds && { retryAfterSeconds }) });
}

/** Both may have `link`: where the next page is, and what is said of the version. */
function addHeaders(
  headers: Record<string, string>,
  extra: Readonly<Record<string, string>>,
): void {
  const { link } = headers;
  Object.assign(headers, extra);
  if (link !== undefined && extra.link !== undefined) headers.link = `${extra.link}, ${link}`;
}

/** Its signal is made for who waits for news. */
class ReceivedCall<Who> {
  readonly caller: Who;
  readonly originUrl: string | undefined;
  readonly #request: ReceivedRequest;

  constructor(request: ReceivedRequest, originUrl: string | undefined, caller: Who) {
    this.caller = caller;
    this.originUrl = originUrl;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

function answerText(
  { isConditional = false }: Endpoint,
  { target, headers }: ReceivedRequest,
  value: object,
): CarriedOut {
  const text = textOfAnswer(value);
  if (isConditional) {
    const etag = entityTagOf(value, text);
    const named = headers.get('if-none-match');
    return { text, extra: { etag }, isKnown: named !== null && isNamed(etag, named) };
  }
  const own = value instanceof DocumentAnswer ? value.headers : {};
  return { text, extra: { ...own, ...pageLinks(...splitTarget(target), value) } };
}

/** A request for an address that does not exist counts as unsigned. */
function findEndpoint(
  { limits }: RequestMemory,
  request: ReceivedRequest,
  path: string,
  address: string,
  seen: Seen,
): Endpoint {
  try {
    refuseFraming(request);
    return chooseEndpoint(path, request.method, seen.refusalHeaders);
  } catch (error) {
    limits.takeAnonymous(address, seen.limitHeaders);
    throw error;
  }
}

/** At once where nothing has to be waited for. */
function authenticateLimited(
  app: AnswerRequestApp,
  { limits }: RequestMemory,
  endpoint: Endpoint,
  { headers, body }: ReceivedRequest,
  address: string,
  seen: Seen,
): Authenticated | Promise<Authenticated> {
  const fail = (error: unknown): never => {
    // Sent in place of the 401: whoever guesses too often is told nothing more.
    if (error instanceof Refusal) {
      if (error.kind === 'unauthenticated') limits.takeFailure(address, seen.limitHeaders);
      else limits.takeAnonymous(address, seen.limitHeaders);
    }
    throw error;
  };
  const admit = (authenticated: Authenticated) => {
    limits.takeAddress(address, seen.limitHeaders);
    limits.takeKey(authenticated.caller.apiKey, seen.limitHeaders);
    return authenticated;
  };
  const pass = (authenticated: Authenticated) => {
    seen.caller = authenticated.caller;
    if (endpoint.auth !== 'money') return admit(authenticated);
    return useUp(app, authenticated).then(() => admit(authenticated));
  };
  let proof: Authenticated | Promise<Authenticated>;
  try {
    proof = authenticate(app, endpoint, { headers, body, address });
  } catch (error) {
    return fail(error);
  }
  return proof instanceof Promise ? proof.then(pass, fail) : pass(proof);
}

/** What is made by a call has the version of the call. */
function callerInVersion(caller: Caller, { version = caller.apiVersion }: Seen): Caller {
  return version === caller.apiVersion ? caller : { ...caller, apiVersion: version };
}

/** A money-moving request is taken once, whatever becomes of it. */
async function useUp(
  app: AnswerRequestApp,
  { caller: { apiKey }, mac }: Authenticated,
): Promise<void> {
  assert(mac !== undefined, 'money-moving requests are signed');
  await useSignature(app, { apiKey, mac });
}

function refuseRepeat(replays: ReplayWindow, { caller: { apiKey }, mac }: Authenticated): void {
  if (mac !== undefined) replays.accept(apiKey, mac);
}

function splitTarget(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

function chooseEndpoint(
  path: string,
  method: string,
  refusalHeaders: Record<string, string>,
): Endpoint {
  const routes = findRoutes(path);
  if (routes.length === 0) throw new Refusal('missing', 'route_missing', 'no such route');
  const endpoint = routes.find((route) => route.method === method);
  if (endpoint !== undefined) return endpoint;
  const allowed = routes.map((route) => route.method).join(', ');
  refusalHeaders.allow = allowed;
  throw new Refusal('method', 'method_not_allowed', `allowed here: ${allowed}`);
}

/** For display only: what is no plain web address is dropped, not refused. */
function originUrlOf(headers: RequestHeaders): string | undefined {
  const given = headers.get('x-origin-url');
  if (given === null) return undefined;
  const isShown = given.length <= ORIGIN_URL_MAX && /^https?:\/\/[\x21-\x7e]+$/i.test(given);
  return isShown ? given : undefined;
}
