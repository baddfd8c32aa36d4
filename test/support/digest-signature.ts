// How a client signs a request (service.md): written apart from what verifies it.
import { createHmac } from 'node:crypto';
import type { DigestRequest } from '#api/http/verify-digest.ts';

/** The value of X-Digest-Signature. */
export function digestSignature(request: DigestRequest, secret: string): string {
  const { path, timestampText, method, body } = request;
  const verb = method.toUpperCase();
  const signed = createHmac('sha256', secret).update(path.toLowerCase() + timestampText + verb);
  // Whatever is sent with GET is not signed.
  if (verb !== 'GET') signed.update(body);
  return signed.digest('hex');
}
