// Reads JSON from a server we do not trust: bounded in time and size, without following redirects,
// every number with all its digits.
import { type ExactJson, parseExactJson } from '#money/exact-json.ts';

export type FetchLimits = { readonly timeoutMs?: number; readonly bytesMax?: number };

const defaultTimeoutMs = 10_000;
const defaultBytesMax = 2 * 1024 * 1024;

/** Throws an Error that says what was wrong: status, size, time or JSON. */
export async function fetchExactJson(
  url: string,
  signal: AbortSignal,
  { timeoutMs = defaultTimeoutMs, bytesMax = defaultBytesMax }: FetchLimits = {},
): Promise<ExactJson> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => {
    controller.abort(new Error(`no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: controller.signal,
      headers: { accept: 'application/json', 'user-agent': 'quittance' },
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const parsed = parseExactJson(await readText(response, bytesMax));
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed.value;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    // Ends a body that was not read to its end; nothing happens to one that was.
    controller.abort();
  }
}

async function readText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error(`answer above ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}
