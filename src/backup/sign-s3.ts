// Signature of a request to S3-compatible storage (AWS Signature Version 4, one request at a time,
// with the digest of its body, so that the storage refuses what was damaged on the way).
import { createHash, createHmac } from 'node:crypto';

type S3Access = {
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
};

type S3Request = {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** All headers of the request, but the host, which the client writes itself. */
export function signS3(
  { region, keyId, secret }: S3Access,
  { method, url, body, headers = {} }: S3Request,
  now: Temporal.Instant,
): Record<string, string> {
  const at = now.toString({ smallestUnit: 'second', roundingMode: 'floor' });
  const moment = at.replaceAll(/[-:]/g, '');
  const day = moment.slice(0, 8);
  const signed: Record<string, string> = {
    ...headers,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': moment,
  };
  const all = Object.entries({ ...signed, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .sort(byName);
  const names = all.map(([name]) => name).join(';');
  const query = queryText([...url.searchParams].sort(byName));
  const path = decodeURIComponent(url.pathname).split('/').map(encodeS3).join('/');
  const canonical = [
    ...[method, path, query],
    ...all.map(([name, value]) => `${name}:${value}`),
    ...['', names, signed['x-amz-content-sha256']],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Uint8Array | string>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    `AWS4${secret}`,
  );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, ` +
    `SignedHeaders=${names}, Signature=${signature}`;
  return { ...signed, authorization };
}

/** A space is %20 in it, not the plus of forms: it is signed as it is sent. */
export function queryText(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.map((pair) => pair.map(encodeS3).join('=')).join('&');
}

/** As RFC 3986 has it: stricter than the function of the language. */
export function encodeS3(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function byName(one: readonly [string, string], other: readonly [string, string]): number {
  const [first, second] = [one.join('\u0000'), other.join('\u0000')];
  return first < second ? -1 : Number(first > second);
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
