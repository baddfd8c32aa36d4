// Every page leaves here, so that no page is without its headers (H1, H2, H4, H10): nothing runs or
// loads that this response did not name by its nonce, nobody frames it, keeps it, or learns its
// address.
import type { Random } from '#base/random.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { Mode } from '#look/palette.ts';
import { directionOf } from './display.ts';
import { type Html, html } from './html.ts';
import { inScheme, SCRIPT, STYLESHEET, STYLESHEETS_OF_SCHEME } from './page-assets.ts';

export type Page = {
  readonly language: LanguageCode;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Of a page that anybody may find: where the same is in other languages. */
  readonly alternates?: readonly Alternate[] | undefined;
  /** Without JavaScript the page asks again after so many seconds. */
  readonly refreshSeconds?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** One of our own paths that the browser goes on to at once, in place of this page. */
  readonly leaveTo?: string | undefined;
  /** Variables of the stylesheet with colours of their own, made by themeText. */
  readonly theme?: Html | undefined;
  /** Of a preview: as in this mode, whatever the device is in. */
  readonly scheme?: Mode | undefined;
  /** Sources that may show the page in a frame (CSP 3, 6.4.2); nobody when absent. */
  readonly frameAncestors?: readonly string[] | undefined;
  /** An origin that a form of the page goes to, checked by whoever names it. */
  readonly formsTo?: string | undefined;
  /** An origin that scripts of the page may connect to, beside our own. */
  readonly connectsTo?: string | undefined;
  /** Paths of our own scripts beside that of all pages; they may show our pages in a frame. */
  readonly scripts?: readonly string[] | undefined;
  /** Paths of our own sheets beside that of all pages. */
  readonly stylesheets?: readonly string[] | undefined;
};

/** A whole address; `x-default` follows what the browser wants. */
type Alternate = { readonly language: LanguageCode | 'x-default'; readonly url: string };

export function sendPage(app: { readonly random: Random }, page: Page): Response {
  const nonce = app.random.bytes(18).toBase64();
  const headers: Record<string, string> = {
    ...PLAIN_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': page.language,
    'Content-Security-Policy': contentSecurityPolicy(nonce, page),
  };
  // X-Frame-Options knows no list of origins. Where there is one, the policy alone decides.
  if (page.frameAncestors?.length) delete headers['X-Frame-Options'];
  if (page.retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(page.retryAfterSeconds);
  }
  const markup = pageMarkup(page, nonce);
  const shown = page.scheme === undefined ? markup : inScheme(markup, page.scheme);
  return new Response(shown, { status: page.status ?? 200, headers });
}

/** `location` is one of our own paths, or an address that was checked when it was stored. */
export function sendSeeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { ...PLAIN_HEADERS, ...headers, Location: location },
  });
}

export function sendJson(
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...PLAIN_HEADERS, 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}

/**
 * A mail as it was written, for a frame on a page of ours: its styles stand in its elements, and
 * nothing of it runs, is loaded or sent.
 */
export function sendLetter(markup: string): Response {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'; sandbox";
  const headers = {
    ...PLAIN_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'X-Frame-Options': 'SAMEORIGIN',
    'Content-Security-Policy': policy,
  };
  return new Response(markup, { headers });
}

/** Text for programs that read, not for browsers to render. `type` without its parameters. */
export function sendText(body: string, type: string): Response {
  return new Response(body, {
    headers: { ...PLAIN_HEADERS, 'Content-Type': `${type}; charset=utf-8` },
  });
}

export function sendNoContent(): Response {
  return new Response(null, { status: 204, headers: PLAIN_HEADERS });
}

/** Server-sent events. Proxies are asked to pass on each as it comes, unchanged. */
export function sendEvents(events: ReadableStream<Uint8Array>): Response {
  return new Response(events, {
    headers: {
      ...PLAIN_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

/** For files whose address changes with their content, or whose content never matters. */
export function sendFile(body: string | Uint8Array, type: string, cacheControl: string): Response {
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: {
      'Content-Type': type,
      'Cache-Control': cacheControl,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // An SVG opened by itself is a document: it gets nothing either.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}

/** A file to be kept, made for this answer. `name` is one of our own: letters, digits, `-`, `.`. */
export function sendDownload(body: Uint8Array, type: string, name: string): Response {
  return new Response(new Uint8Array(body), {
    headers: {
      ...PLAIN_HEADERS,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}

/** One entry for the calendar of whoever asked. `name` as above. */
export function sendCalendar(text: string, name: string): Response {
  const type = 'text/calendar; charset=utf-8';
  return sendDownload(new TextEncoder().encode(text), type, name);
}

/** The same, written while it is read. */
export function sendStream(
  parts: AsyncIterable<string | Uint8Array>,
  type: string,
  name: string,
): Response {
  return new Response(ReadableStream.from(encoded(parts)), {
    headers: {
      ...PLAIN_HEADERS,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}

async function* encoded(parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}

/** Loaded by pages of other sites. It changes with the server, so it is asked for again soon. */
export function sendPublicScript(body: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    },
  });
}

const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

function contentSecurityPolicy(nonce: string, page: Page): string {
  const { frameAncestors = [], scripts, theme, formsTo, connectsTo } = page;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    ...(theme?.markup.startsWith('@font-face') ? ["font-src 'self'"] : []),
    `connect-src 'self'${connectsTo === undefined ? '' : ` ${connectsTo}`}`,
    `form-action 'self'${formsTo === undefined ? '' : ` ${formsTo}`}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    ...(scripts === undefined ? [] : ["frame-src 'self'"]),
  ].join('; ');
}

function pageMarkup(page: Page, nonce: string): string {
  const { refreshSeconds } = page;
  return html`<!doctype html>
<html lang="${page.language}" dir="${directionOf(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.title}">
<meta name="color-scheme" content="${page.scheme ?? 'light dark'}">
<title>${page.title}</title>
${page.alternates?.map(
  ({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">\n`,
)}
<link rel="icon" href="/images/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${(page.scheme ? STYLESHEETS_OF_SCHEME[page.scheme] : STYLESHEET).path}" nonce="${nonce}">
${page.stylesheets?.map((path) => html`<link rel="stylesheet" href="${path}" nonce="${nonce}">\n`)}
${page.theme !== undefined && html`<style nonce="${nonce}">${page.theme}</style>`}
${
  refreshSeconds !== undefined &&
  html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
}
${page.leaveTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${page.leaveTo}">`}
<script src="${SCRIPT.path}" nonce="${nonce}" defer></script>
${page.scripts?.map((path) => html`<script src="${path}" nonce="${nonce}" defer></script>\n`)}
</head>
<body>
${page.body}
</body>
</html>
`.markup;
}
