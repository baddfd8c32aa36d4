// Pages, style and script leave compressed where the browser takes it: brotli, else gzip (RFC 9110
// 8.4, 12.5.3). Files that are kept for ever are compressed once and as small as they get; pages
// quickly. Streams of events and pictures pass as they are.
// That a page holds its own token next to text of others is no way to guess the token by its length
// (BREACH): who could make a browser ask for the page has to know the token already, and no page
// depends on a cookie.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type ContentCoding = 'br' | 'gzip';

const compressWith = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const COMPRESSIBLE = /^(?:text\/(?:html|css|javascript)|image\/svg\+xml)\b/;
/** Below this the headers are most of what is sent. */
const bytesMin = 500;

/** By coding and path; only our own files are immutable, so there are few. */
const kept = new Map<string, Promise<Uint8Array>>();

export async function compressAnswer(request: Request, answer: Response): Promise<Response> {
  const { headers, status } = answer;
  if (!COMPRESSIBLE.test(headers.get('content-type') ?? '')) return answer;
  const coding = acceptedCoding(request.headers.get('accept-encoding') ?? '');
  const body = new Uint8Array(await answer.arrayBuffer());
  const sent = new Headers(headers);
  sent.append('Vary', 'Accept-Encoding');
  if (coding === undefined || body.length < bytesMin) {
    return new Response(body, { status, headers: sent });
  }
  sent.set('Content-Encoding', coding);
  const isKept = status === 200 && /\bimmutable\b/.test(headers.get('cache-control') ?? '');
  const key = `${coding} ${new URL(request.url).pathname}`;
  const compressed = (isKept ? kept.get(key) : undefined) ?? compress(coding, body, isKept);
  if (isKept) kept.set(key, compressed);
  return new Response(new Uint8Array(await compressed), { status, headers: sent });
}

/** Undefined: as it is. A weight of 0 is a refusal; what is not named is not accepted. */
export function acceptedCoding(acceptEncoding: string): ContentCoding | undefined {
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((part): [string, boolean] => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        return [name, !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))];
      }),
  );
  return (['br', 'gzip'] as const).find((name) => weights.get(name) ?? weights.get('*'));
}

function compress(coding: ContentCoding, body: Uint8Array, isKept: boolean): Promise<Uint8Array> {
  if (coding === 'gzip') return compressWith.gzip(body, { level: isKept ? 9 : 6 });
  return compressWith.br(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: isKept ? constants.BROTLI_MAX_QUALITY : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
