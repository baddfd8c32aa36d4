import { bytesOf, concatenated, hex, hmacSha256, sha256 } from './web-crypto.ts';

/** What a signature covers. */
export type SignedRequest = {
  /** Without `/api/v1` and query. */
  readonly path: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly method: string;
  /** The very bytes that are sent, or their text. */
  readonly body: string | Uint8Array;
};

/** The value of `X-Digest-Signature`. */
export async function signRequest(request: SignedRequest, secret: string): Promise<string> {
  const { path, timestamp, method, body } = request;
  const verb = method.toUpperCase();
  const head = bytesOf(`${path.toLowerCase()}${timestamp}${verb}`);
  const signed = concatenated([head, verb === 'GET' ? new Uint8Array(0) : bytesOf(body)]);
  return hex(await hmacSha256(bytesOf(secret), signed));
}

/**
 * The value of `X-Basic`: a static one, for trying things out with a test key. The client does not
 * use it.
 */
export async function basicValue(key: string, secret: string): Promise<string> {
  return hex(await sha256(bytesOf(`${key}:${secret}`)));
}
