// Forms of our pages: what a browser posts is read up to a limit that is kept while reading, and
// only from our own pages.
//
// Browsers say where a request comes from in Sec-Fetch-Site, which no page can forge. Where it is
// missing (plain http on another machine, old browsers) Origin decides, except `null`: that is what
// our own Referrer-Policy makes browsers send. Such a request still has to know the unguessable
// token in the address, which no other site learns.
import { Refusal } from '#base/refusal.ts';

const FORM_BYTES_MAX = 16 * 1024;

/** @throws Refusal too-large */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readBytes(request, FORM_BYTES_MAX);
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

/** @throws Refusal forbidden when a page of another site sent it. */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const isOurs =
    site !== null
      ? site === 'same-origin' || site === 'none'
      : origin === null || origin === 'null' || ownOrigins(request, publicUrl).includes(origin);
  if (!isOurs) throw new Refusal('forbidden', 'other_site', 'the form was sent by another site');
}

function ownOrigins(request: Request, publicUrl: string): string[] {
  return [new URL(request.url).origin, new URL(publicUrl).origin];
}
