// Which pages may show a checkout in a frame (H2). Guarantees: what is returned is an exact origin
// as browsers compare it, without wildcard, and without any character that could end a directive
// of a Content-Security-Policy or be markup.

const ORIGINS_MAX = 20;
/** A `;` or `,` is allowed in the host of a URL, and not in a header. */
const SAFE_HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Separated by commas or spaces; empty is none. */
export function parseEmbedOrigins(
  text: string,
): { readonly value: readonly string[] } | { readonly fault: string } {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const origins = parts.map((part) => parseEmbedOrigin(part));
  const wrong = parts.filter((_, index) => origins[index] === undefined);
  if (wrong.length > 0) {
    const fault = `must be origins such as https://shop.example (https, or http on this machine; no path, no wildcard): ${wrong.join(' ')}`;
    return { fault };
  }
  const value = [...new Set(origins.filter((origin) => origin !== undefined))];
  return value.length > ORIGINS_MAX ? { fault: `must be at most ${ORIGINS_MAX}` } : { value };
}

/** Undefined for what is no exact origin of https, or of http on this machine. */
export function parseEmbedOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/\\?#@*\s]+\/?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || !SAFE_HOST.test(url.hostname)) return undefined;
  const isAllowed = url.protocol === 'https:' || LOOPBACK_HOST.test(url.hostname);
  return isAllowed ? url.origin : undefined;
}
