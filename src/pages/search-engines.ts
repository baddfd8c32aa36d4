// No page is for search engines: their addresses are the only key to them. Whatever is not plainly
// the browser of a person is told so in a header, on every answer.
/** Crawlers that call themselves Mozilla name themselves too, in brackets or with an address. */
const NAMES_A_CRAWLER =
  /bot|crawl|spider|slurp|archive|index|preview|fetch|scrap|monitor|compatible;|https?:/i;

/** Header `X-Robots-Tag`; undefined for the browser of a person, which keeps no index. */
export function robotsTag(userAgent: string): string | undefined {
  const isBrowser = /^Mozilla\/5\.0 \(/.test(userAgent) && !NAMES_A_CRAWLER.test(userAgent);
  return isBrowser ? undefined : 'noindex, nofollow, noarchive';
}
