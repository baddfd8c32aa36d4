// Reads what a browser or a sender posts, up to a limit that is kept while reading.
import { Refusal } from '#base/refusal.ts';

const formBytesMax = 16 * 1024;

/** @throws Refusal too-large */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readBytes(request, formBytesMax);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** @throws Refusal too-large */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > most) throw new Refusal('too-large', 'body_too_large', 'the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
