// What is done to every answer on its way out, whichever route gave it.
//
// No page is for search engines: their addresses are the only key to them. Whatever is not plainly
// the browser of a person is told so in a header.
//
// Pages, style and script leave compressed where the browser takes it: brotli, else gzip (RFC 9110
// 8.4, 12.5.3). Files that are kept for ever are compressed once and as small as they get; pages
// quickly. Streams of events and pictures pass as they are.
// That a page holds its own token next to text of others does not let anyone guess the token by the
// length of the answer (BREACH): whoever could make a browser ask for the page has to know the
// token already, and no page depends on a cookie.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Next } from 'hono';

export async function finishAnswer(context: Context, next: Next): Promise<void> {
  await next();
  const tag = robotsTag(context.req.header('user-agent') ?? '');
  if (tag !== undefined) context.res.headers.set('X-Robots-Tag', tag);
  const answer = await compressAnswer(context.req.raw, context.res);
  if (answer === context.res) return;
  // Without this line Hono would add the headers of the old answer to those of the new one.
  context.res = undefined;
  context.res = answer;
}

type ContentCoding = 'br' | 'gzip';

const COMPRESS_WITH = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const COMPRESSIBLE = /^(?:text\/(?:html|css|javascript)|image\/svg\+xml)\b/;
/** Below this the headers are most of what is sent. */
const BYTES_MIN = 500;

/** By coding and path; only our own files are immutable, so there are few. */
const kept = new Map<string, Promise<Uint8Array>>();

export async function compressAnswer(request: Request, answer: Response): Promise<Response> {
  const { headers, status } = answer;
  if (!COMPRESSIBLE.test(headers.get('content-type') ?? '')) return answer;
  const coding = acceptedCoding(request.headers.get('accept-encoding') ?? '');
  const body = new Uint8Array(await answer.arrayBuffer());
  const sent = new Headers(headers);
  sent.append('Vary', 'Accept-Encoding');
  if (coding === undefined || body.length < BYTES_MIN) {
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
  if (coding === 'gzip') return COMPRESS_WITH.gzip(body, { level: isKept ? 9 : 6 });
  return COMPRESS_WITH.br(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: isKept ? constants.BROTLI_MAX_QUALITY : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/** Crawlers that call themselves Mozilla name themselves too, in brackets or with an address. */
const NAMES_A_CRAWLER =
  /bot|crawl|spider|slurp|archive|index|preview|fetch|scrap|monitor|compatible;|https?:/i;

/** Header `X-Robots-Tag`; undefined for the browser of a person, which keeps no index. */
export function robotsTag(userAgent: string): string | undefined {
  const isBrowser = /^Mozilla\/5\.0 \(/.test(userAgent) && !NAMES_A_CRAWLER.test(userAgent);
  return isBrowser ? undefined : 'noindex, nofollow, noarchive';
}
