// Requests in the words of another service (BTCPay Server, Coinbase Commerce), translated into
// those of this API and back. Guarantees: the credential is that of X-Basic, and opens what
// X-Basic opens: no money, and nothing with a live key until somebody allowed it; whatever is
// asked is asked of the endpoints of this API, with their checks; the limits are counted as there;
// what fails is answered in the other service's shape, and of a bug nothing but the request id
// leaves; what was asked stands in the log of requests, as what was asked in our words does.

import { basicValue } from '#access/api-key.ts';
import type { Caller } from '#access/caller.ts';
import { BASE_PATH } from '#api/endpoint.ts';
import {
  type AnswerRequestApp,
  type Asked,
  noteRequest,
  type ReceivedRequest,
} from '#api/http/answer-request.ts';
import { authenticate } from '#api/http/authenticate.ts';
import { clientAddress, type RateLimits } from '#api/http/limits.ts';
import { readJson } from '#api/http/read-input.ts';
import { type Answer, successAnswer, textOfAnswer } from '#api/http/send-refusal.ts';
import { findRoutes } from '#api/routes.ts';
import { actFrom } from '#audit/acting-from.ts';
import { assert } from '#base/assert.ts';
import { newId } from '#base/id.ts';
import { Outage, Refusal, type RefusalKind, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  type ExactJson,
  type ExactObject,
  isJsonObject,
  parseStoredObject,
  stringifyExact,
} from '#money/exact-json.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type ShimCall = {
  readonly app: AnswerRequestApp;
  readonly caller: Caller;
  /** What stands in the path where the route says `:`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** @throws Refusal where the body is no object. */
  body(): ExactObject;
  /** Asks an endpoint of this API, as the same caller. */
  ask(method: Method, path: string, input: ExactObject): Promise<ExactObject>;
};

export type ShimRoute = {
  readonly method: Method;
  /** As `/charges/:`; each `:` stands for one part. */
  readonly path: string;
  readonly scope: 'read' | 'checkout' | 'settings' | 'any' | 'public';
  handle(call: ShimCall): Promise<unknown> | unknown;
};

/** What went wrong, before it has a shape. */
export type ShimFault = {
  readonly status: number;
  readonly kind: RefusalKind | 'unavailable' | 'internal';
  readonly code: string;
  readonly details: readonly string[];
};

export type Shim = {
  /** All its paths begin with it. */
  readonly prefix: string;
  readonly routes: readonly ShimRoute[];
  /** The credential as it was sent; undefined where there is none. @throws Refusal */
  credentialOf(headers: ReceivedRequest['headers']): string | undefined;
  faultBody(fault: ShimFault): unknown;
  /** Where another status than ours is usual. */
  statusOf?(fault: ShimFault): number;
};

/** What became known of a request on its way. */
type Seen = {
  readonly limitHeaders: Record<string, string>;
  /** Of one that asks for credentials. */
  asked?: Asked;
};

const CREDENTIAL = /^(?:[0-9a-f]{64}|[a-z0-9]{12}:[a-z0-9-]{20,64})$/;

export async function answerShim(
  app: AnswerRequestApp,
  limits: RateLimits,
  shim: Shim,
  request: ReceivedRequest,
): Promise<Answer> {
  const requestId = newId(app.random);
  const startedMs = app.clock.monotonicMs();
  const seen: Seen = { limitHeaders: {} };
  let answer: Answer;
  try {
    const value = await carryOut(app, limits, shim, request, seen);
    answer = successAnswer(stringifyExact(value), requestId, seen.limitHeaders);
  } catch (error) {
    answer = faultAnswer(app, shim, error, requestId, seen);
  }
  const { asked } = seen;
  if (asked !== undefined) noteRequest(app, request, { requestId, startedMs, asked, answer });
  return answer;
}

function faultAnswer(
  { log }: AnswerRequestApp,
  shim: Shim,
  error: unknown,
  requestId: string,
  { limitHeaders }: Seen,
): Answer {
  const fault = faultOf(error);
  if (fault.kind === 'internal') log.error('answered 500', { requestId, error });
  const status = shim.statusOf?.(fault) ?? fault.status;
  const body = stringifyExact(shim.faultBody(fault));
  const extra = { ...limitHeaders, 'x-error-code': fault.code };
  return { status, headers: successAnswer('', requestId, extra).headers, body };
}

function faultOf(error: unknown): ShimFault {
  if (error instanceof Refusal) {
    const { kind, code, details } = error;
    return { status: STATUS_OF_REFUSAL[kind], kind, code, details };
  }
  if (error instanceof Outage) {
    const details = ['Something this request depends on is down: try again later.'];
    return { status: 503, kind: 'unavailable', code: 'unavailable', details };
  }
  const details = ['Internal error: it was recorded under the id in X-Request-Id.'];
  return { status: 500, kind: 'internal', code: 'internal', details };
}

async function carryOut(
  app: AnswerRequestApp,
  limits: RateLimits,
  shim: Shim,
  request: ReceivedRequest,
  seen: Seen,
): Promise<unknown> {
  const { headers, body, target } = request;
  const { limitHeaders } = seen;
  const forwardedFor = headers.get('x-forwarded-for');
  const address = clientAddress(request.remoteAddress, forwardedFor, app.config.trustedProxies);
  const [path = '', queryText = ''] = target.split('?', 2);
  const found = findRoute(shim, request.method, path);
  if (found === undefined) {
    limits.takeAnonymous(address, limitHeaders);
    throw new Refusal('missing', 'route_missing', `${request.method} ${path} is not served here`);
  }
  const { route, parts } = found;
  request.onRoute?.(`${shim.prefix}${route.path}`);
  const query = new URLSearchParams(queryText);
  if (route.scope === 'public') {
    limits.takeAnonymous(address, limitHeaders);
    return route.handle({ app, parts, query } as unknown as ShimCall);
  }
  const caller = await knownCaller(app, limits, shim, route, { headers, body, address }, seen);
  return actFrom(route.method === 'GET' ? '' : address, async () =>
    route.handle({
      ...{ app, caller, parts, query },
      body: () => requireObject(readJson(body)),
      ask: (method, ownPath, input) => askOwn(app, caller, request.signal, method, ownPath, input),
    }),
  );
}

function findRoute({ prefix, routes }: Shim, method: string, path: string) {
  const asked = path.slice(prefix.length).split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== asked.length) continue;
    const isIt = wanted.every(
      (part, at) => part === asked[at] || (part === ':' && asked[at] !== ''),
    );
    if (isIt) return { route, parts: asked.filter((_, at) => wanted[at] === ':') };
  }
  return undefined;
}

async function knownCaller(
  app: AnswerRequestApp,
  limits: RateLimits,
  shim: Shim,
  { method, path, scope }: ShimRoute,
  signed: { readonly headers: ReceivedRequest['headers']; body: Uint8Array; address: string },
  seen: Seen,
): Promise<Caller> {
  const { address } = signed;
  const { limitHeaders } = seen;
  assert(scope !== 'public', 'a public route asks for no credentials');
  try {
    const { basic, namedKey } = basicOf(shim.credentialOf(signed.headers));
    seen.asked = { scope, address, namedKey };
    const headers = new Headers({ 'x-basic': basic });
    const auth = method === 'GET' ? 'read' : 'create';
    const route = { method, path, auth, scope, digestOnly: false } as const;
    const { caller } = await authenticate(app, route, { ...signed, headers });
    seen.asked = { ...seen.asked, caller };
    limits.takeAddress(address, limitHeaders);
    limits.takeKey(caller.apiKey, limitHeaders);
    return caller;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'unauthenticated') {
      limits.takeFailure(address, limitHeaders);
    }
    throw error;
  }
}

/** Either the value of X-Basic, which names no key, or what it is made of: `key:secret`. */
function basicOf(credential: string | undefined): { basic: string; namedKey: string } {
  if (credential === undefined || !CREDENTIAL.test(credential)) {
    throw new Refusal('unauthenticated', 'authentication_failed', [
      'the API key is the value of X-Basic, or key:secret',
    ]);
  }
  const [key = '', secret] = credential.split(':');
  if (secret === undefined) return { basic: credential, namedKey: '' };
  return { basic: basicValue(key, secret), namedKey: key };
}

function requireObject(input: ExactJson): ExactObject {
  if (isJsonObject(input)) return input;
  throw new Refusal('invalid', 'validation_failed', ['the body must be an object']);
}

async function askOwn(
  app: AnswerRequestApp,
  caller: Caller,
  signal: AbortSignal,
  method: Method,
  path: string,
  input: ExactObject,
): Promise<ExactObject> {
  const endpoint = findRoutes(`${BASE_PATH}${path}`).find((route) => route.method === method);
  assert(endpoint !== undefined, `there is no ${method} ${path}`);
  assert(!endpoint.digestOnly, `${path} is closed for what is not signed`);
  const { scope } = endpoint;
  if (scope !== 'any' && caller.scopes !== undefined && !caller.scopes.includes(scope)) {
    throw new Refusal('forbidden', 'scope_missing', `this key has no scope ${scope}`);
  }
  const call = { caller, originUrl: undefined, signal };
  return parseStoredObject(textOfAnswer(await endpoint.answer(app, call, { ...input })));
}
