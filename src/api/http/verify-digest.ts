// Digest authentication (service.md, api-contract.md 1 and 3). Pure. Guarantees: true only for the
// lower-case hex HMAC-SHA256 of exactly these bytes under one of the secrets; the time it takes
// depends on the number of secrets and the length of the body, not on what they hold, and an
// unknown key (no secrets) costs what a known one does; only a GET that was right a moment ago is
// known again sooner. Not checked here: the age of the timestamp.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type DigestRequest = {
  /** Of the endpoint, without version prefix and query. */
  readonly path: string;
  /** The header's text as received. */
  readonly timestampText: string;
  readonly method: string;
  /** The raw bytes received. GET signs none, whatever was sent. */
  readonly body: Uint8Array;
};

const dummySecret = '0000-0000-0000-0000-0000-0000';
const noBytes = new Uint8Array(0);

/** The signatures of one second that were found right, by path. */
type FoundRight = { readonly timestampText: string; readonly byPath: Map<string, Uint8Array> };

/**
 * Of GET, which signs neither query nor body: a shop that looks after its open orders sends the
 * same signature for each of them. Only what was right is kept, as long as the key is remembered:
 * what is wrong takes as long as ever.
 */
const FOUND_RIGHT = new WeakMap<readonly string[], FoundRight>();
const PATHS_MOST = 100;

export function verifyDigest(
  request: DigestRequest,
  secrets: readonly string[],
  signatureHex: string,
): boolean {
  const isSyntax = /^[0-9a-f]{64}$/.test(signatureHex);
  const signature = isSyntax ? Buffer.from(signatureHex, 'hex') : Buffer.alloc(32);
  if (isSyntax && wasRight(request, secrets, signature)) return true;
  // Some clients send `{}` or `[]` for no parameters, but sign the empty text.
  const bodies = isEmptyJson(request.body) ? [request.body, noBytes] : [request.body];
  let isRight = false;
  for (const secret of secrets.length > 0 ? secrets : [dummySecret]) {
    for (const body of bodies) {
      const isEqual = timingSafeEqual(digestOf({ ...request, body }, secret), signature);
      isRight = isEqual || isRight;
    }
  }
  const isVerified = isRight && isSyntax && secrets.length > 0;
  if (isVerified) keepRight(request, secrets, signature);
  return isVerified;
}

function wasRight(
  { method, timestampText, path }: DigestRequest,
  secrets: readonly string[],
  signature: Uint8Array,
): boolean {
  if (method !== 'GET') return false;
  const kept = FOUND_RIGHT.get(secrets);
  const known = kept?.timestampText === timestampText ? kept.byPath.get(path) : undefined;
  return known !== undefined && timingSafeEqual(known, signature);
}

function keepRight(
  { method, timestampText, path }: DigestRequest,
  secrets: readonly string[],
  signature: Uint8Array,
): void {
  if (method !== 'GET') return;
  const kept = FOUND_RIGHT.get(secrets);
  const isSame = kept?.timestampText === timestampText && kept.byPath.size < PATHS_MOST;
  if (isSame) kept.byPath.set(path, signature);
  else FOUND_RIGHT.set(secrets, { timestampText, byPath: new Map([[path, signature]]) });
}

function digestOf({ path, timestampText, method, body }: DigestRequest, secret: string): Buffer {
  const verb = method.toUpperCase();
  return createHmac('sha256', secret)
    .update(`${path.toLowerCase()}${timestampText}${verb}`)
    .update(verb === 'GET' ? noBytes : body)
    .digest();
}

function isEmptyJson(body: Uint8Array): boolean {
  if (body.length !== 2) return false;
  const text = Buffer.from(body).toString('latin1');
  return text === '{}' || text === '[]';
}
