// Digest authentication (service.md, api-contract.md 1 and 3). Pure. Guarantees: true only for the
// lower-case hex HMAC-SHA256 of exactly these bytes under one of the secrets; the time it takes
// depends on the number of secrets and the length of the body, not on what they hold, and an
// unknown key (no secrets) costs what a known one does. Not checked here: the age of the timestamp.
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

export function verifyDigest(
  request: DigestRequest,
  secrets: readonly string[],
  signatureHex: string,
): boolean {
  const isSyntax = /^[0-9a-f]{64}$/.test(signatureHex);
  const signature = isSyntax ? Buffer.from(signatureHex, 'hex') : Buffer.alloc(32);
  // Some clients send `{}` or `[]` for no parameters, but sign the empty text.
  const bodies = isEmptyJson(request.body) ? [request.body, noBytes] : [request.body];
  let isRight = false;
  for (const secret of secrets.length > 0 ? secrets : [dummySecret]) {
    for (const body of bodies) {
      const isEqual = timingSafeEqual(digestOf({ ...request, body }, secret), signature);
      isRight = isEqual || isRight;
    }
  }
  return isRight && isSyntax && secrets.length > 0;
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
