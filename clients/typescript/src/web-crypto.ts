// The cryptography of the platform, and what is made of it. Nothing here is Node's own, except that
// Node 18 keeps Web Crypto in a module.

type WebCrypto = Pick<Crypto, 'subtle' | 'getRandomValues'>;

const encoder = new TextEncoder();
let found: Promise<WebCrypto> | undefined;

function webCrypto(): Promise<WebCrypto> {
  found ??= findWebCrypto();
  return found;
}

async function findWebCrypto(): Promise<WebCrypto> {
  const known = (globalThis as { readonly crypto?: WebCrypto }).crypto;
  if (known?.subtle !== undefined) return known;
  // By a variable, so that no bundler looks for it.
  const name = 'node:crypto';
  const module = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
    readonly webcrypto: WebCrypto;
  };
  return module.webcrypto;
}

export function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data);
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function hmacSha256(
  key: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const { subtle } = await webCrypto();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, data));
}

export async function sha256(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = await webCrypto();
  return new Uint8Array(await subtle.digest('SHA-256', data));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Undefined where the text is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) {
    return undefined;
  }
  return Uint8Array.from(atob(text.replace(/=+$/, '')), (letter) => letter.charCodeAt(0));
}

/** Takes as long for the first byte that differs as for the last. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one[at]! ^ other[at]!;
  return difference === 0;
}

/** A UUID by chance (version 4). */
export async function newUuid(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
